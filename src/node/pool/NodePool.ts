import { setTimeout as delay } from 'node:timers/promises'
import { NodeAnswerError, NodeRefusedError, ProofFailedError } from '../../chain/errors.ts'
import type { Logger } from '../../observe/Logger.ts'
import { CodedError } from '../../primitives/CodedError.ts'
import { type LiteServerAddress, liteServerKey } from '../../primitives/LiteServerAddress.ts'
import { LiteClient, type LiteClientOptions } from '../LiteClient.ts'
import { askHead, findConsensusSeqno, isOnNetwork, probeArchival } from './health.ts'
import { LatencyWindow } from './latency.ts'
import { PoolServer, type ServerCondition, type ServerStatus } from './PoolServer.ts'
import {
  nobodyLeft,
  orderServers,
  type RunHooks,
  type RunOptions,
  runOnServers,
  type ServerSession,
} from './runOnServers.ts'

export type NodePoolOptions = LiteClientOptions & {
  readonly logger: Logger
  /** Root hash of the zerostate that every server must name. */
  readonly zeroStateRootHash?: Uint8Array | undefined
  readonly healthMs?: number
  readonly archivalProbeMs?: number
  /** A server more than this many masterchain blocks behind the best is out of step. */
  readonly maxBehind?: number
  /** How long a server that told an untruth is not asked; doubled each time. */
  readonly asideMs?: number
}

const MAX_SENDS = 5
/** How much later than it should a server may answer that it has waited. */
const ANSWER_MS = 2000
const MAX_ASIDE_DOUBLINGS = 6

/** Many servers as one: measures them all the time, and runs each piece of work on one that fits. */
export class NodePool {
  readonly servers: readonly PoolServer[]
  private readonly options: Required<Omit<NodePoolOptions, keyof LiteClientOptions | 'zeroStateRootHash'>> &
    Pick<NodePoolOptions, 'zeroStateRootHash'>
  private readonly latency = new LatencyWindow()
  private readonly closing = new AbortController()
  private watching: Promise<void> | undefined

  constructor(addresses: readonly LiteServerAddress[], options: NodePoolOptions) {
    const {
      logger,
      zeroStateRootHash,
      healthMs = 1000,
      archivalProbeMs = 120_000,
      maxBehind = 3,
      asideMs = 60_000,
    } = options
    this.options = { logger, zeroStateRootHash, healthMs, archivalProbeMs, maxBehind, asideMs }
    const unique = new Map(addresses.map((address) => [liteServerKey(address), address]))
    this.servers = [...unique.values()].map((address) => new PoolServer(new LiteClient(address, options)))
  }

  /** Begins to watch the servers and resolves after the first look at all of them. */
  async start(): Promise<void> {
    await this.checkServers()
    this.watching ??= this.watch()
  }

  async close(): Promise<void> {
    this.closing.abort()
    for (const { client } of this.servers) client.close()
    await this.watching
  }

  get status(): ServerStatus[] {
    return this.servers.map(({ status }) => status)
  }

  get consensusSeqno(): number | undefined {
    return findConsensusSeqno(this.servers)
  }

  get bestSeqno(): number | undefined {
    const seqnos = this.servers.flatMap(({ condition, head }) =>
      condition === 'alive' && head !== undefined ? [head.seqno] : [],
    )
    return seqnos.length === 0 ? undefined : Math.max(...seqnos)
  }

  /**
   * Runs `work` with all its questions on one server. A failure moves it, whole, to the next; a slow server gets a rival
   * after the time that nineteen of twenty calls stay under. A server that fails a proof inside `work` is put aside.
   */
  run<T>(work: (session: ServerSession) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return runOnServers(this.servers, work, options, this.hooks)
  }

  private readonly hooks: RunHooks = {
    findHedgeMs: () => this.latency.percentile(0.95),
    onSuccess: (server, ms) => {
      this.latency.add(ms)
      server.latency.add(ms)
      server.answered++
    },
    onFailure: (server, error) => {
      server.failed++
      if (error instanceof ProofFailedError || error instanceof NodeAnswerError) this.putAside(server, error.message)
    },
  }

  /** Gives a message to several servers at once; one that takes it is enough. */
  async send(body: Uint8Array, signal?: AbortSignal): Promise<void> {
    const targets = orderServers(this.servers, undefined).slice(0, MAX_SENDS)
    const attempts = targets.map(({ client }) => client.ask('liteServer.sendMessage', { body }, { signal }))
    try {
      await Promise.any(attempts)
    } catch (error) {
      signal?.throwIfAborted()
      const errors = error instanceof AggregateError ? error.errors : [error]
      throw errors.find((each) => each instanceof NodeRefusedError) ?? errors[0] ?? nobodyLeft(this.servers, undefined)
    }
  }

  /**
   * Waits, on the server that is asked first, until it has a masterchain block. Tells whether it said so in time. How long that took
   * says nothing about the server, so it is not counted.
   */
  async waitForBlock(seqno: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    const server = orderServers(this.servers, undefined)[0]
    if (server === undefined) return false
    const wait = { seqno, timeoutMs }
    try {
      const options = { wait, timeoutMs: timeoutMs + ANSWER_MS, signal }
      const { last } = await server.client.ask('liteServer.getMasterchainInfo', {}, options)
      return last.seqno >= seqno
    } catch (error) {
      if (error instanceof CodedError) return false
      throw error
    }
  }

  private async watch(): Promise<void> {
    const { signal } = this.closing
    while (!signal.aborted) {
      await delay(this.options.healthMs, undefined, { signal, ref: false }).catch(() => undefined)
      if (!signal.aborted) await this.checkServers()
    }
  }

  private async checkServers(): Promise<void> {
    await Promise.all(this.servers.map((server) => this.checkServer(server)))
    const { maxBehind } = this.options
    const heads = this.servers.flatMap(({ condition, head }) =>
      condition === 'aside' || condition === 'foreign' || head === undefined ? [] : [head.seqno],
    )
    const best = Math.max(0, ...heads)
    for (const server of this.servers) {
      if (server.head === undefined || ['aside', 'dead', 'foreign'].includes(server.condition)) continue
      const behind = best - server.head.seqno
      if (behind > maxBehind) this.setCondition(server, 'behind', `${behind} masterchain blocks behind the best server`)
      else this.setCondition(server, 'alive', undefined)
    }
  }

  private async checkServer(server: PoolServer): Promise<void> {
    const { healthMs, archivalProbeMs, zeroStateRootHash } = this.options
    const now = performance.now()
    if (server.condition === 'aside' && now < server.asideUntil) return
    try {
      const report = await askHead(server.client, Math.max(2000, healthMs))
      // It may have been put aside while it was asked.
      if (performance.now() < server.asideUntil) return
      if (!isOnNetwork(report, zeroStateRootHash)) {
        this.setCondition(server, 'foreign', 'it serves another network: its zerostate is not the configured one')
        return
      }
      server.head = report.head
      server.lagSeconds = report.lagSeconds
      if (server.condition !== 'alive' && server.condition !== 'behind') this.setCondition(server, 'unknown', undefined)
      if (now - server.archivalProbedAt >= archivalProbeMs) {
        server.archivalProbedAt = now
        const isArchival = await probeArchival(server.client, Math.max(2000, healthMs))
        server.archival = isArchival ?? server.archival
      }
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      if (!this.closing.signal.aborted) this.setCondition(server, 'dead', error.message)
    }
  }

  private putAside(server: PoolServer, reason: string): void {
    server.timesAside++
    const doublings = Math.min(MAX_ASIDE_DOUBLINGS, server.timesAside - 1)
    server.asideUntil = performance.now() + this.options.asideMs * 2 ** doublings
    this.setCondition(server, 'aside', reason)
  }

  /** Says it in the log where it is news. */
  private setCondition(server: PoolServer, condition: ServerCondition, reason: string | undefined): void {
    const before = server.condition
    server.condition = condition
    server.reason = reason
    if (before === condition || condition === 'unknown') return
    const fields = { server: server.name, ...(reason === undefined ? {} : { reason }) }
    if (condition === 'alive') {
      this.options.logger.info('server in step', { ...fields, seqno: server.head?.seqno })
      return
    }
    const messages = {
      dead: 'server unreachable',
      behind: 'server out of step',
      aside: 'server put aside',
      foreign: 'server of another network',
    }
    this.options.logger.warn(messages[condition], fields)
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import { NodeAnswerError, NodeRefusedError, ProofFailedError } from '../../chain/errors.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type LiteServerAddress, liteServerKey } from '../../primitives/LiteServerAddress.ts'
import { LiteClient, type LiteClientOptions } from '../LiteClient.ts'
import {
  findConsensusSeqno,
  isOnNetwork,
  LatencyWindow,
  PoolServer,
  probeArchival,
  queryHead,
  type ServerCondition,
  type ServerReport,
  type ServerStatus,
} from './PoolServer.ts'
import {
  noServerLeft,
  openSession,
  orderServers,
  type RunHooks,
  type RunOptions,
  runOnServers,
  type ServerSession,
} from './runOnServers.ts'

export type NodePoolOptions = LiteClientOptions & {
  readonly logger: Logger
  /** Root hash of the zerostate that every server must report. */
  readonly zeroStateRootHash?: Uint8Array | undefined
  readonly healthMs?: number
  readonly archivalProbeMs?: number
  /** A server more than this many masterchain blocks behind the best is out of sync. */
  readonly maxBehind?: number
  /** Suspension of a server that sent an invalid proof; doubled each time. */
  readonly asideMs?: number
}

const MAX_SENDS = 5
/** Nodes wait up to ten seconds for a block. */
const FOLLOW_MS = 5000
const WAIT_TIMEOUT = 652
/** Tolerance for the answer to a wait request. */
const ANSWER_MS = 2000
const MAX_ASIDE_DOUBLINGS = 6

/** A pool of liteservers: monitors their health, and runs work on a suitable one. */
export class NodePool {
  readonly servers: readonly PoolServer[]
  private readonly options: Required<Omit<NodePoolOptions, keyof LiteClientOptions | 'zeroStateRootHash'>> &
    Pick<NodePoolOptions, 'zeroStateRootHash'>
  private readonly latency = new LatencyWindow()
  private readonly closing = new AbortController()
  private watching: Promise<void> | undefined
  private followEra = 0
  /** Others since the network was reverted. */
  private hooks = this.createHooks()
  private readonly headListeners: ((head: BlockIdExt) => void)[] = []
  /** The newest proven block; set by the proof checker. */
  provenSeqno = 0

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

  /** Starts health checks and resolves after the first check of all servers. */
  async start(): Promise<void> {
    await this.checkServers()
    if (this.watching !== undefined) return
    this.watching = this.watch()
    this.startFollowing()
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
   * Runs `work` with all its requests on one server. After a failure it restarts on the next one; a slow server is hedged
   * after the 95th percentile of the latency. A server that fails a proof inside `work` is suspended.
   */
  run<T>(work: (session: ServerSession) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return runOnServers(this.servers, work, options, this.hooks)
  }

  /** The servers in sync, for queries that not every server answers: failures are up to the caller. */
  openSessions(options: Pick<RunOptions, 'signal' | 'timeoutMs'> = {}): readonly ServerSession[] {
    return orderServers(this.servers, undefined, this.provenSeqno)
      .filter(({ condition }) => condition === 'alive')
      .map((server) => openSession(this.servers, server, this.hooks, options))
  }

  private createHooks(): RunHooks {
    const hooks: RunHooks = {
      provenSeqno: () => this.provenSeqno,
      findHedgeMs: () => this.latency.percentile(0.95),
      onSuccess: (server, ms) => {
        this.latency.add(ms)
        server.latency.add(ms)
        server.answered++
      },
      onFailure: (server, error) => {
        server.failed++
        const isFault = error instanceof ProofFailedError || error instanceof NodeAnswerError
        // A proof that began before the network was reverted says nothing about the server.
        if (isFault && this.hooks === hooks) this.putAside(server, error.message)
      },
    }
    return hooks
  }

  /** Sends a message to several servers at once; one acceptance is enough. */
  async send(body: Uint8Array, signal?: AbortSignal): Promise<void> {
    const targets = orderServers(this.servers, undefined, this.provenSeqno).slice(0, MAX_SENDS)
    const attempts = targets.map(({ client }) => client.query('liteServer.sendMessage', { body }, { signal }))
    try {
      await Promise.any(attempts)
    } catch (error) {
      signal?.throwIfAborted()
      const errors = error instanceof AggregateError ? error.errors : [error]
      throw (
        errors.find((each) => each instanceof NodeRefusedError) ?? errors[0] ?? noServerLeft(this.servers, undefined)
      )
    }
  }

  /** Calls the listener whenever a server reports its newest block, before that block is proven. */
  onHead(listener: (head: BlockIdExt) => void): void {
    this.headListeners.push(listener)
  }

  /** Whether a server in sync reports its next block as soon as it has it. */
  get isFollowing(): boolean {
    return this.servers.some(({ condition, isFollowed }) => isFollowed && condition === 'alive')
  }

  /** Forgets the heads of the servers: for a network that was reverted. */
  forgetHeads(): void {
    this.provenSeqno = 0
    this.hooks = this.createHooks()
    for (const server of this.servers) {
      server.head = undefined
      server.isFollowed = false
      // It could not prove blocks that were being removed.
      server.asideUntil = 0
      if (server.condition === 'aside') this.setCondition(server, 'unknown', undefined)
    }
    this.startFollowing()
  }

  private startFollowing(): void {
    const era = ++this.followEra
    for (const server of this.servers) void this.follow(server, era)
  }

  /**
   * Long polling: keeps one request open, which the server answers when it has the block after its head. The time says nothing about
   * the server, so it is not measured. A server that does not wait, or fails, is polled periodically for a while.
   */
  private async follow(server: PoolServer, era: number): Promise<void> {
    const isOver = (): boolean => era !== this.followEra || this.closing.signal.aborted
    while (!isOver()) {
      const { head, condition } = server
      const hasWaited = head !== undefined && condition === 'alive' && (await this.waitForNext(server, head, isOver))
      if (isOver()) return
      server.isFollowed = hasWaited
      if (!hasWaited) await delay(this.options.healthMs, undefined, { ref: false })
    }
  }

  /** Makes the server wait for the block after `head`; returns whether it waited, with or without a result. */
  private async waitForNext(server: PoolServer, head: BlockIdExt, isOver: () => boolean): Promise<boolean> {
    const wait = { seqno: head.seqno + 1, timeoutMs: FOLLOW_MS }
    // Assumed to wait until it has shown otherwise.
    server.isFollowed = server.waits !== false
    const start = performance.now()
    try {
      const report = await queryHead(server.client, { wait, timeoutMs: FOLLOW_MS + ANSWER_MS })
      server.waits = report.head.seqno > head.seqno
      const isNews = server.waits && isOnNetwork(report, this.options.zeroStateRootHash) && !isOver()
      if (isNews) this.noteReport(server, report)
      return isNews
    } catch (error) {
      if (!(error instanceof CodedError)) throw error
      const isTimeout = error instanceof NodeRefusedError && error.serverCode === WAIT_TIMEOUT
      return isTimeout && performance.now() - start >= FOLLOW_MS / 2
    }
  }

  private noteReport(server: PoolServer, { head, lagSeconds }: ServerReport): void {
    server.head = head
    server.lagSeconds = lagSeconds
    server.reportedAt = performance.now()
    for (const listener of this.headListeners) listener(head)
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
    // A server that reports an unprovable block does not put the others out of sync.
    const best = Math.min(Math.max(0, ...heads), this.provenSeqno > 0 ? this.provenSeqno : Number.POSITIVE_INFINITY)
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
    const era = this.followEra
    try {
      const report = await queryHead(server.client, { timeoutMs: Math.max(2000, healthMs) })
      // The network was reverted during the request: the block may be gone.
      if (era !== this.followEra) return
      // It may have been suspended during the request.
      if (performance.now() < server.asideUntil) return
      if (!isOnNetwork(report, zeroStateRootHash)) {
        this.setCondition(server, 'foreign', 'it serves another network: its zerostate is not the configured one')
        return
      }
      // Ignores an answer that was overtaken by a newer one.
      if (now >= server.reportedAt || report.head.seqno >= (server.head?.seqno ?? 0)) this.noteReport(server, report)
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

  /** Logs changes of the condition. */
  private setCondition(server: PoolServer, condition: ServerCondition, reason: string | undefined): void {
    const before = server.condition
    server.condition = condition
    server.reason = reason
    if (before === condition || condition === 'unknown') return
    const fields = { server: server.name, ...(reason === undefined ? {} : { reason }) }
    if (condition === 'alive') {
      this.options.logger.info('liteserver in sync', { ...fields, seqno: server.head?.seqno })
      return
    }
    const messages = {
      dead: 'liteserver unreachable',
      behind: 'liteserver out of sync',
      aside: 'liteserver suspended after failures',
      foreign: 'liteserver of another network',
    }
    this.options.logger.warn(messages[condition], fields)
  }
}

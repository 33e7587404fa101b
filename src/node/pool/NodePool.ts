import { setTimeout as delay } from 'node:timers/promises'
import { NodeAnswerError, NodeRefusedError, ProofFailedError } from '../../chain/errors.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { type LiteServerAddress, liteServerKey } from '../../primitives/LiteServerAddress.ts'
import { LiteClient, type LiteClientOptions } from '../LiteClient.ts'
import { askHead, findConsensusSeqno, isOnNetwork, probeArchival, type ServerReport } from './health.ts'
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
/** Nodes wait up to ten seconds for a block. */
const FOLLOW_MS = 5000
const WAIT_TIMEOUT = 652
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
  private followEra = 0
  private readonly headListeners: ((head: BlockIdExt) => void)[] = []
  /** The newest block that is proven; set by whoever proves. */
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

  /** Begins to watch the servers and resolves after the first look at all of them. */
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
   * Runs `work` with all its questions on one server. A failure moves it, whole, to the next; a slow server gets a rival
   * after the time that nineteen of twenty calls stay under. A server that fails a proof inside `work` is put aside.
   */
  run<T>(work: (session: ServerSession) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return runOnServers(this.servers, work, options, this.hooks)
  }

  private readonly hooks: RunHooks = {
    provenSeqno: () => this.provenSeqno,
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
    const targets = orderServers(this.servers, undefined, this.provenSeqno).slice(0, MAX_SENDS)
    const attempts = targets.map(({ client }) => client.ask('liteServer.sendMessage', { body }, { signal }))
    try {
      await Promise.any(attempts)
    } catch (error) {
      signal?.throwIfAborted()
      const errors = error instanceof AggregateError ? error.errors : [error]
      throw errors.find((each) => each instanceof NodeRefusedError) ?? errors[0] ?? nobodyLeft(this.servers, undefined)
    }
  }

  /** Has the listener told whenever a server says what its newest block is. Nobody has proven it yet. */
  onHead(listener: (head: BlockIdExt) => void): void {
    this.headListeners.push(listener)
  }

  /** Some server in sync tells of its next block as soon as it has it. */
  get isFollowing(): boolean {
    return this.servers.some(({ condition, isFollowed }) => isFollowed && condition === 'alive')
  }

  /** Forgets where the servers are: for a network that has gone back in time. */
  forgetHeads(): void {
    this.provenSeqno = 0
    for (const server of this.servers) {
      server.head = undefined
      server.isFollowed = false
    }
    this.startFollowing()
  }

  private startFollowing(): void {
    const era = ++this.followEra
    for (const server of this.servers) void this.follow(server, era)
  }

  /**
   * Keeps one request at the server, which it answers when it has the block after its head. How long that takes says nothing about
   * the server, so it is not measured. A server that does not wait, or fails, is left to the periodic check for a while.
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

  /** Has the server wait for the block after `head`, and tells whether it did, be it in vain. */
  private async waitForNext(server: PoolServer, head: BlockIdExt, isOver: () => boolean): Promise<boolean> {
    const wait = { seqno: head.seqno + 1, timeoutMs: FOLLOW_MS }
    // Until it has shown that it does not wait, it is taken to.
    server.isFollowed = server.waits !== false
    const start = performance.now()
    try {
      const report = await askHead(server.client, { wait, timeoutMs: FOLLOW_MS + ANSWER_MS })
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
    // A server that names a block which nobody can prove does not make the others late.
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
    try {
      const report = await askHead(server.client, { timeoutMs: Math.max(2000, healthMs) })
      // It may have been put aside while it was asked.
      if (performance.now() < server.asideUntil) return
      if (!isOnNetwork(report, zeroStateRootHash)) {
        this.setCondition(server, 'foreign', 'it serves another network: its zerostate is not the configured one')
        return
      }
      // An answer that was overtaken by a newer one says nothing.
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

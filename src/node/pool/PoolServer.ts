import { NodeRefusedError } from '../../chain/errors.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { LiteClient, QueryOptions } from '../LiteClient.ts'

const KEPT = 256

/** The last few hundred durations, and their percentiles. */
export class LatencyWindow {
  private readonly values = new Float64Array(KEPT)
  private count = 0

  add(ms: number): void {
    this.values[this.count % KEPT] = ms
    this.count++
  }

  get size(): number {
    return Math.min(this.count, KEPT)
  }

  /** The duration that this share of the calls (0 to 1) stayed under, or `undefined` before there were any. */
  percentile(share: number): number | undefined {
    if (this.count === 0) return undefined
    const sorted = this.values.slice(0, this.size).sort()
    return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  }
}

/**
 * `behind`: answers, but is out of sync. `aside`: sent an invalid proof; for a while it is used only when all others have
 * failed, which is safe because answers are proven. `foreign`: serves another network and is never used.
 */
export type ServerCondition = 'unknown' | 'alive' | 'behind' | 'dead' | 'aside' | 'foreign'

/** Status of one server, for operators and metrics. */
export type ServerStatus = {
  readonly name: string
  readonly condition: ServerCondition
  readonly seqno: number | undefined
  /** Age of its newest masterchain block, by its own clock if it reports it. */
  readonly lagSeconds: number | undefined
  readonly archival: boolean | undefined
  readonly latencyMs: number | undefined
  readonly inFlight: number
  readonly answered: number
  readonly failed: number
  readonly reason: string | undefined
}

/** A server in the pool: its client and measurements. Only the pool changes it. */
export class PoolServer {
  readonly client: LiteClient
  readonly latency = new LatencyWindow()
  condition: ServerCondition = 'unknown'
  head: BlockIdExt | undefined
  reportedAt = Number.NEGATIVE_INFINITY
  /** A long poll for the next block is in flight. */
  isFollowed = false
  /** Whether it supports waiting for a block; unknown before the first wait has ended. */
  waits: boolean | undefined
  lagSeconds: number | undefined
  archival: boolean | undefined
  archivalProbedAt = Number.NEGATIVE_INFINITY
  asideUntil = 0
  timesAside = 0
  answered = 0
  failed = 0
  reason: string | undefined

  constructor(client: LiteClient) {
    this.client = client
  }

  get name(): string {
    return this.client.name
  }

  get status(): ServerStatus {
    return {
      name: this.name,
      condition: this.condition,
      seqno: this.head?.seqno,
      lagSeconds: this.lagSeconds,
      archival: this.archival,
      latencyMs: this.latency.percentile(0.5),
      inFlight: this.client.inFlight,
      answered: this.answered,
      failed: this.failed,
      reason: this.reason,
    }
  }
}

const NOT_IN_DB = 651

export type ServerReport = {
  readonly head: BlockIdExt
  readonly lagSeconds: number | undefined
  readonly zeroStateRootHash: Uint8Array
}

/** Queries the head of a server. Old servers do not support the extended request, which includes the age of the block. */
export const queryHead = async (client: LiteClient, options: QueryOptions): Promise<ServerReport> => {
  try {
    const info = await client.query('liteServer.getMasterchainInfoExt', { mode: 0 }, options)
    const lagSeconds = Math.max(0, info.now - info.lastUtime)
    return { head: info.last, lagSeconds, zeroStateRootHash: info.init.rootHash }
  } catch (error) {
    if (!(error instanceof NodeRefusedError) || error.retryable) throw error
    const info = await client.query('liteServer.getMasterchainInfo', {}, options)
    return { head: info.last, lagSeconds: undefined, zeroStateRootHash: info.init.rootHash }
  }
}

/** Whether a server has the start of the chain: an early block that every archive has. */
export const probeArchival = async (client: LiteClient, timeoutMs: number): Promise<boolean | undefined> => {
  try {
    const id = { workchain: -1, shard: wholeShard, seqno: 3 }
    await client.query('liteServer.lookupBlock', { mode: 1, id }, { timeoutMs })
    return true
  } catch (error) {
    // A busy server or a proxy has not said that the block is missing.
    if (error instanceof NodeRefusedError && (!error.retryable || error.serverCode === NOT_IN_DB)) return false
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** The newest masterchain seqno that at least this share of the servers in sync has reached. */
export const findConsensusSeqno = (servers: readonly PoolServer[], share = 0.6, window = 4): number | undefined => {
  const seqnos = servers.flatMap(({ condition, head }) =>
    head !== undefined && (condition === 'alive' || condition === 'behind') ? [head.seqno] : [],
  )
  if (seqnos.length === 0) return undefined
  const best = Math.max(...seqnos)
  const inStep = seqnos.filter((seqno) => seqno > best - window).sort((a, b) => b - a)
  return inStep[Math.max(0, Math.ceil(share * inStep.length) - 1)]
}

export const isOnNetwork = ({ zeroStateRootHash }: ServerReport, expected: Uint8Array | undefined): boolean =>
  expected === undefined || bytesEqual(zeroStateRootHash, expected)

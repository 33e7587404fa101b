import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { LiteClient } from '../LiteClient.ts'
import { LatencyWindow } from './latency.ts'

/**
 * `behind`: answers, but is not in step. `aside`: caught in an untruth; for a while it is asked only when all others have
 * failed, which is safe where answers are proven. `foreign`: serves another network and is never asked.
 */
export type ServerCondition = 'unknown' | 'alive' | 'behind' | 'dead' | 'aside' | 'foreign'

/** What the pool knows of one server, for people and for metrics. */
export type ServerStatus = {
  readonly name: string
  readonly condition: ServerCondition
  readonly seqno: number | undefined
  /** How old its newest masterchain block is, by its own clock where it tells that. */
  readonly lagSeconds: number | undefined
  readonly archival: boolean | undefined
  readonly latencyMs: number | undefined
  readonly inFlight: number
  readonly answered: number
  readonly failed: number
  readonly reason: string | undefined
}

/** A server in the pool: its client and the running measurements. Changed by the pool alone. */
export class PoolServer {
  readonly client: LiteClient
  readonly latency = new LatencyWindow()
  condition: ServerCondition = 'unknown'
  head: BlockIdExt | undefined
  reportedAt = Number.NEGATIVE_INFINITY
  /** The server is asked for the block after its head, and answers when it has it. */
  isFollowed = false
  /** Whether it waits for a block when it is told to; not known before the first wait has ended. */
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

import type { VirtualMachine } from '../../chain/ports.ts'
import type { Logger } from '../../observe/Logger.ts'
import type {
  AccountOverride,
  ExternalMessage,
  InjectedMessage,
  MakeStep,
  StepResult,
  ValidatorKey,
} from '../collate/StepRequest.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { Clock, ClockState } from './Clock.ts'
import { StepFailedError } from './errors.ts'
import type { Mempool, PoolState } from './Mempool.ts'

export type ProducerOptions = {
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly makeStep: MakeStep
  readonly key: ValidatorKey
  readonly seedSecret: Uint8Array
  readonly clock: Clock
  readonly pool: Mempool
  readonly logger: Logger
}

/** Changes by controls that a block makes besides processing messages. */
export type Intervention = {
  readonly injected: readonly InjectedMessage[]
  readonly overrides: readonly AccountOverride[]
}

/** The state of a producer for a snapshot, without the chain. */
export type ProducerState = {
  readonly pool: PoolState
  readonly clock: ClockState
  readonly holdUntil: number
}

const NOTHING: Intervention = { injected: [], overrides: [] }
/** Maximum messages per step; the rest stays in the mempool. */
const MAX_EXTERNALS = 4096

/** Produces blocks. The caller must run one step at a time. */
export class Producer {
  private readonly options: ProducerOptions
  private holdUntil = 0
  private hasMore = false

  constructor(options: ProducerOptions) {
    this.options = options
  }

  get headSeqno(): number {
    return this.options.store.head?.id.seqno ?? 0
  }

  /** Whether there is work for another block. */
  get hasWork(): boolean {
    return this.hasMore || this.options.pool.hasWork
  }

  /** Holds internal messages in their queues for so many blocks. */
  holdInternal(blocks: number): void {
    this.holdUntil = this.headSeqno + blocks
  }

  save(): ProducerState {
    const { pool, clock } = this.options
    return { pool: pool.save(), clock: clock.save(), holdUntil: this.holdUntil }
  }

  restore({ pool, clock, holdUntil }: ProducerState): void {
    this.options.pool.restore(pool)
    this.options.clock.restore(clock)
    this.holdUntil = holdUntil
    // What waits in queues is found out by the next block.
    this.hasMore = true
  }

  /**
   * Produces the next block set and adds it to the chain. No message can stop the network: a failed step is retried with half of its
   * messages, and a message that fails alone is dropped.
   */
  async makeBlock(intervention: Intervention = NOTHING): Promise<StepResult> {
    const { clock, pool } = this.options
    const utime = clock.now()
    pool.dropOld(utime)
    let externals = pool.list(this.headSeqno + 1, MAX_EXTERNALS)
    for (;;) {
      try {
        return await this.attempt(utime, externals, intervention)
      } catch (error) {
        externals = this.reduce(externals, intervention, error)
      }
    }
  }

  private reduce(externals: ExternalMessage[], { injected, overrides }: Intervention, error: unknown) {
    const { pool, logger } = this.options
    const [first, ...others] = externals
    if (first === undefined) {
      const what = injected.length + overrides.length > 0 ? 'What was asked for' : 'The next block'
      throw new StepFailedError(`${what} could not be made: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      })
    }
    if (others.length > 0) return externals.slice(0, externals.length >> 1)
    logger.error('message dropped, block production failed', { hash: first.hash, error })
    pool.remove(first.hash)
    return []
  }

  private async attempt(
    utime: number,
    externals: readonly ExternalMessage[],
    { injected, overrides }: Intervention,
  ): Promise<StepResult> {
    const { store, vm, makeStep, key, seedSecret } = this.options
    const start = performance.now()
    const made = await makeStep({
      store,
      vm,
      key,
      utime: Math.max(utime, store.head?.genUtime ?? 0),
      seedSecret,
      externals,
      injected,
      overrides,
      holdInternal: this.headSeqno < this.holdUntil,
    })
    await store.appendLater(made.step)
    this.settle(made, performance.now() - start)
    return made
  }

  private settle({ step, included, refused, transactions, hasMore, vmMs }: StepResult, ms: number): void {
    const { clock, pool, logger } = this.options
    const { id, info } = step.master
    this.hasMore = hasMore
    clock.passBlock(info.genUtime)
    for (const hash of included) pool.remove(hash)
    for (const { hash, reason } of refused) {
      pool.remove(hash)
      logger.info('message rejected', { hash, reason })
    }
    logger.debug('block produced', { seqno: id.seqno, transactions, ms: Math.round(ms), vmMs: Math.round(vmMs) })
  }
}

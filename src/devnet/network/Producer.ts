import type { VirtualMachine } from '../../chain/ports.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import {
  type AccountOverride,
  type ExternalMessage,
  type ImportedAccount,
  type InjectedMessage,
  type MakeStep,
  MissingAccountError,
  type StepRequest,
  type StepResult,
  type ValidatorKey,
} from '../collate/StepRequest.ts'
import { FORK_RETRY_MS, type Fork } from '../fork/Fork.ts'
import { ForkUnavailableError } from '../fork/ForkSource.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { Clock, ClockState } from './Clock.ts'
import { StepFailedError } from './errors.ts'
import type { Mempool, PoolState } from './Mempool.ts'
import type { PendingCommit } from './PendingCommit.ts'

export type ProducerOptions = {
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly makeStep: MakeStep
  readonly key: ValidatorKey
  readonly seedSecret: Uint8Array
  readonly clock: Clock
  readonly pool: Mempool
  readonly logger: Logger
  readonly fork?: Fork | undefined
  /** Shows shard blocks before the masterchain names them, for so many milliseconds. */
  readonly pending?: { readonly commit: PendingCommit; delayMs(): number } | undefined
  /** Called when messages wait for accounts of the forked network: the next block tries again. */
  onHeld?(): void
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
  /** Accounts of the forked network whose messages wait, and when to try again. */
  private held: ReadonlySet<string> = new Set()
  private retryAt = 0

  constructor(options: ProducerOptions) {
    this.options = options
  }

  get headSeqno(): number {
    return this.options.store.head?.id.seqno ?? 0
  }

  /** Whether there is work for another block. */
  get hasWork(): boolean {
    const { pool } = this.options
    return pool.hasWork || (this.hasMore && (this.held.size === 0 || performance.now() >= this.retryAt))
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
    const held = new Set<string>()
    for (;;) {
      try {
        const made = await this.attempt(utime, externals, intervention, held).finally(() =>
          this.options.pending?.commit.clear(),
        )
        this.held = held
        if (held.size > 0) {
          this.retryAt = performance.now() + FORK_RETRY_MS
          this.options.onHeld?.()
        }
        return made
      } catch (error) {
        if (error instanceof MissingAccountError) await this.fillGaps(error, held)
        else externals = this.reduce(externals, intervention, error)
      }
    }
  }

  /**
   * Makes a block that brings accounts of the forked network into the state and does nothing else: time does not pass, and messages
   * wait. So a transaction finds its account in the state before its block, as on any network.
   */
  async importAccounts(addresses: readonly Address[]): Promise<void> {
    const { fork, clock, logger } = this.options
    if (fork === undefined) return
    const imports = addresses.flatMap((address): ImportedAccount[] => {
      const account = fork.isKnown(address) ? undefined : fork.records.findAccount(address)
      return account === undefined ? [] : [{ address, account }]
    })
    if (imports.length === 0) return
    const { hasMore } = this
    const made = await this.step({ utime: clock.now(), externals: [], imports, holdInternal: true })
    this.hasMore = hasMore || made.hasMore
    const { seqno } = made.step.master.id
    fork.records.addImports(
      imports.map(({ address }) => address),
      seqno,
    )
    logger.debug('accounts imported from forked network', { seqno, accounts: imports.length })
  }

  /** Fetches and imports what a step lacked. Messages to accounts that cannot be fetched are held. */
  private async fillGaps({ addresses, cause }: MissingAccountError, held: Set<string>): Promise<void> {
    const { fork } = this.options
    const hold = (address: Address, error: unknown): void => {
      if (!(error instanceof ForkUnavailableError)) throw error
      const key = formatRawAddress(address)
      held.add(key)
      if (!this.held.has(key)) {
        this.options.logger.warn('message delayed until its account can be fetched', {
          address: key,
          reason: error.message,
        })
      }
    }
    if (cause !== undefined) {
      for (const address of addresses) hold(address, cause)
      return
    }
    const fetched = await Promise.allSettled(addresses.map((address) => fork?.fetchAccount(address)))
    fetched.forEach((each, at) => {
      if (each.status === 'rejected') hold(addresses[at]!, each.reason)
    })
    await this.importAccounts(addresses.filter((address) => !held.has(formatRawAddress(address))))
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
    held: ReadonlySet<string>,
  ): Promise<StepResult> {
    const { fork, clock, pending } = this.options
    const delayMs = pending?.delayMs() ?? 0
    const made = await this.step({
      utime,
      externals,
      injected,
      overrides,
      beforeCommit: pending && delayMs > 0 ? (blocks) => pending.commit.hold(blocks, delayMs) : undefined,
      holdInternal: this.headSeqno < this.holdUntil,
      gaps: fork && {
        isKnown: (address) => fork.isKnown(address),
        isHeld: (address) => held.size > 0 && held.has(formatRawAddress(address)),
      },
    })
    clock.passBlock(made.step.master.info.genUtime)
    return made
  }

  private async step(
    request: Pick<StepRequest, 'externals' | 'utime' | 'holdInternal'> & Partial<StepRequest>,
  ): Promise<StepResult> {
    const { store, vm, makeStep, key, seedSecret } = this.options
    const start = performance.now()
    const utime = Math.max(request.utime, store.head?.genUtime ?? 0)
    const made = await makeStep({ store, vm, key, seedSecret, injected: [], overrides: [], ...request, utime })
    await store.appendLater(made.step)
    this.settle(made, performance.now() - start)
    return made
  }

  private settle({ step, included, refused, transactions, hasMore, vmMs }: StepResult, ms: number): void {
    const { pool, logger } = this.options
    const { id } = step.master
    this.hasMore = hasMore
    for (const hash of included) pool.remove(hash)
    for (const { hash, reason } of refused) {
      pool.remove(hash)
      logger.info('message rejected', { hash, reason })
    }
    logger.debug('block produced', { seqno: id.seqno, transactions, ms: Math.round(ms), vmMs: Math.round(vmMs) })
  }
}

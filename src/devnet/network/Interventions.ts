import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { AccountOverride, InjectedMessage, StepResult } from '../collate/StepRequest.ts'
import { newestMaster } from '../liteserver/blockAccess.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { ControlInputError, NetworkClosedError, SnapshotNotFoundError } from './errors.ts'
import { CONTROL_LIMITS } from './NetworkControls.ts'
import type { Intervention, Producer, ProducerState } from './Producer.ts'

/** Runs work on the chain one at a time, in order of arrival. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve()
  private isOver = false

  get isClosed(): boolean {
    return this.isOver
  }

  /** Work that is still queued when the network closes is rejected. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const turn = this.last.then(() => {
      this.expectOpen()
      return work()
    })
    this.last = turn.catch(() => undefined)
    return turn
  }

  expectOpen(): void {
    if (this.isOver) throw new NetworkClosedError('The network is closed.')
  }

  /** Resolves when the current work is done; no further work starts. */
  async close(): Promise<void> {
    this.isOver = true
    await this.last
  }
}

type Pending = Intervention & { resolve(made: StepResult): void; reject(error: unknown): void }

/**
 * What a developer does to the chain from outside is done in a block that is made at once, whatever the mining mode. What is
 * asked for in one moment is done in one block; where that fails, each alone, so that one failure does not affect the others.
 */
export class Interventions {
  private readonly producer: Producer
  private readonly queue: SerialQueue
  private pending: Pending[] = []

  constructor(producer: Producer, queue: SerialQueue) {
    this.producer = producer
    this.queue = queue
  }

  make(intervention: Intervention): Promise<StepResult> {
    return new Promise((resolve, reject) => {
      this.pending.push({ ...intervention, resolve, reject })
      // The work that is queued takes all that came before it begins. One for each would only come to an end when nothing is asked for.
      if (this.pending.length === 1) this.queue.run(() => this.flush()).catch((error) => this.rejectAll(error))
    })
  }

  private async flush(): Promise<void> {
    const all = this.pending
    this.pending = []
    if (all.length === 0) return
    try {
      const made = await this.producer.makeBlock(combine(all))
      for (const { resolve } of all) resolve(made)
    } catch (error) {
      if (all.length === 1) all[0]?.reject(error)
      else for (const each of all) await this.makeAlone(each)
    }
  }

  /** The network was closed before their turn came. */
  private rejectAll(error: unknown): void {
    for (const { reject } of this.pending.splice(0)) reject(error)
  }

  private async makeAlone({ injected, overrides, resolve, reject }: Pending): Promise<void> {
    try {
      resolve(await this.producer.makeBlock({ injected, overrides }))
    } catch (error) {
      reject(error)
    }
  }
}

const combine = (all: readonly Pending[]): Intervention => {
  const injected: InjectedMessage[] = all.flatMap((each) => each.injected)
  const overrides: AccountOverride[] = all.flatMap((each) => each.overrides)
  return { injected, overrides }
}

type Snapshot = { readonly head: BlockIdExt; readonly state: ProducerState }

/** Snapshots to which the network can be reverted. They are lost when it is closed. */
export class Snapshots {
  private readonly store: ChainStore
  private readonly producer: Producer
  private readonly taken = new Map<string, Snapshot>()
  private count = 0

  constructor(store: ChainStore, producer: Producer) {
    this.store = store
    this.producer = producer
  }

  take(): { readonly id: string; readonly head: BlockIdExt } {
    if (this.taken.size >= CONTROL_LIMITS.snapshots) {
      throw new ControlInputError(
        `There may be ${CONTROL_LIMITS.snapshots} snapshots at a time. Reverting to one removes those after it.`,
      )
    }
    const head = newestMaster(this.store)
    const id = `${++this.count}`
    this.store.pin(head.seqno)
    this.taken.set(id, { head, state: this.producer.save() })
    return { id, head }
  }

  /** Reverts. The snapshot itself stays, later ones are dropped. */
  revert(id: string): BlockIdExt {
    const snapshot = this.taken.get(id)
    if (snapshot === undefined) throw new SnapshotNotFoundError(`Unknown snapshot ${JSON.stringify(id.slice(0, 40))}.`)
    this.store.revertTo(snapshot.head.seqno)
    this.producer.restore(snapshot.state)
    let isLater = false
    for (const [other, { head }] of this.taken) {
      if (isLater) {
        this.taken.delete(other)
        this.store.unpin(head.seqno)
      }
      isLater ||= other === id
    }
    return snapshot.head
  }
}

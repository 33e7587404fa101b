import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { newestMaster } from '../face/referenceBlock.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { CONTROL_LIMITS } from './bounds.ts'
import { ControlInputError, SnapshotNotFoundError } from './errors.ts'
import type { Producer, ProducerState } from './Producer.ts'

type Snapshot = { readonly head: BlockIdExt; readonly state: ProducerState }

/** Moments that the network can go back to. They are forgotten when it is closed. */
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

  /** Goes back. The snapshot itself stays, those that were taken after it are gone. */
  revert(id: string): BlockIdExt {
    const snapshot = this.taken.get(id)
    if (snapshot === undefined)
      throw new SnapshotNotFoundError(`There is no snapshot ${JSON.stringify(id.slice(0, 40))}.`)
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

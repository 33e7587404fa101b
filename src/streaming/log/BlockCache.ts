import { LruCache } from '../../primitives/LruCache.ts'
import type { MessageRecord } from '../../store/reader/TransactionRecord.ts'
import type { BlockEvents, StreamEvent } from '../events.ts'
import type { LoadedBlock } from './readBlockEvents.ts'

/** Part of the memory for blocks of the past, so that replays do not displace the recent ones. */
const REPLAY_SHARE = 0.25

/**
 * The events of recent blocks and of replayed ones, within a number of bytes. A block that is not cached any more is found as
 * long as a reader holds it: any number of slow readers share one copy.
 */
export class BlockCache {
  readonly #recent: LruCache<LoadedBlock, number>
  readonly #replayed: LruCache<LoadedBlock, number>
  readonly #held = new Map<number, WeakRef<LoadedBlock>>()
  readonly #dropped = new FinalizationRegistry<number>((mcSeqno) => {
    if (this.#held.get(mcSeqno)?.deref() === undefined) this.#held.delete(mcSeqno)
  })

  constructor(maxBytes: number) {
    this.#recent = new LruCache(maxBytes * (1 - REPLAY_SHARE))
    this.#replayed = new LruCache(maxBytes * REPLAY_SHARE)
  }

  /** Estimated bytes. */
  get bytes(): number {
    return this.#recent.size + this.#replayed.size
  }

  find(mcSeqno: number): LoadedBlock | undefined {
    return this.#recent.find(mcSeqno) ?? this.#replayed.find(mcSeqno) ?? this.#held.get(mcSeqno)?.deref()
  }

  add(loaded: LoadedBlock, kind: 'recent' | 'replayed'): void {
    const { mcSeqno } = loaded
    const cache = kind === 'recent' ? this.#recent : this.#replayed
    cache.set(mcSeqno, loaded, estimateBytes(loaded))
    this.#held.set(mcSeqno, new WeakRef(loaded))
    this.#dropped.register(loaded, mcSeqno)
  }

  clear(): void {
    this.#recent.clear()
    this.#replayed.clear()
    this.#held.clear()
  }
}

// Objects and views on bytes, as measured.
const EVENT_BYTES = 300
const BLOCK_BYTES = 2000
const TRANSACTION_BYTES = 3500
const MESSAGE_BYTES = 1200
const ACTION_BYTES = 3000

/** What a block takes in memory, roughly. Events share their transactions, so each counts once. */
const estimateBytes = ({ events }: BlockEvents): number => {
  const seen = new Set<object>()
  let bytes = 0
  const add = (one: object, size: number): void => {
    if (seen.has(one)) return
    seen.add(one)
    bytes += size
  }
  for (const event of events) {
    bytes += EVENT_BYTES
    for (const transaction of transactionsOf(event)) {
      const { description, inMessage, outMessages } = transaction
      let size = TRANSACTION_BYTES + description.length
      if (inMessage !== undefined) size += sizeOf(inMessage)
      for (const message of outMessages) size += sizeOf(message)
      add(transaction, size)
    }
    if (event.kind === 'ac') for (const action of event.trace.actions ?? []) add(action, ACTION_BYTES)
    if (event.kind === 'bl') add(event.block, BLOCK_BYTES)
  }
  return bytes
}

const transactionsOf = (event: StreamEvent) =>
  event.kind !== 'tx' ? [] : 'trace' in event ? event.trace.transactions : event.transactions

const sizeOf = ({ body, init }: MessageRecord): number =>
  MESSAGE_BYTES + (body?.packed?.length ?? 0) + (init?.packed?.length ?? 0)

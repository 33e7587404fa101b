import type { Logger } from '../../observe/Logger.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { createSemaphore, pause } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import { indexedChannel, NotificationListener } from '../../store/connect/notifications.ts'
import {
  findBlockBefore,
  findIndexedRanges,
  findMasterchainHashes,
  findQueuedBlocks,
  type IndexedRange,
} from '../../store/reader/eventRows.ts'
import { type BlockEvents, ChainSetBackError, type EventLog, NotKeptError } from '../events.ts'
import { BlockCache } from './BlockCache.ts'
import { type LoadedBlock, readBlockEvents, type Unready } from './readBlockEvents.ts'

export type IndexLogOptions = {
  readonly database: Pick<Database, 'reader' | 'openConnection'>
  readonly logger: Logger
  /** Memory for the events of recent and replayed blocks, in bytes. */
  readonly maxBytes?: number
  /** Polling interval besides notifications: these do not tell when a block is classified. */
  readonly pollMs?: number
}

type Follower = {
  readonly listener: (block: BlockEvents) => void
  readonly onJump: ((mcSeqno: number) => void) | undefined
}

const MAX_BYTES = 64 << 20
const POLL_MS = 200
const RETRY_MS = 100
/** How long `read` waits without a signal. */
const MAX_WAIT_MS = 10_000
/** Blocks of the past that are read at once. The newest block does not wait for them. */
const PARALLEL = 4
/** Recent blocks whose hashes are remembered, to find out how far the chain was set back. */
const REMEMBERED = 512
/** When following starts, at most this many blocks after the last known head are told; else it starts at the newest. */
const MAX_RESUMED = 16

/**
 * The finalized events of the chain, from the index. Every process makes the same events from the same rows. The head waits at a
 * block that is not classified yet, and at a hole in the index until it is filled.
 */
export class IndexLog implements EventLog {
  readonly #options: IndexLogOptions
  readonly #notifications: NotificationListener
  readonly #cache: BlockCache
  readonly #followers = new Set<Follower>()
  readonly #loading = new Map<number, Promise<LoadedBlock | Unready>>()
  readonly #limit = createSemaphore(PARALLEL)
  /** Root hashes of recent blocks up to the head. */
  readonly #hashes = new Map<number, Uint8Array>()
  #head: number | undefined
  /** Grows when the chain was set back: what was read before is void. */
  #epoch = 0
  #range: IndexedRange | undefined
  #isEmpty = false
  #isLost = false
  #syncing: Promise<void> | undefined
  #following: { readonly ending: AbortController; readonly done: Promise<void> } | undefined

  constructor(options: IndexLogOptions) {
    this.#options = options
    const { database, logger, pollMs = POLL_MS } = options
    this.#notifications = new NotificationListener(database, { logger, pollMs })
    this.#cache = new BlockCache(options.maxBytes ?? MAX_BYTES)
  }

  get head(): number | undefined {
    return this.#head
  }

  /** Estimated bytes of cached events. */
  get cachedBytes(): number {
    return this.#cache.bytes
  }

  async findHead(): Promise<number | undefined> {
    if (this.#following === undefined || this.#head === undefined) await this.#sync()
    return this.#head
  }

  async findOldest(): Promise<number> {
    await this.#sync()
    return this.#range?.first ?? 0
  }

  async findBefore(utime: number): Promise<number> {
    return (await findBlockBefore(this.#options.database.reader().listReads, utime)) ?? 0
  }

  async read(mcSeqno: number, signal?: AbortSignal): Promise<BlockEvents> {
    signal?.throwIfAborted()
    const cached = this.#cache.find(mcSeqno)
    if (cached !== undefined) return cached
    const until = signal ?? AbortSignal.timeout(MAX_WAIT_MS)
    for (;;) {
      try {
        const epoch = this.#epoch
        const loaded = await this.#load(mcSeqno, 'replayed')
        until.throwIfAborted()
        if (epoch !== this.#epoch) continue
        if (typeof loaded === 'object') return loaded
        if (loaded === 'absent') await this.#expectSoon(mcSeqno)
      } catch (error) {
        if (until.aborted || !isTransient(error)) throw error
        this.#tellLost(error)
      }
      await pause(RETRY_MS, until)
    }
  }

  follow(listener: (block: BlockEvents) => void, onJump?: (mcSeqno: number) => void): () => void {
    const follower = { listener, onJump }
    this.#followers.add(follower)
    if (this.#following === undefined) {
      const ending = new AbortController()
      this.#following = { ending, done: this.#run(ending.signal) }
    }
    return () => {
      this.#followers.delete(follower)
      if (this.#followers.size > 0) return
      this.#following?.ending.abort()
      this.#following = undefined
    }
  }

  async close(): Promise<void> {
    const { ending, done } = this.#following ?? {}
    this.#followers.clear()
    this.#following = undefined
    ending?.abort()
    await this.#notifications.close()
    await done
    this.#cache.clear()
  }

  async #run(signal: AbortSignal): Promise<void> {
    let isFirst = true
    for await (const _hint of this.#notifications.watch(indexedChannel, signal)) {
      try {
        await this.#sync()
        if (isFirst) this.#skipOld()
        isFirst = false
        await this.#advance(signal)
        this.#tellBack()
      } catch (error) {
        if (signal.aborted) return
        this.#tellLost(error)
      }
    }
  }

  /** Nobody listened for a while: the listeners of now read what they want of it themselves. */
  #skipOld(): void {
    const last = this.#range?.last ?? 0
    if (this.#head === undefined || last - this.#head <= MAX_RESUMED) return
    this.#head = undefined
    this.#isEmpty = false
  }

  /** Tells the followers of new blocks, as far as they are complete. */
  async #advance(signal: AbortSignal): Promise<void> {
    if (this.#head === undefined) await this.#sync()
    while (!signal.aborted && this.#head !== undefined && this.#range !== undefined && this.#head < this.#range.last) {
      const next = this.#head + 1
      const epoch = this.#epoch
      const loaded = await this.#load(next, 'recent')
      if (epoch !== this.#epoch) continue
      if (signal.aborted || typeof loaded === 'string') return
      const known = this.#hashes.get(next - 1)
      // Set back while it was read. The next sync finds out how far.
      if (known !== undefined && (loaded.previousHash === undefined || !bytesEqual(known, loaded.previousHash))) return
      this.#head = next
      this.#remember(next, loaded.rootHash)
      for (const { listener } of [...this.#followers]) this.#call(() => listener(loaded))
    }
  }

  #call(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#options.logger.error('event listener failed', { error })
    }
  }

  #remember(mcSeqno: number, rootHash: Uint8Array): void {
    // A copy: the bytes are part of a larger buffer.
    this.#hashes.set(mcSeqno, rootHash.slice())
    this.#hashes.delete(mcSeqno - REMEMBERED)
  }

  #load(mcSeqno: number, kind: 'recent' | 'replayed'): Promise<LoadedBlock | Unready> {
    const cached = this.#cache.find(mcSeqno)
    if (cached !== undefined) return Promise.resolve(cached)
    const loading = this.#loading.get(mcSeqno)
    if (loading !== undefined) return loading
    const started = this.#start(mcSeqno, kind).finally(() => {
      if (this.#loading.get(mcSeqno) === started) this.#loading.delete(mcSeqno)
    })
    this.#loading.set(mcSeqno, started)
    return started
  }

  async #start(mcSeqno: number, kind: 'recent' | 'replayed'): Promise<LoadedBlock | Unready> {
    const read = () => readBlockEvents(this.#options.database.reader(), mcSeqno)
    const epoch = this.#epoch
    const loaded = await (kind === 'recent' ? read() : this.#limit(read))
    if (typeof loaded === 'string' || loaded.isProvisional || epoch !== this.#epoch) return loaded
    // An index that is built anew begins at its newest block. What such a block follows is known later, and so are parts of its traces.
    if (loaded.previousHash !== undefined || mcSeqno === 1) this.#cache.add(loaded, kind)
    return loaded
  }

  /** A block that is not indexed may come back soon, unless it is out of the range that is kept. */
  async #expectSoon(mcSeqno: number): Promise<void> {
    await this.#sync()
    if (this.#head !== undefined && mcSeqno > this.#head) throw new ChainSetBackError(this.#head)
    if (this.#range !== undefined && mcSeqno < this.#range.first) throw new NotKeptError(this.#range.first)
  }

  /** Looks up what is indexed, and checks that it is still the same chain. */
  #sync(): Promise<void> {
    this.#syncing ??= this.#syncNow().finally(() => {
      this.#syncing = undefined
    })
    return this.#syncing
  }

  async #syncNow(): Promise<void> {
    const { listReads: reader } = this.#options.database.reader()
    const head = this.#head
    const { ranges, rootHash } = await findIndexedRanges(reader, head ?? 0)
    const [newest] = ranges
    if (newest === undefined) {
      this.#isEmpty = head === undefined
      return
    }
    if (head === undefined) return this.#begin(newest)
    const range = rangeAt(ranges, head)
    // All that was there is gone: cleared, or dropped while the index was away.
    if (range === undefined) return this.#jump(newest.first - 1, ranges)
    const known = this.#hashes.get(head)
    const isThere = known === undefined || (rootHash !== undefined && bytesEqual(known, rootHash))
    if (!isThere || newest.last < head) return this.#checkRewound(head, ranges)
    this.#range = range
    if (this.#following === undefined) await this.#skipTo(range)
  }

  /** Starts at the newest block, or at the first that is ever indexed if there was none before. */
  async #begin(range: IndexedRange): Promise<void> {
    this.#range = range
    if (this.#isEmpty) this.#head = range.first - 1
    else await this.#skipTo(range)
    this.#isEmpty = false
  }

  async #skipTo({ first, last }: IndexedRange): Promise<void> {
    const from = Math.max(first, last - REMEMBERED + 1)
    if (this.#head === last) return
    const { listReads: reader } = this.#options.database.reader()
    const [queued, hashes] = await Promise.all([
      findQueuedBlocks(reader, from, last),
      findMasterchainHashes(reader, from, last),
    ])
    for (const { mcSeqno, rootHash } of hashes.toReversed()) this.#remember(mcSeqno, rootHash)
    let head = last
    while (head > Math.max(from, this.#head ?? 0) && queued.has(head)) head -= 1
    this.#head = head
  }

  /** The head is not indexed any more, or another block is: finds the last block that both chains have. */
  async #checkRewound(head: number, ranges: readonly IndexedRange[]): Promise<void> {
    const top = Math.min(ranges[0]!.last, head)
    const { listReads: reader } = this.#options.database.reader()
    const hashes = await findMasterchainHashes(reader, Math.max(0, top - REMEMBERED), top)
    const common = hashes.find(({ mcSeqno, rootHash }) => {
      const known = this.#hashes.get(mcSeqno)
      return known !== undefined && bytesEqual(known, rootHash)
    })
    // Nothing else has come in place of the blocks that are gone: they may be indexed again. An index that is built anew begins at its
    // newest block, so the blocks before it come later.
    if (common?.mcSeqno === top || (hashes.length === 0 && top === head)) return
    const isOther = hashes.some(({ mcSeqno }) => this.#hashes.has(mcSeqno))
    this.#jump(common?.mcSeqno ?? (isOther ? ranges[0]!.first - 1 : top), ranges)
  }

  #jump(mcSeqno: number, ranges: readonly IndexedRange[]): void {
    this.#options.logger.warn('chain was set back or replaced, event log continues from another block', {
      head: this.#head,
      seqno: mcSeqno,
    })
    this.#head = mcSeqno
    this.#range = rangeAt(ranges, mcSeqno)
    this.#epoch += 1
    this.#loading.clear()
    this.#cache.clear()
    for (const known of [...this.#hashes.keys()]) if (known > mcSeqno) this.#hashes.delete(known)
    for (const { onJump } of [...this.#followers]) if (onJump !== undefined) this.#call(() => onJump(mcSeqno))
  }

  #tellLost(error: unknown): void {
    if (this.#isLost) return
    this.#isLost = true
    this.#options.logger.warn('event log cannot read the index, retrying', { error })
  }

  #tellBack(): void {
    if (this.#isLost) this.#options.logger.info('event log reads the index again')
    this.#isLost = false
  }
}

/** The range that has a block, or the one after it. */
const rangeAt = (ranges: readonly IndexedRange[], mcSeqno: number): IndexedRange | undefined =>
  ranges.find(({ first }) => first <= mcSeqno + 1)

const isTransient = (error: unknown): boolean => error instanceof CodedError && error.retryable

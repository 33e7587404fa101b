import type { Logger } from '../observe/Logger.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'
import { createSemaphore } from '../primitives/scheduling.ts'
import type { ReadServer, WatchedServer } from '../store/connect/Database.ts'
import { findTransactionsByHash } from '../store/reader/findTransactions.ts'
import { findMessageEnds } from '../store/reader/messageEnds.ts'
import { type AccountChange, findChangedAccounts, findFinished } from '../store/reader/pending.ts'
import { readTransactions } from '../store/reader/readTransactions.ts'
import type { TransactionRecord } from '../store/reader/TransactionRecord.ts'
import { findTraceTransactions } from '../store/reader/traces.ts'
import { assembleTrace, type ClassifyTrace } from './assembleTrace.ts'
import { lifeOf, type PendingStore } from './MemoryPendingStore.ts'
import type { Forecast, SentMessage, TraceForecast } from './TraceForecast.ts'
import { isOutdated, listMoments, noteForecast, startTracking, type Tracked } from './Tracked.ts'

const MAX_SEQNO = 0x7fffffff

/** The transactions of a trace that are in the index, by logical time, as far as it is one that can be shown. */
const readBegun = async (server: ReadServer, traceId: Uint8Array): Promise<TransactionRecord[]> => {
  const [root] = await findTransactionsByHash(server.lists, [traceId])
  if (root === undefined) return []
  const span = {
    traceId,
    startLt: root.lt,
    endLt: root.lt,
    startUtime: root.now,
    endUtime: root.now,
    startSeqno: root.mc_seqno,
    endSeqno: MAX_SEQNO,
    transactions: 0,
    messages: 0,
  }
  const rows = await findTraceTransactions(server.lists, [span])
  return rows.length > MAX_SHOWN ? [] : readTransactions(server, rows, undefined, Number.POSITIVE_INFINITY)
}

/** Larger ones are not shown whole when they are done, either. */
const MAX_SHOWN = 4000

export type TrackerParts = {
  readonly store: PendingStore
  readonly forecast: Pick<TraceForecast, 'foresee' | 'foreseeRest'>
  readonly classify: ClassifyTrace
  /** May throw where there is no database now. */
  readonly reader: () => WatchedServer
  readonly logger: Logger
}

/** A message that no block has taken by then is not waited for any longer. */
const UNBEGUN_MS = 60_000
/** A trace that is not done by then is left to expire. */
const BEGUN_MS = 600_000
const RECHECK_MS = 5000
/** What was foreseen on states that have changed since is foreseen anew, but not all the time where an account changes all the time. */
const RENEW_MS = 300
const MAX_RENEWED = 16
/** What was not foreseen to its end is tried again, each time after twice as long. */
const MAX_CUTS = 6
/** Nodes may know of a newer block than is known here: then it is tried again, each time after twice as long. */
const RETRY_MS = 100
const MAX_TRIES = 6
const MAX_TRACKED = 10_000
const PARALLEL = 4
/** What is shown already waits for what is not. */
const PARALLEL_RENEWED = 2

/**
 * Foresees what sent messages lead to, and keeps that in line with the index until it has the whole trace. What is finished is left in
 * the store until it expires: whoever asks leaves it out when the index that he asks has it.
 */
export class PendingTracker {
  readonly #parts: TrackerParts
  readonly #tracked = new Map<string, Tracked>()
  readonly #gate = createSemaphore(PARALLEL)
  readonly #renewGate = createSemaphore(PARALLEL_RENEWED)
  #stepping: Promise<void> | undefined

  constructor(parts: TrackerParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#tracked.size
  }

  /** Takes up a message that a node has taken. Resolves when what it leads to is shown, or cannot be foreseen. */
  async add(message: SentMessage): Promise<void> {
    const key = toHex(message.normalHash)
    if (this.#tracked.get(key)?.isShown === true) return
    if (this.#tracked.size >= MAX_TRACKED) {
      this.#parts.logger.debug('too many messages are under way, one is not looked into')
      return
    }
    const tracked = startTracking(message, performance.now())
    this.#tracked.set(key, tracked)
    await this.#gate(() => this.#safely(() => this.#foresee(tracked)))
  }

  /** Looks what has become of them. */
  step(): Promise<void> {
    this.#stepping ??= this.#safely(() => this.#step()).finally(() => {
      this.#stepping = undefined
    })
    return this.#stepping
  }

  async clear(): Promise<void> {
    this.#tracked.clear()
    await this.#parts.store.clear()
  }

  /** `at` is a block that the index has. There, what is not taken is not in the index, either. */
  async #foresee(tracked: Tracked, at?: number): Promise<void> {
    const { forecast } = this.#parts
    const made = await forecast.foresee(tracked.message, at)
    const { isRefused, transactions } = made.emulation
    noteForecast(tracked, made)
    // The index may have gone on meanwhile.
    if (tracked.real > 0 || !this.#isTracked(tracked)) return
    if (isRefused || transactions.length === 0) {
      if (at === undefined) tracked.tries++
      else if (isRefused) await this.#hide(tracked)
      return
    }
    await this.#show(tracked, made)
  }

  async #show(tracked: Tracked, made: Forecast): Promise<void> {
    const { store, classify } = this.#parts
    const { emulation, hasExtraFlags } = made
    const trace = await assembleTrace({ message: tracked.message, real: [], emulation, hasExtraFlags }, classify)
    if (trace === undefined || tracked.real > 0 || !this.#isTracked(tracked)) return
    await store.put(trace, lifeOf(trace))
    tracked.isShown = true
  }

  /** It will not happen as things are. It is still looked for: nodes may know better. */
  async #hide(tracked: Tracked): Promise<void> {
    if (!tracked.isShown || (await this.#findBegun([tracked])).size > 0) return
    await this.#parts.store.remove(tracked.message.normalHash)
    tracked.isShown = false
  }

  async #step(): Promise<void> {
    this.#dropOld()
    if (this.#tracked.size === 0) return
    const all = [...this.#tracked.values()]
    const { lists, findHead } = this.#parts.reader()
    // Before anything is read: what is read then may be newer, never older.
    const head = findHead()?.seqno ?? 0
    const begun = await this.#findBegun(all)
    const changes = await this.#findChanges(all)
    const finished = await findFinished(lists, [...begun.values()])
    const states = new Map(finished.map((each) => [toHex(each.traceId), each]))
    const waiting: Tracked[] = []
    const work: Promise<void>[] = []
    for (const tracked of all) {
      const id = begun.get(tracked)
      if (id === undefined) {
        waiting.push(tracked)
        continue
      }
      const state = states.get(toHex(id))
      const end = (): boolean => state !== undefined && this.#tracked.delete(toHex(tracked.message.normalHash))
      // What happened in it is shown from here until the index says it.
      if (state?.isClassified === true) end()
      else {
        const isDue = state === undefined && this.#isDue(tracked, changes)
        work.push(
          this.#gate(() => this.#safely(() => this.#follow(tracked, id, { head, isDue }).then(() => void end()))),
        )
      }
    }
    await Promise.all([...work, this.#recheck(waiting, changes, head), this.#retry(waiting)])
  }

  /** The accounts that are not any more as they were when something was foreseen on them, by the texts of their keys. */
  async #findChanges(all: readonly Tracked[]): Promise<ReadonlyMap<string, AccountChange>> {
    const known = all.filter(({ isShown, seqno }) => isShown && seqno > 0)
    const since = Math.min(...known.map(({ seqno }) => seqno))
    const changes = await findChangedAccounts(this.#parts.reader().lists, listMoments(known), since)
    return new Map(changes.map((change) => [toHex(change.account), change]))
  }

  #isDue(tracked: Tracked, changes: ReadonlyMap<string, AccountChange>): boolean {
    const waited = performance.now() - tracked.checkedAt
    const { cuts } = tracked
    if (cuts > 0 && cuts < MAX_CUTS && waited > RENEW_MS * 2 ** cuts) return true
    return waited > RECHECK_MS || (waited > RENEW_MS && isOutdated(tracked, changes))
  }

  /** The traces that have begun, by their ids. */
  async #findBegun(those: readonly Tracked[]): Promise<Map<Tracked, Uint8Array>> {
    const { lists } = this.#parts.reader()
    const hashes = those.flatMap(({ message }) => [message.hash, message.normalHash])
    const ends = await findMessageEnds(lists, hashes)
    const ids = new Map(ends.map(({ messageHash, traceId }) => [toHex(messageHash), traceId]))
    const begun = new Map<Tracked, Uint8Array>()
    for (const tracked of those) {
      const id = ids.get(toHex(tracked.message.hash)) ?? ids.get(toHex(tracked.message.normalHash))
      if (id !== undefined) begun.set(tracked, id)
    }
    return begun
  }

  /** Shows those of its transactions that are in the index, and what will follow from them. */
  async #follow(
    tracked: Tracked,
    traceId: Uint8Array,
    { head, isDue }: { readonly head: number; readonly isDue: boolean },
  ): Promise<void> {
    const { store, classify, forecast, reader, logger } = this.#parts
    const real = await readBegun(reader(), traceId)
    if (real.length === 0 || (real.length === tracked.real && !isDue)) return
    tracked.checkedAt = performance.now()
    const made = await forecast.foreseeRest(real, head).catch((error: unknown) => {
      if (!(error instanceof CodedError)) throw error
      logger.debug('the rest of a trace cannot be foreseen', { error })
      return undefined
    })
    if (made === undefined) tracked.cuts++
    else noteForecast(tracked, made)
    const emulation = made?.emulation ?? { transactions: [], isIncomplete: true, isRefused: false }
    const pieces = { message: tracked.message, real, emulation, hasExtraFlags: made?.hasExtraFlags ?? true }
    const trace = await assembleTrace(pieces, classify)
    if (trace === undefined || !this.#isTracked(tracked)) return
    tracked.real = real.length
    tracked.isShown = true
    await store.put(trace, lifeOf(trace))
  }

  /**
   * Foresees again what hangs on accounts that are another by now, and the rest now and then: a message may not be taken any more, or
   * lead to something else. Those that have waited longest come first.
   */
  async #recheck(
    waiting: readonly Tracked[],
    changes: ReadonlyMap<string, AccountChange>,
    head: number,
  ): Promise<void> {
    const now = performance.now()
    // What was just found is in the index, whether or not it was seen to have got so far.
    const seqno = Math.max(head, ...[...changes.values()].map(({ mcSeqno }) => mcSeqno))
    const due = waiting
      .filter((tracked) => tracked.isShown && seqno >= tracked.seqno && this.#isDue(tracked, changes))
      .sort((a, b) => a.checkedAt - b.checkedAt)
      .slice(0, MAX_RENEWED)
    await Promise.all(
      due.map((tracked) => {
        tracked.checkedAt = now
        return this.#renewGate(() => this.#safely(() => this.#foresee(tracked, seqno)))
      }),
    )
  }

  /** Looks again at those of which nothing could be foreseen. */
  async #retry(waiting: readonly Tracked[]): Promise<void> {
    const now = performance.now()
    const due = waiting.filter(
      ({ isShown, tries, checkedAt }) =>
        !isShown && tries > 0 && tries < MAX_TRIES && now - checkedAt > RETRY_MS * 2 ** tries,
    )
    await Promise.all(
      due.map((tracked) => {
        tracked.checkedAt = now
        return this.#gate(() => this.#safely(() => this.#foresee(tracked)))
      }),
    )
  }

  #isTracked(tracked: Tracked): boolean {
    return this.#tracked.get(toHex(tracked.message.normalHash)) === tracked
  }

  #dropOld(): void {
    const now = performance.now()
    for (const [key, { since, real }] of this.#tracked) {
      if (now - since > (real > 0 ? BEGUN_MS : UNBEGUN_MS)) this.#tracked.delete(key)
    }
  }

  /** What cannot be done now may be possible the next time. */
  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CodedError) && !isAbort(error)) throw error
      this.#parts.logger.debug('what is pending cannot be looked into now', { error })
    }
  }
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')

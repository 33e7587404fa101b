import type { Logger } from '../observe/Logger.ts'
import { addressKeyOf } from '../primitives/Address.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex } from '../primitives/hex.ts'
import { createSemaphore } from '../primitives/scheduling.ts'
import type { ReadServer, WatchedServer } from '../store/connect/Database.ts'
import { findTransactionsByHash } from '../store/reader/findTransactions.ts'
import { findMessageEnds } from '../store/reader/messageEnds.ts'
import { type AccountChange, findChangedAccounts, findFinished, hasOtherExternal } from '../store/reader/pending.ts'
import { readTransactions } from '../store/reader/readTransactions.ts'
import type { TransactionRecord, TransactionRow } from '../store/reader/TransactionRecord.ts'
import { findTraceTransactions } from '../store/reader/traces.ts'
import { assembleTrace, type ClassifyTrace } from './assembleTrace.ts'
import { lifeOf, type PendingStore } from './MemoryPendingStore.ts'
import type { PendingChanges, PendingEnd } from './PendingChanges.ts'
import type { EmulatedTrace, SentMessage, TraceEmulator } from './TraceEmulator.ts'
import { isOutdated, listMoments, noteEmulation, startTracking, type Tracked } from './Tracked.ts'

const MAX_SEQNO = 0x7fffffff

/** The indexed transactions of a trace, by logical time. */
export const findStartedRows = async (server: ReadServer, traceId: Uint8Array): Promise<readonly TransactionRow[]> => {
  const [root] = await findTransactionsByHash(server.listReads, [traceId])
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
  return findTraceTransactions(server.listReads, [span])
}

/** The same as records; empty if there are too many. */
export const readStarted = async (server: ReadServer, traceId: Uint8Array): Promise<TransactionRecord[]> => {
  const rows = await findStartedRows(server, traceId)
  return rows.length > MAX_SHOWN ? [] : readTransactions(server, rows, { maxContentBytes: Number.POSITIVE_INFINITY })
}

/** Larger traces are not shown whole by v3, either. */
const MAX_SHOWN = 4000

export type TrackerParts = {
  readonly store: PendingStore
  readonly emulator: Pick<TraceEmulator, 'emulate' | 'emulateRest'>
  readonly classify: ClassifyTrace
  readonly changes: Pick<PendingChanges, 'emit'>
  /** Throws if no database is available. */
  readonly reader: () => WatchedServer
  /** Time after which a message that is in no block is dropped. */
  readonly unstartedMs?: number | undefined
  readonly logger: Logger
}

const UNSTARTED_MS = 60_000
/** Time after which an unfinished trace is left to expire. */
const STARTED_MS = 600_000
const RECHECK_MS = 5000
/** Minimum interval between emulations of a trace whose accounts have changed. */
const RENEW_MS = 300
const MAX_RENEWED = 16
/** Retries of an incomplete emulation, with exponential backoff. */
const MAX_CUTS = 6
/** Retries of a refused message, with exponential backoff: the node may have had an older block. */
const RETRY_MS = 100
const MAX_TRIES = 6
const MAX_TRACKED = 10_000
const PARALLEL = 4
/** Re-emulations get fewer slots than new messages. */
const PARALLEL_RENEWED = 2

/**
 * Emulates sent messages, and keeps the result consistent with the index until the index has the whole trace. Finished traces stay in the
 * store until they expire; readers skip those that their index has.
 */
export class PendingTracker {
  readonly #parts: TrackerParts
  readonly #tracked = new Map<string, Tracked>()
  readonly #limit = createSemaphore(PARALLEL)
  readonly #limitRenewals = createSemaphore(PARALLEL_RENEWED)
  #stepping: Promise<void> | undefined

  constructor(parts: TrackerParts) {
    this.#parts = parts
  }

  get size(): number {
    return this.#tracked.size
  }

  /** Whether the trace of a message is stored. */
  isShown(normalHash: Uint8Array): boolean {
    return this.#tracked.get(toHex(normalHash))?.isShown === true
  }

  /** Tracks a message that a node has accepted. Resolves when its trace is stored, or cannot be emulated. */
  async add(message: SentMessage): Promise<void> {
    const key = toHex(message.normalHash)
    if (this.#tracked.get(key)?.isShown === true) return
    if (this.#tracked.size >= MAX_TRACKED) {
      this.#parts.logger.debug('too many pending messages, one skipped')
      return
    }
    const tracked = startTracking(message, performance.now())
    this.#tracked.set(key, tracked)
    await this.#limit(() => this.#safely(() => this.#emulate(tracked)))
  }

  /** Stops tracking a message, unless it has a trace. */
  forget(normalHash: Uint8Array): void {
    const tracked = this.#tracked.get(toHex(normalHash))
    if (tracked?.isShown === false && tracked.real === 0) this.#tracked.delete(toHex(normalHash))
  }

  /** Updates all tracked messages. */
  step(): Promise<void> {
    this.#stepping ??= this.#safely(() => this.#step()).finally(() => {
      this.#stepping = undefined
    })
    return this.#stepping
  }

  async clear(): Promise<void> {
    this.#tracked.clear()
    await this.#parts.store.clear()
    this.#parts.changes.emit({ kind: 'cleared' })
  }

  /** `at` is an indexed block: a message refused there is not in the index, either. */
  async #emulate(tracked: Tracked, at?: number): Promise<void> {
    const { emulator } = this.#parts
    const made = await emulator.emulate(tracked.message, at)
    const { isRefused, refused, transactions } = made.emulation
    noteEmulation(tracked, made)
    // The index may have advanced meanwhile.
    if (tracked.real > 0 || !this.#isTracked(tracked)) return
    if (isRefused || transactions.length === 0) {
      if (at === undefined) {
        tracked.tries++
        tracked.refusal = isRefused ? { seqno: made.seqno, exitCode: refused?.exitCode } : undefined
      } else if (isRefused) await this.#hide(tracked, refused?.exitCode)
      return
    }
    await this.#show(tracked, made)
  }

  async #show(tracked: Tracked, made: EmulatedTrace): Promise<void> {
    const { store, classify } = this.#parts
    const { emulation, hasExtraFlags } = made
    const trace = await assembleTrace({ message: tracked.message, real: [], emulation, hasExtraFlags }, classify)
    if (trace === undefined || tracked.real > 0 || !this.#isTracked(tracked)) return
    await store.put(trace, lifeOf(trace))
    tracked.isShown = true
    this.#parts.changes.emit({ kind: 'stored', trace, isOwn: true })
  }

  /** Removes a trace that is now refused. It is still tracked: nodes may accept it later. */
  async #hide(tracked: Tracked, exitCode: number | undefined): Promise<void> {
    if (!tracked.isShown || (await this.#findStarted([tracked])).size > 0) return
    const reason = (await this.#isReplaced(tracked)) ? 'replaced' : 'rejected'
    // The index may have advanced meanwhile.
    if (tracked.real > 0 || !this.#isTracked(tracked)) return
    await this.#remove(tracked, { reason, exitCode })
  }

  async #remove(tracked: Tracked, end: PendingEnd): Promise<void> {
    const { store, changes } = this.#parts
    const { normalHash } = tracked.message
    if (tracked.isShown) await store.remove(normalHash, end)
    tracked.isShown = false
    changes.emit({ kind: 'ended', normalHash, end })
  }

  /** Whether the account has executed another external-in message since the message was last accepted. */
  async #isReplaced({ message, touched }: Tracked): Promise<boolean> {
    const { destination, hash, normalHash } = message
    const account = addressKeyOf(destination)
    const known = touched.get(toHex(account))
    if (known === undefined) return false
    return hasOtherExternal(this.#parts.reader().listReads, account, known.lt, [hash, normalHash])
  }

  async #step(): Promise<void> {
    await this.#dropOld()
    if (this.#tracked.size === 0) return
    const all = [...this.#tracked.values()]
    const { listReads, findHead } = this.#parts.reader()
    // Read the head first: later reads may be newer, never older.
    const head = findHead()?.seqno ?? 0
    const started = await this.#findStarted(all)
    const changes = await this.#findChanges(all)
    const finished = await findFinished(listReads, [...started.values()])
    const states = new Map(finished.map((each) => [toHex(each.traceId), each]))
    const waiting: Tracked[] = []
    const work: Promise<void>[] = []
    for (const tracked of all) {
      const id = started.get(tracked)
      if (id === undefined) {
        this.#reportRefusal(tracked, head)
        waiting.push(tracked)
        continue
      }
      const state = states.get(toHex(id))
      // The pending trace is shown until its actions are in the index.
      if (state?.isClassified === true) this.#finish(tracked, id)
      else if (!tracked.isWhole) {
        const isDue = state === undefined && this.#isDue(tracked, changes)
        const follow = async (): Promise<void> => {
          await this.#follow(tracked, id, { head, isDue })
          tracked.isWhole = state !== undefined
        }
        work.push(this.#limit(() => this.#safely(follow)))
      }
    }
    await Promise.all([...work, this.#recheck(waiting, changes, head), this.#retry(waiting)])
  }

  /** The index has the block at which the message was refused, and not the message: it was not executed before, either. */
  #reportRefusal(tracked: Tracked, head: number): void {
    const { refusal, message, tries } = tracked
    if (refusal === undefined || refusal.seqno > head) return
    tracked.refusal = undefined
    const { normalHash } = message
    this.#parts.changes.emit({ kind: 'refused', normalHash, exitCode: refusal.exitCode, tries })
  }

  #finish({ message: { normalHash } }: Tracked, traceId: Uint8Array): void {
    this.#tracked.delete(toHex(normalHash))
    this.#parts.changes.emit({ kind: 'finished', normalHash, traceId })
  }

  /** Accounts that have changed since they were emulated, by key. */
  async #findChanges(all: readonly Tracked[]): Promise<ReadonlyMap<string, AccountChange>> {
    const known = all.filter(({ isShown, seqno }) => isShown && seqno > 0)
    const since = Math.min(...known.map(({ seqno }) => seqno))
    const changes = await findChangedAccounts(this.#parts.reader().listReads, listMoments(known), since)
    return new Map(changes.map((change) => [toHex(change.account), change]))
  }

  #isDue(tracked: Tracked, changes: ReadonlyMap<string, AccountChange>): boolean {
    const waited = performance.now() - tracked.checkedAt
    const { cuts } = tracked
    if (cuts > 0 && cuts < MAX_CUTS && waited > RENEW_MS * 2 ** cuts) return true
    return waited > RECHECK_MS || (waited > RENEW_MS && isOutdated(tracked, changes))
  }

  /** Trace ids of messages that are in the index. */
  async #findStarted(those: readonly Tracked[]): Promise<Map<Tracked, Uint8Array>> {
    const { listReads } = this.#parts.reader()
    const hashes = those.flatMap(({ message }) => [message.hash, message.normalHash])
    const ends = await findMessageEnds(listReads, hashes)
    const ids = new Map(ends.map(({ messageHash, traceId }) => [toHex(messageHash), traceId]))
    const started = new Map<Tracked, Uint8Array>()
    for (const tracked of those) {
      const id = ids.get(toHex(tracked.message.hash)) ?? ids.get(toHex(tracked.message.normalHash))
      if (id !== undefined) started.set(tracked, id)
    }
    return started
  }

  /** Stores the indexed transactions of a trace, and emulates the rest. */
  async #follow(
    tracked: Tracked,
    traceId: Uint8Array,
    { head, isDue }: { readonly head: number; readonly isDue: boolean },
  ): Promise<void> {
    const { store, classify, emulator, reader, logger } = this.#parts
    const real = await readStarted(reader(), traceId)
    if (real.length === 0 || (real.length === tracked.real && !isDue)) return
    tracked.checkedAt = performance.now()
    const made = await emulator.emulateRest(real, head).catch((error: unknown) => {
      if (!(error instanceof CodedError)) throw error
      logger.debug('trace emulation failed', { error })
      return undefined
    })
    if (made === undefined) tracked.cuts++
    else noteEmulation(tracked, made)
    const emulation = made?.emulation ?? { transactions: [], isIncomplete: true, isRefused: false }
    const pieces = { message: tracked.message, real, emulation, hasExtraFlags: made?.hasExtraFlags ?? true }
    const trace = await assembleTrace(pieces, classify)
    if (trace === undefined || !this.#isTracked(tracked)) return
    tracked.real = real.length
    tracked.isShown = true
    await store.put(trace, lifeOf(trace))
    this.#parts.changes.emit({ kind: 'stored', trace, isOwn: true })
  }

  /**
   * Re-emulates traces whose accounts have changed, and the others periodically: a message may be refused by now, or lead to something
   * else. The longest waiting come first.
   */
  async #recheck(
    waiting: readonly Tracked[],
    changes: ReadonlyMap<string, AccountChange>,
    head: number,
  ): Promise<void> {
    const now = performance.now()
    // A trace that was just found is in the index.
    const seqno = Math.max(head, ...[...changes.values()].map(({ mcSeqno }) => mcSeqno))
    const due = waiting
      .filter((tracked) => tracked.isShown && seqno >= tracked.seqno && this.#isDue(tracked, changes))
      .sort((a, b) => a.checkedAt - b.checkedAt)
      .slice(0, MAX_RENEWED)
    await Promise.all(
      due.map((tracked) => {
        tracked.checkedAt = now
        return this.#limitRenewals(() => this.#safely(() => this.#emulate(tracked, seqno)))
      }),
    )
  }

  /** Retries messages without an emulated trace. */
  async #retry(waiting: readonly Tracked[]): Promise<void> {
    const now = performance.now()
    const due = waiting.filter(
      ({ isShown, tries, checkedAt }) =>
        !isShown && tries > 0 && tries < MAX_TRIES && now - checkedAt > RETRY_MS * 2 ** tries,
    )
    await Promise.all(
      due.map((tracked) => {
        tracked.checkedAt = now
        return this.#limit(() => this.#safely(() => this.#emulate(tracked)))
      }),
    )
  }

  #isTracked(tracked: Tracked): boolean {
    return this.#tracked.get(toHex(tracked.message.normalHash)) === tracked
  }

  async #dropOld(): Promise<void> {
    const { unstartedMs = UNSTARTED_MS } = this.#parts
    const now = performance.now()
    const old = [...this.#tracked.values()].filter(
      ({ since, real }) => now - since > (real > 0 ? STARTED_MS : unstartedMs),
    )
    const unstarted = old.filter(({ real }) => real === 0)
    // One that the index has by now is followed.
    const started = unstarted.length === 0 ? undefined : await this.#findStarted(unstarted)
    for (const tracked of old) {
      if (started?.has(tracked) === true) continue
      this.#tracked.delete(toHex(tracked.message.normalHash))
      if (tracked.real === 0) await this.#remove(tracked, { reason: 'lifetime' })
    }
  }

  /** Logs a failure; the next step retries. */
  async #safely(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CodedError) && !isAbort(error)) throw error
      this.#parts.logger.debug('pending update failed, retrying', { error })
    }
  }
}

const isAbort = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')

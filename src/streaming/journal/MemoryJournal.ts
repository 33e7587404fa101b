import { randomBytes } from 'node:crypto'
import type { Logger } from '../../observe/Logger.ts'
import type { ConfirmedChange, OnConfirmedChange } from '../../pending/confirmed/ConfirmedChange.ts'
import { bytesOf } from '../../pending/MemoryPendingStore.ts'
import type { OnPendingChange, PendingChange, PendingEnd } from '../../pending/PendingChanges.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { PendingTrace } from '../../store/reader/pending.ts'
import type { ExpiryReason, FactsByAccount, Journal, StreamEvent } from '../events.ts'
import { formatEventId } from '../log/eventIds.ts'
import { listAccountEvents, listTransactions } from './confirmedEvents.ts'
import { withoutReplaced } from './replacedEvents.ts'
import { countReal, finalityOf, type Snapshot, takeSnapshot } from './snapshots.ts'

export type JournalLimits = {
  readonly maxEvents: number
  readonly maxBytes: number
  readonly maxAgeMs: number
  /** Traces whose last version is known. */
  readonly maxTraces: number
}

const LIMITS: JournalLimits = {
  maxEvents: 50_000,
  maxBytes: 32 * 1024 * 1024,
  maxAgeMs: 600_000,
  maxTraces: 20_000,
}

/** Newest block whose finalized events are complete. */
export type JournalHead = { readonly seqno: number; readonly utime: number }

export type JournalOptions = {
  /** Changes of pending messages of all processes. */
  readonly listen: (listener: OnPendingChange) => () => void
  /** Changes of confirmed blocks. Listened to while there is a demand. */
  readonly listenConfirmed?: ((listener: OnConfirmedChange) => () => void) | undefined
  readonly findHead: () => JournalHead | undefined
  /** Which of these messages, by normalized hash, are in the index. */
  readonly findExecuted?: (hashes: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>
  /** What filters ask of the accounts of transactions. */
  readonly findFacts?: (trace: Pick<PendingTrace, 'transactions'>) => Promise<FactsByAccount>
  readonly logger: Logger
  readonly limits?: Partial<JournalLimits>
  /** Milliseconds. */
  readonly now?: () => number
}

/** A version of a trace that is shown, and what was sent of it before. */
type Shown = Snapshot & { readonly known: SentTrace | undefined }

type Entry = { readonly at: number; readonly bytes: number; readonly event: StreamEvent }

/** The last version of a trace that was sent. `real` is infinite once the log has the trace. */
type SentTrace = {
  readonly real: number
  readonly isOwn: boolean
  readonly digests: Snapshot['digests']
  /** Of the last change. */
  readonly at: number
}

const nothing: Snapshot['digests'] = { tx: '', ac: undefined, tr: '' }

const whole: SentTrace = { real: Number.POSITIVE_INFINITY, isOwn: true, digests: nothing, at: 0 }

/** A process renews its traces every few seconds: after this time it is gone, or the trace is in the index. */
const SILENT_MS = 90_000
const CHECK_MS = 30_000
/** Events do not wait longer for facts. */
const FACTS_MS = 300
/** Changes that wait for facts of earlier ones; beyond that, facts are left out. */
const MAX_WAITING = 500

/** Size of an event without its trace. */
const EVENT_BYTES = 300

/**
 * The events of pending and confirmed traces, made from the changes of pending messages and of confirmed blocks. It records while it has followers, and for the
 * maximum age of an event after that, so that a reader who lost its connection can resume.
 */
export class MemoryJournal implements Journal {
  readonly name = randomBytes(4).toString('hex')
  readonly #options: JournalOptions
  readonly #limits: JournalLimits
  readonly #followers = new Set<(event: StreamEvent) => void>()
  /** By number, the oldest first. */
  readonly #entries = new Map<number, Entry>()
  #bytes = 0
  /** Number of the last event. */
  #last = 0
  /** Events up to this number are gone, or were not recorded. */
  #gone = 0
  /** By normalized hash, the least recently updated first. */
  readonly #sent = new Map<string, SentTrace>()
  #leave: (() => void) | undefined
  #demands = 0
  #leaveConfirmed: (() => void) | undefined
  #waiting = 0
  #turn: Promise<void> = Promise.resolve()
  #lingering: NodeJS.Timeout | undefined
  #checking: NodeJS.Timeout | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
  }

  /** For metrics. */
  get size(): { readonly events: number; readonly bytes: number; readonly traces: number } {
    return { events: this.#entries.size, bytes: this.#bytes, traces: this.#sent.size }
  }

  /** Without events that a later one of the same trace and kind, or its invalidation, replaces. */
  get last(): number {
    return this.#last
  }

  since(n: number): readonly StreamEvent[] | undefined {
    this.#dropOld()
    if (n < this.#gone || n > this.#last || this.#leave === undefined) return undefined
    const events: StreamEvent[] = []
    for (let k = n + 1; k <= this.#last; k++) events.push(this.#entries.get(k)!.event)
    return withoutReplaced(events)
  }

  follow(listener: (event: StreamEvent) => void): () => void {
    clearTimeout(this.#lingering)
    this.#followers.add(listener)
    this.#leave ??= this.#options.listen((change) => this.#queue(change))
    this.#checking ??= setInterval(() => void this.checkSilent(), CHECK_MS).unref()
    return () => {
      if (this.#followers.delete(listener) && this.#followers.size === 0) this.#linger()
    }
  }

  demand(): () => void {
    if (this.#demands++ === 0) {
      this.#leaveConfirmed = this.#options.listenConfirmed?.((change) => this.#queueConfirmed(change))
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#demands > 0) return
      this.#leaveConfirmed?.()
      this.#leaveConfirmed = undefined
    }
  }

  close(): void {
    clearTimeout(this.#lingering)
    this.#leaveConfirmed?.()
    this.#leaveConfirmed = undefined
    this.#stop()
  }

  #linger(): void {
    this.#lingering = setTimeout(() => this.#stop(), this.#limits.maxAgeMs).unref()
  }

  #stop(): void {
    clearInterval(this.#checking)
    this.#checking = undefined
    this.#leave?.()
    this.#leave = undefined
    this.#sent.clear()
    this.#forget()
  }

  /** Invalidates traces of processes that are gone, unless the index has their messages. */
  async checkSilent(): Promise<void> {
    const { findExecuted, logger } = this.#options
    const before = this.#now() - SILENT_MS
    const silent = [...this.#sent].filter(([, { isOwn, real, at }]) => !isOwn && real === 0 && at < before)
    if (findExecuted === undefined || silent.length === 0) return
    try {
      const executed = new Set((await findExecuted(silent.map(([key]) => fromHex(key)))).map(toHex))
      for (const [key, sent] of silent) {
        if (this.#sent.get(key) !== sent) continue
        if (executed.has(key)) this.#note(key, whole)
        else this.#invalidate(fromHex(key), { reason: 'lifetime' })
      }
    } catch (error) {
      logger.debug('silent pending messages not checked, retrying', { error })
    }
  }

  #now(): number {
    const { now = () => performance.now() } = this.#options
    return now()
  }

  /** What follows comes after a gap. */
  #forget(): void {
    this.#entries.clear()
    this.#bytes = 0
    this.#last++
    this.#gone = this.#last
  }

  #queue(change: PendingChange): void {
    const isShown = change.kind === 'stored' && finalityOf(change.trace) !== 'finalized'
    this.#withFacts(isShown ? change.trace : undefined, (facts) => this.#take(change, facts))
  }

  #queueConfirmed(change: ConfirmedChange): void {
    const shown = change.kind === 'confirmed' ? { transactions: listTransactions(change) } : undefined
    this.#withFacts(shown, (facts) => this.#takeConfirmed(change, facts))
  }

  /** Facts are read before transactions are shown, and changes keep their order. */
  #withFacts(
    shown: Pick<PendingTrace, 'transactions'> | undefined,
    take: (facts: FactsByAccount | undefined) => void,
  ): void {
    const { findFacts } = this.#options
    const needsFacts = findFacts !== undefined && shown !== undefined
    if (this.#waiting === 0 && !needsFacts) {
      take(undefined)
      return
    }
    this.#waiting++
    const reading = !needsFacts || this.#waiting > MAX_WAITING ? undefined : within(findFacts(shown))
    const takeLater = async (): Promise<void> => {
      const facts = await reading
      this.#waiting--
      if (this.#leave !== undefined) take(facts)
    }
    this.#turn = this.#turn.then(takeLater).catch((error: unknown) => {
      this.#options.logger.error('event of a pending message failed', { error })
    })
  }

  #take(change: PendingChange, facts: FactsByAccount | undefined): void {
    switch (change.kind) {
      case 'stored':
        this.#show(change.trace, change.isOwn, facts)
        break
      case 'ended':
        this.#invalidate(change.normalHash, change.end)
        break
      case 'finished':
        this.#note(toHex(change.normalHash), whole)
        break
      case 'cleared':
        for (const key of [...this.#sent.keys()]) this.#invalidate(fromHex(key), { reason: 'block_discarded' })
        break
      case 'missed':
        this.#forget()
        break
      case 'refused':
        break
    }
  }

  /** In the order of one step: transactions, states and jettons, actions, traces. */
  #takeConfirmed(change: ConfirmedChange, facts: FactsByAccount | undefined): void {
    if (this.#leave === undefined) return
    if (change.kind === 'discarded') {
      for (const hash of change.traces) this.#invalidate(hash, { reason: 'block_discarded' })
      for (const state of change.states) {
        this.#add({ ...this.#common(), finality: 'confirmed', kind: 'stateInvalidated', ...state }, EVENT_BYTES)
      }
      return
    }
    const shown = change.traces.flatMap((trace) => this.#admit(trace, true, facts) ?? [])
    for (const each of shown) this.#send(each, ['tx'])
    for (const { event, bytes } of listAccountEvents(change, facts)) {
      // A trace whose messages are in flight has no trace event yet, but these transactions of it must be invalidated with it.
      if (event.kind === 'tx') for (const hash of event.traceHashes) this.#noteBegun(toHex(hash))
      this.#add({ ...this.#common(), ...event, finality: 'confirmed' }, EVENT_BYTES + bytes)
    }
    for (const each of shown) this.#send(each, ['ac', 'tr'])
  }

  #noteBegun(key: string): void {
    if (this.#sent.has(key)) return
    this.#note(key, { real: 0, isOwn: true, digests: nothing, at: this.#now() })
  }

  #show(pending: PendingTrace, isOwn: boolean, facts: FactsByAccount | undefined): void {
    const shown = this.#admit(pending, isOwn, facts)
    if (shown !== undefined) this.#send(shown, ['tx', 'ac', 'tr'])
  }

  /** Notes a version of a trace; `undefined` if a newer one was shown, or the log has it. */
  #admit(pending: PendingTrace, isOwn: boolean, facts: FactsByAccount | undefined): Shown | undefined {
    const key = toHex(pending.externalHashNorm)
    const known = this.#sent.get(key)
    const real = countReal(pending)
    // A version of another process replaces one of ours only if it is further.
    if (known !== undefined && (real < known.real || (real === known.real && known.isOwn && !isOwn))) return undefined
    if (finalityOf(pending) === 'finalized') {
      // The log has the rest. Older versions of other processes must not come after it.
      this.#note(key, whole)
      return undefined
    }
    const snapshot = takeSnapshot(pending, facts)
    this.#note(key, { real, isOwn, digests: snapshot.digests, at: this.#now() })
    return { ...snapshot, known }
  }

  #send({ trace, digests, known }: Shown, kinds: readonly ('tx' | 'ac' | 'tr')[]): void {
    const finality = finalityOf(trace)
    let bytes = bytesOf(trace)
    for (const kind of kinds) {
      const digest = digests[kind]
      if (digest === undefined || digest === known?.digests[kind]) continue
      // Actions that nobody was told of cannot disappear.
      if (kind === 'ac' && trace.actions?.length === 0 && known?.digests.ac === undefined) continue
      this.#add({ ...this.#common(), finality, kind, trace }, EVENT_BYTES + bytes)
      bytes = 0
    }
  }

  #note(key: string, sent: SentTrace): void {
    this.#sent.delete(key)
    this.#sent.set(key, sent)
    if (this.#sent.size <= this.#limits.maxTraces) return
    const [oldest] = this.#sent.keys()
    if (oldest !== undefined) this.#sent.delete(oldest)
  }

  #invalidate(
    externalHashNorm: Uint8Array,
    { reason, exitCode }: { readonly reason: ExpiryReason } & Pick<PendingEnd, 'exitCode'>,
  ): void {
    const key = toHex(externalHashNorm)
    const known = this.#sent.get(key)
    this.#sent.delete(key)
    if (known === undefined || known === whole) return
    for (const kind of ['expired', 'invalidated'] as const) {
      const event = { ...this.#common(), finality: 'pending', kind, externalHashNorm, reason } as const
      this.#add(exitCode === undefined ? event : { ...event, exitCode }, EVENT_BYTES)
    }
  }

  #common(): { readonly id: string; readonly mcSeqno: number; readonly utime: number } {
    const { seqno: mcSeqno, utime } = this.#options.findHead() ?? { seqno: 0, utime: 0 }
    return { id: formatEventId({ mcSeqno, journal: this.name, n: this.#last + 1 }), mcSeqno, utime }
  }

  #add(event: StreamEvent, bytes: number): void {
    this.#last++
    this.#entries.set(this.#last, { at: this.#now(), bytes, event })
    this.#bytes += bytes
    this.#dropOld()
    for (const follower of this.#followers) follower(event)
  }

  #dropOld(): void {
    const { maxEvents, maxBytes, maxAgeMs } = this.#limits
    const oldest = this.#now() - maxAgeMs
    for (const [n, { at, bytes }] of this.#entries) {
      if (this.#entries.size <= maxEvents && this.#bytes <= maxBytes && at >= oldest) break
      this.#entries.delete(n)
      this.#bytes -= bytes
      this.#gone = n
    }
  }
}

/** The facts, or none if they cannot be read in time. */
const within = async (reading: Promise<FactsByAccount>): Promise<FactsByAccount | undefined> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), FACTS_MS)
  })
  try {
    return await Promise.race([reading, late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

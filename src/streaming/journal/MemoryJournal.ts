import { randomBytes } from 'node:crypto'
import type { Logger } from '../../observe/Logger.ts'
import { bytesOf } from '../../pending/MemoryPendingStore.ts'
import type { OnPendingChange, PendingChange, PendingEnd } from '../../pending/PendingChanges.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { PendingTrace } from '../../store/reader/pending.ts'
import type { ExpiryReason, FactsByAccount, InvalidationEvent, Journal, StreamEvent, TraceEvent } from '../events.ts'
import { formatEventId } from '../log/eventIds.ts'
import { countReal, isPending, type Snapshot, takeSnapshot } from './snapshots.ts'

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
  readonly findHead: () => JournalHead | undefined
  /** Which of these messages, by normalized hash, are in the index. */
  readonly findExecuted?: (hashes: readonly Uint8Array[]) => Promise<readonly Uint8Array[]>
  /** What filters ask of the accounts of a trace. */
  readonly findFacts?: (trace: PendingTrace) => Promise<FactsByAccount>
  readonly logger: Logger
  readonly limits?: Partial<JournalLimits>
  /** Milliseconds. */
  readonly now?: () => number
}

type Entry = { readonly at: number; readonly bytes: number; readonly event: StreamEvent }

/** The last version of a trace that was sent. `real` is infinite once the log has the trace. */
type SentTrace = {
  readonly real: number
  readonly isOwn: boolean
  readonly digests: Snapshot['digests']
  /** Of the last change. */
  readonly at: number
}

const whole: SentTrace = {
  real: Number.POSITIVE_INFINITY,
  isOwn: true,
  digests: { tx: '', ac: undefined, tr: '' },
  at: 0,
}

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
 * The events of pending traces, made from the changes of pending messages. It records while it has followers, and for the
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
    const replaced = new Set<string>()
    const events: StreamEvent[] = []
    for (let k = this.#last; k > n; k--) {
      const { event } = this.#entries.get(k)!
      const isNew =
        'trace' in event ? isNewest(event, replaced) : isNewInvalidation(event as InvalidationEvent, replaced)
      if (isNew) events.push(event)
    }
    return events.reverse()
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

  close(): void {
    clearTimeout(this.#lingering)
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

  /** Facts are read before a trace is shown, and changes keep their order. */
  #queue(change: PendingChange): void {
    const { findFacts } = this.#options
    const isShown = change.kind === 'stored' && isPending(change.trace)
    if (this.#waiting === 0 && (findFacts === undefined || !isShown)) {
      this.#take(change, undefined)
      return
    }
    this.#waiting++
    const reading =
      findFacts === undefined || !isShown || this.#waiting > MAX_WAITING ? undefined : within(findFacts(change.trace))
    const take = async (): Promise<void> => {
      const facts = await reading
      this.#waiting--
      if (this.#leave !== undefined) this.#take(change, facts)
    }
    this.#turn = this.#turn.then(take).catch((error: unknown) => {
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

  #show(pending: PendingTrace, isOwn: boolean, facts: FactsByAccount | undefined): void {
    const key = toHex(pending.externalHashNorm)
    const known = this.#sent.get(key)
    const real = countReal(pending)
    // A version of another process replaces one of ours only if it is further.
    if (known !== undefined && (real < known.real || (real === known.real && known.isOwn && !isOwn))) return
    if (!isPending(pending)) {
      // The log has the rest. Older versions of other processes must not come after it.
      this.#note(key, whole)
      return
    }
    const { trace, digests } = takeSnapshot(pending, facts)
    this.#note(key, { real, isOwn, digests, at: this.#now() })
    let bytes = bytesOf(trace)
    for (const kind of ['tx', 'ac', 'tr'] as const) {
      const digest = digests[kind]
      if (digest === undefined || digest === known?.digests[kind]) continue
      // Actions that nobody was told of cannot disappear.
      if (kind === 'ac' && trace.actions?.length === 0 && known?.digests.ac === undefined) continue
      this.#add({ ...this.#common(), finality: 'pending', kind, trace }, EVENT_BYTES + bytes)
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

/** Going backwards: notes what an event replaces, and says whether it is replaced itself. */
const isNewest = ({ kind, trace }: TraceEvent, replaced: Set<string>): boolean => {
  const hash = toHex(trace.externalHashNorm!)
  if (replaced.has(hash) || replaced.has(`${kind} ${hash}`)) return false
  replaced.add(`${kind} ${hash}`)
  return true
}

const isNewInvalidation = ({ kind, externalHashNorm }: InvalidationEvent, replaced: Set<string>): boolean => {
  const hash = toHex(externalHashNorm)
  if (replaced.has(`${kind} ${hash}`)) return false
  replaced.add(`${kind} ${hash}`)
  // Both events of an invalidation stay; nothing of the trace before them does.
  if (kind === 'expired') replaced.add(hash)
  return true
}

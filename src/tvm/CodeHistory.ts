import { LruCache } from '../primitives/LruCache.ts'
import { VmTimeoutError } from './errors.ts'

/** Where a run takes place: with all others, on probation, or where long runs wait for each other alone. */
export type Lane = 'usual' | 'trial' | 'slow'

/** Stands for transactions where a method is asked for: all methods have a number of 32 bits. */
export const TRANSACTION = Number.MAX_SAFE_INTEGER

const MAX_CODES = 4096
/** After so many slow methods of one code all others count as slow as well: any number may be a method of it. */
const MAX_SLOW_METHODS = 8
/** After so many failed methods none of that code is run. */
const MAX_FAILED_METHODS = 3
/** So many times may code exceed its time that was quick before: the fault may be that of the machine. */
const MAX_TIMEOUTS_OF_QUICK = 3
/** How long a failed method is not run. Each further failure doubles it. */
const FIRST_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 3_600_000

type CodeRecord = {
  /** A get-method, or a transaction, has ended within the limits of the usual lane. */
  isQuickMethod: boolean
  isQuickTransaction: boolean
  readonly slow: Set<number>
  /** Runs that were ended by their time limit, or broke the machine down. */
  timeouts: number
  readonly failed: Set<number>
}

type Pause = { readonly until: number; readonly lengthMs: number }

/** Remembers by hash what code did to the machine. It knows nothing of contracts: code that harms once harms everywhere. */
export class CodeHistory {
  private readonly codes = new LruCache<CodeRecord>(MAX_CODES)
  private readonly pauses = new LruCache<Pause>(MAX_CODES)
  private readonly now: () => number

  /** `now` counts milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** `code` is a hash in hexadecimal digits, here and below. */
  laneOf(code: string, methodId: number): Lane {
    const record = this.codes.find(code)
    if (record === undefined) return 'trial'
    if (hasTimedOut(record) || record.slow.has(methodId) || record.slow.size >= MAX_SLOW_METHODS) return 'slow'
    return (methodId === TRANSACTION ? record.isQuickTransaction : record.isQuickMethod) ? 'usual' : 'trial'
  }

  noteQuick(code: string, methodId: number): void {
    const record = this.open(code)
    if (methodId === TRANSACTION) record.isQuickTransaction = true
    else record.isQuickMethod = true
  }

  noteSlow(code: string, methodId: number): void {
    const { slow } = this.open(code)
    if (slow.size < MAX_SLOW_METHODS) slow.add(methodId)
  }

  noteTimeout(code: string, methodId: number): void {
    this.noteSlow(code, methodId)
    this.open(code).timeouts++
  }

  /** Its run failed even with all the time that the slow lane gives. */
  noteFailure(code: string, methodId: number): void {
    const record = this.open(code)
    record.timeouts++
    if (record.failed.size < MAX_FAILED_METHODS) record.failed.add(methodId)
    const key = pauseKey(code, methodId, record)
    const lengthMs = Math.min(MAX_PAUSE_MS, 2 * (this.pauses.find(key)?.lengthMs ?? FIRST_PAUSE_MS / 2))
    this.pauses.set(key, { until: this.now() + lengthMs, lengthMs })
  }

  /** Refuses a run whose failure is known. `isShort` says that only a short attempt is made: then a timeout is enough. */
  check(code: string, methodId: number, isShort: boolean): void {
    const record = this.codes.find(code)
    if (record === undefined || record.timeouts === 0) return
    if (isShort && hasTimedOut(record)) throw new VmTimeoutError(`Code ${code} exceeded its time limit before.`)
    const until = this.pauses.find(pauseKey(code, methodId, record))?.until ?? 0
    const leftMs = until - this.now()
    if (leftMs <= 0) return
    const seconds = Math.ceil(leftMs / 1000)
    throw new VmTimeoutError(`Code ${code} exceeded its time limit before; it can be run again in ${seconds} s.`)
  }

  private open(code: string): CodeRecord {
    const before = this.codes.find(code)
    if (before !== undefined) return before
    const record = {
      isQuickMethod: false,
      isQuickTransaction: false,
      slow: new Set<number>(),
      timeouts: 0,
      failed: new Set<number>(),
    }
    this.codes.set(code, record)
    return record
  }
}

const hasTimedOut = ({ timeouts, isQuickMethod, isQuickTransaction }: CodeRecord): boolean =>
  timeouts >= (isQuickMethod || isQuickTransaction ? MAX_TIMEOUTS_OF_QUICK : 1)

const pauseKey = (code: string, methodId: number, { failed }: CodeRecord): string =>
  failed.size >= MAX_FAILED_METHODS ? code : `${code} ${methodId}`

import { LruCache } from '../primitives/LruCache.ts'
import { VmTimeoutError } from './errors.ts'

/** Stands for transactions where a method is asked for: all methods have a number of 32 bits. */
export const TRANSACTION = Number.MAX_SAFE_INTEGER

const MAX_CODES = 4096
/** After so many long methods of one code all others count as long as well: any number may be a method of it. */
const MAX_LONG_METHODS = 8
/** After so many failed methods none of that code is run. */
const MAX_FAILED_METHODS = 3
/** So many times may code exceed its time that was quick before: the fault may be that of the machine. */
const MAX_TIMEOUTS_OF_QUICK = 3
/** How long a failed method is not run. Each further failure doubles it. */
const FIRST_PAUSE_MS = 60_000
const MAX_PAUSE_MS = 3_600_000

type CodeRecord = {
  /** A get-method or a transaction has ended on the calling thread. */
  isQuick: boolean
  /** Methods that need more than one slice, there or elsewhere. */
  readonly sliced: Set<number>
  /** Methods that need more than the calling thread gives them. */
  readonly long: Set<number>
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

  /** Whether a run begins on another thread. `code` is a hash in hexadecimal digits, here and below. */
  isLong(code: string, methodId: number): boolean {
    const record = this.codes.find(code)
    if (record === undefined) return false
    return hasTimedOut(record) || record.long.has(methodId) || record.long.size >= MAX_LONG_METHODS
  }

  /** Whether one slice may be enough. */
  isShort(code: string, methodId: number): boolean {
    const record = this.codes.find(code)
    if (record === undefined) return true
    return !record.sliced.has(methodId) && record.sliced.size < MAX_LONG_METHODS && !this.isLong(code, methodId)
  }

  noteQuick(code: string): void {
    this.open(code).isQuick = true
  }

  noteSliced(code: string, methodId: number): void {
    const { sliced } = this.open(code)
    if (sliced.size < MAX_LONG_METHODS) sliced.add(methodId)
  }

  noteLong(code: string, methodId: number): void {
    const { long } = this.open(code)
    if (long.size < MAX_LONG_METHODS) long.add(methodId)
  }

  noteTimeout(code: string, methodId: number): void {
    this.noteLong(code, methodId)
    this.open(code).timeouts++
  }

  /** Its run failed even with all the time that there is. */
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
      isQuick: false,
      sliced: new Set<number>(),
      long: new Set<number>(),
      timeouts: 0,
      failed: new Set<number>(),
    }
    this.codes.set(code, record)
    return record
  }
}

const hasTimedOut = ({ timeouts, isQuick }: CodeRecord): boolean => timeouts >= (isQuick ? MAX_TIMEOUTS_OF_QUICK : 1)

const pauseKey = (code: string, methodId: number, { failed }: CodeRecord): string =>
  failed.size >= MAX_FAILED_METHODS ? code : `${code} ${methodId}`

import { closeSync, fdatasyncSync, ftruncateSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { getU32LE, putU32LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { encodeLogHeader, MAX_HEADER_BYTES, readLogHeader } from './chainLogHeader.ts'
import { ChainDataError } from './errors.ts'
import { readFully, reasonOf, syncFolder, writeAll } from './fileWrites.ts'
import { MAX_STEP_BYTES } from './stepRecord.ts'

/** `STEP`, length and checksum of what follows. */
const RECORD_HEAD = 12
const RECORD_MAGIC = 0x50455453
const READ_BYTES = 4 * 1024 * 1024

/** Takes a record that is whole; `false` where it is not what should follow. The bytes are only lent. */
export type TakeRecord = (bytes: Uint8Array, at: number, length: number) => boolean

/**
 * The list of what is finished, one record per step. A step counts from the moment its record is whole, and a record that
 * is not, at the end, never was.
 */
export class ChainLog {
  readonly zeroStates: readonly BlockIdExt[]
  private readonly path: string
  private readonly isSynced: boolean
  private readonly file: number
  /** Where each record ends; before the first, where the header does. */
  private readonly ends: number[]
  /** Whether bytes may lie behind the end that are no record. */
  private isUncut = false

  private constructor(path: string, isSynced: boolean, file: number, zeroStates: readonly BlockIdExt[], start: number) {
    this.path = path
    this.isSynced = isSynced
    this.file = file
    this.zeroStates = zeroStates
    this.ends = [start]
  }

  /** Writes the log of a chain that has no blocks yet. */
  static create(path: string, zeroStates: readonly BlockIdExt[], isSynced: boolean): void {
    // Under its name there is never anything but a log with its whole header.
    writeFileSync(`${path}.new`, encodeLogHeader(zeroStates), { flush: isSynced })
    renameSync(`${path}.new`, path)
    if (isSynced) syncFolder(dirname(path))
  }

  /** Opens a log and hands its records on, up to the last whole one. */
  static open(path: string, isSynced: boolean, take: TakeRecord, access: 'r' | 'r+' = 'r+'): ChainLog {
    const file = openSync(path, access)
    try {
      const start = new Uint8Array(MAX_HEADER_BYTES)
      const header = readLogHeader(start.subarray(0, readFully(file, start, 0)), path)
      const log = new ChainLog(path, isSynced, file, header.zeroStates, header.length)
      log.scan(take)
      return log
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  get steps(): number {
    return this.ends.length - 1
  }

  /** Whether something had to be cut off when it was opened. */
  get hadTornEnd(): boolean {
    return this.isUncut
  }

  append(payload: Uint8Array): void {
    const record = new Uint8Array(RECORD_HEAD + payload.length)
    putU32LE(record, 0, RECORD_MAGIC)
    putU32LE(record, 4, payload.length)
    putU32LE(record, 8, crc32c(payload))
    record.set(payload, RECORD_HEAD)
    const end = this.ends.at(-1)!
    try {
      if (this.isUncut) this.cutRest()
      this.isUncut = true
      writeAll(this.file, record, end)
      if (this.isSynced) fdatasyncSync(this.file)
      this.isUncut = false
    } catch (cause) {
      this.tryCutRest()
      throw new ChainDataError(`The log ${this.path} cannot be written: ${reasonOf(cause)}.`, { cause })
    }
    this.ends.push(end + record.length)
  }

  /** Takes back what came after this many steps. */
  cutTo(steps: number): void {
    const end = this.ends[steps]!
    try {
      ftruncateSync(this.file, end)
      if (this.isSynced) fdatasyncSync(this.file)
    } catch (cause) {
      throw new ChainDataError(`The log ${this.path} cannot be cut: ${reasonOf(cause)}.`, { cause })
    }
    this.ends.length = steps + 1
    this.isUncut = false
  }

  /** Cuts off what is no record. */
  cutRest(): void {
    ftruncateSync(this.file, this.ends.at(-1)!)
    this.isUncut = false
  }

  close(): void {
    closeSync(this.file)
  }

  private tryCutRest(): void {
    try {
      this.cutRest()
    } catch {
      // The next append tries again before it writes, and so does the next start.
    }
  }

  private scan(take: TakeRecord): void {
    let buffer = new Uint8Array(READ_BYTES)
    for (;;) {
      const position = this.ends.at(-1)!
      const have = readFully(this.file, buffer, position)
      const at = this.takeRecords(buffer, have, take)
      const isLast = have < buffer.length
      // Without a single record in it: the next one is longer than the buffer, or the log is damaged here.
      const isTooLong = at === 0 && buffer.length > RECORD_HEAD + MAX_STEP_BYTES
      if (isLast || isTooLong) this.inspectRest(buffer.subarray(at, have))
      if (isLast || isTooLong) return
      if (at === 0) buffer = new Uint8Array(buffer.length * 4)
    }
  }

  /** Takes the records at the beginning of the bytes, which are those behind the last; says where they end. */
  private takeRecords(bytes: Uint8Array, end: number, take: TakeRecord): number {
    const start = this.ends.at(-1)!
    let at = 0
    for (let length = wholeRecord(bytes, at, end); length >= 0; length = wholeRecord(bytes, at, end)) {
      if (!take(bytes, at + RECORD_HEAD, length)) {
        throw new ChainDataError(
          `Record ${this.steps + 1} of the log ${this.path} is whole but not the step that should follow.`,
        )
      }
      at += RECORD_HEAD + length
      this.ends.push(start + at)
    }
    return at
  }

  /** Bytes behind the last whole record: the beginning of one that was never finished, unless whole ones follow. */
  private inspectRest(rest: Uint8Array): void {
    if (rest.length === 0) return
    for (let at = 1; at + RECORD_HEAD <= rest.length; at++) {
      if (wholeRecord(rest, at, rest.length) < 0) continue
      throw new ChainDataError(
        `The log ${this.path} is damaged behind step ${this.steps}: what follows at byte ${this.ends.at(-1)} is no record, but later ones are.`,
      )
    }
    this.isUncut = true
  }
}

/** The length of the record that starts here, -1 where none does or it is not whole. */
const wholeRecord = (bytes: Uint8Array, at: number, end: number): number => {
  if (at + RECORD_HEAD > end || getU32LE(bytes, at) !== RECORD_MAGIC) return -1
  const length = getU32LE(bytes, at + 4)
  if (length > MAX_STEP_BYTES || at + RECORD_HEAD + length > end) return -1
  const start = at + RECORD_HEAD
  return crc32c(bytes, start, start + length) === getU32LE(bytes, at + 8) ? length : -1
}

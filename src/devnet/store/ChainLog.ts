import { closeSync, fdatasyncSync, ftruncateSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { concatBytes, getI32LE, getU16LE, getU32LE, putU16LE, putU32LE } from '../../primitives/bytes.ts'
import { crc32c } from '../../primitives/crc.ts'
import { wholeShard } from '../../primitives/shard.ts'
import {
  BLOCK_ROW_BYTES,
  encodeBlockRow,
  encodePrev,
  isMerged,
  masterSeqnoOf,
  PREV_BYTES,
  type StoredBlock,
  seqnoOf,
  workchainOf,
} from './blockRow.ts'
import { ChainDataError } from './errors.ts'
import { finishSyncing, readFully, reasonOf, type Syncing, syncFolder, writeAll } from './fileWrites.ts'
import { POSITION_ROW_BYTES } from './packPaths.ts'

/** Counts up when a folder is laid out so that older versions of the program would misread it. */
const LAYOUT = 1

// Eight letters, the layout, the length of the whole header, the first states (workchain and hashes), a checksum of all that.
const MAGIC = new TextEncoder().encode('chainlog')
const FIXED = 16
const STATE = 68
const MAX_HEADER_BYTES = FIXED + 256 * STATE + 4

const encodeLogHeader = (zeroStates: readonly BlockIdExt[]): Uint8Array => {
  const states = zeroStates.map(({ workchain, rootHash, fileHash }) => {
    const number = new Uint8Array(4)
    putU32LE(number, 0, workchain)
    return concatBytes([number, rootHash, fileHash])
  })
  const header = concatBytes([MAGIC, new Uint8Array(8), ...states, new Uint8Array(4)])
  putU32LE(header, 8, LAYOUT)
  putU32LE(header, 12, header.length)
  putU32LE(header, header.length - 4, crc32c(header, 0, header.length - 4))
  return header
}

/** Reads what {@link encodeLogHeader} wrote from the beginning of a file. */
const readLogHeader = (bytes: Uint8Array, path: string) => {
  if (bytes.length < FIXED || MAGIC.some((byte, k) => bytes[k] !== byte)) {
    throw new ChainDataError(`The file ${path} is not the log of a chain.`)
  }
  const layout = getU32LE(bytes, 8)
  if (layout > LAYOUT) {
    throw new ChainDataError(
      `The chain of ${path} was written by a newer version of this program: its layout is ${layout}, known are those up to ${LAYOUT}.`,
    )
  }
  const length = getU32LE(bytes, 12)
  const count = (length - FIXED - 4) / STATE
  if (layout === 0 || length > bytes.length || !Number.isInteger(count) || count < 1) {
    throw new ChainDataError(`The header of the log ${path} is damaged.`)
  }
  if (getU32LE(bytes, length - 4) !== crc32c(bytes, 0, length - 4)) {
    throw new ChainDataError(`The header of the log ${path} is damaged: checksum mismatch.`)
  }
  const zeroStates = Array.from({ length: count }, (_, k) => readState(bytes, FIXED + k * STATE))
  if (zeroStates.every(({ workchain }) => workchain !== masterchain)) {
    throw new ChainDataError(`The log ${path} contains no zerostate of the masterchain.`)
  }
  return { zeroStates, length }
}

const readState = (bytes: Uint8Array, at: number): BlockIdExt => ({
  workchain: getI32LE(bytes, at),
  shard: wholeShard,
  seqno: 0,
  rootHash: bytes.slice(at + 4, at + 36),
  fileHash: bytes.slice(at + 36, at + 68),
})

// A step in the commit log: seqno of its masterchain block, numbers of blocks and of merged ones among them; a row and a place
// for each block, the masterchain block last; the second block before each of the merged ones.
const HEAD = 8
const ENTRY = BLOCK_ROW_BYTES + POSITION_ROW_BYTES

/** Far more than a network of sixteen shards puts into a step. */
const MAX_BLOCKS = 0xffff

const MAX_STEP_BYTES = HEAD + MAX_BLOCKS * (ENTRY + PREV_BYTES)

export const encodeStep = (blocks: readonly StoredBlock[], positions: readonly Uint8Array[]): Uint8Array => {
  const seconds = blocks.flatMap(({ prev }) => prev.slice(1)).map(encodePrev)
  const head = new Uint8Array(HEAD)
  putU32LE(head, 0, blocks.at(-1)!.id.seqno)
  putU16LE(head, 4, blocks.length)
  putU16LE(head, 6, seconds.length)
  return concatBytes([head, ...blocks.flatMap((block, k) => [encodeBlockRow(block), positions[k]!]), ...seconds])
}

export interface StepSink {
  /** Called for each block of a step in order; rows are only lent. */
  takeBlock(bytes: Uint8Array, rowAt: number, placeAt: number, second: Uint8Array | undefined): void
}

/** Hands the blocks of a step on. `false`, and nothing is handed on, where the bytes are not those of step `seqno`. */
export const readStep = (bytes: Uint8Array, at: number, length: number, seqno: number, sink: StepSink): boolean => {
  if (!isStep(bytes, at, length, seqno)) return false
  const count = getU16LE(bytes, at + 4)
  let second = at + HEAD + count * ENTRY
  for (let k = 0; k < count; k++) {
    const row = at + HEAD + k * ENTRY
    const merged = isMerged(bytes, row)
    sink.takeBlock(bytes, row, row + BLOCK_ROW_BYTES, merged ? bytes.slice(second, second + PREV_BYTES) : undefined)
    if (merged) second += PREV_BYTES
  }
  return true
}

const isStep = (bytes: Uint8Array, at: number, length: number, seqno: number): boolean => {
  if (length < HEAD + ENTRY || getU32LE(bytes, at) !== seqno) return false
  const count = getU16LE(bytes, at + 4)
  const seconds = getU16LE(bytes, at + 6)
  if (count === 0 || length !== HEAD + count * ENTRY + seconds * PREV_BYTES) return false
  let merged = 0
  for (let k = 0; k < count; k++) {
    const row = at + HEAD + k * ENTRY
    if (isMerged(bytes, row)) merged++
    if ((workchainOf(bytes, row) === masterchain) !== (k === count - 1)) return false
    if (masterSeqnoOf(bytes, row) !== seqno) return false
  }
  return merged === seconds && seqnoOf(bytes, at + HEAD + (count - 1) * ENTRY) === seqno
}

/** `STEP`, length and checksum of what follows. */
const RECORD_HEAD = 12
const RECORD_MAGIC = 0x50455453
const READ_BYTES = 4 * 1024 * 1024

/** Takes a record that is whole; `false` where it is not what should follow. The bytes are only lent. */
export type TakeRecord = (bytes: Uint8Array, at: number, length: number) => boolean

/**
 * The log of finished steps, one record per step. A step counts once its record is complete; an incomplete last record is dropped.
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
    // A file with this name always has a complete header.
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
    finishSyncing(this.appending(payload))
  }

  *appending(payload: Uint8Array): Syncing {
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
      if (this.isSynced) yield this.file
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
      // The next append or start retries before it writes.
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

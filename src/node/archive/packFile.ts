import { constants, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import {
  MAX_PACK_DATA,
  PACK_ENTRY_HEADER,
  PACK_ENTRY_MAGIC,
  PACK_MAGIC,
  PACK_START,
} from '../../codec/pack/packFormat.ts'
import { type BlockIdExt, isValidBlockIdExt, parseBlockId } from '../../primitives/BlockId.ts'
import { getU16LE, getU32LE } from '../../primitives/bytes.ts'
import { ParseError } from '../../primitives/errors.ts'

/** What a package holds of a block: itself, its proof with signatures (masterchain), its proof without (shards, key blocks). */
export type EntryKind = 'block' | 'proof' | 'prooflink'

export const entryKinds: readonly EntryKind[] = ['block', 'proof', 'prooflink']

export type EntryName = { readonly kind: EntryKind; readonly id: BlockIdExt }

/** No name that we read is longer: a kind, an underscore and a full block id. */
export const MAX_ENTRY_NAME = 200

const HASH_DIGITS = 64
const HASHES = 2 * HASH_DIGITS + 1

/**
 * Reads `<kind>_<block id>`, in either case, from a name of which each character is one byte. Packages hold other kinds too
 * (signatures, candidates): `undefined` for these.
 */
export const parseEntryName = (name: string): EntryName | undefined => {
  const split = name.indexOf('_')
  const kind = entryKinds.find((each) => each.length === split && name.slice(0, split).toLowerCase() === each)
  if (kind === undefined) return undefined
  // A scan is mostly this: parseBlockIdExt takes four times as long.
  const hashes = name.length - HASHES
  const rootHash = findHash(name.slice(hashes, hashes + HASH_DIGITS))
  const fileHash = findHash(name.slice(hashes + HASH_DIGITS + 1))
  const isWhole = name[hashes - 1] === ':' && name[hashes + HASH_DIGITS] === ':'
  if (rootHash === undefined || fileHash === undefined || !isWhole) return undefined
  try {
    const id = { ...parseBlockId(name.slice(split + 1, hashes - 1)), rootHash, fileHash }
    return isValidBlockIdExt(id) ? { kind, id } : undefined
  } catch (error) {
    if (error instanceof ParseError) return undefined
    throw error
  }
}

/** The decoder stops at an invalid digit, so the length shows it; it errs only on multi-byte characters. */
const findHash = (text: string): Uint8Array | undefined => {
  const bytes = Buffer.from(text, 'hex')
  return bytes.length === 32 ? bytes : undefined
}

// Small entries are read many at a time; of large ones only the header and the name, since a read costs 30 µs whatever its size
// up to about 64 KB.
const LARGE_WINDOW = 256 * 1024
const SMALL_WINDOW = PACK_ENTRY_HEADER + MAX_ENTRY_NAME
const SMALL_ENTRY = LARGE_WINDOW / 8

/** Offset of an entry in its file and the lengths of its parts. */
export type EntryPosition = { readonly offset: number; readonly nameLength: number; readonly dataLength: number }

/** An entry without its data. `name` is empty if it is longer than any known name. */
export type PackEntry = EntryPosition & { readonly name: string }

/**
 * Where a scan ended, and why. `complete`: at the end of the file. `partial`: the entry there is not all written yet. `broken`:
 * the bytes there are not an entry. `full`: there are more entries than requested.
 */
export type ScanEnd = { readonly offset: number; readonly reason: 'complete' | 'partial' | 'broken' | 'full' }

export type ScanOptions = {
  readonly from: number
  /** Assumed size of the file: bytes after it are left for the next scan. */
  readonly size: number
  readonly maxEntries: number
  readonly onEntry: (entry: PackEntry) => void
}

/** Opens a package for reading. If the path is a pipe, it does not wait for a writer. */
export const openPack = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))

/** Scans the entries from the offset of one of them. Reads headers and names, and seeks past the data. */
export const scanPack = async (file: FileHandle, options: ScanOptions): Promise<ScanEnd> => {
  const { from, size, maxEntries, onEntry } = options
  const window = new Window(file, size)
  let at = from
  if (at === PACK_START) {
    if (!(await window.show(0, PACK_START, SMALL_WINDOW))) return { offset: PACK_START, reason: 'partial' }
    if (getU32LE(window.bytes, 0) !== PACK_MAGIC) return { offset: PACK_START, reason: 'broken' }
  }
  let nextRead = LARGE_WINDOW
  for (let count = 0; at < size; count++) {
    if (count === maxEntries) return { offset: at, reason: 'full' }
    if (!(await window.show(at, PACK_ENTRY_HEADER, nextRead))) return { offset: at, reason: 'partial' }
    const header = at - window.start
    if (getU16LE(window.bytes, header) !== PACK_ENTRY_MAGIC) return { offset: at, reason: 'broken' }
    const nameLength = getU16LE(window.bytes, header + 2)
    const dataLength = getU32LE(window.bytes, header + 4)
    if (dataLength > MAX_PACK_DATA) return { offset: at, reason: 'broken' }
    const length = PACK_ENTRY_HEADER + nameLength + dataLength
    if (at + length > size) return { offset: at, reason: 'partial' }
    let name = ''
    if (nameLength <= MAX_ENTRY_NAME) {
      if (!(await window.show(at, PACK_ENTRY_HEADER + nameLength, nextRead))) return { offset: at, reason: 'partial' }
      name = window.readText(at + PACK_ENTRY_HEADER, nameLength)
    }
    onEntry({ offset: at, nameLength, dataLength, name })
    nextRead = length <= SMALL_ENTRY ? LARGE_WINDOW : SMALL_WINDOW
    at += length
  }
  return { offset: at, reason: 'complete' }
}

/** The buffered part of a file. */
class Window {
  private readonly file: FileHandle
  private readonly size: number
  private readonly buffer = Buffer.allocUnsafeSlow(LARGE_WINDOW)
  bytes: Buffer = this.buffer.subarray(0, 0)
  start = 0

  constructor(file: FileHandle, size: number) {
    this.file = file
    this.size = size
  }

  /** Whether these bytes of the file are buffered, after reading `ahead` bytes from there if needed. */
  async show(at: number, length: number, ahead: number): Promise<boolean> {
    if (at >= this.start && at + length <= this.start + this.bytes.length) return true
    if (at + length > this.size) return false
    const wanted = Math.min(Math.max(length, ahead), this.size - at, LARGE_WINDOW)
    const { bytesRead } = await this.file.read(this.buffer, 0, wanted, at)
    this.bytes = this.buffer.subarray(0, bytesRead)
    this.start = at
    return bytesRead >= length
  }

  readText(at: number, length: number): string {
    return this.bytes.toString('latin1', at - this.start, at - this.start + length)
  }
}

/** The name and the data of an entry, or `undefined` if it is no longer there. */
export const readPackEntry = async (
  file: FileHandle,
  { offset, nameLength, dataLength }: EntryPosition,
): Promise<{ readonly name: string; readonly data: Uint8Array } | undefined> => {
  const head = Buffer.allocUnsafeSlow(PACK_ENTRY_HEADER + nameLength)
  // A separate buffer, which the caller may transfer to another thread.
  const data = Buffer.allocUnsafeSlow(dataLength)
  const { bytesRead } = await file.readv([head, data], offset)
  if (bytesRead !== head.length + data.length) return undefined
  const isSame =
    getU16LE(head, 0) === PACK_ENTRY_MAGIC && getU16LE(head, 2) === nameLength && getU32LE(head, 4) === dataLength
  if (!isSame) return undefined
  return { name: head.toString('latin1', PACK_ENTRY_HEADER), data: new Uint8Array(data.buffer, 0, dataLength) }
}

/** Whether the entry seen at this offset is still there. Its data is not checked. */
export const hasPackEntry = async (file: FileHandle, { name, ...position }: PackEntry): Promise<boolean> => {
  const head = Buffer.allocUnsafeSlow(PACK_ENTRY_HEADER + Math.min(position.nameLength, MAX_ENTRY_NAME))
  const { bytesRead } = await file.read(head, 0, head.length, position.offset)
  return (
    bytesRead === head.length &&
    getU16LE(head, 0) === PACK_ENTRY_MAGIC &&
    getU16LE(head, 2) === position.nameLength &&
    getU32LE(head, 4) === position.dataLength &&
    (name === '' || head.toString('latin1', PACK_ENTRY_HEADER) === name)
  )
}

// Limits the open files of callers that read from many packages.
const IDLE_MS = 200

type Opened = {
  readonly file: Promise<FileHandle>
  /** The identity of the opened file, from `identify`. */
  readonly identity: string | undefined
  users: number
  timer: NodeJS.Timeout | undefined
}

/**
 * A file that is read repeatedly: opened on first use, closed when idle, or when
 * another file, or none, has its name.
 */
export class SharedHandle {
  private readonly path: string
  private readonly open: (path: string) => Promise<FileHandle>
  private opened: Opened | undefined

  constructor(path: string, open: (path: string) => Promise<FileHandle>) {
    this.path = path
    this.open = open
  }

  async use<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    const opened = this.take()
    opened.users++
    clearTimeout(opened.timer)
    try {
      return await work(await opened.file)
    } catch (error) {
      // Whatever failed, the next call starts over.
      if (this.opened === opened) this.opened = undefined
      throw error
    } finally {
      opened.users--
      if (opened.users === 0 && this.opened !== opened) close(opened)
      else if (opened.users === 0) opened.timer = setTimeout(() => this.letGo(), IDLE_MS).unref()
    }
  }

  private take(): Opened {
    // Synchronous: the directory entry is cached, and an asynchronous open costs fifty times as much.
    const identity = identify(this.path)
    if (this.opened !== undefined && (identity === undefined || this.opened.identity !== identity)) this.letGo()
    this.opened ??= { file: this.open(this.path), identity, users: 0, timer: undefined }
    return this.opened
  }

  private letGo(): void {
    const { opened } = this
    this.opened = undefined
    if (opened === undefined) return
    clearTimeout(opened.timer)
    if (opened.users === 0) close(opened)
  }
}

/** Identity of a file; `undefined` if there is none. */
const identify = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path)
    return `${dev}:${ino}`
  } catch {
    return undefined
  }
}

const close = ({ file }: Opened): void => {
  file.then((opened) => opened.close()).catch(() => undefined)
}

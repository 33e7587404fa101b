import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import {
  MAX_PACK_DATA,
  PACK_ENTRY_HEADER,
  PACK_ENTRY_MAGIC,
  PACK_MAGIC,
  PACK_START,
} from '../../codec/pack/packFormat.ts'
import { getU16LE, getU32LE } from '../../primitives/bytes.ts'
import { MAX_ENTRY_NAME } from './entryName.ts'

// Small entries are read many at a time; of large ones only the header and the name, since a read costs 30 µs whatever its size
// up to about 64 KB.
const LARGE_WINDOW = 256 * 1024
const SMALL_WINDOW = PACK_ENTRY_HEADER + MAX_ENTRY_NAME
const SMALL_ENTRY = LARGE_WINDOW / 8

/** Where an entry stands in its file, and how long its parts are. */
export type EntryPlace = { readonly offset: number; readonly nameLength: number; readonly dataLength: number }

/** An entry without its data. `name` is empty where it is longer than any we know. */
export type PackEntry = EntryPlace & { readonly name: string }

/**
 * Where a scan ended, and why. `complete`: at the end of the file. `partial`: the entry there is not all written yet. `broken`:
 * what stands there is no entry. `full`: there are more entries than were asked for.
 */
export type ScanEnd = { readonly offset: number; readonly reason: 'complete' | 'partial' | 'broken' | 'full' }

export type ScanOptions = {
  readonly from: number
  /** The size the file is taken to have: what lies behind is left for the next scan. */
  readonly size: number
  readonly maxEntries: number
  readonly onEntry: (entry: PackEntry) => void
}

/** Opens a package for reading. Where somebody put a pipe in its place, this does not wait for a writer. */
export const openPack = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))

/** Goes over the entries from an offset on where one starts. Reads headers and names, and seeks past the data. */
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

/** The part of a file that is at hand. */
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

  /** Whether these bytes of the file are at hand, after reading `ahead` bytes from there if they were not. */
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

/** The name and the data of an entry, or `undefined` where no such entry stands there any more. */
export const readPackEntry = async (
  file: FileHandle,
  { offset, nameLength, dataLength }: EntryPlace,
): Promise<{ readonly name: string; readonly data: Uint8Array } | undefined> => {
  const head = Buffer.allocUnsafeSlow(PACK_ENTRY_HEADER + nameLength)
  // A buffer of its own, which whoever gets it may hand over to another thread.
  const data = Buffer.allocUnsafeSlow(dataLength)
  const { bytesRead } = await file.readv([head, data], offset)
  if (bytesRead !== head.length + data.length) return undefined
  const isSame =
    getU16LE(head, 0) === PACK_ENTRY_MAGIC && getU16LE(head, 2) === nameLength && getU32LE(head, 4) === dataLength
  if (!isSame) return undefined
  return { name: head.toString('latin1', PACK_ENTRY_HEADER), data: new Uint8Array(data.buffer, 0, dataLength) }
}

/** Whether the entry that was seen at this place is still there. Its data is not looked at. */
export const hasPackEntry = async (file: FileHandle, { name, ...place }: PackEntry): Promise<boolean> => {
  const head = Buffer.allocUnsafeSlow(PACK_ENTRY_HEADER + Math.min(place.nameLength, MAX_ENTRY_NAME))
  const { bytesRead } = await file.read(head, 0, head.length, place.offset)
  return (
    bytesRead === head.length &&
    getU16LE(head, 0) === PACK_ENTRY_MAGIC &&
    getU16LE(head, 2) === place.nameLength &&
    getU32LE(head, 4) === place.dataLength &&
    (name === '' || head.toString('latin1', PACK_ENTRY_HEADER) === name)
  )
}

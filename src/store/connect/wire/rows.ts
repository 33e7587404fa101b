import { getI32BE, getI64BE, getU16BE } from '../../../primitives/bytes.ts'
import { KeyBytes } from '../../../primitives/KeyBytes.ts'
import { LruCache } from '../../../primitives/LruCache.ts'
import { valueParsers } from '../openClient.ts'

/** Reads the value of a column between `at` and `end`; `memory` is that of `bytes`, which begin at its `base`. */
type ReadValue = (bytes: Buffer, at: number, end: number, memory: ArrayBuffer, base: number) => unknown

/** In which format a column is requested, and how it is read. */
export type ColumnReader = { readonly isBinary: boolean; readonly read: ReadValue }

const readText: ReadValue = (bytes, at, end) => bytes.toString('utf8', at, end)

const readBytes: ReadValue = (_bytes, at, end, memory, base) => new KeyBytes(memory, base + at, end - at)

const readInt2: ReadValue = (bytes, at) => (getU16BE(bytes, at) << 16) >> 16

const readInt4: ReadValue = getI32BE

const readInt8: ReadValue = getI64BE

const readJson: ReadValue = (bytes, at, end) => JSON.parse(bytes.toString('utf8', at, end)) as unknown

// The first byte is the format version.
const readJsonb: ReadValue = (bytes, at, end, memory, base) => readJson(bytes, at + 1, end, memory, base)

const NEGATIVE = 0x4000
const BASE = 10_000
/** A number holds three base-10000 digits exactly. */
const SHORT = 3

/** Every numeric column of ours holds whole numbers. */
const readNumeric: ReadValue = (bytes, at) => {
  const count = bytes.readInt16BE(at)
  const weight = bytes.readInt16BE(at + 2)
  const sign = bytes.readUInt16BE(at + 4)
  if (count > weight + 1 || (sign !== 0 && sign !== NEGATIVE))
    throw new RangeError('Expected a whole number in a numeric column.')
  const digit = (k: number): number => (k < count ? bytes.readInt16BE(at + 8 + 2 * k) : 0)
  let value = 0n
  for (let k = 0; k <= weight && count > 0; k += SHORT) {
    let part = 0
    let scale = 1
    for (let j = k; j < k + SHORT && j <= weight; j++, scale *= BASE) part = part * BASE + digit(j)
    value = value === 0n ? BigInt(part) : value * BigInt(scale) + BigInt(part)
  }
  return sign === NEGATIVE ? -value : value
}

/** The server counts microseconds from 2000-01-01. */
const EPOCH_MS = 946_684_800_000

const readTime: ReadValue = (bytes, at) => new Date(EPOCH_MS + Number(getI64BE(bytes, at) / 1000n))

/** A one-dimensional array: dimensions, null flag, element type, length, first index; then each element with its length. */
const listOf =
  (readItem: ReadValue): ReadValue =>
  (bytes, at, _end, memory, base) => {
    const dimensions = getI32BE(bytes, at)
    if (dimensions > 1) throw new RangeError('Expected a one-dimensional array.')
    if (dimensions === 0) return []
    const items = new Array<unknown>(getI32BE(bytes, at + 12))
    let place = at + 20
    for (let k = 0; k < items.length; k++) {
      const length = getI32BE(bytes, place)
      place += 4
      items[k] = length < 0 ? null : readItem(bytes, place, place + length, memory, base)
      if (length > 0) place += length
    }
    return items
  }

// By type OID.
const valueReaders: ReadonlyMap<number, ReadValue> = new Map<number, ReadValue>([
  [16, (bytes, at) => bytes[at] === 1],
  [17, readBytes],
  [19, readText],
  [20, readInt8],
  [21, readInt2],
  [23, readInt4],
  [25, readText],
  [114, readJson],
  [701, (bytes, at) => bytes.readDoubleBE(at)],
  [1001, listOf(readBytes)],
  [1005, listOf(readInt2)],
  [1007, listOf(readInt4)],
  [1009, listOf(readText)],
  [1016, listOf(readInt8)],
  [1043, readText],
  [1184, readTime],
  [1231, listOf(readNumeric)],
  [1700, readNumeric],
  [3802, readJsonb],
])

/** Binary where a reader for the type exists, which spares both sides the text conversion; otherwise text. */
export const columnReader = (type: number): ColumnReader => {
  const read = valueReaders.get(type)
  if (read !== undefined) return { isBinary: true, read }
  const parse: (text: string) => unknown = valueParsers.getTypeParser(type, 'text')
  return { isBinary: false, read: (bytes, at, end) => parse(bytes.toString('utf8', at, end)) }
}

/** A column of a statement. Columns of one type share their reader. */
export type NamedColumn = { readonly name: string; readonly type: number; readonly read: ReadValue }

/** Turns a row that begins at `start` into an object. */
export type ReadRow = (bytes: Buffer, start: number) => Record<string, unknown>

/** Connections run the same statements, so row readers are shared. */
const rowReaders = new LruCache<ReadRow>(2000)

/** The row reader for these columns. */
export const findRowReader = (columns: readonly NamedColumn[]): ReadRow => {
  const key = JSON.stringify(columns.map(({ name, type }) => [name, type]))
  const known = rowReaders.find(key)
  if (known !== undefined) return known
  const made = compile(columns)
  rowReaders.set(key, made)
  return made
}

/**
 * Generates code for these columns, so that every row object has its final shape at once; adding members one by one takes twice
 * as long. Column names come from our own statements and enter the code as JSON only.
 */
const compile = (columns: readonly NamedColumn[]): ReadRow => {
  const values = columns.map(
    (_, k) => `  length = getI32BE(bytes, at)
  at += 4
  const value${k} = length < 0 ? null : read${k}(bytes, at, at + length, memory, base)
  if (length > 0) at += length`,
  )
  const members = columns.map(({ name }, k) => `${JSON.stringify(name)}: value${k}`)
  const text = `return (bytes, start) => {
  const memory = bytes.buffer
  const base = bytes.byteOffset
  let at = start + 2
  let length = 0
${values.join('\n')}
  return { ${members.join(', ')} }
}`
  const create = new Function('getI32BE', ...columns.map((_, k) => `read${k}`), text) as (
    ...readers: (typeof getI32BE | ReadValue)[]
  ) => ReadRow
  return create(getI32BE, ...columns.map(({ read }) => read))
}

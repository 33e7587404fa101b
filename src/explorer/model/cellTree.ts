import { findBase64 } from './addresses.ts'

/** A cell of a bag, with the cells that it refers to. */
export type CellNode = {
  readonly bits: number
  /** All bits of the cell, the last digit filled up with zeros. */
  readonly hex: string
  readonly isExotic: boolean
  readonly refs: readonly CellNode[]
}

const MAGIC = 0xb5ee9c72
const WITH_HASHES = 16

/** Reads the first root of a bag of cells in base64; `undefined` where it is none. */
export const readCellTree = (boc: string): CellNode | undefined => {
  const bytes = findBase64(boc)
  try {
    return bytes === undefined ? undefined : readBag(bytes)
  } catch {
    return undefined
  }
}

const readBag = (bytes: Uint8Array): CellNode | undefined => {
  let at = 0
  const read = (length: number): number => {
    let value = 0
    for (let k = 0; k < length; k++) {
      if (at >= bytes.length) throw new RangeError('The bag ends early.')
      value = value * 256 + bytes[at++]!
    }
    return value
  }
  if (read(4) !== MAGIC) return undefined
  const flags = read(1)
  const size = flags & 7
  const offsetSize = read(1)
  const [count, roots] = [read(size), read(size)]
  read(size)
  read(offsetSize)
  const root = read(size)
  at += (roots - 1) * size + ((flags & 0x80) === 0 ? 0 : count * offsetSize)
  const cells = Array.from({ length: count }, () => {
    const [first, second] = [read(1), read(1)]
    if ((first & WITH_HASHES) !== 0) at += 34 * hashCount(first >> 5)
    const data = bytes.subarray(at, at + Math.ceil(second / 2))
    at += data.length
    const refs = Array.from({ length: first & 7 }, () => read(size))
    return { ...readBits(data, second % 2 === 1), isExotic: (first & 8) !== 0, refs }
  })
  // References point forward only, so that the last cells are built first, each once.
  const nodes: CellNode[] = []
  for (let index = count - 1; index >= 0; index--) {
    const { refs, ...cell } = cells[index]!
    nodes[index] = { ...cell, refs: refs.map((ref) => nodes[ref]!) }
  }
  return nodes[root]
}

const hashCount = (mask: number): number => 1 + (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1)

/** An incomplete last byte ends with a one and zeros, which are not part of the data. */
const readBits = (data: Uint8Array, isIncomplete: boolean): { readonly bits: number; readonly hex: string } => {
  const bytes = [...data]
  let bits = 8 * bytes.length
  const last = bytes.at(-1)
  if (isIncomplete && last !== undefined && last !== 0) {
    const padding = 31 - Math.clz32(last & -last)
    bits -= padding + 1
    bytes[bytes.length - 1] = last & ~(1 << padding)
  }
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { bits, hex: hex.slice(0, Math.ceil(bits / 4)) }
}

/** Splits digits into those that begin and end alike in another text, and those between that differ. */
export const splitDifference = (text: string, other: string): readonly [head: string, middle: string, tail: string] => {
  let [from, end] = [0, 0]
  while (from < text.length && text[from] === other[from]) from++
  const rest = Math.min(text.length, other.length) - from
  while (end < rest && text.at(-1 - end) === other.at(-1 - end)) end++
  return [text.slice(0, from), text.slice(from, text.length - end), text.slice(text.length - end)]
}

/** Bits of a cell from one position to another, in hexadecimal digits. */
export const sliceBits = ({ hex }: CellNode, from: number, to: number): string => {
  if (from % 4 === 0) return hex.slice(from / 4, Math.ceil(to / 4))
  const digits = [...hex].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const bits = digits.slice(from, to)
  return (bits.match(/.{1,4}/g) ?? []).map((four) => Number.parseInt(four.padEnd(4, '0'), 2).toString(16)).join('')
}

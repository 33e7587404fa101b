import type { CellReader } from './CellReader.ts'
import type { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'

/** Bit `at` of a left-aligned key. */
export const keyBit = (key: Uint8Array, at: number): number => (key[at >> 3]! >> (7 - (at & 7))) & 1

export const setKeyBit = (key: Uint8Array, at: number, value: number): void => {
  const mask = 0x80 >> (at & 7)
  if (value === 0) key[at >> 3]! &= ~mask
  else key[at >> 3]! |= mask
}

/** How many bits a length of at most `max` takes. */
const lengthBits = (max: number): number => 32 - Math.clz32(max)

/** Reads an edge label, at most `max` bits, into `key` from bit `at` on; returns its length. Any of the three forms will do. */
export const readLabel = (r: CellReader, max: number, key: Uint8Array, at: number): number => {
  if (!r.readBit()) {
    let length = 0
    while (r.readBit()) length++
    if (length > max) failLength(length, max)
    r.readBitsInto(key, at, length)
    return length
  }
  if (!r.readBit()) {
    const length = r.readUint(lengthBits(max))
    if (length > max) failLength(length, max)
    r.readBitsInto(key, at, length)
    return length
  }
  const value = r.readBit() ? 1 : 0
  const length = r.readUint(lengthBits(max))
  if (length > max) failLength(length, max)
  for (let k = 0; k < length; k++) setKeyBit(key, at + k, value)
  return length
}

/** Writes bits `[from, to)` of `key` as an edge label in the one form that on-chain dictionaries use. */
export const writeLabel = (w: CellWriter, max: number, key: Uint8Array, from: number, to: number): void => {
  const length = to - from
  const size = lengthBits(max)
  if (length > 1 && size < 2 * length - 1 && isUniform(key, from, to)) {
    w.writeUint(0b110 | keyBit(key, from), 3).writeUint(length, size)
    return
  }
  if (size < length) w.writeUint(0b10, 2).writeUint(length, size)
  else {
    w.writeBit(false)
    for (let k = 0; k < length; k++) w.writeBit(true)
    w.writeBit(false)
  }
  for (let k = from; k < to; k++) w.writeBit(keyBit(key, k) === 1)
}

const isUniform = (key: Uint8Array, from: number, to: number): boolean => {
  const first = keyBit(key, from)
  for (let k = from + 1; k < to; k++) if (keyBit(key, k) !== first) return false
  return true
}

/** The first bit in `[from, to)` where two keys differ, or `to`. */
export const firstDifference = (a: Uint8Array, b: Uint8Array, from: number, to: number): number => {
  let at = from
  while (at < to) {
    const difference = (a[at >> 3]! ^ b[at >> 3]!) & (0xff >> (at & 7))
    if (difference !== 0) return Math.min(to, (at & ~7) + Math.clz32(difference) - 24)
    at = (at & ~7) + 8
  }
  return to
}

const failLength = (length: number, max: number): never => {
  throw new CellError(`A dictionary label of ${length} bits stands where at most ${max} key bits are left.`)
}

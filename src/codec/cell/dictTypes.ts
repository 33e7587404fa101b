import { getU64BE, putU64BE } from '../../primitives/bytes.ts'
import type { Cell } from './Cell.ts'
import type { CellReader } from './CellReader.ts'
import type { CellWriter } from './CellWriter.ts'
import { CellError } from './errors.ts'

/** The encoding of a key in bits (left-aligned bytes). */
export type KeyCodec<K> = { readonly bits: number; encode(key: K): Uint8Array; decode(bits: Uint8Array): K }

/** Reader and writer of a value. */
export type ValueCodec<V> = { read(r: CellReader): V; write(w: CellWriter, value: V): void }

const toNumber = (key: Uint8Array, bits: number): number => {
  let value = 0
  const whole = bits >> 3
  for (let k = 0; k < whole; k++) value = value * 256 + key[k]!
  const rest = bits & 7
  return rest === 0 ? value : value * 2 ** rest + (key[whole]! >> (8 - rest))
}

const fromNumber = (value: number, bits: number): Uint8Array => {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** bits) {
    throw new CellError(`A dictionary key is an unsigned integer of ${bits} bits, but got ${value}.`)
  }
  const bytes = new Uint8Array((bits + 7) >> 3)
  let rest = value * 2 ** (-bits & 7)
  for (let k = bytes.length - 1; k >= 0; k--) {
    bytes[k] = rest % 256
    rest = Math.floor(rest / 256)
  }
  return bytes
}

/** Unsigned keys of at most 48 bits. */
export const uintKey = (bits: number): KeyCodec<number> => ({
  bits,
  encode: (key) => fromNumber(key, bits),
  decode: (key) => toNumber(key, bits),
})

/** Two's complement keys of 32 bits: workchains and configuration parameters. */
export const int32Key: KeyCodec<number> = {
  bits: 32,
  encode: (key) => {
    if (key !== (key | 0)) throw new CellError(`A dictionary key is a signed integer of 32 bits, but got ${key}.`)
    return fromNumber(key >>> 0, 32)
  },
  decode: (key) => toNumber(key, 32) | 0,
}

/** Unsigned keys of 64 bits: logical times. */
export const uint64Key: KeyCodec<bigint> = {
  bits: 64,
  encode: (key) => {
    if (BigInt.asUintN(64, key) !== key)
      throw new CellError(`A dictionary key is an unsigned integer of 64 bits, but got ${key}.`)
    const bytes = new Uint8Array(8)
    putU64BE(bytes, 0, key)
    return bytes
  },
  decode: (key) => getU64BE(key, 0),
}

/** Keys that are byte strings: hashes, account ids, composite keys. */
export const bytesKey = (length: number): KeyCodec<Uint8Array> => ({
  bits: 8 * length,
  encode: (key) => {
    if (key.length !== length) throw new CellError(`A dictionary key has ${length} bytes, but got ${key.length}.`)
    return key
  },
  decode: (key) => key.slice(),
})

export const hashKey = bytesKey(32)

/** Values that stand in a cell of their own, kept as that cell. */
export const cellValue: ValueCodec<Cell> = {
  read: (r) => r.readRefCell(),
  write: (w, cell) => void w.writeRef(cell),
}

/** Values without content: the key is the fact. */
export const presenceValue: ValueCodec<true> = { read: () => true, write: () => undefined }

/** Unsigned values of at most 53 bits. */
export const uintValue = (bits: number): ValueCodec<number> => ({
  read: (r) => r.readUint(bits),
  write: (w, value) => void w.writeUint(value, bits),
})

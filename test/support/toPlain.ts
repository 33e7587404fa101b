import { AugDict } from '../../src/codec/cell/AugDict.ts'
import { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { toHex } from '../../src/primitives/hex.ts'

/**
 * A decoded value as plain data, to be compared or printed: byte strings as hex, cells as the hex of their hash, dictionaries as
 * lists of entries (an augmented one with its root extra before them).
 */
export const toPlain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof Cell) return `cell ${toHex(value.hash())}`
  if (value instanceof Dict) return value.entries().map(toPlain)
  if (value instanceof AugDict) return [{ extra: toPlain(value.rootExtra) }, ...value.entries().map(toPlain)]
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toPlain(field)]))
}

import { AugDict } from '../../src/codec/cell/AugDict.ts'
import { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { toHex } from '../../src/primitives/hex.ts'

/** What a check has proven, as text: equal for equal facts, whatever bag they came in and how much of it was pruned. */
export const describeFacts = (facts: unknown): string => JSON.stringify(toPlain(facts))

const toPlain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return toHex(value)
  if (value instanceof Cell) return `cell ${toHex(value.hash(0))}`
  if (value instanceof Dict || value instanceof AugDict) return { dict: toPlain(value.root) }
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(toPlain)
  if (typeof value !== 'object' || value === null) return value
  // A part of a cell is told by its place in it.
  if ('arena' in value && 'index' in value) {
    const { arena, index, ...place } = value as { arena: Cell['arena']; index: number }
    return { ...place, cell: toPlain(new Cell(arena, index)) }
  }
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toPlain(inner)]))
}

import type { Cell } from '../../codec/cell/Cell.ts'
import { firstDifferentBit } from './bits.ts'
import { afterLabel, appendLabel, copyLabel, keyBit, type NodeAccess, newKey, openLabel } from './dictionary.ts'
import { Builder, type Slice } from './values.ts'

/** A node with all bits of its key so far. */
type OpenedNode = { readonly key: Uint8Array; readonly end: number; readonly body: Slice }

/**
 * Both dictionaries in one; `combine` writes the value of a key that is in both. What only one of them has stays in the cells in which it
 * was written, also where labels are longer than need be.
 */
export const mergeDictionaries = (
  first: Cell,
  second: Cell,
  keyBits: number,
  combine: (leaf: Builder, first: Slice, second: Slice) => Builder,
  { open, create }: NodeAccess,
): Cell => {
  const openNode = (cell: Cell, above: Uint8Array, at: number): OpenedNode => {
    const label = openLabel(cell, keyBits - at, open)
    const key = above.slice()
    copyLabel(label, key, at)
    return { key, end: at + label.length, body: afterLabel(label) }
  }
  const below = ({ key, end, body }: OpenedNode, side: 0 | 1): OpenedNode => {
    const bits = key.slice()
    if (side === 1) bits[end >> 3]! |= 0x80 >> (end & 7)
    else bits[end >> 3]! &= ~(0x80 >> (end & 7))
    return openNode(body.ref(side), bits, end + 1)
  }
  const fork = (key: Uint8Array, at: number, end: number, left: Cell, right: Cell): Cell =>
    create(
      appendLabel(Builder.empty, key, at, end - at, keyBits - at)
        .withRef(left)
        .withRef(right),
    )
  /** The node with a label that begins at a later bit. */
  const shorten = ({ key, end, body }: OpenedNode, at: number): Cell =>
    create(appendLabel(Builder.empty, key, at, end - at, keyBits - at).withSlice(body))
  const merge = (a: OpenedNode, b: OpenedNode, at: number): Cell => {
    const limit = Math.min(a.end, b.end)
    const split = at + firstDifferentBit(a.key, at, b.key, at, limit - at)
    if (split < limit) {
      const [left, right] = keyBit(a.key, split) === 0 ? [a, b] : [b, a]
      return fork(a.key, at, split, shorten(left, split + 1), shorten(right, split + 1))
    }
    if (a.end === b.end) {
      if (split === keyBits) {
        return create(combine(appendLabel(Builder.empty, a.key, at, split - at, keyBits - at), a.body, b.body))
      }
      const left = merge(below(a, 0), below(b, 0), split + 1)
      return fork(a.key, at, split, left, merge(below(a, 1), below(b, 1), split + 1))
    }
    // One goes on below a side of the other's fork.
    const isFirst = a.end < b.end
    const [shorter, longer] = isFirst ? [a, b] : [b, a]
    const side = keyBit(longer.key, split) as 0 | 1
    const child = below(shorter, side)
    const merged = isFirst ? merge(child, longer, split + 1) : merge(longer, child, split + 1)
    const other = shorter.body.ref(1 - side)
    return side === 0 ? fork(a.key, at, split, merged, other) : fork(a.key, at, split, other, merged)
  }
  return merge(openNode(first, newKey(), 0), openNode(second, newKey(), 0), 0)
}

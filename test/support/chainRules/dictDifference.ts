import { Cell } from '../../../src/codec/cell/Cell.ts'
import type { CellReader } from '../../../src/codec/cell/CellReader.ts'
import { type DictRoot, openRoot, readLabel, walkDict } from '../../../src/codec/cell/dictNodes.ts'
import { toHex } from '../../../src/primitives/hex.ts'

type Tree<V> = { readonly root: DictRoot | undefined; readonly keyBits: number; read(leaf: CellReader): V }

export type Difference<V> = { readonly key: string; readonly before: V | undefined; readonly after: V | undefined }

/** A node, and the bits that lead to it. */
type Node = { readonly root: DictRoot; readonly at: number }

/**
 * The entries in which two dictionaries may differ, by the hex of their keys. Equal subtrees are passed over; whether two
 * values of one key are really different is left to the caller.
 */
export const listDifferences = <V>(before: Tree<V>, after: Tree<V>): Difference<V>[] => {
  const { keyBits } = before
  const found: Difference<V>[] = []
  const prefix = new Uint8Array((keyBits + 7) >> 3)
  const listLeaves = (node: Node | undefined, tree: Tree<V>): Map<string, V> => {
    const leaves = new Map<string, V>()
    if (node === undefined) return leaves
    const key = prefix.slice()
    walkDict(node.root, keyBits - node.at, (rest, leaf) => {
      putBits(key, node.at, rest, keyBits - node.at)
      leaves.set(toHex(key), tree.read(leaf))
      return true
    })
    return leaves
  }
  const compareLeaves = (a: Node | undefined, b: Node | undefined): void => {
    const [old, young] = [listLeaves(a, before), listLeaves(b, after)]
    for (const key of new Set([...old.keys(), ...young.keys()])) {
      found.push({ key, before: old.get(key), after: young.get(key) })
    }
  }
  const compare = (a: Node | undefined, b: Node | undefined): void => {
    if (a?.root instanceof Cell && b?.root instanceof Cell && a.root.equals(b.root)) return
    const [left, right] = [openFork(a, keyBits), openFork(b, keyBits)]
    if (a === undefined || b === undefined || left === undefined || left.label !== right?.label) {
      compareLeaves(a, b)
      return
    }
    putBits(prefix, a.at, left.bits, left.length)
    const end = a.at + left.length
    for (const side of [0, 1]) {
      putBits(prefix, end, Uint8Array.of(side << 7), 1)
      compare({ root: left.children[side]!, at: end + 1 }, { root: right.children[side]!, at: end + 1 })
    }
  }
  const nodeOf = ({ root }: Tree<V>): Node | undefined => root && { root, at: 0 }
  compare(nodeOf(before), nodeOf(after))
  return found
}

/** A node that branches, or `undefined` for a leaf and for none. */
const openFork = (node: Node | undefined, keyBits: number) => {
  if (node === undefined) return undefined
  const r = openRoot(node.root)
  const left = keyBits - node.at
  const bits = new Uint8Array((keyBits + 7) >> 3)
  const length = readLabel(r, left, bits, 0)
  if (length === left) return undefined
  return { bits, length, label: `${length}:${toHex(bits)}`, children: [r.readRefCell(), r.readRefCell()] as const }
}

const putBits = (into: Uint8Array, at: number, bits: Uint8Array, length: number): void => {
  for (let k = 0; k < length; k++) {
    const bit = (bits[k >> 3]! >> (7 - (k & 7))) & 1
    const mask = 0x80 >> ((at + k) & 7)
    const place = (at + k) >> 3
    into[place] = bit === 1 ? into[place]! | mask : into[place]! & ~mask
  }
}

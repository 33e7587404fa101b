import { compareBytes } from '../../primitives/bytes.ts'
import type { Cell } from './Cell.ts'
import { type CellReader, openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { firstDifference, keyBit, NodeBudget, readLabel, setKeyBit, writeLabel } from './dictNodes.ts'
import type { ValueCodec } from './dictTypes.ts'
import { CellError } from './errors.ts'
import { MAX_BITS } from './exotic.ts'

/** A key of its own length: the first `bits` bits of `value`, the rest of its last byte zero. */
export type PfxKey = { readonly bits: number; readonly value: Uint8Array }

export type PfxDictType<V> = { readonly maxKeyBits: number; readonly value: ValueCodec<V> }

export type PfxMatch<V> = { readonly prefix: PfxKey; readonly value: V }

/** `PfxHashmap` and `PfxHashmapE`: keys of different lengths, none the start of another. Immutable, lazy. */
export class PfxDict<V> {
  readonly type: PfxDictType<V>
  readonly root: Cell | undefined

  constructor(type: PfxDictType<V>, root?: Cell) {
    if (!Number.isInteger(type.maxKeyBits) || type.maxKeyBits < 0 || type.maxKeyBits > MAX_BITS) {
      throw new CellError(`The keys of a prefix dictionary have 0 to ${MAX_BITS} bits, ${type.maxKeyBits} were stated.`)
    }
    this.type = type
    this.root = root
  }

  /** A dictionary of these entries, given in any order. */
  static of<V>(type: PfxDictType<V>, entries: Iterable<readonly [PfxKey, V]>): PfxDict<V> {
    const sorted = Array.from(entries, ([key, value]) => ({ key: normalizeKey(key, type.maxKeyBits), value }))
    sorted.sort((a, b) => compareBytes(a.key.value, b.key.value) || a.key.bits - b.key.bits)
    for (let k = 1; k < sorted.length; k++) {
      if (startsWith(sorted[k]!.key, sorted[k - 1]!.key)) {
        throw new CellError('No key of a prefix dictionary may be the start of another, or the same.')
      }
    }
    return new PfxDict(type, sorted.length === 0 ? undefined : buildNode(type, sorted, 0))
  }

  get isEmpty(): boolean {
    return this.root === undefined
  }

  /** The entry whose key is the start of these bits. There is at most one, since no key is the start of another. */
  findPrefix(bits: PfxKey): PfxMatch<V> | undefined {
    if (bits.bits > 8 * bits.value.length) {
      throw new CellError(`${bits.bits} bits were to be looked up, but their ${bits.value.length} bytes hold fewer.`)
    }
    if (this.root === undefined) return undefined
    const { maxKeyBits, value } = this.type
    const key = new Uint8Array((maxKeyBits + 7) >> 3)
    let r = openCell(this.root)
    for (let at = 0; ; at++) {
      const end = at + readLabel(r, maxKeyBits - at, key, at)
      if (end > bits.bits || firstDifference(key, bits.value, at, end) < end) return undefined
      if (!r.readBit()) return { prefix: copyKey(key, end), value: readLeaf(r, value) }
      checkFork(r, end, maxKeyBits)
      if (end === bits.bits) return undefined
      const bit = keyBit(bits.value, end)
      setKeyBit(key, end, bit)
      if (bit === 1) r.skipRef()
      r = r.readRef()
      at = end
    }
  }

  /** The value under exactly this key. */
  find(key: PfxKey): V | undefined {
    const match = this.findPrefix(key)
    return match?.prefix.bits === key.bits ? match.value : undefined
  }

  /** Visits the entries in the order of their keys' bits. Returning `false` ends the walk. */
  forEach(visit: (key: PfxKey, value: V) => boolean | undefined | void, maxNodes?: number): void {
    if (this.root === undefined) return
    const { maxKeyBits, value } = this.type
    const key = new Uint8Array((maxKeyBits + 7) >> 3)
    const budget = new NodeBudget(maxNodes)
    // Calls go as deep as the tree of cells at most, which is bounded.
    const node = (r: CellReader, at: number): boolean => {
      budget.spend(r)
      const end = at + readLabel(r, maxKeyBits - at, key, at)
      if (!r.readBit()) return visit(copyKey(key, end), readLeaf(r, value)) !== false
      checkFork(r, end, maxKeyBits)
      for (const bit of [0, 1]) {
        setKeyBit(key, end, bit)
        if (!node(r.readRef(), end + 1)) return false
      }
      return true
    }
    node(openCell(this.root), 0)
  }

  entries(): [PfxKey, V][] {
    const all: [PfxKey, V][] = []
    this.forEach((key, value) => void all.push([key, value]))
    return all
  }
}

/** phme_empty$0 = PfxHashmapE n X; phme_root$1 root:^(PfxHashmap n X) = PfxHashmapE n X; */
export const readPfxDict = <V>(r: CellReader, type: PfxDictType<V>): PfxDict<V> =>
  new PfxDict(type, r.readMaybeRefCell())

export const writePfxDict = <V>(w: CellWriter, { root }: PfxDict<V>): void => void w.writeMaybeRef(root)

type PfxEntry<V> = { readonly key: PfxKey; readonly value: V }

/**
 * phm_edge#_ {n:#} {X:Type} {l:#} {m:#} label:(HmLabel ~l n) {n = (~m) + l} node:(PfxHashmapNode m X) = PfxHashmap n X;
 * phmn_leaf$0 value:X = PfxHashmapNode n X;
 * phmn_fork$1 left:^(PfxHashmap n X) right:^(PfxHashmap n X) = PfxHashmapNode (n + 1) X;
 *
 * Builds the node of sorted entries, whose keys agree in their first `at` bits. None of them ends before they part.
 */
const buildNode = <V>(type: PfxDictType<V>, entries: readonly PfxEntry<V>[], at: number): Cell => {
  const { key, value } = entries[0]!
  const last = entries[entries.length - 1]!.key
  const w = new CellWriter()
  if (entries.length === 1) {
    writeLabel(w, type.maxKeyBits - at, key.value, at, key.bits)
    w.writeBit(false)
    type.value.write(w, value)
    return w.toCell()
  }
  const split = firstDifference(key.value, last.value, at, Math.min(key.bits, last.bits))
  const middle = entries.findIndex((entry) => keyBit(entry.key.value, split) === 1)
  writeLabel(w, type.maxKeyBits - at, key.value, at, split)
  w.writeBit(true)
  w.writeRef(buildNode(type, entries.slice(0, middle), split + 1))
  w.writeRef(buildNode(type, entries.slice(middle), split + 1))
  return w.toCell()
}

const readLeaf = <V>(r: CellReader, codec: ValueCodec<V>): V => {
  const value = codec.read(r)
  r.expectEnd('A dictionary value')
  return value
}

const checkFork = (r: CellReader, end: number, maxKeyBits: number): void => {
  if (end === maxKeyBits) throw new CellError(`A prefix dictionary forks behind all ${maxKeyBits} bits of its keys.`)
  if (r.remainingBits !== 0 || r.remainingRefs !== 2) {
    throw new CellError(
      `A dictionary fork has two references and nothing else, this one has ${r.remainingRefs} and ${r.remainingBits} bits.`,
    )
  }
}

/** A copy of the first `bits` bits. */
const copyKey = (key: Uint8Array, bits: number): PfxKey => {
  const value = key.slice(0, (bits + 7) >> 3)
  if ((bits & 7) !== 0) value[value.length - 1]! &= 0xff00 >> (bits & 7)
  return { bits, value }
}

const normalizeKey = ({ bits, value }: PfxKey, maxKeyBits: number): PfxKey => {
  if (!Number.isInteger(bits) || bits < 0 || bits > maxKeyBits || bits > 8 * value.length) {
    throw new CellError(`A key has 0 to ${maxKeyBits} bits here; one of ${bits} in ${value.length} bytes came.`)
  }
  return copyKey(value, bits)
}

const startsWith = (key: PfxKey, start: PfxKey): boolean =>
  key.bits >= start.bits && firstDifference(key.value, start.value, 0, start.bits) === start.bits

import { Cell } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter } from './CellWriter.ts'
import { type DictRoot, firstDifference, keyBit, openRoot, readLabel, writeLabel } from './dictNodes.ts'
import { CellError } from './errors.ts'

/** Writes what stands in a leaf behind its label. */
export type WriteLeaf = (w: CellWriter) => void

/** Writes what stands in a fork behind its label and references: nothing, or the combined extra of both sides. */
export type WriteFork = (w: CellWriter, left: Cell, right: Cell, childKeyBits: number) => void

export type DictEntry = { readonly key: Uint8Array; readonly write: WriteLeaf }

const leafCell = (key: Uint8Array, at: number, keyBits: number, write: WriteLeaf): Cell => {
  const w = new CellWriter()
  writeLabel(w, keyBits - at, key, at, keyBits)
  write(w)
  return w.toCell()
}

type ForkPosition = { readonly key: Uint8Array; readonly at: number; readonly split: number; readonly keyBits: number }

const forkCell = ({ key, at, split, keyBits }: ForkPosition, left: Cell, right: Cell, write: WriteFork): Cell => {
  const w = new CellWriter()
  writeLabel(w, keyBits - at, key, at, split)
  w.writeRef(left).writeRef(right)
  write(w, left, right, keyBits - split - 1)
  return w.toCell()
}

/** Builds a dictionary from entries in ascending order of their keys, without doubles. */
export const buildDict = (entries: readonly DictEntry[], keyBits: number, writeFork: WriteFork): Cell | undefined => {
  if (entries.length === 0) return undefined
  for (let k = 1; k < entries.length; k++) {
    const split = firstDifference(entries[k - 1]!.key, entries[k]!.key, 0, keyBits)
    if (split === keyBits || keyBit(entries[k]!.key, split) === 0) {
      throw new CellError(
        `Dictionary entries must ascend without doubles; entry ${k} does not follow the one before it.`,
      )
    }
  }
  const build = (low: number, high: number, at: number): Cell => {
    const { key, write } = entries[low]!
    if (high - low === 1) return leafCell(key, at, keyBits, write)
    const split = firstDifference(key, entries[high - 1]!.key, at, keyBits)
    let middle = low + 1
    for (let step = high; middle < step; ) {
      const probe = (middle + step) >> 1
      if (keyBit(entries[probe]!.key, split) === 1) step = probe
      else middle = probe + 1
    }
    const position = { key, at, split, keyBits }
    return forkCell(position, build(low, middle, split + 1), build(middle, high, split + 1), writeFork)
  }
  return build(0, entries.length, 0)
}

const asCell = (root: DictRoot): Cell => {
  if (root instanceof Cell) return root
  return new CellWriter().writeSlice(root).toCell()
}

/** The dictionary with one key set; everything beside its path is shared with the old one. */
export const setInDict = (
  root: DictRoot | undefined,
  keyBits: number,
  key: Uint8Array,
  write: WriteLeaf,
  writeFork: WriteFork,
): Cell => {
  if (root === undefined) return leafCell(key, 0, keyBits, write)
  const label = new Uint8Array((keyBits + 7) >> 3)
  const set = (cell: Cell, at: number): Cell => {
    const r = openCell(cell)
    const end = at + readLabel(r, keyBits - at, label, at)
    const split = firstDifference(key, label, at, end)
    if (split < end) {
      // The new key leaves inside this label: the old node moves one step down, with a shorter label.
      const moved = new CellWriter()
      writeLabel(moved, keyBits - split - 1, label, split + 1, end)
      const old = moved.writeSlice(r.rest()).toCell()
      const leaf = leafCell(key, split + 1, keyBits, write)
      const position = { key, at, split, keyBits }
      return keyBit(key, split) === 0
        ? forkCell(position, leaf, old, writeFork)
        : forkCell(position, old, leaf, writeFork)
    }
    if (end === keyBits) return leafCell(key, at, keyBits, write)
    const left = r.readRefCell()
    const right = r.readRefCell()
    const position = { key, at, split: end, keyBits }
    return keyBit(key, end) === 0
      ? forkCell(position, set(left, end + 1), right, writeFork)
      : forkCell(position, left, set(right, end + 1), writeFork)
  }
  return set(asCell(root), 0)
}

/** The dictionary without one key; `root` itself where the key was not there. */
export const deleteFromDict = (
  root: DictRoot | undefined,
  keyBits: number,
  key: Uint8Array,
  writeFork: WriteFork,
): DictRoot | undefined => {
  if (root === undefined) return undefined
  const label = new Uint8Array((keyBits + 7) >> 3)
  const remove = (node: DictRoot, at: number): DictRoot | undefined => {
    const r = openRoot(node)
    const end = at + readLabel(r, keyBits - at, label, at)
    if (firstDifference(key, label, at, end) < end) return node
    if (end === keyBits) return undefined
    const children: [Cell, Cell] = [r.readRefCell(), r.readRefCell()]
    const side = keyBit(key, end) as 0 | 1
    const kept = remove(children[side], end + 1)
    if (kept === children[side]) return node
    if (kept === undefined) return joinLabels(label, at, end, side === 0 ? 1 : 0, children[1 - side]!)
    children[side] = asCell(kept)
    return forkCell({ key, at, split: end, keyBits }, children[0], children[1], writeFork)
  }
  /** A fork with one side left becomes that side, under a label that holds both labels and the bit between. */
  const joinLabels = (prefix: Uint8Array, at: number, end: number, bit: number, child: Cell): Cell => {
    const joined = prefix.slice()
    if (bit === 1) joined[end >> 3]! |= 0x80 >> (end & 7)
    else joined[end >> 3]! &= ~(0x80 >> (end & 7))
    const r = openCell(child)
    const childEnd = end + 1 + readLabel(r, keyBits - end - 1, joined, end + 1)
    const w = new CellWriter()
    writeLabel(w, keyBits - at, joined, at, childEnd)
    return w.writeSlice(r.rest()).toCell()
  }
  return remove(root, 0)
}

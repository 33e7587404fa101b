import type { CellReader } from '../../../codec/cell/CellReader.ts'
import { type DecodedObject, type DecodedValue, scalarLength } from '../DecodedValue.ts'
import { NO_FRAME, type Reader, type ReadSession } from './Reader.ts'
import { formatBits } from './scalars.ts'

/** `Hashmap n X`: a dictionary edge by edge, as it lies in the cells. */
export const hashmapReader = (keyBits: number, value: Reader): Reader => {
  const forks = new Map<number, Reader>()
  const readerFor = (left: number): Reader => {
    let reader = forks.get(left)
    if (reader === undefined) {
      reader = (r, session) => readEdge(r, session, left)
      forks.set(left, reader)
    }
    return reader
  }
  const readEdge = (r: CellReader, session: ReadSession, left: number): DecodedValue | undefined => {
    const label = readLabel(r, session, left)
    if (label === undefined || !session.takeText(EDGE_TEXT + label.length / 4)) return undefined
    const node = readNode(r, session, left - label.length)
    return node === undefined ? undefined : { '@type': 'hashmap_edge', label: label.shown, node }
  }
  const readNode = (r: CellReader, session: ReadSession, left: number): DecodedObject | undefined => {
    if (left === 0) {
      const leaf = value(r, session, NO_FRAME)
      if (leaf === undefined) return undefined
      session.takeText(scalarLength(leaf))
      return { '@type': 'hashmap_node_leaf', value: leaf }
    }
    const branch = readerFor(left - 1)
    const zero = session.readRef(r, branch, NO_FRAME)
    if (zero === undefined) return undefined
    const one = session.readRef(r, branch, NO_FRAME)
    return one === undefined ? undefined : { '@type': 'hashmap_node_fork', left: zero, right: one }
  }
  return readerFor(keyBits)
}

/** `HashmapE n X`: the same behind a bit and in a reference, or nothing. */
export const optionalHashmapReader = (keyBits: number, value: Reader): Reader => {
  const edge = hashmapReader(keyBits, value)
  return (r, session) => {
    if (r.remainingBits < 1) return undefined
    if (!r.readBit()) return { '@type': 'hashmap_empty' }
    const root = session.readRef(r, edge, NO_FRAME)
    return root === undefined ? undefined : { '@type': 'hashmap_root', root }
  }
}

/** Characters of an edge, its label without the bits, and its node without what is in that. */
const EDGE_TEXT = 170

type Label = { readonly length: number; readonly shown: DecodedObject }

const readLabel = (r: CellReader, session: ReadSession, max: number): Label | undefined => {
  if (r.remainingBits < 2) return undefined
  if (!r.readBit()) return readShortLabel(r, session, max)
  const isSame = r.readBit()
  const size = 32 - Math.clz32(max)
  if (r.remainingBits < size + (isSame ? 1 : 0)) return undefined
  if (isSame) {
    const bit = r.readBit()
    const length = r.readUint(size)
    if (length > max) return undefined
    return { length, shown: { '@type': 'hashmap_label_same', v: bit, n: length.toString() } }
  }
  const length = r.readUint(size)
  if (length > max || r.remainingBits < length) return undefined
  const s = formatBits(r.readBits(length), length)
  return { length, shown: { '@type': 'hashmap_label_long', n: length.toString(), s } }
}

/** Characters that one step of a unary number takes in the answer. */
const UNARY_TEXT = 28

const readShortLabel = (r: CellReader, session: ReadSession, max: number): Label | undefined => {
  let length = 0
  let len: DecodedObject = { '@type': 'unary_zero' }
  for (;;) {
    if (r.remainingBits < 1) return undefined
    if (!r.readBit()) break
    if (++length > max || !session.takeText(UNARY_TEXT)) return undefined
    len = { '@type': 'unary_succ', x: len }
  }
  if (r.remainingBits < length) return undefined
  const s = formatBits(r.readBits(length), length)
  return { length, shown: { '@type': 'hashmap_label_short', len, s } }
}

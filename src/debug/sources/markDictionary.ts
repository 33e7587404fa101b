import { Cell } from '../../codec/cell/Cell.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { walkDict } from '../../codec/cell/dictNodes.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { SourceMap } from './SourceMap.ts'

const METHOD_BITS = 19
const HASH_BITS = 256
const MARK_BITS = 32
const OFFSET_BITS = 10

export type MethodLeaf = { readonly id: number; readonly cell: string; readonly offset: number; readonly body: string }

/** Methods of a code: the cell that each stands in behind a label, and the hash that it had before it went there. */
export const listMethodLeaves = (code: Cell): MethodLeaf[] => {
  const leaves: MethodLeaf[] = []
  for (let k = 0; k < code.refCount; k++) {
    try {
      walkDict(code.ref(k), METHOD_BITS, (key, leaf) => {
        const rest = leaf.rest()
        const cell = toBase64(new Cell(rest.arena, rest.index).hash())
        const body = toBase64(sliceToCell(rest).hash())
        leaves.push({ id: toSigned(numberOf(key, METHOD_BITS)), cell, offset: rest.bitStart, body })
        return true
      })
    } catch (error) {
      // Not the dictionary of methods.
      if (!(error instanceof CodedError)) throw error
    }
    if (leaves.length > 0) return leaves
  }
  return leaves
}

/**
 * Reads the marks that an assembler of debug builds leaves: a dictionary from the hash of a cell to marks, each with its offsets in
 * bits. Cells of methods are named as they were before they went into the dictionary of methods; they are found by the code.
 */
export const readMarks = (root: Cell, code: Cell): SourceMap['marks'] => {
  const leaves = new Map(listMethodLeaves(code).map((leaf) => [leaf.body, leaf]))
  const marks: Record<string, [number, number][]> = {}
  walkDict(root, HASH_BITS, (key, value) => {
    const hash = toBase64(key.slice(0, 32))
    const isPlain = value.readBit()
    const inner = value.readMaybeRefCell()
    const leaf = isPlain ? undefined : leaves.get(hash)
    if (inner === undefined || (!isPlain && leaf === undefined)) return true
    const shift = leaf?.offset ?? 0
    const list: [number, number][] = []
    walkDict(inner, MARK_BITS, (markKey, offsets) => {
      const mark = numberOf(markKey, MARK_BITS)
      walkDict(offsets.readRefCell(), OFFSET_BITS, (offsetKey) => {
        list.push([numberOf(offsetKey, OFFSET_BITS) + shift, mark])
        return true
      })
      return true
    })
    marks[leaf?.cell ?? hash] = sortMarks(list)
    return true
  })
  return marks
}

/** By offset, and for the same offset by mark: the later one is the more precise. */
export const sortMarks = (marks: [number, number][]): [number, number][] =>
  marks.sort(([a, x], [b, y]) => a - b || x - y)

const numberOf = (key: Uint8Array, bits: number): number => {
  let value = 0
  for (let at = 0; at < bits; at++) value = 2 * value + ((key[at >> 3]! >> (7 - (at & 7))) & 1)
  return value
}

const toSigned = (value: number): number => (value >= 2 ** (METHOD_BITS - 1) ? value - 2 ** METHOD_BITS : value)

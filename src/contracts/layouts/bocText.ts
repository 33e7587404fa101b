import type { Cell, CellSlice } from '../../codec/cell/Cell.ts'
import { openSlice } from '../../codec/cell/CellReader.ts'
import { sliceToCell } from '../../codec/cell/CellWriter.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { toBase64 } from '../../primitives/base64.ts'

// A bag of one cell: magic, sizes of one byte each, one cell, one root, none absent, (length), root 0, (the cell).
const LEAF_HEAD = [0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 0, 0, 0, 0]
const LENGTH_AT = 9
const BITS_AT = 12

/** A bag of cells in base64 for a slice as a cell of its own. */
export const toBocText = (slice: CellSlice): string => {
  if (slice.refStart === slice.refEnd && !slice.arena.isExotic(slice.index)) return leafBocText(slice)
  return toBase64(encodeBoc([sliceToCell(slice)]))
}

export const cellToBocText = (cell: Cell): string => toBase64(encodeBoc([cell]))

/** Most payloads that nobody knows are one cell, for which there is nothing to put in order. */
const leafBocText = (slice: CellSlice): string => {
  const bits = slice.bitEnd - slice.bitStart
  const data = openSlice(slice).readBits(bits)
  const boc = new Uint8Array(LEAF_HEAD.length + data.length)
  boc.set(LEAF_HEAD)
  boc[LENGTH_AT] = 2 + data.length
  boc[BITS_AT] = (bits >> 3) + data.length
  boc.set(data, LEAF_HEAD.length)
  if (bits % 8 !== 0) boc[boc.length - 1]! |= 0x80 >> (bits & 7)
  return toBase64(boc)
}

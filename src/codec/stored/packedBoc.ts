import { crc32c } from '../../primitives/crc.ts'
import { CHECKED_BOC, encodeBoc } from '../cell/encodeBoc.ts'
import { unpackCell } from './packCell.ts'

/** Longer ones are rare. */
const MAX_LINE = 8
const MAX_CELL = 2 + 128 + 1
const HEAD = 11
const TAIL = 4

const out = new Uint8Array(HEAD + 1 + MAX_LINE * MAX_CELL + TAIL)
const starts = new Int32Array(MAX_LINE)

/** The bag of cells, with a checksum, of what {@link packCell} wrote. The next call may overwrite it. */
export const packedBocView = (packed: Uint8Array): Uint8Array => {
  const count = findLine(packed)
  return count === 0 ? encodeBoc([unpackCell(packed)], CHECKED_BOC) : putLine(packed, count)
}

/**
 * How many ordinary cells there are, where each but the last has one below it, as in most bodies of messages; 0 where it is another
 * tree, or none. Of a line there is one order only, in a bag the other way round, and its records are the same in both.
 */
const findLine = (packed: Uint8Array): number => {
  let count = 0
  for (let at = 0; at < packed.length; count++) {
    if (count === MAX_LINE || at + 2 > packed.length || packed[at] !== (count === 0 ? 0 : 1)) return 0
    const d2 = packed[at + 1]!
    starts[count] = at
    at += 2 + ((d2 + 1) >> 1)
    if (at > packed.length || ((d2 & 1) === 1 && (packed[at - 1]! & 0x7f) === 0)) return 0
  }
  return count
}

const putLine = (packed: Uint8Array, count: number): Uint8Array => {
  const size = packed.length + count - 1
  const offsetSize = size < 256 ? 1 : 2
  out[0] = 0xb5
  out[1] = 0xee
  out[2] = 0x9c
  out[3] = 0x72
  out[4] = 0x41
  out[5] = offsetSize
  out[6] = count
  out[7] = 1
  out[8] = 0
  let at = 9
  if (offsetSize === 2) out[at++] = size >> 8
  out[at++] = size
  out[at++] = 0
  for (let k = count - 1, end = packed.length; k >= 0; k--) {
    const start = starts[k]!
    for (let from = start; from < end; from++) out[at++] = packed[from]!
    end = start
    if (k > 0) out[at++] = count - k
  }
  const crc = crc32c(out, 0, at)
  for (let k = 0; k < TAIL; k++) out[at++] = crc >>> (8 * k)
  return out.subarray(0, at)
}

import { masterchain } from '../../primitives/BlockId.ts'
import { concatBytes, getU16LE, getU32LE, putU16LE, putU32LE } from '../../primitives/bytes.ts'
import {
  BLOCK_ROW_BYTES,
  encodeBlockRow,
  encodePrev,
  isMerged,
  masterSeqnoOf,
  PREV_BYTES,
  seqnoOf,
  workchainOf,
} from './blockRow.ts'
import { PLACE_ROW_BYTES } from './packPlace.ts'
import type { StoredBlock } from './StoredBlock.ts'

// A step in the commit log: seqno of its masterchain block, numbers of blocks and of merged ones among them; a row and a place
// for each block, the masterchain block last; the second block before each of the merged ones.
const HEAD = 8
const ENTRY = BLOCK_ROW_BYTES + PLACE_ROW_BYTES

/** Far more than a network of sixteen shards puts into a step. */
const MAX_BLOCKS = 0xffff

export const MAX_STEP_BYTES = HEAD + MAX_BLOCKS * (ENTRY + PREV_BYTES)

export const encodeStep = (blocks: readonly StoredBlock[], places: readonly Uint8Array[]): Uint8Array => {
  const seconds = blocks.flatMap(({ prev }) => prev.slice(1)).map(encodePrev)
  const head = new Uint8Array(HEAD)
  putU32LE(head, 0, blocks.at(-1)!.id.seqno)
  putU16LE(head, 4, blocks.length)
  putU16LE(head, 6, seconds.length)
  return concatBytes([head, ...blocks.flatMap((block, k) => [encodeBlockRow(block), places[k]!]), ...seconds])
}

export interface StepSink {
  /** Called for each block of a step in order; rows are only lent. */
  takeBlock(bytes: Uint8Array, rowAt: number, placeAt: number, second: Uint8Array | undefined): void
}

/** Hands the blocks of a step on. `false`, and nothing is handed on, where the bytes are not those of step `seqno`. */
export const readStep = (bytes: Uint8Array, at: number, length: number, seqno: number, sink: StepSink): boolean => {
  if (!isStep(bytes, at, length, seqno)) return false
  const count = getU16LE(bytes, at + 4)
  let second = at + HEAD + count * ENTRY
  for (let k = 0; k < count; k++) {
    const row = at + HEAD + k * ENTRY
    const merged = isMerged(bytes, row)
    sink.takeBlock(bytes, row, row + BLOCK_ROW_BYTES, merged ? bytes.slice(second, second + PREV_BYTES) : undefined)
    if (merged) second += PREV_BYTES
  }
  return true
}

const isStep = (bytes: Uint8Array, at: number, length: number, seqno: number): boolean => {
  if (length < HEAD + ENTRY || getU32LE(bytes, at) !== seqno) return false
  const count = getU16LE(bytes, at + 4)
  const seconds = getU16LE(bytes, at + 6)
  if (count === 0 || length !== HEAD + count * ENTRY + seconds * PREV_BYTES) return false
  let merged = 0
  for (let k = 0; k < count; k++) {
    const row = at + HEAD + k * ENTRY
    if (isMerged(bytes, row)) merged++
    if ((workchainOf(bytes, row) === masterchain) !== (k === count - 1)) return false
    if (masterSeqnoOf(bytes, row) !== seqno) return false
  }
  return merged === seconds && seqnoOf(bytes, at + HEAD + (count - 1) * ENTRY) === seqno
}

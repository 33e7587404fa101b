import { createHash } from 'node:crypto'
import type { ShardIdent } from '../../codec/tlb/BlockInfo.ts'
import { getU64BE, putU32BE, putU64BE } from '../../primitives/bytes.ts'

const SEED_BYTES = 32

/** Numbers by which all nodes pick the same validators: gives one from 0 up to, not including, `range` (64 bits). */
export const createValidatorPrng = (
  { workchain, shard }: ShardIdent,
  catchainSeqno: number,
): ((range: bigint) => bigint) => {
  const block = new Uint8Array(SEED_BYTES + 16)
  putU64BE(block, SEED_BYTES, shard)
  putU32BE(block, SEED_BYTES + 8, workchain)
  putU32BE(block, SEED_BYTES + 12, catchainSeqno)
  let numbers: Uint8Array = new Uint8Array(0)
  let at = 0
  return (range) => {
    if (at === numbers.length) {
      numbers = createHash('sha512').update(block).digest()
      at = 0
      incrementSeed(block)
    }
    const next = getU64BE(numbers, at)
    at += 8
    return (range * next) >> 64n
  }
}

const incrementSeed = (block: Uint8Array): void => {
  for (let k = SEED_BYTES - 1; k >= 0; k--) {
    block[k]!++
    if (block[k] !== 0) return
  }
}

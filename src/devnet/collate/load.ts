import type { BlockDraft } from './BlockDraft.ts'

/** How heavy the last 64 blocks of a shard were, the newest in the lowest bit. */
export type LoadHistory = { readonly overloadHistory: bigint; readonly underloadHistory: bigint }

export const updateLoad = ({ overloadHistory, underloadHistory }: LoadHistory, draft: BlockDraft): LoadHistory => ({
  overloadHistory: shiftIn(overloadHistory, draft.isFull),
  underloadHistory: shiftIn(underloadHistory, draft.isUnderloaded),
})

const shiftIn = (history: bigint, bit: boolean): bigint => BigInt.asUintN(64, history << 1n) | (bit ? 1n : 0n)

/** Whether a load has lasted: younger blocks weigh more. */
export const hasLasted = (history: bigint): boolean =>
  3 * countOnes(history & 0xffffn) +
    2 * countOnes((history >> 16n) & 0xffffn) +
    countOnes((history >> 32n) & 0xffffn) >=
  64

const countOnes = (bits: bigint): number => {
  let count = 0
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) count++
  return count
}

import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'

/** What a history of 64 blocks weighs: the last 16 of them three, those before two, then one. Zero or more is a wish. */
const weigh = (history: bigint): number => {
  let weight = -64
  for (let k = 0; k < 48; k++) if (((history >> BigInt(k)) & 1n) === 1n) weight += k < 16 ? 3 : k < 32 ? 2 : 1
  return weight
}

/** The load of the last blocks, and the wish to split or merge that follows from it. */
export const checkLoadHistory = ({ block, before, after }: BlockContext, findings: Findings): void => {
  const { info } = block
  const { overloadHistory, underloadHistory } = after.totals
  const startsAnew = info.afterMerge || info.afterSplit
  const shifted = (history: bigint): bigint => (startsAnew ? 0n : BigInt.asUintN(63, history))
  findings.equal('overload_history', overloadHistory >> 1n, shifted(before[0]!.totals.overloadHistory))
  findings.equal('underload_history', underloadHistory >> 1n, shifted(before[0]!.totals.underloadHistory))
  const both = (overloadHistory & 1n) === 1n && (underloadHistory & 1n) === 1n
  findings.equal('load of the block, both too much and too little', both, false)
  findings.equal('want_split', info.wantSplit, weigh(overloadHistory) >= 0)
  findings.equal('want_merge', info.wantMerge, weigh(underloadHistory) >= 0)
}

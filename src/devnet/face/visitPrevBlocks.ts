import { findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { type McStateExtra, openMcStateHistory } from '../../codec/tlb/McStateExtra.ts'

const RECENT = 16
const STEP = 100
/** From this version on contracts see every hundredth block too. */
const WITH_HUNDREDS = 9

/** Enters what contracts are told of the blocks before: the first state, the last 15 blocks, and every hundredth of 16. */
export const visitPrevBlocks = (extra: McStateExtra, seqno: number): void => {
  const { prevBlocks } = openMcStateHistory(extra.history)
  const version = findConfigParam(extra.config.config, 8)?.version ?? 0
  const visit = (old: number): void => {
    if (old !== seqno) prevBlocks.find(old)
  }
  visit(0)
  for (let old = seqno - 1; old >= 0 && old > seqno - RECENT; old--) visit(old)
  if (version < WITH_HUNDREDS) return
  let hundreds = seqno - (seqno % STEP)
  for (let k = 0; k < RECENT && hundreds >= 0; k++, hundreds -= STEP) visit(hundreds)
}

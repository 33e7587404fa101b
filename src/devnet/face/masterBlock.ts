import type { Cell } from '../../codec/cell/Cell.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type McBlockExtra, openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { LiteRefusal, REQUEST_ERROR } from './LiteRefusal.ts'

/** What only a masterchain block has. Its header is not entered: such proofs do without. */
export const openMasterBlockExtra = (root: Cell): McBlockExtra => {
  const { custom } = openBlockExtra(openBlock(root).extra)
  if (custom === undefined) throw new LiteRefusal(REQUEST_ERROR, 'cannot unpack McBlockExtra in block')
  return openMcBlockExtra(custom)
}

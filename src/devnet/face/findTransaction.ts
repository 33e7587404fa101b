import type { Cell } from '../../codec/cell/Cell.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'

/** The transaction of an account in a block; a time outside of the block's own is not looked for. */
export const findTransaction = (root: Cell, account: Uint8Array, lt: bigint): Cell | undefined => {
  const { info, extra } = openBlock(root)
  const { startLt, endLt } = openBlockInfo(info)
  if (lt <= startLt || lt >= endLt) return undefined
  return openAccountBlocks(openBlockExtra(extra)).find(account)?.transactions.find(lt)
}

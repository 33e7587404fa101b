import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import { getU64BE } from '../../../primitives/bytes.ts'
import { shardContains } from '../../../primitives/shard.ts'
import { findTransaction } from '../findTransaction.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { prove } from '../merkle.ts'
import { loadBlock } from '../referenceBlock.ts'

/** A transaction by its account and time in a block, or the proof that the block has none such. */
export const getOneTransaction: LiteFunction<'liteServer.getOneTransaction'> = ({ store }, { id, account, lt }) => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'block id in getOneTransaction() is invalid')
  if (id.workchain !== account.workchain || !shardContains(id.shard, getU64BE(account.id, 0))) {
    throw new LiteRefusal(REQUEST_ERROR, 'requested account id is not contained in the shard of the specified block')
  }
  const { value: transaction, proof } = prove(loadBlock(store, id), (root) =>
    findTransaction(root, account.id, BigInt.asUintN(64, lt)),
  )
  return {
    id,
    proof: encodeBoc([proof]),
    transaction: transaction === undefined ? new Uint8Array() : encodeBoc([transaction]),
  }
}

import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import type { BlockIdExt } from '../../../primitives/BlockId.ts'
import { getU64BE } from '../../../primitives/bytes.ts'
import { encodeList } from '../encodeList.ts'
import { explainNotFound } from '../explainNotFound.ts'
import { findTransaction } from '../findTransaction.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { NO_BLOCK } from '../referenceBlock.ts'

const MAX_TRANSACTIONS = 16

/** Transactions of an account, newest first: each names the one before it. One that cannot be found ends the list. */
export const getTransactions: LiteFunction<'liteServer.getTransactions'> = ({ store }, question) => {
  const { workchain, id: account } = question.account
  if (workchain === NO_BLOCK.workchain) throw new LiteRefusal(REQUEST_ERROR, 'invalid workchain specified')
  const limit = Math.min(question.count, MAX_TRANSACTIONS)
  const prefix = getU64BE(account, 0)
  const ids: BlockIdExt[] = []
  const transactions: Cell[] = []
  let next = { lt: BigInt.asUintN(64, question.lt), hash: question.hash }
  while (transactions.length < limit && next.lt !== 0n) {
    const block = store.index.findByLt(workchain, prefix, next.lt)
    const transaction = block && findTransaction(store.getRoot(block.id), account, next.lt)
    if (block === undefined || transaction === undefined) {
      if (transactions.length > 0) break
      if (block !== undefined) refuse('cannot locate transaction in block with specified logical time')
      const reason = explainNotFound(store, workchain, prefix, 'lt', next.lt)
      return refuse(`cannot compute block with specified transaction: ${reason}`)
    }
    if (!transaction.hasHash(next.hash)) refuse('transaction hash mismatch')
    ids.push(block.id)
    transactions.push(transaction)
    next = readPrevious(transaction)
  }
  return { ids, transactions: encodeList(transactions) }
}

const refuse = (text: string): never => {
  throw new LiteRefusal(REQUEST_ERROR, text)
}

/** transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 … */
const readPrevious = (transaction: Cell): { readonly lt: bigint; readonly hash: Uint8Array } => {
  const r = openCell(transaction)
  r.skipBits(4 + 256 + 64)
  const hash = r.readBytes(32)
  return { lt: r.readUint64(), hash }
}

import type { Cell } from '../../../codec/cell/Cell.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { LiteServerTransactionId } from '../../../codec/tl/liteServerTypes.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { prove } from '../merkle.ts'
import { findInMsgMetadata } from '../messageMetadata.ts'
import { loadBlock } from '../referenceBlock.ts'
import { type ListedTransaction, readTransactionPage, WITH_METADATA, WITH_PROOF } from '../transactionPage.ts'

const HAS_ACCOUNT = 1
const HAS_LT = 2
const HAS_HASH = 4

/** A page of the transactions in a block, by what names them. */
export const listBlockTransactions: LiteFunction<'liteServer.listBlockTransactions'> = ({ store }, question) => {
  const { id, mode, count } = question
  const read = (root: Cell) => {
    const { transactions, isComplete, inMsgDescr } = readTransactionPage(root, question)
    return { ids: transactions.map((listed) => toTransactionId(listed, mode, inMsgDescr)), isComplete }
  }
  const root = loadBlock(store, id)
  const { value, proof } = (mode & WITH_PROOF) === 0 ? { value: read(root), proof: undefined } : prove(root, read)
  return {
    id,
    reqCount: count,
    incomplete: !value.isComplete,
    ids: value.ids,
    proof: proof === undefined ? new Uint8Array() : encodeBoc([proof]),
  }
}

/** All bits of the question are repeated in every entry; the one for metadata is set where there is some. */
const toTransactionId = (
  { account, lt, transaction }: ListedTransaction,
  mode: number,
  inMsgDescr: Cell,
): LiteServerTransactionId => {
  const metadata = (mode & WITH_METADATA) === 0 ? undefined : findInMsgMetadata(inMsgDescr, transaction)
  return {
    mode: (mode & ~WITH_METADATA) >>> 0,
    account: (mode & HAS_ACCOUNT) === 0 ? undefined : account,
    lt: (mode & HAS_LT) === 0 ? undefined : BigInt.asIntN(64, lt),
    hash: (mode & HAS_HASH) === 0 ? undefined : transaction.hash(),
    metadata,
  }
}

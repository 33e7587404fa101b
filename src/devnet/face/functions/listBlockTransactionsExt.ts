import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import { encodeList } from '../encodeList.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { prove } from '../merkle.ts'
import { findInMsgEnvelope } from '../messageMetadata.ts'
import { loadBlock } from '../referenceBlock.ts'
import { readTransactionPage, WITH_METADATA, WITH_PROOF } from '../transactionPage.ts'

/** A page of the transactions in a block, whole. To ask for metadata is to ask for a proof that holds them. */
export const listBlockTransactionsExt: LiteFunction<'liteServer.listBlockTransactionsExt'> = ({ store }, question) => {
  const { id, mode, count } = question
  const read = (root: Cell) => {
    const page = readTransactionPage(root, question)
    if ((mode & WITH_METADATA) !== 0) {
      openCell(page.inMsgDescr)
      for (const { transaction } of page.transactions) {
        const envelope = findInMsgEnvelope(page.inMsgDescr, transaction)
        if (envelope !== undefined) openCell(envelope)
      }
    }
    return page
  }
  const root = loadBlock(store, id)
  const isProven = (mode & (WITH_PROOF | WITH_METADATA)) !== 0
  const { value, proof } = isProven ? prove(root, read) : { value: read(root), proof: undefined }
  return {
    id,
    reqCount: count,
    incomplete: !value.isComplete,
    transactions: encodeList(value.transactions.map(({ transaction }) => transaction)),
    proof: proof === undefined ? new Uint8Array() : encodeBoc([proof]),
  }
}

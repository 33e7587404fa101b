import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'

/** Whose transaction it is, when it was, and which one came before it (lt 0: none). */
export type TransactionLink = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
}

/** transaction$0111 account_addr:bits256 lt:uint64 prev_trans_hash:bits256 prev_trans_lt:uint64 … */
export const readTransactionLink = (transaction: Cell): TransactionLink => {
  const r = openCell(transaction)
  r.expectTag(0b0111, 4)
  return { account: r.readBytes(32), lt: r.readUint64(), prevHash: r.readBytes(32), prevLt: r.readUint64() }
}

import type { TransactionKey } from '../../chain/LiveChain.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { type Comment, findComment } from '../../codec/content/text.ts'
import { bodyCell, type Message, readMessage } from '../../codec/tlb/Message.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { Address } from '../../primitives/Address.ts'

/** A parsed message of a transaction. */
export type MessageReading = {
  readonly hash: Uint8Array
  readonly message: Message
  readonly body: Cell
  /** The comment, if the body is one. */
  readonly comment: Comment | undefined
}

/** A parsed transaction with its messages. */
export type TransactionReading = TransactionKey & {
  readonly address: Address
  readonly cell: Cell
  readonly transaction: Transaction
  /** Absent if no message triggered it. */
  readonly inMsg: MessageReading | undefined
  readonly outMsgs: readonly MessageReading[]
}

/** Parses a transaction of an account. */
export const toTransactionReading = (
  workchain: number,
  { transaction: cell, lt, hash }: TransactionKey & { readonly transaction: Cell },
): TransactionReading => {
  const transaction = readTransaction(openCell(cell))
  const { accountAddr, inMsg } = transaction
  return {
    lt,
    hash,
    address: { workchain, hash: accountAddr },
    cell,
    transaction,
    inMsg: inMsg === undefined ? undefined : toMessageReading(inMsg),
    outMsgs: listOutMsgs(transaction).map(toMessageReading),
  }
}

const toMessageReading = (cell: Cell): MessageReading => {
  const message = readMessage(openCell(cell))
  const body = bodyCell(message.body)
  // An exotic cell has no comment, whatever its bits are.
  const comment = body.isExotic ? undefined : findComment(openCell(body))
  return { hash: cell.hash(), message, body, comment }
}

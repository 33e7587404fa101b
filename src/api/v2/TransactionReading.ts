import type { TransactionKey } from '../../chain/LiveChain.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { type Comment, findComment } from '../../codec/content/text.ts'
import { bodyCell, type Message, readMessage } from '../../codec/tlb/Message.ts'
import { listOutMsgs, readTransactionSummary } from '../../codec/tlb/Transaction.ts'
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
  /** Unix time. */
  readonly now: number
  /** With the forward fees of outgoing messages. */
  readonly fee: bigint
  readonly storageFee: bigint
  /** Absent if no message triggered it. */
  readonly inMsg: MessageReading | undefined
  readonly outMsgs: readonly MessageReading[]
}

/** Parses a transaction of an account. */
export const toTransactionReading = (
  workchain: number,
  { transaction: cell, lt, hash }: TransactionKey & { readonly transaction: Cell },
): TransactionReading => {
  const { accountAddr, now, inMsg, totalFees, storageFee, ...sent } = readTransactionSummary(openCell(cell))
  const outMsgs = listOutMsgs(sent).map(toMessageReading)
  return {
    lt,
    hash,
    address: { workchain, hash: accountAddr },
    cell,
    now,
    fee: outMsgs.reduce((sum, message) => sum + forwardFee(message), totalFees),
    storageFee,
    inMsg: inMsg === undefined ? undefined : toMessageReading(inMsg),
    outMsgs,
  }
}

const forwardFee = ({ message: { info } }: MessageReading): bigint => (info.kind === 'internal' ? info.fwdFee : 0n)

const toMessageReading = (cell: Cell): MessageReading => {
  const message = readMessage(openCell(cell))
  const body = bodyCell(message.body)
  // An exotic cell has no comment, whatever its bits are.
  const comment = body.isExotic ? undefined : findComment(openCell(body))
  return { hash: cell.hash(), message, body, comment }
}

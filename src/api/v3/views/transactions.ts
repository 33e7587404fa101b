import { type Static, Type } from 'typebox'
import type { PendingTransaction } from '../../../store/reader/pending.ts'
import type { TransactionRecord } from '../../../store/reader/TransactionRecord.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { AccountStateView, toAccountStateView } from './accounts.ts'
import { AddressBookView } from './addressBook.ts'
import { BlockIdView, toBlockIdView } from './blocks.ts'
import { MessageView, toMessageView } from './messages.ts'
import {
  AccountStatusView,
  AddressText,
  addressText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  hashText,
  toKnownExtra,
} from './scalars.ts'
import { TransactionDescrView, toTransactionDescrView } from './transactionPhases.ts'

export const TransactionView = Type.Object(
  {
    account: AddressText,
    hash: HashText,
    lt: DecimalText,
    now: Type.Integer(),
    mc_block_seqno: Type.Integer({ description: 'Masterchain seqno that was the first to include its block.' }),
    trace_id: Type.Optional(HashText),
    trace_external_hash: Type.Optional(HashText),
    prev_trans_hash: HashText,
    prev_trans_lt: DecimalText,
    orig_status: AccountStatusView,
    end_status: AccountStatusView,
    total_fees: DecimalText,
    total_fees_extra_currencies: ExtraCurrenciesView,
    description: TransactionDescrView,
    block_ref: BlockIdView,
    in_msg: Type.Union([MessageView, Type.Null()]),
    out_msgs: Type.Array(MessageView),
    account_state_before: AccountStateView,
    account_state_after: AccountStateView,
    emulated: Type.Boolean(),
    finality: Type.Optional(
      Type.Union([Type.Literal('pending'), Type.Literal('confirmed'), Type.Literal('finalized')], { $id: 'Finality' }),
    ),
  },
  { $id: 'Transaction' },
)

export type TransactionView = Static<typeof TransactionView>

/** The response of the endpoints that list transactions. */
export const TransactionsView = Type.Object(
  { transactions: Type.Array(TransactionView), address_book: AddressBookView },
  { $id: 'TransactionsResponse' },
)

const ZERO_HASH = hashText(new Uint8Array(32))

// One literal with all members, absent ones undefined, which JSON omits: spreading objects takes three times as long, and responses have
// hundreds of them. The nested views do the same.
export const toTransactionView = (record: TransactionRecord, budget: AnswerBudget): TransactionView =>
  ({
    account: addressText(record.account),
    hash: hashText(record.hash),
    lt: String(record.lt),
    now: record.now,
    mc_block_seqno: record.mcSeqno,
    trace_id: hashText(record.traceId),
    trace_external_hash: record.traceExternalHash && hashText(record.traceExternalHash),
    prev_trans_hash: record.prevHash === undefined ? ZERO_HASH : hashText(record.prevHash),
    prev_trans_lt: String(record.prevLt),
    orig_status: record.origStatus,
    end_status: record.endStatus,
    total_fees: String(record.totalFees),
    total_fees_extra_currencies: toKnownExtra(record.totalFeesExtra) ?? {},
    description: toTransactionDescrView(record.description),
    block_ref: toBlockIdView(record.block),
    in_msg: record.inMessage === undefined ? null : toMessageView(record.inMessage, budget),
    out_msgs: record.outMessages.map((message) => toMessageView(message, budget)),
    account_state_before: toAccountStateView(record.stateBefore),
    account_state_after: toAccountStateView(record.stateAfter),
    emulated: false,
    finality: 'finalized',
  }) as TransactionView

const noTrace = new Uint8Array(32)

/** A transaction that may be emulated. */
export const toPendingTransactionView = (
  { traceId, isEmulated, finality, ...record }: PendingTransaction,
  budget: AnswerBudget,
): TransactionView => {
  const { trace_id, ...view } = toTransactionView({ ...record, traceId: traceId ?? noTrace }, budget)
  return { ...view, ...(traceId !== undefined && { trace_id }), emulated: isEmulated, finality }
}

/** The addresses for the address book: accounts, senders and receivers. */
export const addressesOfTransactions = (
  records: readonly Pick<TransactionRecord, 'account' | 'inMessage' | 'outMessages'>[],
): Uint8Array[] => {
  const addresses: Uint8Array[] = []
  for (const { account, inMessage, outMessages } of records) {
    addresses.push(account)
    if (inMessage?.source !== undefined) addresses.push(inMessage.source)
    for (const { destination } of outMessages) if (destination !== undefined) addresses.push(destination)
  }
  return addresses
}

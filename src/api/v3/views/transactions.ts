import { type Static, Type } from 'typebox'
import type { PendingTransaction } from '../../../store/reader/pending.ts'
import type { TransactionEnds } from '../../../store/reader/readTransactions.ts'
import type { TransactionRecord } from '../../../store/reader/TransactionRecord.ts'
import { type JsonWriter, jsonNames, jsonWriter } from '../../core/json/JsonWriter.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { AccountStateView, writeAccountState } from './accounts.ts'
import { AddressBookView } from './addressBook.ts'
import { BlockIdView } from './blocks.ts'
import { MessageView, writeOwnMessage } from './messages.ts'
import {
  AccountStatusView,
  AddressText,
  DecimalText,
  ExtraCurrenciesView,
  HashText,
  otherAddressText,
  shardText,
  writeExtra,
} from './scalars.ts'
import { TransactionDescrView, writeTransactionDescr } from './transactionPhases.ts'

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

const NO_HASH = new Uint8Array(32)

const names = jsonNames(
  'account',
  'hash',
  'lt',
  'now',
  'mc_block_seqno',
  'trace_id',
  'trace_external_hash',
  'prev_trans_hash',
  'prev_trans_lt',
  'orig_status',
  'end_status',
  'total_fees',
  'total_fees_extra_currencies',
  'description',
  'block_ref',
  'in_msg',
  'out_msgs',
  'account_state_before',
  'account_state_after',
  'emulated',
  'finality',
  'workchain',
  'shard',
  'seqno',
)

/** Without a trace id where it is not known yet. */
type ShownTransaction = Omit<TransactionRecord, 'traceId'> & { readonly traceId: Uint8Array | undefined }

type Finality = Pick<PendingTransaction, 'isEmulated' | 'finality'> & {
  /** The account was another one before than on the chain. */
  readonly isOverridden?: true | undefined
}

const FINALIZED: Finality = { isEmulated: false, finality: 'finalized' }

export const toTransactionView = (
  record: ShownTransaction,
  budget: AnswerBudget,
  finality: Finality = FINALIZED,
): TransactionView => asJson(transactionJson(record, budget, finality))

/** The same as UTF-8. */
export const transactionJson = (
  record: ShownTransaction,
  budget: AnswerBudget,
  finality: Finality = FINALIZED,
): Uint8Array => jsonWriter.write((writer) => writeTransaction(writer, record, budget, finality))

const writeTransaction = (
  writer: JsonWriter,
  record: ShownTransaction,
  budget: AnswerBudget,
  { isEmulated, finality, isOverridden }: Finality,
): void => {
  const { block, inMessage } = record
  writer.open()
  writer.address(names.account, record.account, otherAddressText)
  writer.hash(names.hash, record.hash)
  writer.decimal(names.lt, record.lt)
  writer.number(names.now, record.now)
  writer.number(names.mc_block_seqno, record.mcSeqno)
  writer.hash(names.trace_id, record.traceId)
  writer.hash(names.trace_external_hash, record.traceExternalHash)
  writer.hash(names.prev_trans_hash, record.prevHash ?? NO_HASH)
  writer.decimal(names.prev_trans_lt, record.prevLt)
  writer.text(names.orig_status, record.origStatus)
  writer.text(names.end_status, record.endStatus)
  writer.decimal(names.total_fees, record.totalFees)
  writeExtra(writer, names.total_fees_extra_currencies, record.totalFeesExtra, '{}')
  writeTransactionDescr(writer.name(names.description), record.description)
  writer.name(names.block_ref).open()
  writer.number(names.workchain, block.workchain)
  writer.text(names.shard, shardText(block.shard))
  writer.number(names.seqno, block.seqno)
  writer.close()
  if (inMessage === undefined) writer.text(names.in_msg, null)
  else writeOwnMessage(writer.name(names.in_msg), inMessage, budget)
  writer.list(names.out_msgs, record.outMessages, (message) => writeOwnMessage(writer, message, budget))
  writeAccountState(writer.name(names.account_state_before), record.stateBefore, isOverridden)
  writeAccountState(writer.name(names.account_state_after), record.stateAfter, undefined)
  writer.flag(names.emulated, isEmulated)
  writer.text(names.finality, finality)
  writer.close()
}

/** A transaction that may be emulated. */
export const toPendingTransactionView = (record: PendingTransaction, budget: AnswerBudget): TransactionView =>
  toTransactionView(record, budget, record)

/** The addresses for the address book: accounts, senders and receivers. */
export const addressesOfTransactions = (records: readonly Omit<TransactionEnds, 'traceId'>[]): Uint8Array[] => {
  const addresses: Uint8Array[] = []
  for (const { account, inMessage, outMessages } of records) {
    addresses.push(account)
    if (inMessage?.source !== undefined) addresses.push(inMessage.source)
    for (const { destination } of outMessages) if (destination !== undefined) addresses.push(destination)
  }
  return addresses
}

import { type Static, Type } from 'typebox'
import type { TransactionKey } from '../../../chain/LiveChain.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { openRaw } from '../../../codec/cell/CellReader.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { findUtf8 } from '../../../codec/content/text.ts'
import type { CommonMsgInfo } from '../../../codec/tlb/Message.ts'
import { findStandardAddress, type MsgAddress } from '../../../codec/tlb/MsgAddress.ts'
import { writeStateInit } from '../../../codec/tlb/StateInit.ts'
import type { TransactionDescr } from '../../../codec/tlb/TransactionDescr.ts'
import { formatFriendlyAddress, formatUpperRawAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { MessageReading, TransactionReading } from '../TransactionReading.ts'
import {
  AccountAddressView,
  AmountView,
  BytesView,
  ExtraCurrencyView,
  FriendlyView,
  HashView,
  LtView,
  TransactionIdView,
  toAccountAddressView,
  toCellBytes,
  toExtraCurrencyViews,
  toMaybeCellBytes,
  toTransactionIdView,
  typeName,
  UpperRawView,
} from './scalars.ts'

const TextDataView = Type.Object({ '@type': typeName('msg.dataText'), text: BytesView }, { $id: 'MsgDataText' })

const EncryptedDataView = Type.Object(
  { '@type': typeName('msg.dataEncryptedText'), text: BytesView },
  { $id: 'MsgDataEncryptedText' },
)

const RawDataView = Type.Object(
  { '@type': typeName('msg.dataRaw'), body: BytesView, init_state: BytesView },
  { $id: 'MsgDataRaw' },
)

const MessageDataView = Type.Union([TextDataView, EncryptedDataView, RawDataView], {
  $id: 'MsgData',
  description: 'Message content: text comment, encrypted comment, or raw body.',
})

const toMessageDataView = ({ message, body, comment }: MessageReading): Static<typeof MessageDataView> => {
  if (comment?.kind === 'text') return { '@type': 'msg.dataText', text: toBase64(comment.bytes) }
  if (comment?.kind === 'encrypted') return { '@type': 'msg.dataEncryptedText', text: toBase64(comment.bytes) }
  const init = message.init && writeWhole(writeStateInit, message.init.value)
  return { '@type': 'msg.dataRaw', body: toCellBytes(body), init_state: toMaybeCellBytes(init) }
}

/** Members of both message formats. */
const messageMembers = {
  hash: HashView,
  value: AmountView,
  extra_currencies: Type.Array(ExtraCurrencyView),
  fwd_fee: AmountView,
  ihr_fee: AmountView,
  created_lt: LtView,
  body_hash: HashView,
  msg_data: MessageDataView,
}

const toMessageMembers = (reading: MessageReading) => ({
  hash: toBase64(reading.hash),
  ...toInfoMembers(reading.message.info),
  // The fee of instant hypercube routing no longer exists.
  ihr_fee: '0',
  body_hash: toBase64(reading.body.hash()),
  msg_data: toMessageDataView(reading),
})

const toInfoMembers = (info: CommonMsgInfo) => ({
  value: (info.kind === 'internal' ? info.value.grams : 0n).toString(),
  extra_currencies: info.kind === 'internal' ? toExtraCurrencyViews(info.value.extra) : [],
  fwd_fee: (info.kind === 'internal' ? info.fwdFee : 0n).toString(),
  created_lt: (info.kind === 'externalIn' ? 0n : info.createdLt).toString(),
})

const MaybeFriendlyView = Type.Union([FriendlyView, Type.Literal('')])

const ExtMessageView = Type.Object(
  {
    '@type': typeName('ext.message'),
    ...messageMembers,
    source: MaybeFriendlyView,
    destination: MaybeFriendlyView,
    message: Type.Optional(
      Type.String({ description: 'Comment; for other bodies, the bits of the root cell in base64.' }),
    ),
    message_decode_error: Type.Optional(Type.String({ description: 'Why the comment could not be decoded.' })),
  },
  { $id: 'ExtMessage', description: 'Message.' },
)

const toExtMessageView = (reading: MessageReading): Static<typeof ExtMessageView> => ({
  '@type': 'ext.message',
  ...toMessageMembers(reading),
  source: toMaybeFriendly(reading.message.info.source),
  destination: toMaybeFriendly(reading.message.info.destination),
  ...toText(reading),
})

const toMaybeFriendly = (address: MsgAddress): string => {
  const account = findStandardAddress(address)
  return account === undefined ? '' : formatFriendlyAddress(account)
}

const toText = ({
  comment,
  body,
}: MessageReading): Pick<Static<typeof ExtMessageView>, 'message' | 'message_decode_error'> => {
  if (comment === undefined) return { message: toRootBits(body) }
  const message = findUtf8(comment.bytes)
  return message === undefined ? { message_decode_error: 'The comment is not UTF-8.' } : { message }
}

/** Clients expect a line break after the base64. */
const toRootBits = (body: Cell): string => (body.bits === 0 ? '' : `${toBase64(openRaw(body).readBits(body.bits))}\n`)

/** Members of all transaction formats, without messages. */
const transactionMembers = {
  address: AccountAddressView,
  utime: Type.Integer({ description: 'Unix time of the transaction.', examples: [1_770_840_795] }),
  data: BytesView,
  transaction_id: TransactionIdView,
  fee: AmountView,
  storage_fee: AmountView,
  other_fee: AmountView,
}

const toTransactionMembers = (reading: TransactionReading) => {
  const { address, cell, transaction, outMsgs } = reading
  // The fee includes the forward fees of outgoing messages.
  const fee = outMsgs.reduce((sum, message) => sum + forwardFee(message), transaction.totalFees.grams)
  const storageFee = findStorageFee(transaction.description)
  return {
    address: toAccountAddressView(address),
    utime: transaction.now,
    data: toCellBytes(cell),
    transaction_id: toTransactionIdView(reading),
    fee: fee.toString(),
    storage_fee: storageFee.toString(),
    other_fee: (fee - storageFee).toString(),
  }
}

const forwardFee = ({ message: { info } }: MessageReading): bigint => (info.kind === 'internal' ? info.fwdFee : 0n)

const findStorageFee = (description: TransactionDescr): bigint =>
  ('storagePhase' in description ? description.storagePhase?.storageFeesCollected : undefined) ?? 0n

export const ExtTransactionView = Type.Object(
  {
    '@type': typeName('ext.transaction'),
    account: UpperRawView,
    ...transactionMembers,
    in_msg: Type.Optional(ExtMessageView),
    out_msgs: Type.Array(ExtMessageView),
  },
  { $id: 'ExtTransaction', description: 'Transaction of an account.' },
)

export const toExtTransactionView = (reading: TransactionReading): Static<typeof ExtTransactionView> => ({
  '@type': 'ext.transaction',
  account: formatUpperRawAddress(reading.address),
  ...toTransactionMembers(reading),
  ...(reading.inMsg !== undefined && { in_msg: toExtMessageView(reading.inMsg) }),
  out_msgs: reading.outMsgs.map(toExtMessageView),
})

const RawMessageView = Type.Object(
  {
    '@type': typeName('raw.message'),
    ...messageMembers,
    source: AccountAddressView,
    destination: AccountAddressView,
  },
  { $id: 'RawMessage', description: 'Message in the raw format of nodes.' },
)

const toRawMessageView = (reading: MessageReading): Static<typeof RawMessageView> => ({
  '@type': 'raw.message',
  ...toMessageMembers(reading),
  source: toAccountAddressView(findStandardAddress(reading.message.info.source)),
  destination: toAccountAddressView(findStandardAddress(reading.message.info.destination)),
})

const rawTransactionMembers = {
  ...transactionMembers,
  in_msg: Type.Optional(RawMessageView),
  out_msgs: Type.Array(RawMessageView),
}

const toRawTransactionMembers = (reading: TransactionReading) => ({
  ...toTransactionMembers(reading),
  ...(reading.inMsg !== undefined && { in_msg: toRawMessageView(reading.inMsg) }),
  out_msgs: reading.outMsgs.map(toRawMessageView),
})

const RawTransactionView = Type.Object(
  { '@type': typeName('raw.transaction'), ...rawTransactionMembers },
  { $id: 'RawTransaction', description: 'Transaction in the raw format of nodes.' },
)

export const toRawTransactionView = (reading: TransactionReading): Static<typeof RawTransactionView> => ({
  '@type': 'raw.transaction',
  ...toRawTransactionMembers(reading),
})

export const RawTransactionExtView = Type.Object(
  { '@type': typeName('raw.transactionExt'), account: UpperRawView, ...rawTransactionMembers },
  { $id: 'RawTransactionExt', description: 'Transaction of a block.' },
)

export const toRawTransactionExtView = (reading: TransactionReading): Static<typeof RawTransactionExtView> => ({
  '@type': 'raw.transactionExt',
  account: formatUpperRawAddress(reading.address),
  ...toRawTransactionMembers(reading),
})

export const RawTransactionsView = Type.Object(
  {
    '@type': typeName('raw.transactions'),
    transactions: Type.Array(RawTransactionView),
    previous_transaction_id: TransactionIdView,
  },
  { $id: 'RawTransactions', description: 'Page of transactions with the id of the next one.' },
)

export const toRawTransactionsView = (
  transactions: readonly TransactionReading[],
  next: TransactionKey | undefined,
): Static<typeof RawTransactionsView> => ({
  '@type': 'raw.transactions',
  transactions: transactions.map(toRawTransactionView),
  previous_transaction_id: toTransactionIdView(next),
})

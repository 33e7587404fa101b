import { type Static, Type } from 'typebox'
import type { TransactionKey } from '../../../chain/LiveChain.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { openRaw } from '../../../codec/cell/CellReader.ts'
import { writeWhole } from '../../../codec/cell/wholeCell.ts'
import { findUtf8 } from '../../../codec/content/text.ts'
import type { ExtraCurrencies } from '../../../codec/tlb/CurrencyCollection.ts'
import { findStandardAddress, type MsgAddress } from '../../../codec/tlb/MsgAddress.ts'
import { writeStateInit } from '../../../codec/tlb/StateInit.ts'
import { type Address, formatFriendlyAddress, formatUpperRawAddress } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { Slices } from '../../../primitives/scheduling.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
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

const writeMessageData = ({ message, body, comment }: MessageReading): string => {
  if (comment?.kind === 'text') return `{"@type":"msg.dataText","text":"${toBase64(comment.bytes)}"}`
  if (comment?.kind === 'encrypted') return `{"@type":"msg.dataEncryptedText","text":"${toBase64(comment.bytes)}"}`
  const init = message.init && writeWhole(writeStateInit, message.init.value)
  return `{"@type":"msg.dataRaw","body":"${toCellBytes(body)}","init_state":"${toMaybeCellBytes(init)}"}`
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

const writeMessageMembers = (reading: MessageReading): string => {
  const { info } = reading.message
  const isInternal = info.kind === 'internal'
  return (
    `"hash":"${toBase64(reading.hash)}","value":"${isInternal ? info.value.grams : 0n}",` +
    `"extra_currencies":${isInternal ? writeExtraCurrencies(info.value.extra) : '[]'},` +
    `"fwd_fee":"${isInternal ? info.fwdFee : 0n}","created_lt":"${info.kind === 'externalIn' ? 0n : info.createdLt}",` +
    // The fee of instant hypercube routing no longer exists.
    `"ihr_fee":"0","body_hash":"${toBase64(reading.body.hash())}","msg_data":${writeMessageData(reading)}`
  )
}

const writeExtraCurrencies = (extra: ExtraCurrencies): string =>
  extra.isEmpty ? '[]' : JSON.stringify(toExtraCurrencyViews(extra))

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

const writeExtMessage = (reading: MessageReading): string => {
  const { source, destination } = reading.message.info
  return (
    `{"@type":"ext.message",${writeMessageMembers(reading)},` +
    `"source":"${toMaybeFriendly(source)}","destination":"${toMaybeFriendly(destination)}",${writeText(reading)}}`
  )
}

const toMaybeFriendly = (address: MsgAddress): string => {
  const account = findStandardAddress(address)
  return account === undefined ? '' : formatFriendlyAddress(account)
}

const writeText = ({ comment, body }: MessageReading): string => {
  if (comment === undefined) return `"message":"${writeRootBits(body)}"`
  const message = findUtf8(comment.bytes)
  return message === undefined
    ? '"message_decode_error":"The comment is not UTF-8."'
    : `"message":${JSON.stringify(message)}`
}

/** Clients expect a line break after the base64. */
const writeRootBits = (body: Cell): string =>
  body.bits === 0 ? '' : `${toBase64(openRaw(body).readBits(body.bits))}\\n`

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

const writeTransactionMembers = ({ address, cell, lt, hash, now, fee, storageFee }: TransactionReading): string =>
  `"address":${writeAccountAddress(address)},"utime":${now},"data":"${toCellBytes(cell)}",` +
  `"transaction_id":{"@type":"internal.transactionId","lt":"${lt}","hash":"${toBase64(hash)}"},` +
  `"fee":"${fee}","storage_fee":"${storageFee}","other_fee":"${fee - storageFee}"`

const writeAccountAddress = (address: Address | undefined): string =>
  `{"@type":"accountAddress","account_address":"${address === undefined ? '' : formatFriendlyAddress(address)}"}`

const writeMessages = (
  { inMsg, outMsgs }: TransactionReading,
  writeMessage: (reading: MessageReading) => string,
): string =>
  `${inMsg === undefined ? '' : `"in_msg":${writeMessage(inMsg)},`}"out_msgs":${writeList(outMsgs, writeMessage)}`

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

/**
 * The JSON of a view, as of all others here: a history has many, most of their members are hashes and amounts, which need no escapes, and
 * to make objects of them first takes as long as their text.
 */
export const writeExtTransaction = (reading: TransactionReading): string =>
  `{"@type":"ext.transaction","account":"${formatUpperRawAddress(reading.address)}",` +
  `${writeTransactionMembers(reading)},${writeMessages(reading, writeExtMessage)}}`

/** The same, for a response. */
export const toExtTransactionView = (reading: TransactionReading): Static<typeof ExtTransactionView> =>
  asJson(writeExtTransaction(reading))

export const toExtTransactionViews = async (
  readings: readonly TransactionReading[],
): Promise<Static<typeof ExtTransactionView>[]> => asJson(await writeHistory(readings, writeExtTransaction))

/** Transactions may be large: others are answered between the slices of a long history. */
const writeHistory = async (
  readings: readonly TransactionReading[],
  write: (reading: TransactionReading) => string,
): Promise<string> => {
  const slices = new Slices()
  let text = '['
  for (const reading of readings) {
    if (slices.isOver) await slices.next()
    text += text.length === 1 ? write(reading) : `,${write(reading)}`
  }
  return `${text}]`
}

/** Added up and not joined: the whole is copied once, when it is sent. */
const writeList = <T>(items: readonly T[], write: (item: T) => string): string => {
  let text = '['
  for (const item of items) text += text.length === 1 ? write(item) : `,${write(item)}`
  return `${text}]`
}

const RawMessageView = Type.Object(
  {
    '@type': typeName('raw.message'),
    ...messageMembers,
    source: AccountAddressView,
    destination: AccountAddressView,
  },
  { $id: 'RawMessage', description: 'Message in the raw format of nodes.' },
)

const writeRawMessage = (reading: MessageReading): string => {
  const { source, destination } = reading.message.info
  return (
    `{"@type":"raw.message",${writeMessageMembers(reading)},"source":${writeAccountAddress(findStandardAddress(source))},` +
    `"destination":${writeAccountAddress(findStandardAddress(destination))}}`
  )
}

const rawTransactionMembers = {
  ...transactionMembers,
  in_msg: Type.Optional(RawMessageView),
  out_msgs: Type.Array(RawMessageView),
}

export const RawTransactionView = Type.Object(
  { '@type': typeName('raw.transaction'), ...rawTransactionMembers },
  { $id: 'RawTransaction', description: 'Transaction in the raw format of nodes.' },
)

export const writeRawTransaction = (reading: TransactionReading): string =>
  `{"@type":"raw.transaction",${writeTransactionMembers(reading)},${writeMessages(reading, writeRawMessage)}}`

export const RawTransactionExtView = Type.Object(
  { '@type': typeName('raw.transactionExt'), account: UpperRawView, ...rawTransactionMembers },
  { $id: 'RawTransactionExt', description: 'Transaction of a block.' },
)

export const writeRawTransactionExt = (reading: TransactionReading): string =>
  `{"@type":"raw.transactionExt","account":"${formatUpperRawAddress(reading.address)}",` +
  `${writeTransactionMembers(reading)},${writeMessages(reading, writeRawMessage)}}`

export const RawTransactionsView = Type.Object(
  {
    '@type': typeName('raw.transactions'),
    transactions: Type.Array(RawTransactionView),
    previous_transaction_id: TransactionIdView,
  },
  { $id: 'RawTransactions', description: 'Page of transactions with the id of the next one.' },
)

export const toRawTransactionsView = async (
  transactions: readonly TransactionReading[],
  next: TransactionKey | undefined,
): Promise<Static<typeof RawTransactionsView>> => ({
  '@type': 'raw.transactions',
  transactions: asJson(await writeHistory(transactions, writeRawTransaction)),
  previous_transaction_id: toTransactionIdView(next),
})

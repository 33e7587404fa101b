import { type Static, Type } from 'typebox'
import type { TransactionReading } from '../TransactionReading.ts'
import { RawMessageView, toRawMessageView } from './RawMessageView.ts'
import { typeName } from './scalars.ts'
import { toTransactionMembers, transactionMembers } from './transactionMembers.ts'

export const rawTransactionMembers = {
  ...transactionMembers,
  in_msg: Type.Optional(RawMessageView),
  out_msgs: Type.Array(RawMessageView),
}

export const toRawTransactionMembers = (reading: TransactionReading) => ({
  ...toTransactionMembers(reading),
  ...(reading.inMsg !== undefined && { in_msg: toRawMessageView(reading.inMsg) }),
  out_msgs: reading.outMsgs.map(toRawMessageView),
})

export const RawTransactionView = Type.Object(
  { '@type': typeName('raw.transaction'), ...rawTransactionMembers },
  { $id: 'RawTransaction', description: 'A transaction as nodes tell of it.' },
)

export const toRawTransactionView = (reading: TransactionReading): Static<typeof RawTransactionView> => ({
  '@type': 'raw.transaction',
  ...toRawTransactionMembers(reading),
})

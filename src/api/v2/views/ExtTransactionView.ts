import { type Static, Type } from 'typebox'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import type { TransactionReading } from '../TransactionReading.ts'
import { ExtMessageView, toExtMessageView } from './ExtMessageView.ts'
import { typeName, UpperRawView } from './scalars.ts'
import { toTransactionMembers, transactionMembers } from './transactionMembers.ts'

export const ExtTransactionView = Type.Object(
  {
    '@type': typeName('ext.transaction'),
    account: UpperRawView,
    ...transactionMembers,
    in_msg: Type.Optional(ExtMessageView),
    out_msgs: Type.Array(ExtMessageView),
  },
  { $id: 'ExtTransaction', description: 'A transaction of an account.' },
)

export const toExtTransactionView = (reading: TransactionReading): Static<typeof ExtTransactionView> => ({
  '@type': 'ext.transaction',
  account: formatUpperRawAddress(reading.address),
  ...toTransactionMembers(reading),
  ...(reading.inMsg !== undefined && { in_msg: toExtMessageView(reading.inMsg) }),
  out_msgs: reading.outMsgs.map(toExtMessageView),
})

import { type Static, Type } from 'typebox'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import type { TransactionReading } from '../TransactionReading.ts'
import { rawTransactionMembers, toRawTransactionMembers } from './RawTransactionView.ts'
import { typeName, UpperRawView } from './scalars.ts'

export const RawTransactionExtView = Type.Object(
  { '@type': typeName('raw.transactionExt'), account: UpperRawView, ...rawTransactionMembers },
  { $id: 'RawTransactionExt', description: 'A transaction of a block.' },
)

export const toRawTransactionExtView = (reading: TransactionReading): Static<typeof RawTransactionExtView> => ({
  '@type': 'raw.transactionExt',
  account: formatUpperRawAddress(reading.address),
  ...toRawTransactionMembers(reading),
})

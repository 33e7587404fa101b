import { type Static, Type } from 'typebox'
import { findStandardAddress } from '../../../codec/tlb/MsgAddress.ts'
import type { MessageReading } from '../TransactionReading.ts'
import { AccountAddressView, toAccountAddressView } from './AccountAddressView.ts'
import { messageMembers, toMessageMembers } from './messageMembers.ts'
import { typeName } from './scalars.ts'

export const RawMessageView = Type.Object(
  {
    '@type': typeName('raw.message'),
    ...messageMembers,
    source: AccountAddressView,
    destination: AccountAddressView,
  },
  { $id: 'RawMessage', description: 'A message as nodes tell of it.' },
)

export const toRawMessageView = (reading: MessageReading): Static<typeof RawMessageView> => ({
  '@type': 'raw.message',
  ...toMessageMembers(reading),
  source: toAccountAddressView(findStandardAddress(reading.message.info.source)),
  destination: toAccountAddressView(findStandardAddress(reading.message.info.destination)),
})

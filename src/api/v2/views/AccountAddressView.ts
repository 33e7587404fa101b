import { type Static, Type } from 'typebox'
import { type Address, type FriendlyFlags, formatFriendlyAddress } from '../../../primitives/Address.ts'
import { FriendlyView, typeName } from './scalars.ts'

export const AccountAddressView = Type.Object(
  { '@type': typeName('accountAddress'), account_address: Type.Union([FriendlyView, Type.Literal('')]) },
  { $id: 'AccountAddress', description: 'An address; nothing where there is none.' },
)

export const toAccountAddressView = (
  address: Address | undefined,
  flags?: FriendlyFlags,
): Static<typeof AccountAddressView> => ({
  '@type': 'accountAddress',
  account_address: address === undefined ? '' : formatFriendlyAddress(address, flags),
})

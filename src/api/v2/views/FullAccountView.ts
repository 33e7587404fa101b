import { type Static, Type } from 'typebox'
import type { GivenAddress } from '../params.ts'
import type { AccountReading } from '../readAccount.ts'
import { AccountAddressView, toAccountAddressView } from './AccountAddressView.ts'
import { proofMembers } from './AccountProofView.ts'
import { accountMembers, toAccountMembers } from './AccountView.ts'
import { KnownStateView, toKnownState } from './KnownStateView.ts'
import { typeName } from './scalars.ts'

export const FullAccountView = Type.Object(
  {
    '@type': typeName('fullAccountState'),
    address: AccountAddressView,
    ...accountMembers,
    account_state: KnownStateView,
    revision: Type.Integer({ description: 'Which version of that contract it is; 0 where that is not known.' }),
    ...proofMembers,
  },
  { $id: 'FullAccountState', description: 'An account, and what kind of contract it is.' },
)

export const toFullAccountView = (address: GivenAddress, account: AccountReading): Static<typeof FullAccountView> => {
  const { view, revision } = toKnownState(account)
  return {
    '@type': 'fullAccountState',
    address: toAccountAddressView(address, address.flags),
    ...toAccountMembers(account),
    account_state: view,
    revision,
  }
}

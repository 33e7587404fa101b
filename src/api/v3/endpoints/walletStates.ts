import { Type } from 'typebox'
import { findAccountStates } from '../../../store/reader/accounts.ts'
import { distinctKeys } from '../hydrate/distinctKeys.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { pickReader } from '../hydrate/pickReader.ts'
import { addressListParam, requiredList } from '../params.ts'
import { walletCodeHashes } from '../ShownWallet.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MetadataView } from '../views/MetadataView.ts'
import { toWalletStateView, WalletStateView } from '../views/WalletStateView.ts'

export const walletStates = v3Endpoint({
  name: 'walletStates',
  tags: ['accounts'],
  summary: 'Accounts as owners of wallets look at them. Those that are not known are left out.',
  params: { address: requiredList(addressListParam('The accounts.'), 'address of account is required') },
  result: Type.Object(
    { wallets: Type.Array(WalletStateView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'WalletStatesResponse' },
  ),
  errors: [],
  async handle(context, { address }) {
    const accounts = distinctKeys(address)
    const reader = pickReader(context, accounts.length)
    const states = await findAccountStates(reader, { accounts, data: walletCodeHashes })
    const beside = await hydrate(
      context,
      states.map(({ account }) => account),
    )
    return { wallets: states.map(toWalletStateView), ...beside }
  },
})

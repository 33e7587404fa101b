import type { JsonObject } from '../../core/json/JsonValue.ts'
import { NotAWalletError } from '../errors.ts'
import { legacyAccountParams, readLegacyAccount, requireAddress } from '../legacyAccount.ts'
import { passOnOr500 } from '../passOn.ts'
import { findShownWallet, walletCodeHashes } from '../ShownWallet.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { addressText } from '../views/scalars.ts'
import { fromLiveWallet, toWalletInformationView, WalletInformationView } from '../views/WalletInformationView.ts'

export const walletInformation = v3Endpoint({
  name: 'walletInformation',
  tags: ['legacy'],
  summary: 'A wallet: its kind, and what its next message has to say. An account without code may become one.',
  params: legacyAccountParams,
  result: WalletInformationView,
  errors: ['unauthorized', 'not_a_wallet', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, use_v2 }) {
    const account = requireAddress(address)
    if (use_v2) {
      const live = await passOnOr500(context, 'getWalletInformation', { address: addressText(account) })
      const view = fromLiveWallet(live as JsonObject)
      if (view.wallet_type === undefined && view.status !== 'uninitialized') throw new NotAWalletError()
      return view
    }
    const { state, isKnown } = await readLegacyAccount(context, account, walletCodeHashes)
    const wallet = findShownWallet(state)
    if (isKnown && wallet === undefined && state.status !== 'uninit') throw new NotAWalletError()
    return toWalletInformationView(state, wallet)
  },
})

/** The same by its old name. */
export const wallet = { ...walletInformation, name: 'wallet' } as const

import type { JsonObject } from '../../core/json/JsonValue.ts'
import { legacyAccountParams, readLegacyAccount, requireAddress } from '../legacyAccount.ts'
import { passOnOr500 } from '../passOn.ts'
import { readCodeBocs } from '../readCodeBocs.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressInformationView, fromLiveAccount, toAddressInformationView } from '../views/AddressInformationView.ts'
import { addressText } from '../views/scalars.ts'

export const addressInformation = v3Endpoint({
  name: 'addressInformation',
  tags: ['legacy'],
  summary: 'An account: balance, code, data, last transaction.',
  params: legacyAccountParams,
  result: AddressInformationView,
  errors: ['unauthorized', 'live_interface_missing', 'live_interface_refused'],
  async handle(context, { address, use_v2 }) {
    const account = requireAddress(address)
    if (use_v2) {
      const live = await passOnOr500(context, 'getAddressInformation', { address: addressText(account) })
      return fromLiveAccount(live as JsonObject)
    }
    const { state } = await readLegacyAccount(context, account, 'all')
    const { codeHash } = state
    const bocOf = await readCodeBocs(context.points, codeHash === undefined ? [] : [codeHash])
    return toAddressInformationView(state, codeHash && bocOf(codeHash))
  },
})

/** The same by its old name. */
export const account = { ...addressInformation, name: 'account' } as const

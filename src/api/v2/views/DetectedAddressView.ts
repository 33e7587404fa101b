import { type Static, Type } from 'typebox'
import { formatFriendlyAddress, formatRawAddress } from '../../../primitives/Address.ts'
import type { GivenAddress } from '../params.ts'
import { FriendlyView, typeName } from './scalars.ts'

const VariantView = Type.Object(
  {
    '@type': typeName('ext.utils.detectedAddressVariant'),
    b64: Type.String({ description: 'In the standard alphabet of base64.' }),
    b64url: FriendlyView,
  },
  { $id: 'AddressVariant' },
)

export const DetectedAddressView = Type.Object(
  {
    '@type': typeName('ext.utils.detectedAddress'),
    raw_form: Type.String({ examples: ['0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8'] }),
    bounceable: VariantView,
    non_bounceable: VariantView,
    given_type: Type.Union([
      Type.Literal('raw_form'),
      Type.Literal('friendly_bounceable'),
      Type.Literal('friendly_non_bounceable'),
    ]),
    test_only: Type.Boolean(),
  },
  { $id: 'DetectedAddress', description: 'An address in all its forms.' },
)

export const toDetectedAddressView = (address: GivenAddress): Static<typeof DetectedAddressView> => ({
  '@type': 'ext.utils.detectedAddress',
  raw_form: formatRawAddress(address),
  bounceable: toVariantView(address, true),
  non_bounceable: toVariantView(address, false),
  given_type: givenTypeOf(address),
  test_only: address.flags?.testOnly ?? false,
})

const toVariantView = (address: GivenAddress, bounceable: boolean): Static<typeof VariantView> => {
  const flags = { bounceable, testOnly: address.flags?.testOnly ?? false }
  return {
    '@type': 'ext.utils.detectedAddressVariant',
    b64: formatFriendlyAddress(address, { ...flags, urlSafe: false }),
    b64url: formatFriendlyAddress(address, flags),
  }
}

const givenTypeOf = ({ flags }: GivenAddress): Static<typeof DetectedAddressView>['given_type'] => {
  if (flags === undefined) return 'raw_form'
  return flags.bounceable ? 'friendly_bounceable' : 'friendly_non_bounceable'
}

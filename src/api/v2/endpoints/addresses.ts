import { type Static, Type } from 'typebox'
import { formatFriendlyAddress, formatRawAddress, formatUpperRawAddress } from '../../../primitives/Address.ts'
import { toBase64, toBase64Url } from '../../../primitives/base64.ts'
import { ParseError } from '../../../primitives/errors.ts'
import { parseHash } from '../../../primitives/hash.ts'
import { toHex } from '../../../primitives/hex.ts'
import { param, shownAs, whenMissing } from '../../core/params.ts'
import { outOfRange, unreadable } from '../errors.ts'
import { AddressParam, type GivenAddress, HashParam, quote } from '../params.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { FriendlyView, HashView, typeName } from '../views/scalars.ts'

export const packAddress = v2LocalEndpoint({
  name: 'packAddress',
  tags: ['utils'],
  summary: 'Convert an address to the user-friendly form, with its flags, or bounceable.',
  params: { address: AddressParam },
  result: FriendlyView,
  errors: [],
  handle: (_context, { address }) => formatFriendlyAddress(address, address.flags),
})

export const unpackAddress = v2LocalEndpoint({
  name: 'unpackAddress',
  tags: ['utils'],
  summary: 'Convert an address to the raw form.',
  params: { address: AddressParam },
  result: Type.String({ examples: ['0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'] }),
  errors: [],
  handle: (_context, { address }) => formatUpperRawAddress(address),
})

const VariantView = Type.Object(
  {
    '@type': typeName('ext.utils.detectedAddressVariant'),
    b64: Type.String({ description: 'Standard base64 alphabet.' }),
    b64url: FriendlyView,
  },
  { $id: 'AddressVariant' },
)

const DetectedAddressView = Type.Object(
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
  { $id: 'DetectedAddress', description: 'All forms of an address.' },
)

const toDetectedAddressView = (address: GivenAddress): Static<typeof DetectedAddressView> => ({
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

export const detectAddress = v2LocalEndpoint({
  name: 'detectAddress',
  tags: ['utils'],
  summary: 'All forms of an address, and the form that was given.',
  params: { address: AddressParam },
  result: DetectedAddressView,
  errors: [],
  handle: (_context, { address }) => toDetectedAddressView(address),
})

const DetectedHashView = Type.Object(
  {
    '@type': typeName('ext.utils.detectedHash'),
    b64: HashView,
    b64url: Type.String({ examples: ['CPUE4WXeEJT-Dwz1fY_rkreWvYnsOt3I44i1G5ojJPM'] }),
    hex: Type.String({ examples: ['08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3'] }),
  },
  { $id: 'DetectedHash', description: 'All forms of a hash.' },
)

const toDetectedHashView = (hash: Uint8Array): Static<typeof DetectedHashView> => ({
  '@type': 'ext.utils.detectedHash',
  b64: toBase64(hash),
  b64url: toBase64Url(hash),
  hex: toHex(hash),
})

const empty = outOfRange('empty hash')

const DetectedHashParam = whenMissing(
  shownAs(
    param(HashParam.schema, (text): Uint8Array => {
      if (text === '') throw empty
      try {
        return parseHash(text.replaceAll(' ', '+'))
      } catch (error) {
        if (!(error instanceof ParseError)) throw error
        throw unreadable(`invalid hash: ${quote(text)}`)
      }
    }),
    HashParam.shown ?? HashParam.schema,
  ),
  empty,
)

export const detectHash = v2LocalEndpoint({
  name: 'detectHash',
  tags: ['utils'],
  summary: 'All forms of a hash.',
  params: { hash: DetectedHashParam },
  result: DetectedHashView,
  errors: [],
  handle: (_context, { hash }) => toDetectedHashView(hash),
})

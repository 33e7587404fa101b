import { Type } from 'typebox'
import { parseAddress } from '../../primitives/Address.ts'
import { parseCoins } from '../../primitives/coins.ts'
import { parseHash } from '../../primitives/hash.ts'
import { param, shownAs } from './Param.ts'

/** What addresses and hashes look like in a description. What is wrong with another text is told by who reads it. */
export const ADDRESS_PATTERN = '^(-?[0-9]{1,3}:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{48})$'
export const HASH_PATTERN = '^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$'

/** An address in any form. */
export const AddressParam = shownAs(
  param(Type.String(), parseAddress),
  Type.String({
    description: 'An address: raw (workchain:hex) or user-friendly, with any flags.',
    pattern: ADDRESS_PATTERN,
    examples: [
      'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
      '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
    ],
  }),
)

/** A hash of 32 bytes in any form. */
export const HashParam = shownAs(
  param(Type.String(), (text) => parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url'])),
  Type.String({
    description: 'A hash of 32 bytes: 64 hexadecimal digits, or base64.',
    pattern: HASH_PATTERN,
    examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
  }),
)

/** An amount of the native currency. */
export const CoinsParam = param(
  Type.String({ description: 'An amount in nano units, decimal.', examples: ['1000000000'] }),
  parseCoins,
)

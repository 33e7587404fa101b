import { Type } from 'typebox'
import { parseAddress } from '../../primitives/Address.ts'
import { parseCoins } from '../../primitives/coins.ts'
import { parseHash } from '../../primitives/hash.ts'
import { param } from './Param.ts'

/** An address in any form. */
export const AddressParam = param(
  Type.String({
    description: 'An address: raw (workchain:hex) or user-friendly, with any flags.',
    examples: [
      'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
      '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8',
    ],
  }),
  parseAddress,
)

/** A hash of 32 bytes in any form. */
export const HashParam = param(
  Type.String({
    description: 'A hash of 32 bytes: 64 hexadecimal digits, or base64.',
    examples: ['CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='],
  }),
  (text) => parseHash(text, ['hex', 'prefixed_hex', 'base64', 'unpadded_base64url']),
)

/** An amount of the native currency. */
export const CoinsParam = param(
  Type.String({ description: 'An amount in nano units, decimal.', examples: ['1000000000'] }),
  parseCoins,
)

import { Type } from 'typebox'
import { packedBocView } from '../../../codec/stored/packedBoc.ts'
import { ADDRESS_KEY_BYTES, parseAddressKey } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toUpperHexFrom } from '../../../primitives/hex.ts'

/** An address: raw, in upper case. */
export const AddressText = Type.String({
  description: 'A raw address; addr_none and the like where there is no account.',
  pattern: '^(-?[0-9]{1,3}:[0-9A-F]{64}|addr_.+)$',
  $id: 'Address',
})

/** Bodies may hold addresses that are no account's. */
export const addressText = (key: Uint8Array): string => {
  // Without an address in between: answers are full of them.
  if (key.length === ADDRESS_KEY_BYTES) return `${(key[0]! << 24) >> 24}:${toUpperHexFrom(key, 1)}`
  return `addr_${parseAddressKey(key)}`
}

export const HashText = Type.String({ description: 'A hash, base64.', pattern: '^[A-Za-z0-9+/]{43}=$', $id: 'Hash' })
export const hashText = toBase64

export const DecimalText = Type.String({ description: 'A decimal number.', pattern: '^-?[0-9]+$', $id: 'Decimal' })

/** Without padding, as clients know it. */
export const ShardText = Type.String({ description: 'A shard, hexadecimal.', $id: 'Shard' })
export const shardText = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).toUpperCase()

export const BocText = Type.String({ description: 'A bag of cells, base64.', $id: 'Boc' })

/** Cells as they are kept, as the bag of cells that bodies and payloads are shown as. */
export const packedBocText = (packed: Uint8Array): string => toBase64(packedBocView(packed))

import { Type } from 'typebox'
import { encodeBoc, PLAIN_BOC } from '../../../codec/cell/encodeBoc.ts'
import { unpackCell } from '../../../codec/stored/packCell.ts'
import { packedBocView } from '../../../codec/stored/packedBoc.ts'
import { ADDRESS_KEY_BYTES, parseAddressKey } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toUpperHexFrom } from '../../../primitives/hex.ts'
import type { ExtraAmounts } from '../../../store/schema/codes.ts'

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

export const AccountStatusView = Type.Union(
  [Type.Literal('uninit'), Type.Literal('frozen'), Type.Literal('active'), Type.Literal('nonexist')],
  { $id: 'AccountStatus' },
)

/** Amounts by the numbers of their currencies. */
export const ExtraCurrenciesView = Type.Record(Type.String(), DecimalText, {
  description: 'Amounts of other currencies than that of the network, by their numbers.',
  $id: 'ExtraCurrencies',
})

/** `undefined` where there are some, and it is not known how many. */
export const toKnownExtra = (amounts: ExtraAmounts | undefined): Record<string, string> | undefined =>
  amounts === undefined ? {} : amounts === 'unknown' ? undefined : { ...amounts }

/** What the chain says of a token: text by the names of TEP-64. */
export const TokenContentView = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])

/** The writer keeps texts only. */
export const toTokenContentView = (content: unknown): Record<string, string> | null =>
  content === undefined ? null : (content as Record<string, string>)

/** Cells as they are kept, as the bag of cells that code and data are shown as: without a checksum. */
export const stateBocText = (packed: Uint8Array): string => toBase64(encodeBoc([unpackCell(packed)], PLAIN_BOC))

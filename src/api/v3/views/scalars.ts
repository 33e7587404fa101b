import { Type } from 'typebox'
import { encodeBoc, PLAIN_BOC } from '../../../codec/cell/encodeBoc.ts'
import { readPacked } from '../../../codec/stored/packCell.ts'
import { packedBocView } from '../../../codec/stored/packedBoc.ts'
import { ADDRESS_KEY_BYTES, parseAddressKey } from '../../../primitives/Address.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { toUpperHexFrom } from '../../../primitives/hex.ts'
import type { ExtraAmounts } from '../../../store/schema/codes.ts'
import type { JsonWriter } from '../../core/json/JsonWriter.ts'

/** Raw address in upper case. */
export const AddressText = Type.String({
  description: 'Raw address; addr_none and similar if it is not an account.',
  pattern: '^(-?[0-9]{1,3}:[0-9A-F]{64}|addr_.+)$',
  $id: 'Address',
})

/** Bodies may contain addresses that are not accounts. */
export const addressText = (key: Uint8Array): string =>
  // Formats directly from bytes, without an Address object: this is hot.
  key.length === ADDRESS_KEY_BYTES ? `${(key[0]! << 24) >> 24}:${toUpperHexFrom(key, 1)}` : otherAddressText(key)

export const otherAddressText = (key: Uint8Array): string => `addr_${parseAddressKey(key)}`

export const HashText = Type.String({ description: 'A hash, base64.', pattern: '^[A-Za-z0-9+/]{43}=$', $id: 'Hash' })
export const hashText = toBase64

export const DecimalText = Type.String({ description: 'Decimal number.', pattern: '^-?[0-9]+$', $id: 'Decimal' })

/** Without padding, as clients expect it. */
export const ShardText = Type.String({ description: 'A shard, hexadecimal.', $id: 'Shard' })
export const shardText = (shard: bigint): string => BigInt.asUintN(64, shard).toString(16).toUpperCase()

export const BocText = Type.String({ description: 'Bag of cells in base64.', $id: 'Boc' })

/** Stored cells as the bag of cells of bodies and payloads. */
export const packedBocText = (packed: Uint8Array): string => toBase64(packedBocView(packed))

export const AccountStatusView = Type.Union(
  [Type.Literal('uninit'), Type.Literal('frozen'), Type.Literal('active'), Type.Literal('nonexist')],
  { $id: 'AccountStatus' },
)

/** Amounts by currency id. */
export const ExtraCurrenciesView = Type.Record(Type.String(), DecimalText, {
  description: 'Amounts of extra currencies by currency id.',
  $id: 'ExtraCurrencies',
})

/** `undefined` if there are some, but the amounts are unknown. */
export const toKnownExtra = (amounts: ExtraAmounts | undefined): Record<string, string> | undefined =>
  amounts === undefined ? {} : amounts === 'unknown' ? undefined : { ...amounts }

/** Amounts of extra currencies, as {@link toKnownExtra}; `unknown` is shown where they are unknown. */
export const writeExtra = (
  writer: JsonWriter,
  name: Uint8Array,
  amounts: ExtraAmounts | undefined,
  unknown: 'null' | '{}',
): void => {
  if (amounts === undefined) writer.name(name).open().close()
  else writer.json(name, amounts === 'unknown' ? unknown : JSON.stringify(amounts))
}

/** On-chain token content: texts by TEP-64 name. */
export const TokenContentView = Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])

/** The index stores texts only. */
export const toTokenContentView = (content: unknown): Record<string, string> | null =>
  content === undefined ? null : (content as Record<string, string>)

/** Stored cells as the bag of cells of code and data: without a checksum. */
export const stateBocText = (packed: Uint8Array): string =>
  readPacked(packed, (cell) => toBase64(encodeBoc([cell], PLAIN_BOC)))

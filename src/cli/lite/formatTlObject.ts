import { type TlFieldDescription, tlSchema } from '../../codec/tl/tlObject.ts'
import type { TlKind, TlObject } from '../../codec/tl/tlTypes.ts'
import { toHex } from '../../primitives/hex.ts'
import { formatShard } from '../../primitives/shard.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * An object of TL as JSON, by the names of the schema: bytes and hashes in hex, shards in 16 hex digits, other 64-bit
 * numbers as decimal text, accounts as raw addresses. `@type` says which constructor it is where that may be asked.
 */
export const formatTlObject = (object: TlObject): Fields => formatFields(object.kind, object, true)

const formatFields = (kind: TlKind, object: Fields, isNamed: boolean): Fields => {
  const entries = tlSchema[kind].fields.flatMap((field): [string, unknown][] => {
    const value = object[field.key]
    return value === undefined ? [] : [[field.name, formatField(field, value)]]
  })
  return Object.fromEntries([...(isNamed ? [['@type', kind]] : []), ...entries])
}

const formatField = (field: TlFieldDescription, value: unknown): unknown =>
  field.isVector ? (value as readonly unknown[]).map((item) => formatValue(field, item)) : formatValue(field, value)

const formatValue = ({ type }: TlFieldDescription, value: unknown): unknown => {
  switch (type) {
    case 'int':
    case '#':
    case 'double':
    case 'string':
    case 'Bool':
    case 'true':
      return value
    case 'long':
      return String(value)
    case 'shard':
      return formatShard(value as bigint)
    case 'int128':
    case 'int256':
    case 'bytes':
      return toHex(value as Uint8Array)
    case 'liteServer.accountId': {
      const { workchain, id } = value as { readonly workchain: number; readonly id: Uint8Array }
      return `${workchain}:${toHex(id)}`
    }
    case 'union':
      return formatTlObject(value as TlObject)
    default:
      return formatFields(type, value as Fields, false)
  }
}

import { type RawBuilder, sql } from 'kysely'
import type { MessageFilter } from './messageRecord.ts'
import type { Condition } from './sql.ts'
import { accountOpcodePart, addressPart, bodyPart } from './sql.ts'

type Part = RawBuilder<unknown>

/** Filters with an index by creation order. */
type FilterKey = 'body' | 'source' | 'destination' | 'opcode'

/** Two filters with one index by creation order: each may match very many messages, and both together hardly any. */
const DESTINATION_OPCODE = ['destination', 'opcode'] as const satisfies readonly FilterKey[]

/** Keys with an index by creation order; `lt` for the order alone. */
export type MessageKey = FilterKey | 'destinationOpcode' | 'lt'

/** Filters of a search with an index, usually most selective first. */
export const filterKeysOf = ({ bodyHash, source, destination, opcode }: MessageFilter): FilterKey[] => [
  ...(bodyHash === undefined ? [] : (['body'] as const)),
  ...(source instanceof Uint8Array ? (['source'] as const) : []),
  ...(destination instanceof Uint8Array ? (['destination'] as const) : []),
  ...(opcode === undefined ? [] : (['opcode'] as const)),
]

/** The keys that a search may be led by: the pair, or its filters, and the others. A pair has fewer messages than either of its filters. */
export const messageKeysOf = (filter: MessageFilter): MessageKey[] => {
  const keys = filterKeysOf(filter)
  if (!DESTINATION_OPCODE.every((key) => keys.includes(key))) return keys
  return [...keys.filter((key) => !isPaired(key)), 'destinationOpcode']
}

const isPaired = (key: FilterKey): boolean => DESTINATION_OPCODE.some((each) => each === key)

type KeyParts = { readonly column: Part; readonly value: Part; readonly present: readonly Condition[] }

/** The indexed form of a key, and the same of the filter value. `serves` names the filters that its messages match. */
export type IndexedKey = KeyParts & { readonly serves: readonly FilterKey[] }

/** The key as indexed in a table. Few messages to one destination are not received yet: these have no index of the pair. */
export const indexedKeyOf = (filter: MessageFilter, by: Exclude<MessageKey, 'lt'>, table: 't' | 'u'): IndexedKey => {
  if (by !== 'destinationOpcode') return { ...filterKeyOf(filter, by, table), serves: [by] }
  if (table === 'u') return { ...filterKeyOf(filter, 'destination', table), serves: ['destination'] }
  const { destination, opcode } = filter
  return {
    column: accountOpcodePart(sql`t.account`, sql`t.in_opcode`),
    value: accountOpcodePart(sql`${sql.val(destination)}::bytea`, sql`${sql.val(opcode)}`),
    present: [sql<boolean>`t.in_opcode is not null`],
    serves: DESTINATION_OPCODE,
  }
}

const filterKeyOf = (filter: MessageFilter, by: FilterKey, table: 't' | 'u'): KeyParts => {
  const isReceived = table === 't'
  const plain = (name: string, asked: unknown): KeyParts => {
    const column = sql`${sql.ref(name)}`
    return { column, value: sql`${sql.val(asked)}`, present: [sql<boolean>`${column} is not null`] }
  }
  const address = (name: string, asked: unknown): KeyParts => ({
    column: addressPart(sql.ref(name)),
    value: addressPart(sql`${sql.val(asked)}::bytea`),
    present: [],
  })
  switch (by) {
    case 'opcode':
      return plain(isReceived ? 't.in_opcode' : 'u.opcode', filter.opcode)
    case 'body': {
      const { bodyHash } = filter
      return {
        column: bodyPart(sql.ref(isReceived ? 't.in_body_hash' : 'u.body_hash')),
        value: bodyPart(sql`${sql.val(bodyHash === 'empty' ? null : bodyHash)}::bytea`),
        present: isReceived ? [sql<boolean>`t.in_hash is not null`] : [],
      }
    }
    case 'source':
      return isReceived ? address('t.in_source', filter.source) : plain('u.account', filter.source)
    case 'destination':
      return isReceived ? address('t.account', filter.destination) : plain('u.destination', filter.destination)
  }
}

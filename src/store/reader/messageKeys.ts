import { type RawBuilder, sql } from 'kysely'
import type { MessageFilter } from './messageRecord.ts'
import type { Condition } from './sql.ts'
import { accountsPart, addressPart, bodyPart } from './sql.ts'

type Part = RawBuilder<unknown>

/** Filters with an index by creation order. */
type FilterKey = 'body' | 'source' | 'destination' | 'opcode'

/**
 * Pairs of filters with an index by creation order: each may match very many messages, and both together hardly any. A body has one
 * opcode, and accounts with very many messages of one body are rare.
 */
const pairs = {
  sourceOpcode: ['source', 'opcode'],
  destinationOpcode: ['destination', 'opcode'],
  destinationSource: ['destination', 'source'],
} as const satisfies Readonly<Record<string, readonly [FilterKey, FilterKey]>>

type PairKey = keyof typeof pairs

/** Keys with an index by creation order; `lt` for the order alone. */
export type MessageKey = FilterKey | PairKey | 'lt'

/** Filters of a search with an index, usually most selective first. */
export const filterKeysOf = ({ bodyHash, source, destination, opcode }: MessageFilter): FilterKey[] => [
  ...(bodyHash === undefined ? [] : (['body'] as const)),
  ...(source instanceof Uint8Array ? (['source'] as const) : []),
  ...(destination instanceof Uint8Array ? (['destination'] as const) : []),
  ...(opcode === undefined ? [] : (['opcode'] as const)),
]

/** The keys that a search may be led by: pairs, and filters that are in no pair. A pair has fewer messages than either of its filters. */
export const messageKeysOf = (filter: MessageFilter): MessageKey[] => {
  const keys = filterKeysOf(filter)
  const paired = (Object.keys(pairs) as PairKey[]).filter((name) => pairs[name].every((key) => keys.includes(key)))
  const isPaired = (key: FilterKey): boolean => paired.some((name) => servedBy(name).includes(key))
  return [...keys.filter((key) => !isPaired(key)), ...paired]
}

const servedBy = (name: PairKey): readonly FilterKey[] => pairs[name]

type KeyParts = { readonly column: Part; readonly value: Part; readonly present: readonly Condition[] }

/** The indexed form of a key, and the same of the filter value. `serves` names the filters that its messages match. */
export type IndexedKey = KeyParts & { readonly serves: readonly FilterKey[] }

/** The key as indexed in a table. */
export const indexedKeyOf = (filter: MessageFilter, by: FilterKey | PairKey, table: 't' | 'u'): IndexedKey => {
  if (!isPair(by)) return { ...filterKeyOf(filter, by, table), serves: [by] }
  const pair = pairKeyOf(filter, by, table)
  if (pair !== undefined) return { ...pair, serves: pairs[by] }
  const [first] = pairs[by]
  return { ...filterKeyOf(filter, first, table), serves: [first] }
}

const isPair = (by: FilterKey | PairKey): by is PairKey => by in pairs

/** `undefined` if the table has no index of the pair: few messages to one destination are not received yet. */
const pairKeyOf = (filter: MessageFilter, by: PairKey, table: 't' | 'u'): KeyParts | undefined => {
  const { source, destination, opcode } = filter
  const given = (account: unknown): Part => sql`${sql.val(account)}::bytea`
  const withOpcode = (account: Part, column: Part, asked: unknown): KeyParts => ({
    column: accountsPart([account], sql`${column}::bigint`),
    value: accountsPart([given(asked)], sql`${sql.val(opcode)}::bigint`),
    present: [sql<boolean>`${column} is not null`],
  })
  if (table === 'u') return by === 'sourceOpcode' ? withOpcode(sql`u.account`, sql`u.opcode`, source) : undefined
  switch (by) {
    case 'sourceOpcode':
      return withOpcode(sql`t.in_source`, sql`t.in_opcode`, source)
    case 'destinationOpcode':
      return withOpcode(sql`t.account`, sql`t.in_opcode`, destination)
    case 'destinationSource':
      return {
        column: accountsPart([sql`t.account`, sql`t.in_source`], sql`0`),
        value: accountsPart([given(destination), given(source)], sql`0`),
        present: [],
      }
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

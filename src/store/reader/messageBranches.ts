import { type RawBuilder, sql } from 'kysely'
import {
  type Bounds,
  isReceivedWithin,
  isUnreceivedWithin,
  type MessageRow,
  type MessagesQuestion,
  messageConditions,
  placesOf,
  receivedSelection,
  unreceivedSelection,
} from './messageRecord.ts'
import { anyLt, type Page } from './page.ts'
import type { Condition } from './sql.ts'
import { addressPart, bodyPart, hashPart } from './sql.ts'
import { cutTo, limitTo, unindexed, whereAll } from './walkedQuery.ts'

/** The logical time of messages from outside, which have none: after all others. */
export const NO_LT = anyLt.to

/** Where a page goes on: after a message that was made at this time or logical time. */
export type MessagePlace = { readonly made: bigint | number; readonly hash: Uint8Array }

type Conditions = readonly Condition[]

/** What messages can be found by, in the order of their making; `lt` where nothing but that order is asked for. */
export type MessageKey = 'body' | 'source' | 'destination' | 'opcode' | 'lt'

/** How the messages of a page are found. */
export type Lead =
  /** All of which one of these conditions holds, and no two, are collected and sorted: they are not many. */
  | { readonly kind: 'collected'; readonly received: Conditions; readonly unreceived: Conditions }
  /** By the index of a key. So many are looked at for those of which all else holds that is asked; all where it is `undefined`. */
  | { readonly kind: 'walked'; readonly by: MessageKey; readonly length: number | undefined }

/** What the messages of one page are looked for by. */
export type Search = {
  readonly question: MessagesQuestion
  readonly bounds: Bounds
  readonly lead: Lead
  readonly order: 'lt' | 'time'
  /** Where the page begins, and in which order that is a place. */
  readonly after: MessagePlace | undefined
  readonly afterOrder: 'lt' | 'time'
  /** How many of the first ones are wanted. */
  readonly depth: number
}

type Columns = { readonly lt: string; readonly time: string; readonly hash: string }

const receivedColumns: Columns = { lt: 't.in_created_lt', time: 't.in_created_at', hash: 't.in_hash' }
const unreceivedColumns: Columns = { lt: 'u.created_lt', time: 'u.created_at', hash: 'u.hash' }

type Part = RawBuilder<unknown>

/** A key as an index has it, and the same of the value that is asked for. */
type IndexedKey = { readonly column: Part; readonly value: Part; readonly present: Conditions }

/** As the indexes of a table have the key. `undefined` where they are by logical time alone. */
const keyOf = ({ question, lead }: Search, table: 't' | 'u'): IndexedKey | undefined => {
  if (lead.kind === 'collected') return undefined
  const { by } = lead
  const isReceived = table === 't'
  const plain = (name: string, asked: unknown): IndexedKey => {
    const column = sql`${sql.ref(name)}`
    return { column, value: sql`${sql.val(asked)}`, present: [sql<boolean>`${column} is not null`] }
  }
  const address = (name: string, asked: unknown): IndexedKey => ({
    column: addressPart(sql.ref(name)),
    value: addressPart(sql`${sql.val(asked)}::bytea`),
    present: [],
  })
  switch (by) {
    case 'lt':
      return undefined
    case 'opcode':
      return plain(isReceived ? 't.in_opcode' : 'u.opcode', question.opcode)
    case 'body': {
      const { bodyHash } = question
      return {
        column: bodyPart(sql.ref(isReceived ? 't.in_body_hash' : 'u.body_hash')),
        value: bodyPart(sql`${sql.val(bodyHash === 'empty' ? null : bodyHash)}::bytea`),
        present: isReceived ? [sql<boolean>`t.in_hash is not null`] : [],
      }
    }
    case 'source':
      return isReceived ? address('t.in_source', question.source) : plain('u.account', question.source)
    case 'destination':
      return isReceived ? address('t.account', question.destination) : plain('u.destination', question.destination)
  }
}

const isAfter = ({ after, afterOrder, question }: Search, columns: Columns): Condition[] => {
  if (after === undefined) return []
  const sign = sql.raw(question.direction === 'asc' ? '>' : '<')
  const refs = sql`${sql.ref(columns[afterOrder])}, ${sql.ref(columns.hash)}`
  return [sql<boolean>`(${refs}) ${sign} (${sql.val(after.made)}, ${sql.val(after.hash)})`]
}

const inOrder = (search: Search, columns: Columns, key: IndexedKey | undefined): Part => {
  const { order, question } = search
  const direction = sql.raw(question.direction)
  const first = key === undefined || order === 'time' ? sql`` : sql`${key.column} ${direction}, `
  return sql`order by ${first}${sql.ref(columns[order])} ${direction}, ${sql.ref(columns.hash)} ${direction}`
}

/**
 * Messages with a key within a window. By a range, though it is one: of an equality the server knows that it does not matter for
 * the order, and then it may go through all messages in search of one that is rare, or sort all that a busy key has.
 */
const isOfKey = (search: Search, { column, value, present }: IndexedKey, lt: string): Condition[] => {
  const { from, to } = ltOf(search)
  const place = sql`(${column}, ${sql.ref(lt)})`
  return [
    ...present,
    sql<boolean>`${place} >= (${value}, ${sql.val(from)})`,
    sql<boolean>`${place} <= (${value}, ${sql.val(to)})`,
  ]
}

/** The logical times of a search, also by where its page begins. */
const ltOf = ({ question, bounds, after, afterOrder }: Search): Bounds['lt'] => {
  if (after === undefined || afterOrder !== 'lt') return bounds.lt
  const made = BigInt(after.made)
  const { from, to } = bounds.lt
  return question.direction === 'asc' ? { from: made > from ? made : from, to } : { from, to: made < to ? made : to }
}

/** Rows of one of the tables, and what is asked of them: what an index in their order serves, and what is looked at row by row. */
type Rows = {
  readonly table: Part
  readonly name: 't' | 'u'
  readonly within: Conditions
  readonly kept: Conditions
  readonly by: Part
}

const collect = ({ table, name, within, kept }: Rows, led: Conditions): Part => {
  const all = sql.join(
    led.map((condition) => sql`select * from ${table} where ${condition}`),
    sql` union all `,
  )
  return sql`(${all} offset 0) as ${sql.table(name)} ${whereAll([...within, ...kept])}`
}

const walk = ({ table, name, within, kept, by }: Rows, length: number | undefined): Part =>
  kept.length === 0 || length === undefined
    ? sql`${table} ${whereAll([...within, ...kept.map(unindexed)])}`
    : sql`(select * from ${table} ${whereAll(within)} ${by} limit ${sql.val(length)}) as ${sql.table(name)} ${whereAll(kept)}`

/** What holds for nearly all that the index leads to, and what has to be looked at row by row. */
const splitConditions = (search: Search, table: 't' | 'u'): { easy: Conditions; kept: Conditions } => {
  const { lead, question } = search
  // Most are of the kind that is asked for.
  const { kinds, ...others } = messageConditions(question, table)
  if (lead.kind === 'collected') return { easy: kinds, kept: Object.values(others).flat() }
  const entries = Object.entries(others)
  return {
    easy: [
      ...(lead.by === 'lt' ? kinds : kinds.map(unindexed)),
      ...entries.flatMap(([name, own]) => (name === lead.by ? own.map(unindexed) : [])),
    ],
    kept: entries.flatMap(([name, own]) => (name === lead.by ? [] : own)),
  }
}

const insideRows = (search: Search, name: 't' | 'u'): Rows => {
  const { bounds } = search
  const isReceived = name === 't'
  const columns = isReceived ? receivedColumns : unreceivedColumns
  const key = keyOf(search, name)
  // The range of a key has the window in it. By itself it would have the server take the index of logical times.
  const window = key === undefined ? bounds : { lt: anyLt, time: bounds.time }
  const { easy, kept } = splitConditions(search, name)
  return {
    table: isReceived ? sql`transactions as t` : sql`unreceived_messages as u`,
    name,
    within: [
      ...(isReceived ? isReceivedWithin(window) : isUnreceivedWithin(window)),
      ...(key === undefined ? [] : isOfKey(search, key, columns.lt)),
      ...easy,
      ...isAfter(search, columns),
    ],
    kept,
    by: inOrder(search, columns, key),
  }
}

const isExternal: Conditions = [sql<boolean>`t.in_created_lt is null`, sql<boolean>`t.in_hash is not null`]

/** Those from outside, by their hashes. */
const externalRows = (search: Search): Rows => {
  const { question, after } = search
  const direction = sql.raw(question.direction)
  const key = externalKeyOf(search)
  const { easy, kept } = splitConditions(search, 't')
  const first = key === undefined ? sql`` : sql`${key.column} ${direction}, `
  return {
    table: isByBody(search) ? externalsOfBody(search) : sql`transactions as t`,
    name: 't',
    within: [
      ...isExternal,
      ...(key === undefined ? [] : isOfExternalKey(question, key, after)),
      ...isAfterExternal(question, after),
      ...easy,
    ],
    kept,
    by: sql`order by ${first}${hashPart(sql`t.in_hash`)} ${direction}, t.in_hash ${direction}, t.lt desc`,
  }
}

const isByBody = ({ lead }: Search): boolean => lead.kind === 'walked' && lead.by === 'body'

/** No index has those of a body by hash. Whoever signs a message makes a body of its own, so they are few. */
const externalsOfBody = (search: Search): Part => {
  const { column, value } = keyOf(search, 't')!
  const conditions = [...isExternal, sql<boolean>`${column} = ${value}`]
  return sql`(select * from transactions as t ${whereAll(conditions)} offset 0) as t`
}

/** The key of an index that has those from outside by their hashes. */
const externalKeyOf = (search: Search): IndexedKey | undefined => (isByBody(search) ? undefined : keyOf(search, 't'))

const isAfterExternal = ({ direction }: MessagesQuestion, after: MessagePlace | undefined): Condition[] => {
  if (after === undefined || after.made !== NO_LT) return []
  const sign = sql.raw(direction === 'asc' ? '>' : '<')
  const part = hashPart(sql`${sql.val(after.hash)}::bytea`)
  return [
    sql<boolean>`${hashPart(sql`t.in_hash`)} ${sign}= ${part}`,
    sql<boolean>`t.in_hash ${sign} ${sql.val(after.hash)}`,
  ]
}

const [LOWEST_HASH, HIGHEST_HASH] = [new Uint8Array(32), new Uint8Array(32).fill(0xff)]

/** As {@link isOfKey}, by hash. */
const isOfExternalKey = (
  { direction }: MessagesQuestion,
  { column, value, present }: IndexedKey,
  after: MessagePlace | undefined,
): Condition[] => {
  const place = sql`(${column}, ${hashPart(sql`t.in_hash`)})`
  const reached = after === undefined || after.made !== NO_LT ? undefined : after.hash
  const low = (direction === 'asc' ? reached : undefined) ?? LOWEST_HASH
  const high = (direction === 'desc' ? reached : undefined) ?? HIGHEST_HASH
  return [
    ...present,
    sql<boolean>`${place} >= (${value}, ${hashPart(sql`${sql.val(low)}::bytea`)})`,
    sql<boolean>`${place} <= (${value}, ${hashPart(sql`${sql.val(high)}::bytea`)})`,
  ]
}

const branch = (search: Search, name: 't' | 'u'): Part => {
  const { lead, depth } = search
  const rows = insideRows(search, name)
  const selection = name === 't' ? receivedSelection : unreceivedSelection
  const from =
    lead.kind === 'collected' ? collect(rows, name === 't' ? lead.received : lead.unreceived) : walk(rows, lead.length)
  return sql`(select ${selection} from ${from} ${rows.by} limit ${sql.val(depth)})`
}

/** More than any table has. */
const EVERY = 2n ** 62n

/**
 * By their hashes. One that several transactions received is listed with the last of them. The rows are put in order before they are told
 * apart, with a limit that limits nothing: servers before 16 would for `distinct on` sort all there are, and a limit has the order
 * come from the index.
 */
const externalBranch = (search: Search): Part => {
  const { question, lead, depth } = search
  const rows = externalRows(search)
  const from = lead.kind === 'collected' ? collect(rows, lead.received) : walk(rows, lead.length)
  const key = externalKeyOf(search)
  const direction = sql.raw(question.direction)
  const parts = sql`${key === undefined ? sql`` : sql`${key.column} as key_part, `}${hashPart(sql`t.in_hash`)} as hash_part`
  const ordered = sql`select t.*, ${parts} from ${from} ${rows.by} limit ${sql.val(EVERY)}`
  const columns = [...(key === undefined ? [] : [sql`t.key_part`]), sql`t.hash_part`, sql`t.in_hash`]
  const by = sql`order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))}, t.lt desc`
  return sql`(select distinct on (${sql.join(columns)}) ${receivedSelection} from (${ordered}) as t ${by} limit ${sql.val(depth)})`
}

/** The first messages of a search, from wherever they are kept; `undefined` where there cannot be any. */
export const searchQuery = (search: Search): Part | undefined => {
  const branches = branchesOf(search).map((name) =>
    name === 'external' ? externalBranch(search) : branch(search, name),
  )
  return branches.length === 0 ? undefined : sql.join(branches, sql` union all `)
}

const branchesOf = ({ question, order, after }: Search): ('t' | 'u' | 'external')[] => {
  const { received, external, unreceived } = placesOf(question)
  const hasInside = after?.made !== NO_LT || question.direction === 'desc'
  const hasOutside = after === undefined || after.made === NO_LT || question.direction === 'asc'
  return [
    ...(received && hasInside ? (['t'] as const) : []),
    ...(unreceived && hasInside ? (['u'] as const) : []),
    ...(external && order === 'lt' && hasOutside ? (['external'] as const) : []),
  ]
}

/** A page of what a search finds. */
export const messagesPageQuery = (search: Search, page: Page): RawBuilder<MessageRow> | undefined => {
  const found = searchQuery(search)
  if (found === undefined) return undefined
  const direction = sql.raw(search.question.direction)
  const made = search.order === 'time' ? sql`m.created_at` : sql`coalesce(m.created_lt, ${sql.lit(NO_LT)})`
  return sql<MessageRow>`select m.* from (${found}) as m order by ${made} ${direction}, m.hash ${direction} ${cutTo(page)}`
}

/** Finds something where the walks of a search were not long enough. */
export const searchEndQuery = (search: Search): RawBuilder<{ one: number }> | undefined => {
  const { lead } = search
  if (lead.kind === 'collected' || lead.length === undefined) return undefined
  const { length } = lead
  const walks = branchesOf(search)
    .map((name) => (name === 'external' ? externalRows(search) : insideRows(search, name)))
    .filter(({ kept }) => kept.length > 0)
  if (walks.length === 0) return undefined
  const ends = walks.map(
    ({ table, within, by }) => sql`(select 1 as one from ${table} ${whereAll(within)} ${by} ${limitTo(1, length)})`,
  )
  return sql<{ one: number }>`${sql.join(ends, sql` union all `)}`
}

/** How many messages a key leads to, counted no further than `most`. */
export const keyCountQuery = (search: Search, most: number): RawBuilder<{ count: bigint }> => {
  const counts = branchesOf(search).map((name) => {
    const { table, within, by } = name === 'external' ? externalRows(search) : insideRows(search, name)
    return sql`(select count(*) from (select 1 from ${table} ${whereAll(within)} ${by} limit ${sql.val(most)}) as found)`
  })
  return sql<{ count: bigint }>`select ${counts.length === 0 ? sql`0::bigint` : sql.join(counts, sql` + `)} as count`
}

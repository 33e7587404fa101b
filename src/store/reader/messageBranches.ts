import { type RawBuilder, sql } from 'kysely'
import { type Sender, sentByText } from './findSentMessages.ts'
import { type MessageRow, receivedNames, receivedSelection, unreceivedSelection } from './MessageRow.ts'
import {
  type Bounds,
  isReceivedWithin,
  isUnreceivedWithin,
  type MessagesQuestion,
  messageConditions,
  placesOf,
  sendersWindow,
} from './MessagesQuestion.ts'
import type { Page } from './page.ts'
import type { TransactionRow } from './TransactionRecord.ts'
import type { Condition } from './TransactionsQuestion.ts'
import { isWithinLt } from './TransactionsQuestion.ts'
import { anyLt, type LtWindow } from './timeWindow.ts'
import { cutTo, MAX_WALKED, whereAll } from './walkedQuery.ts'

/** The logical time of messages from outside, which have none: after all others. */
export const NO_LT = anyLt.to

/** Where a page goes on: after a message that was made at this time or logical time. */
export type MessagePlace = { readonly made: bigint | number; readonly hash: Uint8Array }

type Conditions = readonly Condition[]

/** How the messages of a page are found. */
export type Lead =
  /** All of which one of these conditions holds, and no two, are collected and sorted: they are not many. */
  | { readonly kind: 'collected'; readonly received: Conditions; readonly unreceived: Conditions }
  /** From the transactions of their source. */
  | { readonly kind: 'sent' }
  /** From so many transactions of their destination. */
  | { readonly kind: 'arrived'; readonly length: number }
  /** By an index in the order of logical times, or in that of hashes for those from outside unless those are collected. */
  | { readonly kind: 'walked'; readonly external?: Conditions | undefined }

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

type Columns = { readonly lt: string; readonly time: string; readonly hash: string; readonly opcode: string }

const receivedColumns: Columns = {
  lt: 't.in_created_lt',
  time: 't.in_created_at',
  hash: 't.in_hash',
  opcode: 't.in_opcode',
}
const unreceivedColumns: Columns = { lt: 'u.created_lt', time: 'u.created_at', hash: 'u.hash', opcode: 'u.opcode' }
const sentColumns: Columns = { lt: 'm.created_lt', time: 'm.created_at', hash: 'm.hash', opcode: 'm.opcode' }

/** So many transactions of a source are looked at for messages that are as asked for. */
const MAX_SENDERS = 2000

/** No message is under way for longer than this, in logical time: some forty minutes of the main network. */
export const MAX_UNDERWAY = 1_000_000_000n

const isAfter = ({ after, afterOrder, question }: Search, columns: Columns): Condition[] => {
  if (after === undefined) return []
  const sign = sql.raw(question.direction === 'asc' ? '>' : '<')
  const refs = sql`${sql.ref(columns[afterOrder])}, ${sql.ref(columns.hash)}`
  return [sql<boolean>`(${refs}) ${sign} (${sql.val(after.made)}, ${sql.val(after.hash)})`]
}

const inOrder = (search: Search, columns: Columns): RawBuilder<unknown> => {
  const { order, question } = search
  const direction = sql.raw(question.direction)
  const first = isByOpcode(search) ? sql`${sql.ref(columns.opcode)} ${direction}, ` : sql``
  return sql`order by ${first}${sql.ref(columns[order])} ${direction}, ${sql.ref(columns.hash)} ${direction}`
}

const isByOpcode = ({ question, lead }: Search): boolean => question.opcode !== undefined && lead.kind === 'walked'

/**
 * Messages with an opcode within a window. By a range, though it is one: of an equality the server knows that it does not matter for
 * the order, and then it may go through all messages in search of one that is rare.
 */
const isOfOpcode = (search: Search, columns: Columns): Condition[] => {
  const { from, to } = ltOf(search)
  const { opcode } = search.question
  const [name, lt] = [sql.ref(columns.opcode), sql.ref(columns.lt)]
  return [
    sql<boolean>`${name} is not null`,
    sql<boolean>`(${name}, ${lt}) >= (${sql.val(opcode)}, ${sql.val(from)})`,
    sql<boolean>`(${name}, ${lt}) <= (${sql.val(opcode)}, ${sql.val(to)})`,
  ]
}

/** Rows of one of the tables, and what is asked of them: what an index in their order serves, and what is looked at row by row. */
type Rows = {
  readonly table: RawBuilder<unknown>
  readonly name: 't' | 'u'
  readonly within: Conditions
  readonly kept: Conditions
}

const collect = ({ table, name, within, kept }: Rows, led: Conditions): RawBuilder<unknown> => {
  const all = sql.join(
    led.map((condition) => sql`select * from ${table} where ${condition}`),
    sql` union all `,
  )
  return sql`(${all} offset 0) as ${sql.table(name)} ${whereAll([...within, ...kept])}`
}

const walk = ({ table, name, within, kept }: Rows, by: RawBuilder<unknown>): RawBuilder<unknown> =>
  kept.length === 0
    ? sql`${table} ${whereAll(within)}`
    : sql`(select * from ${table} ${whereAll(within)} ${by} limit ${sql.val(MAX_WALKED)}) as ${sql.table(name)} ${whereAll(kept)}`

const receivedRows = (search: Search): Rows => {
  const { question, bounds, lead } = search
  // Most are of the kind that is asked for.
  const { opcode, kinds, ...others } = messageConditions(question, 't')
  const table = lead.kind === 'arrived' ? arrivedRows(search) : sql`transactions as t`
  const asked = isByOpcode(search) ? isOfOpcode(search, receivedColumns) : opcode
  const within = [...isReceivedWithin(bounds), ...asked, ...kinds, ...isAfter(search, receivedColumns)]
  return { table, name: 't', within, kept: Object.values(others).flat() }
}

const unreceivedRows = (search: Search): Rows => {
  const { question, bounds } = search
  const { opcode, destination, kinds, ...others } = messageConditions(question, 'u')
  const ofOpcode = isByOpcode(search) ? isOfOpcode(search, unreceivedColumns) : opcode
  const asked = [...ofOpcode, ...destination, ...kinds]
  const within = [...isUnreceivedWithin(bounds), ...asked, ...isAfter(search, unreceivedColumns)]
  return { table: sql`unreceived_messages as u`, name: 'u', within, kept: Object.values(others).flat() }
}

const externalRows = ({ question, after }: Search): Rows => {
  const sign = sql.raw(question.direction === 'asc' ? '>' : '<')
  const place: Condition[] =
    after === undefined || after.made !== NO_LT
      ? []
      : [
          sql<boolean>`substring(t.in_hash from 1 for 8) ${sign}= substring(${sql.val(after.hash)}::bytea from 1 for 8)`,
          sql<boolean>`t.in_hash ${sign} ${sql.val(after.hash)}`,
        ]
  const within = [sql<boolean>`t.in_created_lt is null`, sql<boolean>`t.in_hash is not null`, ...place]
  const kept = Object.values(messageConditions(question, 't')).flat()
  return { table: sql`transactions as t`, name: 't', within, kept }
}

const branch = (search: Search, rows: Rows, columns: Columns, selection: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { lead, depth } = search
  const by = inOrder(search, columns)
  const from =
    lead.kind === 'collected' ? collect(rows, rows.name === 't' ? lead.received : lead.unreceived) : walk(rows, by)
  return sql`(select ${selection} from ${from} ${by} limit ${sql.val(depth)})`
}

/** By their hashes. One that several transactions received is listed with the last of them. */
const externalBranch = (search: Search): RawBuilder<unknown> => {
  const { lead, depth, question } = search
  const rows = externalRows(search)
  const direction = sql.raw(question.direction)
  const by = sql`order by substring(t.in_hash from 1 for 8) ${direction}, t.in_hash ${direction}, t.lt desc`
  const led = lead.kind === 'collected' ? lead.received : lead.kind === 'walked' ? lead.external : undefined
  const from = led === undefined ? walk(rows, by) : collect(rows, led)
  return sql`(select distinct on (substring(t.in_hash from 1 for 8), t.in_hash) ${receivedSelection} from ${from} ${by} limit ${sql.val(depth)})`
}

/** What the transactions of one account sent. The order of the transactions is that of their messages. */
const sentBranch = (search: Search): RawBuilder<unknown> => {
  const { question, bounds, order, depth } = search
  const { side } = question
  const { source: _source, ...asked } = messageConditions(question, 'm')
  const kept: Condition[] = [
    ...isWithinLt('m.created_lt', bounds.lt),
    ...(bounds.time.from === undefined ? [] : [sql<boolean>`m.created_at >= ${sql.val(bounds.time.from)}`]),
    ...(bounds.time.to === undefined ? [] : [sql<boolean>`m.created_at <= ${sql.val(bounds.time.to)}`]),
    ...Object.values(asked).flat(),
    ...(side === 'in' ? [sql<boolean>`m.received_by is not null`] : []),
    ...isAfter(search, sentColumns),
  ]
  const direction = sql.raw(question.direction)
  const by =
    order === 'time'
      ? inOrder(search, sentColumns)
      : sql`order by s.account ${direction}, s.lt ${direction}, m.created_lt ${direction}, m.hash ${direction}`
  const senders = sendersQuery(search, sql`s.account, s.lt, s.out_count::integer as out_count, s.mc_seqno`)
  return sql`(select m.* from (${senders} limit ${sql.val(MAX_SENDERS)}) as s
    cross join lateral (${sql.raw(sentByText('2147483647'))}) as m ${whereAll(kept)} ${by} limit ${sql.val(depth)})`
}

/** The logical times of a search, also by where its page begins. */
const ltOf = ({ question, bounds, after, afterOrder }: Search): Bounds['lt'] => {
  if (after === undefined || afterOrder !== 'lt') return bounds.lt
  const made = BigInt(after.made)
  const { from, to } = bounds.lt
  return question.direction === 'asc' ? { from: made > from ? made : from, to } : { from, to: made < to ? made : to }
}

/**
 * The transactions of an account within a window. By a range, though it is one account: of an equality the server may think that it is
 * best to fetch all there are and sort them, and some have millions.
 */
const isOfAccount = (name: 's' | 't', account: unknown, { from, to }: LtWindow): Condition[] => {
  const place = sql`(${sql.ref(`${name}.account`)}, ${sql.ref(`${name}.lt`)})`
  return [
    sql<boolean>`${place} >= (${sql.val(account)}, ${sql.val(from)})`,
    sql<boolean>`${place} <= (${sql.val(account)}, ${sql.val(to)})`,
  ]
}

/** The first transactions of the source that sent anything, in the order of what they sent. */
export const firstSendersQuery = (search: Search, length: number): RawBuilder<SendingRow> =>
  sql<SendingRow>`${sendersQuery(search, sql`s.account, s.lt, s.out_count, s.mc_seqno, s.hash, s.trace_id`)} limit ${sql.val(length)}`

/** A transaction that sent messages. */
export type SendingRow = Sender & Pick<TransactionRow, 'hash'>

const sendersQuery = (search: Search, selection: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { source, direction } = search.question
  const conditions = [...isOfAccount('s', source, sendersWindow(ltOf(search))), sql<boolean>`s.out_count > 0`]
  const by = sql.raw(direction)
  return sql`select ${selection} from transactions as s ${whereAll(conditions)} order by s.account ${by}, s.lt ${by}`
}

/** What is read of the transactions of a destination. */
const arrivedSelection = sql.raw(['t.lt', ...receivedNames].join(', '))

/** Transactions of the destination, of which what they received is taken. They are later than that, and not by much. */
const arrivedQuery = (search: Search, selection: RawBuilder<unknown>): RawBuilder<unknown> => {
  const { question, lead } = search
  const { from, to } = ltOf(search)
  const window = { from, to: to > NO_LT - MAX_UNDERWAY ? NO_LT : to + MAX_UNDERWAY }
  const conditions = isOfAccount('t', question.destination, window)
  const by = sql.raw(question.direction)
  const length = lead.kind === 'arrived' ? lead.length : MAX_WALKED
  return sql`select ${selection} from transactions as t ${whereAll(conditions)} order by t.account ${by}, t.lt ${by} limit ${sql.val(length)}`
}

/** So few rows are kept while a statement runs, and looked at twice. */
const MAX_KEPT = 500

/** Whether a page of what arrived tells how far it looked. */
export const tellsExtent = ({ lead }: Search): boolean => lead.kind === 'arrived' && lead.length <= MAX_KEPT

const arrivedRows = (search: Search): RawBuilder<unknown> =>
  tellsExtent(search) ? sql`arrived as t` : sql`(${arrivedQuery(search, sql`t.*`)}) as t`

/** How many transactions of the destination were looked at, and how far they go. */
export type Extent = { readonly count: bigint; readonly lowest: bigint | null; readonly highest: bigint | null }

export const arrivedExtentQuery = (search: Search): RawBuilder<Extent> =>
  sql<Extent>`select count(*) as count, min(t.lt) as lowest, max(t.lt) as highest from (${arrivedQuery(search, sql`t.lt`)}) as t`

const extentColumns = sql.raw(
  ', (select count(*) from arrived) as count, (select min(lt) from arrived) as lowest, (select max(lt) from arrived) as highest',
)

/** A page of what such transactions received, each row with how far they go where {@link tellsExtent} says so. */
export const arrivedPageQuery = (search: Search, page: Page): RawBuilder<MessageRow & Partial<Extent>> | undefined => {
  if (!tellsExtent(search)) return messagesPageQuery(search, page)
  const messages = pageQuery(search, page, extentColumns)
  return messages && sql`with arrived as materialized (${arrivedQuery(search, arrivedSelection)}) ${messages}`
}

/** The first messages of a search, from wherever they are kept; `undefined` where there cannot be any. */
export const searchQuery = (search: Search): RawBuilder<unknown> | undefined => {
  const { question, lead, order, after } = search
  const { received, external, unreceived } = placesOf(question)
  if (lead.kind === 'sent') return received || unreceived ? sentBranch(search) : undefined
  const hasInside = after?.made !== NO_LT || question.direction === 'desc'
  const hasOutside = after === undefined || after.made === NO_LT || question.direction === 'asc'
  const branches = [
    ...(received && hasInside ? [branch(search, receivedRows(search), receivedColumns, receivedSelection)] : []),
    ...(unreceived && hasInside
      ? [branch(search, unreceivedRows(search), unreceivedColumns, unreceivedSelection)]
      : []),
    ...(external && order === 'lt' && hasOutside ? [externalBranch(search)] : []),
  ]
  return branches.length === 0 ? undefined : sql.join(branches, sql` union all `)
}

/** A page of what a search finds. */
export const messagesPageQuery = (search: Search, page: Page): RawBuilder<MessageRow> | undefined =>
  pageQuery(search, page, sql``)

const pageQuery = (search: Search, page: Page, more: RawBuilder<unknown>): RawBuilder<MessageRow> | undefined => {
  const found = searchQuery(search)
  if (found === undefined) return undefined
  const direction = sql.raw(search.question.direction)
  const made = search.order === 'time' ? sql`m.created_at` : sql`coalesce(m.created_lt, ${sql.lit(NO_LT)})`
  return sql<MessageRow>`select m.*${more} from (${found}) as m order by ${made} ${direction}, m.hash ${direction} ${cutTo(page)}`
}

/** Finds something where the walks of a search were not long enough. */
export const searchEndQuery = (search: Search): RawBuilder<{ one: number }> | undefined => {
  const { question, lead } = search
  const { received, external, unreceived } = placesOf(question)
  if (lead.kind === 'collected' || lead.kind === 'arrived') return undefined
  if (lead.kind === 'sent') {
    return sql<{ one: number }>`${sendersQuery(search, sql`1 as one`)} limit 1 offset ${sql.val(MAX_SENDERS)}`
  }
  const walks = [
    ...(received ? [receivedRows(search)] : []),
    ...(unreceived ? [unreceivedRows(search)] : []),
    ...(external && lead.external === undefined ? [externalRows(search)] : []),
  ].filter(({ kept }) => kept.length > 0)
  if (walks.length === 0) return undefined
  const ends = walks.map(
    ({ table, within }) =>
      sql`(select 1 as one from ${table} ${whereAll(within)} limit 1 offset ${sql.val(MAX_WALKED)})`,
  )
  return sql<{ one: number }>`${sql.join(ends, sql` union all `)}`
}

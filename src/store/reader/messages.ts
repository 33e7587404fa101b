import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader, ReadServer } from '../connect/Database.ts'
import type { ReadKeyed } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  keyCountQuery,
  type Lead,
  type MessageKey,
  type MessagePlace,
  messagesPageQuery,
  NO_LT,
  type Search,
  searchEndQuery,
  searchQuery,
} from './messageBranches.ts'
import { findContents } from './messageContents.ts'
import { findSenders, sentText } from './messageEnds.ts'
import { type Bounds, type MessageRow, type MessagesQuestion, toMessageRecord } from './messageRecord.ts'
import {
  anyLt,
  type Cursor,
  findLtWindow,
  joinPages,
  narrowLt,
  type Page,
  type Paged,
  type TimeWindow,
} from './page.ts'
import type { MessageRecord } from './TransactionRecord.ts'
import { hasTime, ltWindowOf } from './transactionFilter.ts'
import { walkOn } from './walkedQuery.ts'

/** A message with the transactions at its ends, where they are in the index and wanted. */
export type ListedMessage = {
  readonly message: MessageRecord
  readonly sentBy: Uint8Array | undefined
  readonly receivedBy: Uint8Array | undefined
}

const MAX_SHORT = 32

/** Keys are compared by how many messages they lead to, counted no further. */
const MAX_COUNTED = 1000

const HINT = 'Give msg_hash, or narrow the window by start_lt and end_lt.'

const walked = (by: MessageKey): Lead => ({ kind: 'walked', by, length: undefined })

/** What is asked that an index leads to; what usually leads to fewest comes first. */
const keysOf = ({ bodyHash, source, destination, opcode }: MessagesQuestion): MessageKey[] => [
  ...(bodyHash === undefined ? [] : (['body'] as const)),
  ...(source instanceof Uint8Array ? (['source'] as const) : []),
  ...(destination instanceof Uint8Array ? (['destination'] as const) : []),
  ...(opcode === undefined ? [] : (['opcode'] as const)),
]

/** What leads to the messages: whatever there is least of. */
const chooseLead = async (reader: Reader, search: Search): Promise<Lead> => {
  const { hashes } = search.question
  if (hashes !== undefined) {
    const plain = sql<boolean>`t.in_hash = any(${sql.val(hashes)})`
    const normal = sql<boolean>`t.in_hash_norm is not null and t.in_hash_norm = any(${sql.val(hashes)}) and not ${plain}`
    return {
      kind: 'collected',
      received: [plain, normal],
      unreceived: [sql<boolean>`u.hash = any(${sql.val(hashes)})`],
    }
  }
  const keys = keysOf(search.question)
  if (keys.length <= 1) return walked(keys[0] ?? 'lt')
  const counted = await Promise.all(
    keys.map(async (key) => {
      const query = keyCountQuery({ ...search, order: 'lt', lead: walked(key) }, MAX_COUNTED)
      const [row] = await reader.read(query.compile(queryBuilder))
      return { key, count: row?.count ?? 0n }
    }),
  )
  return walked(counted.reduce((least, each) => (each.count < least.count ? each : least)).key)
}

const orderName = ({ time, direction }: MessagesQuestion): string =>
  `messages by ${hasTime(time) ? 'time' : 'lt'} ${direction}`

const placeOf = (cursor: Cursor, question: MessagesQuestion): MessagePlace => {
  const [made, hash] = cursor.key
  const isMade = hasTime(question.time) ? typeof made === 'number' : typeof made === 'bigint'
  if (cursor.order !== orderName(question) || !isMade || !(hash instanceof Uint8Array)) throw new CursorRefusedError()
  return { made: made as bigint | number, hash }
}

type Reach = { count: bigint; earliest: number | null; latest: number | null }

/** How far the page goes by time: as far, at most, as that many messages do by logical time. */
export const messagesReachQuery = (search: Search): RawBuilder<Reach> | undefined => {
  const found = searchQuery({ ...search, order: 'lt' })
  if (found === undefined) return undefined
  const direction = sql.raw(search.question.direction)
  return sql<Reach>`select count(*) as count, min(m.created_at) as earliest, max(m.created_at) as latest from (
    select m.created_at from (${found}) as m order by m.created_lt ${direction} limit ${sql.val(search.depth)}
  ) as m`
}

/** Times beyond which the page does not go, where it is made in the order of times. */
const narrowToReach = async (reader: Reader, search: Search): Promise<Bounds> => {
  const query = messagesReachQuery(search)
  const [reach] = query === undefined ? [] : await reader.read(query.compile(queryBuilder))
  if (reach === undefined || reach.count < search.depth) return search.bounds
  const { time } = search.bounds
  const within =
    search.question.direction === 'desc'
      ? { from: reach.earliest ?? time.from, to: time.to }
      : { from: time.from, to: reach.latest ?? time.to }
  return { time: within, lt: narrowLt(search.bounds.lt, await findLtWindow(reader, within)) }
}

/** After a place in the order of times there is nothing beyond its time. */
const timeAfter = ({ time, direction }: MessagesQuestion, after: MessagePlace | undefined): TimeWindow => {
  if (after === undefined || !hasTime(time)) return time
  const made = Number(after.made)
  return direction === 'desc'
    ? { from: time.from, to: Math.min(time.to ?? made, made) }
    : { from: Math.max(time.from ?? made, made), to: time.to }
}

/** The first page of one key, where nothing else is asked but which side of messages is wanted and whether those from outside are. */
const firstPages = new Map<
  string,
  (direction: 'asc' | 'desc', limit: number) => ReadKeyed<Uint8Array, MessageRow> | undefined
>()

const readFirstPage = (reader: Reader, search: Search, page: Page): Promise<readonly MessageRow[]> | undefined => {
  const { question, bounds, lead, after } = search
  const { side, excludeExternals, onlyExternals, direction } = question
  const by = lead.kind === 'walked' && (lead.by === 'source' || lead.by === 'destination') ? lead.by : undefined
  const isOpen = bounds.lt.from === anyLt.from && bounds.lt.to === anyLt.to && !hasTime(question.time)
  const isFirst = after === undefined && page.offset === 0
  if (by === undefined || !isOpen || !isFirst || keysOf(question).length > 1) return undefined
  if (question.source === 'none' || question.destination === 'none') return undefined
  const name = `${by} ${side} ${excludeExternals} ${onlyExternals}`
  const pages =
    firstPages.get(name) ??
    joinPages((key, way, limit) => {
      const plain = { [by]: key, side, excludeExternals, onlyExternals, time: {}, direction: way }
      return messagesPageQuery({ ...search, question: plain, depth: limit }, { ...page, limit: limit - 1 })!
    })
  firstPages.set(name, pages)
  if (messagesPageQuery(search, page) === undefined) return undefined
  return pages(direction, page.limit + 1)?.(reader, [question[by] as Uint8Array]).then((rows) =>
    rows.toSorted(inOrder(direction)),
  )
}

const inOrder =
  (direction: 'asc' | 'desc') =>
  (a: MessageRow, b: MessageRow): number => {
    const [one, other] = [a.created_lt ?? NO_LT, b.created_lt ?? NO_LT]
    const rising = one === other ? compareBytes(a.hash, b.hash) : one < other ? -1 : 1
    return direction === 'asc' ? rising : -rising
  }

/** The rows of a page, and one more where there are others. */
export const findMessageRows = async (
  reader: Reader,
  question: MessagesQuestion,
  page: Page,
): Promise<readonly MessageRow[]> => {
  const order = hasTime(question.time) ? 'time' : 'lt'
  const after = page.after === undefined ? undefined : placeOf(page.after, question)
  const time = timeAfter(question, after)
  const lt = narrowLt(
    ltWindowOf({ startLt: question.startLt, endLt: question.endLt }),
    await findLtWindow(reader, time),
  )
  const open: Search = {
    question,
    bounds: { lt, time },
    lead: walked('lt'),
    order,
    after,
    afterOrder: order,
    depth: page.limit + 1 + (after === undefined ? page.offset : 0),
  }
  const search = { ...open, lead: await chooseLead(reader, open) }
  return readFirstPage(reader, search, page) ?? walkOn((length) => findWithin(reader, search, page, length), HINT)
}

/** A page from walks of a length. */
const findWithin = async (
  reader: Reader,
  search: Search,
  page: Page,
  length: number | undefined,
): Promise<readonly MessageRow[] | 'more'> => {
  const lead: Lead = search.lead.kind === 'walked' ? { ...search.lead, length } : search.lead
  const within = { ...search, lead }
  const isBounded = search.order === 'lt' || lead.kind === 'collected'
  const bounded = isBounded ? within : { ...within, bounds: await narrowToReach(reader, within) }
  const query = messagesPageQuery(bounded, page)
  const rows = query === undefined ? [] : await reader.read(query.compile(queryBuilder))
  if (rows.length > page.limit) return rows
  const end = searchEndQuery(bounded)
  const [more] = end === undefined ? [] : await reader.read(end.compile(queryBuilder))
  return more === undefined ? rows : 'more'
}

/** A page of messages: by the logical times of their making, those from outside after all others, or by times; then by hash. */
export const listMessages = async (
  server: ReadServer,
  question: MessagesQuestion,
  page: Page,
): Promise<Paged<ListedMessage>> => {
  const found = await findMessageRows(server.lists, question, page)
  const rows = found.slice(0, page.limit)
  const last = rows.at(-1)
  const made = last && (hasTime(question.time) ? last.created_at! : (last.created_lt ?? NO_LT))
  const next =
    found.length > page.limit && last !== undefined && made !== undefined
      ? { order: orderName(question), key: [made, last.hash] }
      : undefined
  return { rows: await describe(server, question, rows), next }
}

const describe = async (
  server: ReadServer,
  { side }: MessagesQuestion,
  rows: readonly MessageRow[],
): Promise<ListedMessage[]> => {
  const reader = rows.length <= MAX_SHORT ? server.points : server.lists
  const sent = rows.flatMap(({ source, created_lt: createdLt, mc_seqno: mcSeqno }) =>
    source === null || createdLt === null ? [] : [{ source, createdLt, mcSeqno }],
  )
  const [senders, contents] = await Promise.all([
    side === 'in' ? new Map() : findSenders(reader, sent),
    findContents(reader, rows),
  ])
  const messages = rows.map((row) => {
    const sender =
      row.source === null || row.created_lt === null ? undefined : senders.get(sentText(row.source, row.created_lt))
    const message = toMessageRecord(row, contents)
    const sentBy = message.kind === 'system' ? undefined : sender?.hash
    return { message, receivedBy: side === 'out' ? undefined : message.receivedBy, sentBy }
  })
  // Who sent it may be older than the index.
  return side === 'out' ? messages.filter(({ sentBy }) => sentBy !== undefined) : messages
}

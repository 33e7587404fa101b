import { type RawBuilder, sql } from 'kysely'
import { compareBytes } from '../../primitives/bytes.ts'
import type { Reader, ReadServer } from '../connect/Database.ts'
import type { ReadKeyed } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { scanUntilFull } from './indexScan.ts'
import {
  type AccessPath,
  canMatch,
  keyCountQuery,
  type MessagePosition,
  messagesPageQuery,
  NO_LT,
  type Search,
  searchEndQuery,
  searchQuery,
} from './messageBranches.ts'
import { findContents } from './messageContents.ts'
import { findSenders, toSent } from './messageEnds.ts'
import { filterKeysOf, type MessageKey, messageKeysOf } from './messageKeys.ts'
import {
  type Bounds,
  destinationOf,
  type MessageFilter,
  type MessageRow,
  sourceOf,
  toMessageRecord,
} from './messageRecord.ts'
import {
  anyLt,
  batchPages,
  type Cursor,
  findLtWindow,
  narrowLt,
  type Page,
  type Paged,
  type TimeWindow,
} from './page.ts'
import type { MessageRecord } from './TransactionRecord.ts'
import { hasTime, ltWindowOf } from './transactionFilter.ts'

/** A message with its sender and receiver transactions, if indexed and requested. */
export type ListedMessage = {
  readonly message: MessageRecord
  readonly sentBy: Uint8Array | undefined
  readonly receivedBy: Uint8Array | undefined
}

/** Where a message comes from and goes to. Addresses are keys. */
export type MessageAddresses = Pick<MessageRecord, 'source' | 'destination'>

const MAX_SHORT = 32

/** Limit for counting the messages of a key when choosing an access path. */
const MAX_COUNTED = 1000

const scanned = (by: MessageKey): AccessPath => ({ kind: 'scanned', by, length: undefined })

/** Chooses the access path with the fewest messages. */
const chooseAccessPath = async (reader: Reader, search: Search): Promise<AccessPath> => {
  const { hashes } = search.filter
  if (hashes !== undefined) {
    const plain = sql<boolean>`t.in_hash = any(${sql.val(hashes)})`
    const normal = sql<boolean>`t.in_hash_norm is not null and t.in_hash_norm = any(${sql.val(hashes)}) and not ${plain}`
    return {
      kind: 'collected',
      received: [plain, normal],
      unreceived: [sql<boolean>`u.hash = any(${sql.val(hashes)})`],
    }
  }
  const keys = messageKeysOf(search.filter)
  if (keys.length <= 1) return scanned(keys[0] ?? 'lt')
  const counted = await Promise.all(
    keys.map(async (key) => {
      const query = keyCountQuery({ ...search, order: 'lt', accessPath: scanned(key) }, MAX_COUNTED)
      const [row] = await reader.read(query.compile(queryBuilder))
      return { key, count: row?.count ?? 0n }
    }),
  )
  return scanned(counted.reduce((least, each) => (each.count < least.count ? each : least)).key)
}

const orderName = ({ time, direction }: MessageFilter): string =>
  `messages by ${hasTime(time) ? 'time' : 'lt'} ${direction}`

const positionOf = (cursor: Cursor, filter: MessageFilter): MessagePosition => {
  const [made, hash] = cursor.key
  const isMade = hasTime(filter.time) ? typeof made === 'number' : typeof made === 'bigint'
  if (cursor.order !== orderName(filter) || !isMade || !(hash instanceof Uint8Array)) throw new CursorRefusedError()
  return { made: made as bigint | number, hash }
}

type Reach = { count: bigint; earliest: number | null; latest: number | null }

/** Upper bound of the page by time, from as many messages by logical time. */
export const messagesReachQuery = (search: Search): RawBuilder<Reach> | undefined => {
  const found = searchQuery({ ...search, order: 'lt' })
  if (found === undefined) return undefined
  const direction = sql.raw(search.filter.direction)
  return sql<Reach>`select count(*) as count, min(m.created_at) as earliest, max(m.created_at) as latest from (
    select m.created_at from (${found}) as m order by m.created_lt ${direction} limit ${sql.val(search.depth)}
  ) as m`
}

/** Bounds of the page in the order of times. */
const narrowToReach = async (reader: Reader, search: Search): Promise<Bounds> => {
  const query = messagesReachQuery(search)
  const [reach] = query === undefined ? [] : await reader.read(query.compile(queryBuilder))
  if (reach === undefined || reach.count < search.depth) return search.bounds
  const { time } = search.bounds
  const within =
    search.filter.direction === 'desc'
      ? { from: reach.earliest ?? time.from, to: time.to }
      : { from: time.from, to: reach.latest ?? time.to }
  return { time: within, lt: narrowLt(search.bounds.lt, await findLtWindow(reader, within)) }
}

/** After the cursor, times are bounded by its time. */
const timeAfter = ({ time, direction }: MessageFilter, after: MessagePosition | undefined): TimeWindow => {
  if (after === undefined || !hasTime(time)) return time
  const made = Number(after.made)
  return direction === 'desc'
    ? { from: time.from, to: Math.min(time.to ?? made, made) }
    : { from: Math.max(time.from ?? made, made), to: time.to }
}

/** Batched first pages of one key with no filters but side and external-in messages. */
const firstPages = new Map<
  string,
  (direction: 'asc' | 'desc', limit: number) => ReadKeyed<Uint8Array, MessageRow> | undefined
>()

const readFirstPage = (reader: Reader, search: Search, page: Page): Promise<readonly MessageRow[]> | undefined => {
  const { filter, bounds, accessPath, after } = search
  const { side, excludeExternals, onlyExternals, direction } = filter
  const by =
    accessPath.kind === 'scanned' && (accessPath.by === 'source' || accessPath.by === 'destination')
      ? accessPath.by
      : undefined
  const isOpen = bounds.lt.from === anyLt.from && bounds.lt.to === anyLt.to && !hasTime(filter.time)
  const isFirst = after === undefined && page.offset === 0
  if (by === undefined || !isOpen || !isFirst || filterKeysOf(filter).length > 1) return undefined
  if (filter.source === 'none' || filter.destination === 'none') return undefined
  const name = `${by} ${side} ${excludeExternals} ${onlyExternals}`
  const pages =
    firstPages.get(name) ??
    batchPages((key, way, limit) => {
      const plain = { [by]: key, side, excludeExternals, onlyExternals, time: {}, direction: way }
      return messagesPageQuery({ ...search, filter: plain, depth: limit }, { ...page, limit: limit - 1 })!
    })
  firstPages.set(name, pages)
  if (!canMatch(search)) return undefined
  return pages(direction, page.limit + 1)?.(reader, [filter[by] as Uint8Array]).then((rows) =>
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

/** The rows of a page and the lookahead row. */
export const findMessageRows = async (
  reader: Reader,
  filter: MessageFilter,
  page: Page,
): Promise<readonly MessageRow[]> => {
  const order = hasTime(filter.time) ? 'time' : 'lt'
  const after = page.after === undefined ? undefined : positionOf(page.after, filter)
  const time = timeAfter(filter, after)
  const lt = narrowLt(ltWindowOf({ startLt: filter.startLt, endLt: filter.endLt }), await findLtWindow(reader, time))
  const open: Search = {
    filter,
    bounds: { lt, time },
    accessPath: scanned('lt'),
    order,
    after,
    afterOrder: order,
    depth: page.limit + 1 + (after === undefined ? page.offset : 0),
  }
  const search = { ...open, accessPath: await chooseAccessPath(reader, open) }
  return (
    readFirstPage(reader, search, page) ??
    scanUntilFull((length) => findWithin(reader, search, page, length), 'messages')
  )
}

/** A page from scans of a length. */
const findWithin = async (
  reader: Reader,
  search: Search,
  page: Page,
  length: number | undefined,
): Promise<readonly MessageRow[] | 'more'> => {
  const accessPath: AccessPath =
    search.accessPath.kind === 'scanned' ? { ...search.accessPath, length } : search.accessPath
  const within = { ...search, accessPath }
  const isBounded = search.order === 'lt' || accessPath.kind === 'collected'
  const bounded = isBounded ? within : { ...within, bounds: await narrowToReach(reader, within) }
  const query = messagesPageQuery(bounded, page)
  const rows = query === undefined ? [] : await reader.read(query.compile(queryBuilder))
  if (rows.length > page.limit) return rows
  const end = searchEndQuery(bounded)
  const [more] = end === undefined ? [] : await reader.read(end.compile(queryBuilder))
  return more === undefined ? rows : 'more'
}

/**
 * A page of messages by creation logical time, external-in messages last, or by time; then by hash. `beside` is what else is wanted of
 * them: it is read while their contents are.
 */
export const listMessages = async <T>(
  server: ReadServer,
  filter: MessageFilter,
  page: Page,
  beside: (messages: readonly MessageAddresses[]) => Promise<T>,
): Promise<Paged<ListedMessage> & { readonly beside: T }> => {
  const found = await findMessageRows(server.listReads, filter, page)
  const rows = found.slice(0, page.limit)
  const last = rows.at(-1)
  const made = last && (hasTime(filter.time) ? last.created_at! : (last.created_lt ?? NO_LT))
  const next =
    found.length > page.limit && last !== undefined && made !== undefined
      ? { order: orderName(filter), key: [made, last.hash] }
      : undefined
  if (filter.side !== 'out') {
    const [messages, besideThem] = await Promise.all([
      describe(server, filter, rows),
      beside(rows.map((row) => ({ source: sourceOf(row), destination: destinationOf(row) }))),
    ])
    return { rows: messages, next, beside: besideThem }
  }
  // Those whose sender is older than the index are not shown.
  const sent = (await describe(server, filter, rows)).filter(({ sentBy }) => sentBy !== undefined)
  return { rows: sent, next, beside: await beside(sent.map(({ message }) => message)) }
}

const describe = async (
  server: ReadServer,
  { side }: MessageFilter,
  rows: readonly MessageRow[],
): Promise<ListedMessage[]> => {
  const reader = rows.length <= MAX_SHORT ? server.keyedReads : server.listReads
  const [senders, contents] = await Promise.all([
    side === 'in' ? [] : findSenders(reader, rows.map(toSent)),
    findContents(reader, rows),
  ])
  return rows.map((row, k) => {
    const message = toMessageRecord(row, contents)
    const sentBy = message.kind === 'system' ? undefined : senders[k]?.hash
    return { message, receivedBy: side === 'out' ? undefined : message.receivedBy, sentBy }
  })
}

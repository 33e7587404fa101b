import { type RawBuilder, sql } from 'kysely'
import { addressKeyOf } from '../../primitives/addressKey.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import type { ReadServer } from '../connect/Database.ts'
import type { Reader } from '../connect/Reader.ts'
import { CursorRefusedError, QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { findContents } from './findContents.ts'
import { findSenders, sentText } from './findSenders.ts'
import { findSentMessages, senderText } from './findSentMessages.ts'
import { joinPages } from './joinPages.ts'
import { type MessageRow, toMessageRecord } from './MessageRow.ts'
import { type Bounds, type MessagesQuestion, placesOf } from './MessagesQuestion.ts'
import {
  firstSendersQuery,
  type Lead,
  type MessagePlace,
  messagesPageQuery,
  NO_LT,
  type Search,
  type SendingRow,
  searchEndQuery,
  searchQuery,
} from './messageBranches.ts'
import type { Cursor, Page, Paged } from './page.ts'
import type { MessageRecord } from './TransactionRecord.ts'
import { type Condition, hasTime, ltWindowOf } from './TransactionsQuestion.ts'
import { anyLt, findLtWindow, narrowLt } from './timeWindow.ts'
import { walkArrived } from './walkArrived.ts'

/** A message with the transactions at its ends, where they are in the index and wanted. */
export type ListedMessage = {
  readonly message: MessageRecord
  readonly sentBy: Uint8Array | undefined
  readonly receivedBy: Uint8Array | undefined
}

/** Up to so many messages, what is asked for is collected whole. */
const MAX_COLLECTED = 5000

const MAX_SHORT = 32

/** Of so many transactions of a source all that they sent is read. */
const MAX_SHORT_SENT = 256

const HINT =
  'Give msg_hash, or a narrower window; exclude_externals=true leaves out messages that no such window has, and direction those of one side.'

type Counts = { received: bigint; unreceived: bigint }

/** How many rows there are behind conditions, counted no further than is worth knowing. */
export const messageCountsQuery = (received: Condition, unreceived: Condition): RawBuilder<Counts> => {
  const count = (table: RawBuilder<unknown>, condition: Condition) =>
    sql`(select count(*) from (select 1 from ${table} where ${condition} limit ${sql.val(MAX_COLLECTED + 1)}) as found)`
  return sql<Counts>`select ${count(sql`transactions as t`, received)} as received,
    ${count(sql`unreceived_messages as u`, unreceived)} as unreceived`
}

const areFew = async (reader: Reader, received: Condition, unreceived: Condition): Promise<boolean> => {
  const [counts] = await reader.read(messageCountsQuery(received, unreceived).compile(queryBuilder))
  return counts !== undefined && counts.received <= MAX_COLLECTED && counts.unreceived <= MAX_COLLECTED
}

const NOTHING = sql<boolean>`false`

/** Who is named as the source of messages that blocks make: no transaction sends those. */
const SYSTEM = addressKeyOf({ workchain: masterchain, hash: new Uint8Array(32) })

/** Whether nearly everything that came to the destination is wanted, by logical time: then a page of it is a page of transactions. */
const isWalkEasy = (question: MessagesQuestion): boolean =>
  question.destination instanceof Uint8Array &&
  [question.source, question.bodyHash, question.opcode].every((asked) => asked === undefined) &&
  !placesOf(question).external &&
  !hasTime(question.time)

/** What leads to the messages: whatever there is least of. */
const chooseLead = async (reader: Reader, question: MessagesQuestion): Promise<Lead> => {
  const { hashes, bodyHash, source, destination, opcode } = question
  if (hashes !== undefined) {
    const plain = sql<boolean>`t.in_hash = any(${sql.val(hashes)})`
    const normal = sql<boolean>`t.in_hash_norm is not null and t.in_hash_norm = any(${sql.val(hashes)}) and not ${plain}`
    return {
      kind: 'collected',
      received: [plain, normal],
      unreceived: [sql<boolean>`u.hash = any(${sql.val(hashes)})`],
    }
  }
  const pairs: [Condition, Condition][] = []
  if (bodyHash instanceof Uint8Array) {
    pairs.push([sql<boolean>`t.in_body_hash = ${sql.val(bodyHash)}`, sql<boolean>`u.body_hash = ${sql.val(bodyHash)}`])
  }
  if (destination instanceof Uint8Array) {
    pairs.push([
      sql<boolean>`t.account = ${sql.val(destination)}`,
      sql<boolean>`u.destination = ${sql.val(destination)}`,
    ])
  }
  if (isWalkEasy(question)) return { kind: 'arrived', length: 0 }
  for (const [received, unreceived] of pairs) {
    if (await areFew(reader, received, unreceived)) {
      return { kind: 'collected', received: [received], unreceived: [unreceived] }
    }
  }
  if (source instanceof Uint8Array && !bytesEqual(source, SYSTEM)) return { kind: 'sent' }
  if (destination instanceof Uint8Array) return { kind: 'arrived', length: 0 }
  const external = sql<boolean>`t.in_opcode = ${sql.val(opcode)} and t.in_created_lt is null`
  const isCollected = opcode !== undefined && placesOf(question).external && (await areFew(reader, external, NOTHING))
  return { kind: 'walked', external: isCollected ? [external] : undefined }
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

/** Whether all is wanted that a source sent within a window of logical times. */
const isAllSent = (question: MessagesQuestion): boolean =>
  [question.destination, question.bodyHash, question.opcode].every((asked) => asked === undefined) &&
  !hasTime(question.time) &&
  placesOf(question).received

/** Where nothing is asked but who sent them. */
const readFirstSenders = joinPages((source, direction, depth) => {
  const question = { source, time: {}, excludeExternals: true, onlyExternals: false, direction }
  const bounds = { lt: anyLt, time: {} }
  return firstSendersQuery(
    { question, bounds, lead: { kind: 'sent' }, order: 'lt', after: undefined, afterOrder: 'lt', depth },
    depth,
  )
})

/** As many as the page is long: each has sent something. */
const findFirstSenders = async (reader: Reader, search: Search): Promise<readonly SendingRow[]> => {
  const { question, bounds, after, depth } = search
  const { source, direction } = question
  const isOpen = after === undefined && bounds.lt.from === anyLt.from && bounds.lt.to === anyLt.to
  const read = isOpen && source instanceof Uint8Array ? readFirstSenders(direction, depth) : undefined
  return read === undefined
    ? reader.read(firstSendersQuery(search, depth).compile(queryBuilder))
    : read(reader, [source as Uint8Array])
}

/**
 * What the first transactions of the source sent, which is looked up where it arrived: a few partitions, in place of all. `undefined`
 * where they have not sent enough.
 */
const findSentBySome = async (reader: Reader, search: Search, page: Page): Promise<FoundRows | undefined> => {
  const { question, bounds, after, depth } = search
  const senders = await findFirstSenders(reader, search)
  const sent = await findSentMessages(reader, senders)
  const isDown = question.direction === 'desc'
  const compare = (a: MessagePlace, b: MessagePlace): number =>
    (a.made === b.made ? compareBytes(a.hash, b.hash) : a.made < b.made ? -1 : 1) * (isDown ? -1 : 1)
  const found = senders.flatMap((sender) =>
    (sent.get(senderText(sender)) ?? []).map((row) => ({ row, made: row.created_lt!, hash: row.hash, sender })),
  )
  const wanted = found
    .filter(
      ({ row, made }) =>
        made >= bounds.lt.from && made <= bounds.lt.to && (question.side !== 'in' || row.received_by !== null),
    )
    .filter((message) => after === undefined || compare(message, after) > 0)
    .sort(compare)
  if (wanted.length < depth && senders.length === depth) return undefined
  const shown = wanted.slice(after === undefined ? page.offset : 0).slice(0, page.limit + 1)
  return {
    rows: shown.map(({ row }) => row),
    senders: new Map(shown.map(({ row, made, sender }) => [sentText(row.source!, made), sender])),
  }
}

/** Messages, and who sent them by the texts of {@link sentText}, where that is known already. */
type FoundRows = {
  readonly rows: readonly MessageRow[]
  readonly senders?: ReadonlyMap<string, { readonly hash: Uint8Array }>
}

const findRows = async (reader: Reader, question: MessagesQuestion, page: Page): Promise<FoundRows> => {
  const order = hasTime(question.time) ? 'time' : 'lt'
  const after = page.after === undefined ? undefined : placeOf(page.after, question)
  const lt = narrowLt(
    ltWindowOf({ startLt: question.startLt, endLt: question.endLt }),
    await findLtWindow(reader, question.time),
  )
  const search: Search = {
    question,
    bounds: { lt, time: question.time },
    lead: await chooseLead(reader, question),
    order,
    after,
    afterOrder: order,
    depth: page.limit + 1 + (after === undefined ? page.offset : 0),
  }
  if (search.lead.kind === 'arrived') return { rows: await walkArrived(reader, search, page) }
  if (search.lead.kind === 'sent' && search.depth <= MAX_SHORT_SENT && isAllSent(question)) {
    const found = await findSentBySome(reader, search, page)
    if (found !== undefined) return found
  }
  const isBounded = order === 'lt' || search.lead.kind === 'collected'
  const bounded = isBounded ? search : { ...search, bounds: await narrowToReach(reader, search) }
  const query = messagesPageQuery(bounded, page)
  const rows = query === undefined ? [] : await reader.read(query.compile(queryBuilder))
  if (rows.length <= page.limit) await expectWholeWalk(reader, bounded)
  return { rows }
}

const expectWholeWalk = async (reader: Reader, search: Search): Promise<void> => {
  const query = searchEndQuery(search)
  const [more] = query === undefined ? [] : await reader.read(query.compile(queryBuilder))
  if (more !== undefined)
    throw new QueryTooCostlyError(`Too many messages would have to be looked at one by one. ${HINT}`)
}

/** A page of messages: by the logical times of their making, those from outside after all others, or by times; then by hash. */
export const listMessages = async (
  server: ReadServer,
  question: MessagesQuestion,
  page: Page,
): Promise<Paged<ListedMessage>> => {
  const found = await findRows(server.lists, question, page)
  const rows = found.rows.slice(0, page.limit)
  const last = rows.at(-1)
  const made = last && (hasTime(question.time) ? last.created_at! : (last.created_lt ?? NO_LT))
  const next =
    found.rows.length > page.limit && last !== undefined && made !== undefined
      ? { order: orderName(question), key: [made, last.hash] }
      : undefined
  return { rows: await describe(server, question, rows, found.senders), next }
}

const describe = async (
  server: ReadServer,
  { side }: MessagesQuestion,
  rows: readonly MessageRow[],
  known: FoundRows['senders'],
): Promise<ListedMessage[]> => {
  const reader = rows.length <= MAX_SHORT ? server.points : server.lists
  const sent = rows.flatMap(({ source, created_lt: createdLt, mc_seqno: mcSeqno }) =>
    source === null || createdLt === null ? [] : [{ source, createdLt, mcSeqno }],
  )
  const [senders, contents] = await Promise.all([
    side === 'in' ? new Map() : (known ?? findSenders(reader, sent)),
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

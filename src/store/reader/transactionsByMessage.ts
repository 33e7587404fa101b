import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader, ReadServer } from '../connect/Database.ts'
import { joinReads } from '../connect/QueryBatcher.ts'
import { CursorRefusedError, QueryTooCostlyError } from '../errors.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { queryBuilder } from '../schema/tables.ts'
import { findSenders, type SentMessage } from './messageEnds.ts'
import type { MessagesQuestion } from './messageRecord.ts'
import { findMessageRows } from './messages.ts'
import { anyLt, type Cursor, type LtWindow, type Order, type Page, type Paged } from './page.ts'
import { readTransactionsByKey } from './readTransactions.ts'
import type { Condition } from './sql.ts'
import { bodyPart, rawQuery } from './sql.ts'
import { inLtOrder, keyText, type TransactionKey, type TransactionRecord } from './TransactionRecord.ts'
import { transactionsOrder } from './transactionFilter.ts'
import { unindexed, type Walk, walkedQuery, walkPage, whereAll } from './walkedQuery.ts'

/** Which messages: at least one of the first three is given. */
export type MessageQuestion = {
  /** Plain or normal. */
  readonly hashes?: readonly Uint8Array[] | undefined
  /** Of a body; `empty` for that of the empty cell. */
  readonly bodyHash?: Uint8Array | 'empty' | undefined
  /** Only what was received is looked at. */
  readonly opcode?: number | undefined
  readonly source?: Uint8Array | undefined
  readonly destination?: Uint8Array | undefined
  /** Who received them, or who sent them; both where neither is said. */
  readonly side?: 'in' | 'out' | undefined
  readonly direction: 'asc' | 'desc'
}

/** Of messages that are named so many are collected: one may have been received any number of times. */
const MAX_NAMED = 50_000

type FoundMessage = {
  hash: Uint8Array
  created_lt: bigint | null
  source: Uint8Array | null
  account: Uint8Array | null
  lt: bigint | null
  mc_seqno: number
}

const isReceived = ({ bodyHash, opcode, source, destination }: MessageQuestion) => ({
  body:
    bodyHash === undefined
      ? []
      : bodyHash === 'empty'
        ? [sql<boolean>`t.in_body_hash is null and t.in_hash is not null`]
        : [sql<boolean>`t.in_body_hash = ${sql.val(bodyHash)}`],
  opcode: opcode === undefined ? [] : [sql<boolean>`t.in_opcode = ${sql.val(opcode)}`],
  source: source === undefined ? [] : [sql<boolean>`t.in_source = ${sql.val(source)}`],
  destination: destination === undefined ? [] : [sql<boolean>`t.account = ${sql.val(destination)}`],
})

const isUnreceived = ({ bodyHash, source, destination }: MessageQuestion): Condition[] => [
  ...(bodyHash === undefined
    ? []
    : bodyHash === 'empty'
      ? [sql<boolean>`u.body_hash is null`]
      : [sql<boolean>`u.body_hash = ${sql.val(bodyHash)}`]),
  ...(source === undefined ? [] : [sql<boolean>`u.account = ${sql.val(source)}`]),
  ...(destination === undefined ? [] : [sql<boolean>`u.destination = ${sql.val(destination)}`]),
]

/** Messages that are named; what nobody received can matter only for who sent it. */
export const foundMessagesQuery = (
  question: MessageQuestion,
  hashes: readonly Uint8Array[],
): RawBuilder<FoundMessage> => {
  const parts = [
    receivedMessagesQuery(question, hashes),
    receivedMessages(question, [sql<boolean>`t.in_hash_norm is not null and t.in_hash_norm = any(${sql.val(hashes)})`]),
    ...(question.opcode === undefined && question.side !== 'in' ? [unreceivedMessages(question, hashes)] : []),
  ]
  return sql<FoundMessage>`${sql.join(parts, sql` union all `)}`
}

const unreceivedMessages = (question: MessageQuestion, hashes: readonly Uint8Array[]): RawBuilder<FoundMessage> => {
  const conditions = [sql<boolean>`u.hash = any(${sql.val(hashes)})`, ...isUnreceived(question)]
  return sql`(select u.hash, u.created_lt, u.account as source, null::bytea as account, null::bigint as lt, u.mc_seqno
    from unreceived_messages as u ${whereAll(conditions)} limit ${sql.val(MAX_NAMED + 1)})`
}

const receivedSelection = `t.in_hash as hash, t.in_created_lt as created_lt,
      case when t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal} then t.in_source end as source, t.account, t.lt, t.mc_seqno`

const receivedMessages = (question: MessageQuestion, more: readonly Condition[]): RawBuilder<FoundMessage> =>
  sql`(select ${sql.raw(receivedSelection)}
    from transactions as t ${whereAll([...more, ...Object.values(isReceived(question)).flat()])} limit ${sql.val(MAX_NAMED + 1)})`

/** Those of the messages that somebody received, by their plain hashes. */
export const receivedMessagesQuery = (
  question: MessageQuestion,
  hashes: readonly Uint8Array[],
): RawBuilder<FoundMessage> => receivedMessages(question, [sql<boolean>`t.in_hash = any(${sql.val(hashes)})`])

const NAMED = `select m.* from unnest($1::bytea[]) as w(hash) cross join lateral (
    select ${receivedSelection} from transactions as t where t.in_hash = w.hash limit ${MAX_NAMED + 1}
  ) as m`

/** All that were received of messages of which nothing but the hash is asked. One may have been received any number of times. */
export const namedMessagesQuery = (hashes: readonly Uint8Array[]): CompiledQuery<FoundMessage> =>
  rawQuery(NAMED, [hashes])

const readReceived = joinReads<Uint8Array, FoundMessage>({
  queryOf: namedMessagesQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

/** Whether nothing is asked of messages but that they are these. */
const isPlain = ({ bodyHash, opcode, source, destination }: MessageQuestion): boolean =>
  [bodyHash, opcode, source, destination].every((asked) => asked === undefined)

/**
 * One between accounts that was received is nowhere else, and has no other hash. That is what most ask for, and each further place is
 * a look into every partition; so the others are looked for afterwards, wherever they may be.
 */
const findMessages = async (
  reader: Reader,
  question: MessageQuestion,
  hashes: readonly Uint8Array[],
): Promise<FoundMessage[]> => {
  const received = await (isPlain(question)
    ? readReceived(reader, hashes)
    : reader.read(receivedMessagesQuery(question, hashes).compile(queryBuilder)))
  const settled = received.filter(({ source }) => source !== null)
  const known = new Set(settled.map(({ hash }) => keyText(hash)))
  const open = hashes.filter((hash) => !known.has(keyText(hash)))
  if (open.length === 0) return settled
  return [...settled, ...(await reader.read(foundMessagesQuery(question, open).compile(queryBuilder)))]
}

const orderOf = ({ direction }: MessageQuestion): Order => {
  const order = transactionsOrder({ time: {}, direction })
  return { ...order, name: `by message ${direction}` }
}

const HINT = 'Give msg_hash, or leave out a filter that few of these messages fulfil.'

/** The transactions that received or sent certain messages, each once, by logical time and account. */
export const listTransactionsByMessage = async (
  server: ReadServer,
  question: MessageQuestion,
  page: Page,
): Promise<Paged<TransactionRecord>> => {
  // Of messages that were sent opcodes are not looked at.
  if (question.opcode !== undefined && question.side === 'out') return { rows: [], next: undefined }
  const { hashes } = question
  const ends =
    hashes === undefined
      ? await findEnds(server.lists, question, page)
      : await listEnds(server, question, await findMessages(server.lists, question, hashes))
  const keys = cutKeys(ends, question, page)
  return { rows: await readTransactionsByKey(server, keys.rows), next: keys.next }
}

const listEnds = async (
  { lists }: ReadServer,
  { opcode, side }: MessageQuestion,
  found: readonly FoundMessage[],
): Promise<TransactionKey[]> => {
  if (found.length > MAX_NAMED) {
    throw new QueryTooCostlyError(`More than ${MAX_NAMED} transactions received these messages. Name fewer at a time.`)
  }
  const keys: TransactionKey[] = []
  if (side !== 'out') {
    for (const { account, lt, mc_seqno: mcSeqno } of found) {
      if (account !== null && lt !== null) keys.push({ account, lt, mcSeqno })
    }
  }
  if (side === 'in' || opcode !== undefined) return keys
  const sent = found.flatMap(({ source, created_lt: createdLt, mc_seqno: mcSeqno }) =>
    source === null || createdLt === null ? [] : [{ source, createdLt, mcSeqno }],
  )
  return [...keys, ...(await findSenders(lists, sent)).values()]
}

/** What leads to who received messages, in their order. */
type ReceiverKey = 'body' | 'opcode' | 'destination'

/** All who received such messages, in their order. The account stands before the logical time in the index of transactions. */
export const receiversWalk = (question: MessageQuestion, by: ReceiverKey, page: Page): Walk => {
  const { bodyHash, opcode, destination, direction } = question
  const hash = bodyHash === 'empty' ? null : bodyHash
  const { column, value, present } = {
    body: {
      column: bodyPart(sql`t.in_body_hash`, 8),
      value: bodyPart(sql`${sql.val(hash)}::bytea`, 8),
      present: [sql<boolean>`t.in_hash is not null`],
    },
    opcode: {
      column: sql`t.in_opcode::bigint`,
      value: sql`${sql.val(opcode)}::bigint`,
      present: [sql<boolean>`t.in_opcode is not null`],
    },
    destination: { column: sql`t.account`, value: sql`${sql.val(destination)}`, present: [] },
  }[by]
  const { from, to } = ltAfter(question, page)
  const place = sql`(${column}, t.lt)`
  const conditions = isReceived(question)
  return {
    from: sql`transactions as t`,
    name: 't',
    key: { column, direction },
    within: [
      ...present,
      sql<boolean>`${place} >= (${value}, ${sql.val(from)})`,
      sql<boolean>`${place} <= (${value}, ${sql.val(to)})`,
      ...conditions[by].map(unindexed),
    ],
    kept: Object.entries(conditions).flatMap(([name, own]) => (name === by ? [] : own)),
    order: orderOf(question),
    page,
  }
}

/** The logical times of transactions that may be on the page. */
const ltAfter = (question: MessageQuestion, { after }: Page): LtWindow => {
  if (after === undefined) return anyLt
  const { lt } = placeOf(after, question)
  return question.direction === 'desc' ? { from: anyLt.from, to: lt } : { from: lt, to: anyLt.to }
}

/** How many rows a walk goes over, counted no further. */
const MAX_COUNTED = 1000

export const walkCountQuery = (walk: Walk): RawBuilder<{ count: bigint }> =>
  sql`select count(*) as count from (${walkedQuery({ ...walk, kept: [], page: { limit: MAX_COUNTED - 1, offset: 0, after: undefined } }, undefined)}) as found`

/** By what there is least of. */
const chooseReceiversWalk = async (reader: Reader, question: MessageQuestion, page: Page): Promise<Walk> => {
  const keys: ReceiverKey[] = [
    ...(question.bodyHash === undefined ? [] : (['body'] as const)),
    ...(question.destination === undefined ? [] : (['destination'] as const)),
    ...(question.opcode === undefined ? [] : (['opcode'] as const)),
  ]
  const walks = keys.map((key) => receiversWalk(question, key, page))
  if (walks.length === 1) return walks[0]!
  const counted = await Promise.all(
    walks.map(async (walk) => {
      const [row] = await reader.read(walkCountQuery(walk).compile(queryBuilder))
      return { walk, count: row?.count ?? 0n }
    }),
  )
  return counted.reduce((least, each) => (each.count < least.count ? each : least)).walk
}

/** The first transactions at either end of messages that are not named: more than a page of them. */
const findEnds = async (reader: Reader, question: MessageQuestion, page: Page): Promise<readonly TransactionKey[]> => {
  const { side, opcode } = question
  const depth = page.limit + 1 + (page.after === undefined ? page.offset : 0)
  const whole: Page = { limit: depth - 1, offset: 0, after: page.after }
  const rows =
    side === 'out' ? [] : await walkPage<Receiver>(reader, await chooseReceiversWalk(reader, question, whole), HINT)
  const receivers = rows.map(({ account, lt, mc_seqno: mcSeqno }) => ({ account, lt, mcSeqno }))
  if (side === 'in' || opcode !== undefined) return receivers
  return [...receivers, ...(await findSendersOf(reader, question, receivers, depth, page))]
}

type Receiver = { readonly account: Uint8Array; readonly lt: bigint; readonly mc_seqno: number }

/** So many messages are looked at for those who sent them: one transaction may have sent hundreds. */
const MAX_SENT_WALKED = 50_000

/** More messages than a transaction sends: by no more does the logical time of one follow that of its sender. */
const MAX_SENT = 32_768n

/**
 * Who sent such messages. They are gone through in the order of their making, from which that of their senders differs little: once so
 * many are known that the page cannot change any more, or all are, it is enough.
 */
const findSendersOf = async (
  reader: Reader,
  question: MessageQuestion,
  receivers: readonly TransactionKey[],
  depth: number,
  { after }: Page,
): Promise<readonly TransactionKey[]> => {
  const compare = inLtOrder(question.direction)
  const place = after && placeOf(after, question)
  const isDown = question.direction === 'desc'
  for (let count = depth + 64; count <= MAX_SENT_WALKED; count = nextCount(count)) {
    const sent = await findSentMessages(reader, question, place, count)
    const senders = [...(await findSenders(reader, sent)).values()].filter(
      (sender) => place === undefined || compare(sender, place) > 0,
    )
    const last = sent.at(-1)
    if (last === undefined || sent.length < count) return senders
    const known = distinctKeys([...receivers, ...senders]).sort(compare)
    const end = known[depth - 1]
    if (end !== undefined && (isDown ? end.lt >= last.createdLt : end.lt < last.createdLt - MAX_SENT)) return senders
  }
  throw new QueryTooCostlyError(`More than ${MAX_SENT_WALKED} messages would have to be looked at. ${HINT}`)
}

const nextCount = (count: number): number =>
  count < MAX_SENT_WALKED ? Math.min(4 * count, MAX_SENT_WALKED) : Number.POSITIVE_INFINITY

/** The first messages that a transaction of an account sent, in the order of their making. */
const findSentMessages = async (
  reader: Reader,
  question: MessageQuestion,
  place: TransactionKey | undefined,
  count: number,
): Promise<readonly SentMessage[]> => {
  const { bodyHash, source, destination, direction } = question
  const lt = place === undefined ? anyLt : sentAfter(direction, place)
  const wanted: MessagesQuestion = {
    bodyHash,
    source,
    destination,
    side: 'out',
    time: {},
    startLt: lt.from,
    endLt: lt.to,
    excludeExternals: true,
    onlyExternals: false,
    direction,
  }
  const rows = await findMessageRows(reader, wanted, { limit: count - 1, offset: 0, after: undefined })
  return rows.flatMap(({ source: sender, created_lt: createdLt, mc_seqno: mcSeqno }) =>
    sender === null || createdLt === null ? [] : [{ source: sender, createdLt, mcSeqno }],
  )
}

const sentAfter = (direction: 'asc' | 'desc', { lt }: TransactionKey): LtWindow =>
  direction === 'asc'
    ? { from: lt, to: anyLt.to }
    : { from: anyLt.from, to: lt > anyLt.to - MAX_SENT ? anyLt.to : lt + MAX_SENT }

const distinctKeys = (keys: readonly TransactionKey[]): TransactionKey[] => [
  ...new Map(keys.map((key) => [`${keyText(key.account)} ${key.lt}`, key])).values(),
]

/** The page of keys that are all there. */
const cutKeys = (found: readonly TransactionKey[], question: MessageQuestion, page: Page): Paged<TransactionKey> => {
  const compare = inLtOrder(question.direction)
  const after = page.after === undefined ? undefined : placeOf(page.after, question)
  const keys = distinctKeys(found)
    .filter((key) => after === undefined || compare(key, after) > 0)
    .sort(compare)
  return cutRows(after === undefined ? keys.slice(page.offset) : keys, question, page)
}

const placeOf = ({ order, key: [lt, account] }: Cursor, question: MessageQuestion): TransactionKey => {
  if (order !== orderOf(question).name || typeof lt !== 'bigint' || !(account instanceof Uint8Array)) {
    throw new CursorRefusedError()
  }
  return { lt, account, mcSeqno: 0 }
}

const cutRows = (
  keys: readonly TransactionKey[],
  question: MessageQuestion,
  { limit }: Page,
): Paged<TransactionKey> => {
  const rows = keys.slice(0, limit)
  const last = rows.at(-1)
  const next =
    keys.length > limit && last !== undefined
      ? { order: orderOf(question).name, key: [last.lt, last.account] }
      : undefined
  return { rows, next }
}

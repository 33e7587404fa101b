import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader, ReadServer } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { CursorRefusedError } from '../errors.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { queryBuilder } from '../schema/tables.ts'
import { MAX_NAMED, MAX_SENT_SCANNED, QueryTooCostlyError } from './costlyFilters.ts'
import { type IndexScan, scanPage, scanQuery, unindexed, whereAll } from './indexScan.ts'
import { findSenders, type SentMessage, toSent } from './messageEnds.ts'
import { indexedKeyOf } from './messageKeys.ts'
import type { MessageFilter } from './messageRecord.ts'
import { findMessageRows } from './messages.ts'
import { anyLt, type Cursor, type LtWindow, type Order, type Page, type Paged } from './page.ts'
import { findTransactionsByKey } from './readTransactions.ts'
import type { Condition } from './sql.ts'
import { bodyPart, rawQuery } from './sql.ts'
import { inLtOrder, keyText, type TransactionKey, type TransactionRow } from './TransactionRecord.ts'
import { transactionsOrder } from './transactionFilter.ts'

/** Filter of messages: at least one of the first three is given. */
export type TransactionsByMessageFilter = {
  /** Plain or normalized. */
  readonly hashes?: readonly Uint8Array[] | undefined
  /** Body hash; `empty` for the empty cell. */
  readonly bodyHash?: Uint8Array | 'empty' | undefined
  /** Matches received messages only. */
  readonly opcode?: number | undefined
  readonly source?: Uint8Array | undefined
  readonly destination?: Uint8Array | undefined
  /** Receivers or senders; both by default. */
  readonly side?: 'in' | 'out' | undefined
  readonly direction: 'asc' | 'desc'
}

type FoundMessage = {
  hash: Uint8Array
  created_lt: bigint | null
  source: Uint8Array | null
  account: Uint8Array | null
  lt: bigint | null
  mc_seqno: number
}

const isReceived = ({ bodyHash, opcode, source, destination }: TransactionsByMessageFilter) => ({
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

const isUnreceived = ({ bodyHash, source, destination }: TransactionsByMessageFilter): Condition[] => [
  ...(bodyHash === undefined
    ? []
    : bodyHash === 'empty'
      ? [sql<boolean>`u.body_hash is null`]
      : [sql<boolean>`u.body_hash = ${sql.val(bodyHash)}`]),
  ...(source === undefined ? [] : [sql<boolean>`u.account = ${sql.val(source)}`]),
  ...(destination === undefined ? [] : [sql<boolean>`u.destination = ${sql.val(destination)}`]),
]

/** Messages by hash; unreceived ones matter only for their senders. */
export const foundMessagesQuery = (
  filter: TransactionsByMessageFilter,
  hashes: readonly Uint8Array[],
): RawBuilder<FoundMessage> => {
  const parts = [
    receivedMessagesQuery(filter, hashes),
    receivedMessages(filter, [sql<boolean>`t.in_hash_norm is not null and t.in_hash_norm = any(${sql.val(hashes)})`]),
    ...(filter.opcode === undefined && filter.side !== 'in' ? [unreceivedMessages(filter, hashes)] : []),
  ]
  return sql<FoundMessage>`${sql.join(parts, sql` union all `)}`
}

const unreceivedMessages = (
  filter: TransactionsByMessageFilter,
  hashes: readonly Uint8Array[],
): RawBuilder<FoundMessage> => {
  const conditions = [sql<boolean>`u.hash = any(${sql.val(hashes)})`, ...isUnreceived(filter)]
  return sql`(select u.hash, u.created_lt, u.account as source, null::bytea as account, null::bigint as lt, u.mc_seqno
    from unreceived_messages as u ${whereAll(conditions)} limit ${sql.val(MAX_NAMED + 1)})`
}

const receivedSelection = `t.in_hash as hash, t.in_created_lt as created_lt,
      case when t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal} then t.in_source end as source, t.account, t.lt, t.mc_seqno`

const receivedMessages = (filter: TransactionsByMessageFilter, more: readonly Condition[]): RawBuilder<FoundMessage> =>
  sql`(select ${sql.raw(receivedSelection)}
    from transactions as t ${whereAll([...more, ...Object.values(isReceived(filter)).flat()])} limit ${sql.val(MAX_NAMED + 1)})`

/** The received messages among these plain hashes. */
export const receivedMessagesQuery = (
  filter: TransactionsByMessageFilter,
  hashes: readonly Uint8Array[],
): RawBuilder<FoundMessage> => receivedMessages(filter, [sql<boolean>`t.in_hash = any(${sql.val(hashes)})`])

const NAMED = `select m.* from unnest($1::bytea[]) as w(hash) cross join lateral (
    select ${receivedSelection} from transactions as t where t.in_hash = w.hash limit ${MAX_NAMED + 1}
  ) as m`

/** All receptions of messages filtered by hash alone. One may have been received any number of times. */
export const namedMessagesQuery = (hashes: readonly Uint8Array[]): CompiledQuery<FoundMessage> =>
  rawQuery(NAMED, [hashes])

const readReceived = batchReads<Uint8Array, FoundMessage>({
  queryOf: namedMessagesQuery,
  textOf: keyText,
  textOfRow: ({ hash }) => keyText(hash),
})

/** Whether the filter has nothing but hashes. */
const isPlain = ({ bodyHash, opcode, source, destination }: TransactionsByMessageFilter): boolean =>
  [bodyHash, opcode, source, destination].every((asked) => asked === undefined)

/**
 * A received internal message is stored once, under one hash. That is the usual case, and every other table costs a lookup in
 * every partition, so the others are searched only for what is missing.
 */
const findMessages = async (
  reader: Reader,
  filter: TransactionsByMessageFilter,
  hashes: readonly Uint8Array[],
): Promise<FoundMessage[]> => {
  const received = await (isPlain(filter)
    ? readReceived(reader, hashes)
    : reader.read(receivedMessagesQuery(filter, hashes).compile(queryBuilder)))
  const settled = received.filter(({ source }) => source !== null)
  const known = new Set(settled.map(({ hash }) => keyText(hash)))
  const open = hashes.filter((hash) => !known.has(keyText(hash)))
  if (open.length === 0) return settled
  return [...settled, ...(await reader.read(foundMessagesQuery(filter, open).compile(queryBuilder)))]
}

const orderOf = ({ direction }: TransactionsByMessageFilter): Order => {
  const order = transactionsOrder({ time: {}, direction })
  return { ...order, name: `by message ${direction}` }
}

/** The transactions that received or sent matching messages, each once, by logical time and account. */
export const listTransactionsByMessage = async (
  server: ReadServer,
  filter: TransactionsByMessageFilter,
  page: Page,
): Promise<Paged<TransactionRow>> => {
  // Opcodes are not matched for sent messages.
  if (filter.opcode !== undefined && filter.side === 'out') return { rows: [], next: undefined }
  const { hashes } = filter
  const ends =
    hashes === undefined
      ? await findEnds(server.listReads, filter, page)
      : await listEnds(server, filter, await findMessages(server.listReads, filter, hashes))
  const keys = cutKeys(ends, filter, page)
  return { rows: await findTransactionsByKey(server, keys.rows), next: keys.next }
}

const listEnds = async (
  { listReads }: ReadServer,
  { opcode, side }: TransactionsByMessageFilter,
  found: readonly FoundMessage[],
): Promise<TransactionKey[]> => {
  if (found.length > MAX_NAMED) throw new QueryTooCostlyError('namedMessages')
  const keys: TransactionKey[] = []
  if (side !== 'out') {
    for (const { account, lt, mc_seqno: mcSeqno } of found) {
      if (account !== null && lt !== null) keys.push({ account, lt, mcSeqno })
    }
  }
  if (side === 'in' || opcode !== undefined) return keys
  const senders = await findSenders(listReads, found.map(toSent))
  return [...keys, ...senders.filter((sender) => sender !== undefined)]
}

/** Index keys of received messages. */
type ReceiverKey = 'body' | 'opcode' | 'destination'

/** The receivers of matching messages, in order. The account comes before the logical time in the index of transactions. */
export const receiversScan = (filter: TransactionsByMessageFilter, by: ReceiverKey, page: Page): IndexScan => {
  const { bodyHash, opcode, destination, direction } = filter
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
  const { from, to } = ltAfter(filter, page)
  const position = sql`(${column}, t.lt)`
  const conditions = isReceived(filter)
  return {
    from: sql`transactions as t`,
    name: 't',
    key: { column, direction },
    indexFilters: [
      ...present,
      sql<boolean>`${position} >= (${value}, ${sql.val(from)})`,
      sql<boolean>`${position} <= (${value}, ${sql.val(to)})`,
      ...conditions[by].map(unindexed),
    ],
    rowFilters: Object.entries(conditions).flatMap(([name, own]) => (name === by ? [] : own)),
    order: orderOf(filter),
    page,
  }
}

/** Bounds of the logical times of the page. */
const ltAfter = (filter: TransactionsByMessageFilter, { after }: Page): LtWindow => {
  if (after === undefined) return anyLt
  const { lt } = positionOf(after, filter)
  return filter.direction === 'desc' ? { from: anyLt.from, to: lt } : { from: lt, to: anyLt.to }
}

/** Limit for counting the rows of a scan. */
const MAX_COUNTED = 1000

export const scanCountQuery = (scan: IndexScan): RawBuilder<{ count: bigint }> =>
  sql`select count(*) as count from (${scanQuery({ ...scan, rowFilters: [], page: { limit: MAX_COUNTED - 1, offset: 0, after: undefined } }, undefined)}) as found`

/** Chooses the scan with the fewest rows. */
const chooseReceiversScan = async (
  reader: Reader,
  filter: TransactionsByMessageFilter,
  page: Page,
): Promise<IndexScan> => {
  const keys: ReceiverKey[] = [
    ...(filter.bodyHash === undefined ? [] : (['body'] as const)),
    ...(filter.destination === undefined ? [] : (['destination'] as const)),
    ...(filter.opcode === undefined ? [] : (['opcode'] as const)),
  ]
  const walks = keys.map((key) => receiversScan(filter, key, page))
  if (walks.length === 1) return walks[0]!
  const counted = await Promise.all(
    walks.map(async (scan) => {
      const [row] = await reader.read(scanCountQuery(scan).compile(queryBuilder))
      return { scan, count: row?.count ?? 0n }
    }),
  )
  return counted.reduce((least, each) => (each.count < least.count ? each : least)).scan
}

/** Maximum number of receivers that are collected and sorted: the index of a pair of filters has them in the order of creation. */
const MAX_COLLECTED = 2000

type PairedReceiver = Receiver & { readonly matches: boolean }

/** The receivers of messages to an account with an opcode; `undefined` without these filters. */
const pairedReceiversQuery = (filter: TransactionsByMessageFilter): RawBuilder<PairedReceiver> | undefined => {
  const { opcode, source, destination, direction } = filter
  if (opcode === undefined || destination === undefined) return undefined
  const asked = { opcode, source, destination, time: {}, excludeExternals: false, onlyExternals: false, direction }
  const { column, value, present, serves } = indexedKeyOf(asked, 'destinationOpcode', 't')
  const conditions = Object.entries(isReceived(filter))
  const own = conditions.flatMap(([name, each]) => (serves.some((served) => served === name) ? each : []))
  const others = conditions.flatMap(([name, each]) => (serves.some((served) => served === name) ? [] : each))
  const listOf = (kind: readonly Condition[]): RawBuilder<unknown> =>
    sql`(select t.* from transactions as t ${whereAll([...kind, ...present, sql<boolean>`${column} = ${value}`, ...own.map(unindexed)])} limit ${sql.val(MAX_COLLECTED + 1)})`
  const internal = [sql<boolean>`t.in_created_lt is not null`]
  const external = [sql<boolean>`t.in_created_lt is null`, sql<boolean>`t.in_hash is not null`]
  const lists = sql`${listOf(internal)} union all ${listOf(external)}`
  const matches = others.length === 0 ? sql`true` : sql`coalesce(${sql.join(others, sql` and `)}, false)`
  return sql`select t.account, t.lt, t.mc_seqno, ${matches} as matches from (${lists}) as t`
}

/** All receivers of such messages, if they are few. */
const findFewReceivers = async (
  reader: Reader,
  filter: TransactionsByMessageFilter,
): Promise<readonly Receiver[] | undefined> => {
  const query = pairedReceiversQuery(filter)
  const rows = query && (await reader.read(query.compile(queryBuilder)))
  return rows === undefined || rows.length > MAX_COLLECTED ? undefined : rows.filter(({ matches }) => matches)
}

/** The first senders and receivers of messages that are not given by hash: more than a page of them. */
const findEnds = async (
  reader: Reader,
  filter: TransactionsByMessageFilter,
  page: Page,
): Promise<readonly TransactionKey[]> => {
  const { side, opcode } = filter
  const depth = page.limit + 1 + (page.after === undefined ? page.offset : 0)
  const whole: Page = { limit: depth - 1, offset: 0, after: page.after }
  const rows =
    side === 'out'
      ? []
      : ((await findFewReceivers(reader, filter)) ??
        (await scanPage<Receiver>(reader, await chooseReceiversScan(reader, filter, whole), 'receivers')))
  const receivers = rows.map(({ account, lt, mc_seqno: mcSeqno }) => ({ account, lt, mcSeqno }))
  if (side === 'in' || opcode !== undefined) return receivers
  return [...receivers, ...(await findSendersOf(reader, filter, receivers, depth, page))]
}

type Receiver = { readonly account: Uint8Array; readonly lt: bigint; readonly mc_seqno: number }

/** More messages than a transaction can send: the logical time of a message follows its sender's by no more. */
const MAX_SENT = 32_768n

/**
 * The senders of matching messages. Messages are scanned in creation order, which differs little from that of their senders,
 * until the page can no longer change or all are scanned.
 */
const findSendersOf = async (
  reader: Reader,
  filter: TransactionsByMessageFilter,
  receivers: readonly TransactionKey[],
  depth: number,
  { after }: Page,
): Promise<readonly TransactionKey[]> => {
  const compare = inLtOrder(filter.direction)
  const position = after && positionOf(after, filter)
  const isDown = filter.direction === 'desc'
  for (let count = depth + 64; count <= MAX_SENT_SCANNED; count = nextCount(count)) {
    const sent = await findSentMessages(reader, filter, position, count)
    const found = (await findSenders(reader, sent)).filter((sender) => sender !== undefined)
    const senders = position === undefined ? found : found.filter((sender) => compare(sender, position) > 0)
    const last = sent.at(-1)
    if (last === undefined || sent.length < count) return senders
    const known = distinctKeys([...receivers, ...senders]).sort(compare)
    const end = known[depth - 1]
    if (end !== undefined && (isDown ? end.lt >= last.createdLt : end.lt < last.createdLt - MAX_SENT)) return senders
  }
  throw new QueryTooCostlyError('senders')
}

const nextCount = (count: number): number =>
  count < MAX_SENT_SCANNED ? Math.min(4 * count, MAX_SENT_SCANNED) : Number.POSITIVE_INFINITY

/** The first messages sent by transactions of an account, in creation order. */
const findSentMessages = async (
  reader: Reader,
  filter: TransactionsByMessageFilter,
  position: TransactionKey | undefined,
  count: number,
): Promise<readonly SentMessage[]> => {
  const { bodyHash, source, destination, direction } = filter
  const lt = position === undefined ? anyLt : sentAfter(direction, position)
  const wanted: MessageFilter = {
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

/** The page of an already complete list of keys. */
const cutKeys = (
  found: readonly TransactionKey[],
  filter: TransactionsByMessageFilter,
  page: Page,
): Paged<TransactionKey> => {
  const compare = inLtOrder(filter.direction)
  const after = page.after === undefined ? undefined : positionOf(page.after, filter)
  const keys = distinctKeys(found)
    .filter((key) => after === undefined || compare(key, after) > 0)
    .sort(compare)
  return cutRows(after === undefined ? keys.slice(page.offset) : keys, filter, page)
}

const positionOf = ({ order, key: [lt, account] }: Cursor, filter: TransactionsByMessageFilter): TransactionKey => {
  if (order !== orderOf(filter).name || typeof lt !== 'bigint' || !(account instanceof Uint8Array)) {
    throw new CursorRefusedError()
  }
  return { lt, account, mcSeqno: 0 }
}

const cutRows = (
  keys: readonly TransactionKey[],
  filter: TransactionsByMessageFilter,
  { limit }: Page,
): Paged<TransactionKey> => {
  const rows = keys.slice(0, limit)
  const last = rows.at(-1)
  const next =
    keys.length > limit && last !== undefined
      ? { order: orderOf(filter).name, key: [last.lt, last.account] }
      : undefined
  return { rows, next }
}

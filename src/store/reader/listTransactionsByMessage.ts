import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { ReadServer } from '../connect/Database.ts'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { CursorRefusedError, QueryTooCostlyError } from '../errors.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { findSenders } from './findSenders.ts'
import { inLtOrder } from './inLtOrder.ts'
import { keyText } from './keyText.ts'
import type { Cursor, Page, Paged } from './page.ts'
import { rawQuery } from './rawQuery.ts'
import { readTransactionsByKey } from './readTransactions.ts'
import type { TransactionKey, TransactionRecord } from './TransactionRecord.ts'
import { type Condition, transactionsOrder } from './TransactionsQuestion.ts'
import { type Walk, walkPage, whereAll } from './walkedQuery.ts'

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

/** Up to so many messages, what is asked for is collected whole. */
const MAX_COLLECTED = 2000

type FoundMessage = {
  hash: Uint8Array
  created_lt: bigint | null
  source: Uint8Array | null
  account: Uint8Array | null
  lt: bigint | null
  mc_seqno: number
}

const isReceived = ({ bodyHash, opcode, source, destination }: MessageQuestion): Condition[] => [
  ...(bodyHash === undefined
    ? []
    : bodyHash === 'empty'
      ? [sql<boolean>`t.in_body_hash is null and t.in_hash is not null`]
      : [sql<boolean>`t.in_body_hash = ${sql.val(bodyHash)}`]),
  ...(opcode === undefined ? [] : [sql<boolean>`t.in_opcode = ${sql.val(opcode)}`]),
  ...(source === undefined ? [] : [sql<boolean>`t.in_source = ${sql.val(source)}`]),
  ...(destination === undefined ? [] : [sql<boolean>`t.account = ${sql.val(destination)}`]),
]

const isUnreceived = ({ bodyHash, source, destination }: MessageQuestion): Condition[] => [
  ...(bodyHash === undefined
    ? []
    : bodyHash === 'empty'
      ? [sql<boolean>`u.body_hash is null`]
      : [sql<boolean>`u.body_hash = ${sql.val(bodyHash)}`]),
  ...(source === undefined ? [] : [sql<boolean>`u.account = ${sql.val(source)}`]),
  ...(destination === undefined ? [] : [sql<boolean>`u.destination = ${sql.val(destination)}`]),
]

/** Messages, however many; what nobody received can matter only for who sent it. */
export const foundMessagesQuery = (question: MessageQuestion): RawBuilder<FoundMessage> => {
  const { hashes, opcode, side } = question
  const unreceived = (more: readonly Condition[]) =>
    sql`(select u.hash, u.created_lt, u.account as source, null::bytea as account, null::bigint as lt, u.mc_seqno
    from unreceived_messages as u ${whereAll([...more, ...isUnreceived(question)])} limit ${sql.val(MAX_COLLECTED + 1)})`
  const parts =
    hashes === undefined
      ? [receivedMessages(question, []), ...(opcode === undefined && side !== 'in' ? [unreceived([])] : [])]
      : [
          receivedMessagesQuery(question, hashes),
          receivedMessages(question, [
            sql<boolean>`t.in_hash_norm is not null and t.in_hash_norm = any(${sql.val(hashes)})`,
          ]),
          ...(opcode === undefined && side !== 'in'
            ? [unreceived([sql<boolean>`u.hash = any(${sql.val(hashes)})`])]
            : []),
        ]
  return sql<FoundMessage>`${sql.join(parts, sql` union all `)}`
}

const receivedSelection = `t.in_hash as hash, t.in_created_lt as created_lt,
      case when t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal} then t.in_source end as source, t.account, t.lt, t.mc_seqno`

const receivedMessages = (question: MessageQuestion, more: readonly Condition[]): RawBuilder<FoundMessage> =>
  sql`(select ${sql.raw(receivedSelection)}
    from transactions as t ${whereAll([...more, ...isReceived(question)])} limit ${sql.val(MAX_COLLECTED + 1)})`

/** Those of the messages that somebody received, by their plain hashes. */
export const receivedMessagesQuery = (
  question: MessageQuestion,
  hashes: readonly Uint8Array[],
): RawBuilder<FoundMessage> => receivedMessages(question, [sql<boolean>`t.in_hash = any(${sql.val(hashes)})`])

const NAMED = `select m.* from unnest($1::bytea[]) as w(hash) cross join lateral (
    select ${receivedSelection} from transactions as t where t.in_hash = w.hash limit ${MAX_COLLECTED + 1}
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
const findMessages = async (reader: Reader, question: MessageQuestion): Promise<FoundMessage[]> => {
  const { hashes } = question
  if (hashes === undefined) return reader.read(foundMessagesQuery(question).compile(queryBuilder))
  const received = await (isPlain(question)
    ? readReceived(reader, hashes)
    : reader.read(receivedMessagesQuery(question, hashes).compile(queryBuilder)))
  const settled = received.filter(({ source }) => source !== null)
  const known = new Set(settled.map(({ hash }) => keyText(hash)))
  const open = hashes.filter((hash) => !known.has(keyText(hash)))
  if (open.length === 0) return settled
  return [...settled, ...(await reader.read(foundMessagesQuery({ ...question, hashes: open }).compile(queryBuilder)))]
}

/** All who received such messages, in their order: for those that are too many to be collected. */
export const receiversWalk = (question: MessageQuestion, page: Page): Walk => ({
  from: sql`transactions as t`,
  name: 't',
  within: question.destination === undefined ? [] : [sql<boolean>`t.account = ${sql.val(question.destination)}`],
  kept: isReceived(question),
  order: orderOf(question),
  page,
})

const orderOf = ({ direction }: MessageQuestion) => {
  const order = transactionsOrder({ time: {}, direction })
  return { ...order, name: `by message ${direction}` }
}

const HINT = 'Give msg_hash, or destination with direction=in.'

/** The transactions that received or sent certain messages, each once, by logical time and account. */
export const listTransactionsByMessage = async (
  server: ReadServer,
  question: MessageQuestion,
  page: Page,
): Promise<Paged<TransactionRecord>> => {
  // Of messages that were sent opcodes are not looked at.
  if (question.opcode !== undefined && question.side === 'out') return { rows: [], next: undefined }
  const found = await findMessages(server.lists, question)
  const keys =
    found.length <= MAX_COLLECTED
      ? cutKeys(await listEnds(server, question, found), question, page)
      : await walkReceivers(server, question, page)
  return { rows: await readTransactionsByKey(server, keys.rows), next: keys.next }
}

const listEnds = async (
  { lists }: ReadServer,
  { opcode, side }: MessageQuestion,
  found: readonly FoundMessage[],
): Promise<TransactionKey[]> => {
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

const walkReceivers = async (
  { lists }: ReadServer,
  question: MessageQuestion,
  page: Page,
): Promise<Paged<TransactionKey>> => {
  if (question.side !== 'in' && question.opcode === undefined) {
    throw new QueryTooCostlyError(`More than ${MAX_COLLECTED} messages are like this. ${HINT}`)
  }
  const rows = await walkPage<{ account: Uint8Array; lt: bigint; mc_seqno: number }>(
    lists,
    receiversWalk(question, page),
    HINT,
  )
  const keys = rows.map(({ account, lt, mc_seqno: mcSeqno }) => ({ account, lt, mcSeqno }))
  return cutRows(keys, question, page)
}

/** The page of keys that are all there. */
const cutKeys = (found: readonly TransactionKey[], question: MessageQuestion, page: Page): Paged<TransactionKey> => {
  const compare = inLtOrder(question.direction)
  const distinct = new Map(found.map((key) => [`${keyText(key.account)} ${key.lt}`, key]))
  const after = page.after === undefined ? undefined : placeOf(page.after, question)
  const keys = [...distinct.values()].filter((key) => after === undefined || compare(key, after) > 0).sort(compare)
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

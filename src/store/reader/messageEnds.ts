import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Database.ts'
import { batchReads } from '../connect/QueryBatcher.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { isId } from '../schema/idParts.ts'
import { MAX_SEQNO, type PartitionMap } from '../schema/PartitionMap.ts'
import { queryBuilder } from '../schema/tables.ts'
import {
  areFew,
  listedFromQuery,
  listedLimits,
  receivedFromQuery,
  senderOf,
  unreceivedFromQuery,
} from './distributedSent.ts'
import {
  type MessageRow,
  receivedColumns,
  receivedNames,
  type Sender,
  type SentRow,
  unreceivedColumns,
} from './messageRecord.ts'
import { findPartitions, isAnyOf, rawQuery, spanOf } from './sql.ts'
import { keyText, type TransactionKey } from './TransactionRecord.ts'

/** A transaction that received or sent a message. */
export type MessageEnd = {
  readonly traceId: Uint8Array
  readonly hash: Uint8Array
  /** The requested message hash: plain or normalized. */
  readonly messageHash: Uint8Array
}

type EndRow = {
  trace_id: Uint8Array
  message_hash: Uint8Array
  receiver: Uint8Array | null
  sender: Uint8Array | null
}

/** The sender: the last transaction of the source before the message. */
const sender = (account: string, createdLt: string, mcSeqno: string): RawBuilder<unknown> =>
  sql`left join lateral (
    select s.hash, s.lt + s.out_count as last_lt from transactions as s
    where s.account = ${sql.ref(account)} and s.lt < ${sql.ref(createdLt)} and s.mc_seqno <= ${sql.ref(mcSeqno)}
    order by s.lt desc limit 1
  ) as s on s.last_lt >= ${sql.ref(createdLt)}`

const received = (column: 'in_hash' | 'in_hash_norm', hashes: readonly Uint8Array[]): RawBuilder<unknown> =>
  sql`select t.trace_id, t.message_hash, t.hash as receiver, s.hash as sender
    from (
      select trace_id, ${sql.ref(column)} as message_hash, hash, mc_seqno, in_created_lt,
        case when in_bits & 7 = ${sql.lit(STORED_MESSAGE_KIND.internal)} then in_source end as in_source
      from transactions where ${sql.ref(column)} is not null and ${isAnyOf(column, hashes)}
    ) as t ${sender('t.in_source', 't.in_created_lt', 't.mc_seqno')}`

export const messageEndsQuery = (hashes: readonly Uint8Array[]): RawBuilder<EndRow> =>
  sql`${received('in_hash', hashes)} union all ${received('in_hash_norm', hashes)} union all
    select u.trace_id, u.hash, null, s.hash from unreceived_messages as u
    ${sender('u.account', 'u.created_lt', 'u.mc_seqno')} where ${isAnyOf('u.hash', hashes)}`

/** The transactions that received or sent one of these messages, by plain or normalized hash. */
export const findMessageEnds = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<MessageEnd[]> => {
  const rows = await reader.read(messageEndsQuery(hashes).compile(queryBuilder))
  return rows.flatMap(({ trace_id: traceId, message_hash: messageHash, receiver, sender: sent }) =>
    [receiver, sent].filter((hash) => hash !== null).map((hash) => ({ traceId, hash, messageHash })),
  )
}

/** Identifies the sender of a message; `mcSeqno` is that of the receiver or, if not received, of the sender. */
export type SentMessage = { readonly source: Uint8Array; readonly createdLt: bigint; readonly mcSeqno: number }

/** What identifies the sender of a message; `undefined` for one that no transaction sent. */
export const toSent = ({
  source,
  created_lt: createdLt,
  mc_seqno: mcSeqno,
}: Pick<MessageRow, 'source' | 'created_lt' | 'mc_seqno'>): SentMessage | undefined =>
  source === null || createdLt === null ? undefined : { source, createdLt, mcSeqno }

/** A transaction that sent a message. */
export type SenderKey = TransactionKey & { readonly hash: Uint8Array }

type SenderRow = {
  account: Uint8Array
  created_lt: bigint
  lt: bigint
  mc_seqno: number
  hash: Uint8Array
}

/** More messages than a transaction can send. */
const MAX_SENT = 32_768

/** Nearly every message arrives within this many masterchain blocks, which span one or two partitions. */
const NEAR_BLOCKS = 256
const ANY_BLOCKS = 2 ** 31

/**
 * The sender is the last transaction of the source before the message, if it sent that many. `reach` is the number of blocks to
 * look back.
 */
export const sendersQuery = (messages: readonly SentMessage[], reach = ANY_BLOCKS): CompiledQuery<SenderRow> => {
  const seqnos = messages.map(({ mcSeqno }) => mcSeqno)
  const { first, last } = spanOf(seqnos, reach)
  return rawQuery(
    `select m.account, m.created_lt, t.lt, t.mc_seqno, t.hash
    from unnest($1::bytea[], $2::bigint[], $3::integer[]) as m(account, created_lt, mc_seqno)
    cross join lateral (
      select t.lt, t.mc_seqno, t.hash, t.out_count from transactions as t
      where t.account = m.account and t.lt < m.created_lt and t.lt >= m.created_lt - ${MAX_SENT} and t.mc_seqno <= m.mc_seqno
        and t.mc_seqno >= $4 and t.mc_seqno <= $5 order by t.lt desc limit 1
    ) as t
    where m.created_lt <= t.lt + t.out_count`,
    [messages.map(({ source }) => source), messages.map(({ createdLt }) => createdLt), seqnos, first, last],
  )
}

const sentText = (source: Uint8Array, createdLt: bigint): string => `${keyText(source)} ${createdLt}`

/** With its text, which is looked at several times. */
type NamedSent = SentMessage & { readonly text: string }

const nameSent = ({ source, createdLt, mcSeqno }: SentMessage): NamedSent => ({
  source,
  createdLt,
  mcSeqno,
  text: sentText(source, createdLt),
})

const readSenders = (reach: number) =>
  batchReads<NamedSent, SenderRow>({
    queryOf: (messages) => sendersQuery(messages, reach),
    textOf: ({ text }) => text,
    textOfRow: ({ account, created_lt }) => sentText(account, created_lt),
  })

const readings = [readSenders(NEAR_BLOCKS), readSenders(ANY_BLOCKS)]

/** The senders of messages, in their order; `undefined` where there is none, or none that is indexed. */
export const findSenders = async (
  reader: Reader,
  messages: readonly (SentMessage | undefined)[],
): Promise<(SenderKey | undefined)[]> => {
  const named = messages.map((message) => message && nameSent(message))
  const found = new Map<string, SenderKey>()
  let missing = named.filter((message) => message !== undefined)
  for (const read of readings) {
    if (missing.length === 0) break
    for (const { account, created_lt, lt, mc_seqno, hash } of await read(reader, missing)) {
      found.set(sentText(account, created_lt), { account, lt, mcSeqno: mc_seqno, hash })
    }
    missing = missing.filter(({ text }) => !found.has(text))
  }
  return named.map((message) => message && found.get(message.text))
}

export const senderText = ({ account, lt }: Pick<Sender, 'account' | 'lt'>): string => `${keyText(account)} ${lt}`

/**
 * The messages that a transaction `s` sent: those received up to a masterchain block, and those not received. One statement reads
 * both, so that a message that arrives meanwhile is found once. `within` adds conditions on the position of a row.
 */
const sentByText = (lastSeqno: string, within: (name: 't' | 'u') => string = () => ''): string =>
  `select ${receivedColumns} from transactions as t
    where ${isSent} and t.mc_seqno >= s.mc_seqno and t.mc_seqno <= ${lastSeqno}${within('t')}
    union all ${unreceivedText(within)}`

const isSent = `t.in_created_lt > s.lt and t.in_created_lt <= s.lt + s.out_count and t.in_source = s.account
      and t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal}`

const unreceivedText = (within: (name: 'u') => string): string =>
  `select ${unreceivedColumns} from unreceived_messages as u
    where u.account = s.account and u.created_lt > s.lt and u.created_lt <= s.lt + s.out_count and u.mc_seqno = s.mc_seqno${within('u')}`

const withinSpan = (name: string): string => ` and ${name}.mc_seqno >= $6 and ${name}.mc_seqno <= $7`

const TEXT = `select m.*, s.lt as sender_lt
    from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[]) as s(account, lt, out_count, mc_seqno, last_seqno)
    cross join lateral (${sentByText('s.last_seqno', withinSpan)}) as m`

/** Maximum number of transactions of a trace that are searched for sent messages. */
const MAX_OF_TRACE = 100

/** Above this number of senders traces are not searched: they may all be in one long trace. */
const MAX_TRACED = 32

const TRACE_TEXT = `select m.*, s.lt as sender_lt
    from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[], $8::integer[], $9::bytea[])
      as s(account, lt, out_count, mc_seqno, first_seqno, last_seqno, trace_id)
    cross join lateral (
      select ${receivedColumns} from (
        select ${receivedNames.join(', ')} from transactions as t where ${isId('t.trace_id', 's.trace_id')}
          and t.mc_seqno >= s.first_seqno and t.mc_seqno <= s.last_seqno${withinSpan('t')} limit ${MAX_OF_TRACE}
      ) as t where ${isSent}
      union all ${unreceivedText(withinSpan)}
    ) as m`

/** A sender, and the masterchain blocks of the partitions in which its messages arrived, if soon. */
export type TracedSender = Sender & { readonly firstSeqno: number; readonly lastSeqno: number }

/** Whole partitions, so that the limit counts all rows read. */
export const traceSender = (sender: Sender, partitions: PartitionMap): TracedSender => ({
  account: sender.account,
  lt: sender.lt,
  out_count: sender.out_count,
  mc_seqno: sender.mc_seqno,
  trace_id: sender.trace_id,
  firstSeqno: partitions.find(sender.mc_seqno)?.start ?? 0,
  lastSeqno: Math.min(MAX_SEQNO, (partitions.below(sender.mc_seqno + NEAR_BLOCKS)?.end ?? MAX_SEQNO) - 1),
})

/**
 * Messages that arrived soon, searched among the transactions of the same traces. Those are few as a rule, while a busy chain has
 * any number of messages created at one logical time.
 */
export const sentInTracesQuery = (senders: readonly TracedSender[]): CompiledQuery<SentRow> => {
  const seqnos = senders.map(({ mc_seqno }) => mc_seqno)
  const { first, last } = spanOf([
    ...senders.map(({ firstSeqno }) => firstSeqno),
    ...senders.map(({ lastSeqno }) => lastSeqno),
  ])
  return rawQuery(TRACE_TEXT, [
    senders.map(({ account }) => account),
    senders.map(({ lt }) => lt),
    senders.map(({ out_count }) => out_count),
    seqnos,
    senders.map(({ firstSeqno }) => firstSeqno),
    first,
    last,
    senders.map(({ lastSeqno }) => lastSeqno),
    senders.map(({ trace_id }) => trace_id),
  ])
}

/** `reach` is the number of masterchain blocks after the sender in which messages were received. */
export const sentMessagesQuery = (senders: readonly Sender[], reach: number): CompiledQuery<SentRow> => {
  const accounts = senders.map(({ account }) => account)
  const lts = senders.map(({ lt }) => lt)
  const counts = senders.map(({ out_count }) => out_count)
  const seqnos = senders.map(({ mc_seqno }) => mc_seqno)
  const { first, last } = spanOf(seqnos, 0, reach)
  return rawQuery(TEXT, [accounts, lts, counts, seqnos, lastSeqnos(seqnos, reach), first, last])
}

const lastSeqnos = (seqnos: readonly number[], reach: number): number[] =>
  seqnos.map((seqno) => Math.min(seqno + reach, MAX_SEQNO))

const readSent = <S extends Sender>(queryOf: (senders: readonly S[]) => CompiledQuery<SentRow>) =>
  batchReads<S, SentRow>({
    queryOf,
    textOf: senderText,
    textOfRow: ({ source, sender_lt }) => senderText({ account: source!, lt: sender_lt }),
  })

const readTraced = readSent(sentInTracesQuery)
const readInTraces = async (reader: Reader, senders: readonly Sender[]): Promise<readonly SentRow[]> => {
  const seqnos = senders.map(({ mc_seqno }) => mc_seqno)
  const partitions = await findPartitions(reader, seqnos)
  return readTraced(
    reader,
    senders.map((sender) => traceSender(sender, partitions)),
  )
}
const readNear = readSent((senders: readonly Sender[]) => sentMessagesQuery(senders, NEAR_BLOCKS))
const readAnywhere = readSent((senders: readonly Sender[]) => sentMessagesQuery(senders, ANY_BLOCKS))

const readReceived = (reach: number) => {
  const lastOf = (senders: readonly Sender[]): number[] =>
    lastSeqnos(
      senders.map(({ mc_seqno }) => mc_seqno),
      reach,
    )
  const readJoined = readSent((senders: readonly Sender[]) => receivedFromQuery(senders, lastOf(senders)))
  const readListed = batchReads<Sender, MessageRow>(
    {
      queryOf: (senders) => listedFromQuery(senders, lastOf(senders)),
      textOf: senderText,
      textOfRow: (row, senders) => {
        const sender = senderOf(row, senders)
        return sender === undefined ? '' : senderText(sender)
      },
    },
    listedLimits,
  )
  return async (reader: Reader, senders: readonly Sender[]): Promise<readonly SentRow[]> => {
    if (!areFew(senders)) return readJoined(reader, senders)
    const rows = await readListed(reader, senders)
    return rows.flatMap((row) => {
      const sender = senderOf(row, senders)
      return sender === undefined ? [] : [{ ...row, sender_lt: sender.lt }]
    })
  }
}
const readUnreceived = readSent(unreceivedFromQuery)
const readReceivedSoon = readReceived(NEAR_BLOCKS)
const readSoon = async (reader: Reader, senders: readonly Sender[]): Promise<readonly SentRow[]> =>
  (await Promise.all([readUnreceived(reader, senders), readReceivedSoon(reader, senders)])).flat()
/** A message that arrives between the first two reads is found by the last. */
const onCluster = [readSoon, readReceived(ANY_BLOCKS)]
const onServer = [readInTraces, readNear, readAnywhere]

/** Messages of a sender by logical time. */
type Sent = Map<bigint, MessageRow>

const NONE: readonly never[] = []

/** For each transaction those of its messages that are among these, by logical time: within a trace, nearly all. */
const findAmong = (transactions: readonly Sender[], received: readonly MessageRow[]): (readonly MessageRow[])[] => {
  const bySource = new Map<string, Sent>()
  for (const message of received) {
    const { source, created_lt: lt, bits } = message
    if (source === null || lt === null || (bits & 7) !== STORED_MESSAGE_KIND.internal) continue
    addTo(bySource, keyText(source), lt, message)
  }
  return transactions.map(({ account, lt, out_count }) => {
    const ofAccount = out_count === 0 ? undefined : bySource.get(keyText(account))
    if (ofAccount === undefined) return NONE
    const sent: MessageRow[] = []
    const last = lt + BigInt(out_count)
    for (let at = lt + 1n; at <= last; at++) {
      const message = ofAccount.get(at)
      if (message !== undefined) sent.push(message)
    }
    return sent
  })
}

const addTo = (byText: Map<string, Sent>, text: string, lt: bigint, message: MessageRow): void => {
  const known = byText.get(text)
  if (known === undefined) byText.set(text, new Map([[lt, message]]))
  else known.set(lt, message)
}

/**
 * The messages that each transaction sent, by logical time. Those among `received`, which the caller has read, are not queried.
 */
export const findSentMessages = async (
  reader: Reader,
  transactions: readonly Sender[],
  received: readonly MessageRow[] = [],
): Promise<readonly (readonly MessageRow[])[]> => {
  const sent = findAmong(transactions, received)
  for (const read of reader.isDistributed ? onCluster : onServer) {
    const missing = transactions.filter(({ out_count }, k) => sent[k]!.length < out_count)
    if (missing.length === 0) break
    if (read === readInTraces && missing.length > MAX_TRACED) continue
    const found = new Map<string, Sent>()
    for (const row of await read(reader, missing)) {
      addTo(found, senderText({ account: row.source!, lt: row.sender_lt }), row.created_lt!, row)
    }
    for (const [k, transaction] of transactions.entries()) {
      const more = found.get(senderText(transaction))
      if (more !== undefined) sent[k] = merge(sent[k]!, more)
    }
  }
  return sent
}

const merge = (known: readonly MessageRow[], more: Sent): MessageRow[] => {
  for (const message of known) more.set(message.created_lt!, message)
  return [...more.values()].sort((a, b) => (a.created_lt! < b.created_lt! ? -1 : 1))
}

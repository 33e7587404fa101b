import { type RawBuilder, sql } from 'kysely'
import { STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { isAnyOf } from './isAnyOf.ts'

/** A transaction that received or sent a message. */
export type MessageEnd = {
  readonly traceId: Uint8Array
  readonly hash: Uint8Array
  /** The hash of the message that was asked for: the plain or the normal one. */
  readonly messageHash: Uint8Array
}

type EndRow = {
  trace_id: Uint8Array
  message_hash: Uint8Array
  receiver: Uint8Array | null
  sender: Uint8Array | null
}

/** Who sent it: the last transaction of its source before it. */
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

/** The transactions that received or sent one of these messages, by plain or normal hash. */
export const findMessageEnds = async (reader: Reader, hashes: readonly Uint8Array[]): Promise<MessageEnd[]> => {
  const rows = await reader.read(messageEndsQuery(hashes).compile(queryBuilder))
  return rows.flatMap(({ trace_id: traceId, message_hash: messageHash, receiver, sender: sent }) =>
    [receiver, sent].filter((hash) => hash !== null).map((hash) => ({ traceId, hash, messageHash })),
  )
}

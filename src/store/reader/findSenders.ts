import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../connect/Reader.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { keyText } from './keyText.ts'
import type { TransactionKey } from './TransactionRecord.ts'

/** What tells who sent a message; `mcSeqno` is of whoever received it or, where nobody did, of its sender. */
export type SentMessage = { readonly source: Uint8Array; readonly createdLt: bigint; readonly mcSeqno: number }

/** A transaction that sent a message. */
export type SenderKey = TransactionKey & { readonly hash: Uint8Array }

type SenderRow = {
  account: Uint8Array
  created_lt: bigint
  lt: bigint
  mc_seqno: number
  hash: Uint8Array
}

/** More messages than a transaction sends. */
const MAX_SENT = 32_768

/** The sender is the last transaction of the source before the message, if it sent so many. */
export const sendersQuery = (messages: readonly SentMessage[]): RawBuilder<SenderRow> => {
  const sources = messages.map(({ source }) => source)
  const lts = messages.map(({ createdLt }) => createdLt)
  const seqnos = messages.map(({ mcSeqno }) => mcSeqno)
  return sql<SenderRow>`select m.account, m.created_lt, t.lt, t.mc_seqno, t.hash
    from unnest(${sql.val(sources)}::bytea[], ${sql.val(lts)}::bigint[], ${sql.val(seqnos)}::integer[]) as m(account, created_lt, mc_seqno)
    cross join lateral (
      select t.lt, t.mc_seqno, t.hash, t.out_count from transactions as t
      where t.account = m.account and t.lt < m.created_lt and t.lt >= m.created_lt - ${sql.lit(MAX_SENT)} and t.mc_seqno <= m.mc_seqno order by t.lt desc limit 1
    ) as t
    where m.created_lt <= t.lt + t.out_count`
}

export const sentText = (source: Uint8Array, createdLt: bigint): string => `${keyText(source)} ${createdLt}`

/** Who sent messages, by the texts of {@link sentText}. One that is not in the index is missing. */
export const findSenders = async (
  reader: Reader,
  messages: readonly SentMessage[],
): Promise<ReadonlyMap<string, SenderKey>> => {
  if (messages.length === 0) return new Map()
  const rows = await reader.read(sendersQuery(messages).compile(queryBuilder))
  return new Map(
    rows.map(({ account, created_lt, lt, mc_seqno, hash }) => [
      sentText(account, created_lt),
      { account, lt, mcSeqno: mc_seqno, hash },
    ]),
  )
}

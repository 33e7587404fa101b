import type { CompiledQuery } from 'kysely'
import { joinReads } from '../connect/joinReads.ts'
import type { Reader } from '../connect/Reader.ts'
import { keyText } from './keyText.ts'
import { rawQuery } from './rawQuery.ts'
import { spanOf } from './seqnoSpan.ts'
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

/** Nearly every message arrives within so many masterchain blocks. */
const NEAR_BLOCKS = 256
const ANY_BLOCKS = 2 ** 31

/** The sender is the last transaction of the source before the message, if it sent so many. `reach` is how many blocks before. */
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

export const sentText = (source: Uint8Array, createdLt: bigint): string => `${keyText(source)} ${createdLt}`

const readSenders = (reach: number) =>
  joinReads<SentMessage, SenderRow>({
    queryOf: (messages) => sendersQuery(messages, reach),
    textOf: ({ source, createdLt }) => sentText(source, createdLt),
    textOfRow: ({ account, created_lt }) => sentText(account, created_lt),
  })

const readings = [readSenders(NEAR_BLOCKS), readSenders(ANY_BLOCKS)]

/** Who sent messages, by the texts of {@link sentText}. One that is not in the index is missing. */
export const findSenders = async (
  reader: Reader,
  messages: readonly SentMessage[],
): Promise<ReadonlyMap<string, SenderKey>> => {
  const found = new Map<string, SenderKey>()
  for (const read of readings) {
    const missing = messages.filter(({ source, createdLt }) => !found.has(sentText(source, createdLt)))
    if (missing.length === 0) break
    for (const { account, created_lt, lt, mc_seqno, hash } of await read(reader, missing)) {
      found.set(sentText(account, created_lt), { account, lt, mcSeqno: mc_seqno, hash })
    }
  }
  return found
}

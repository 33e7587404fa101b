import type { CompiledQuery } from 'kysely'
import { STORED_MESSAGE_KIND } from '../codes/messageBits.ts'
import type { Reader } from '../connect/Reader.ts'
import { keyText } from './keyText.ts'
import { type MessageRow, receivedColumns, unreceivedColumns } from './MessageRow.ts'
import { rawQuery } from './rawQuery.ts'
import { spanOf } from './seqnoSpan.ts'
import type { TransactionRow } from './TransactionRecord.ts'

/** Who sent messages: their logical times follow that of the transaction. */
export type Sender = Pick<TransactionRow, 'account' | 'lt' | 'out_count' | 'mc_seqno'>

/** Nearly every message arrives within so many masterchain blocks, which are in one partition or two. */
const NEAR_BLOCKS = 256
const ANY_BLOCKS = 2 ** 31

/**
 * What a transaction `s` sent: what was received up to a masterchain block, and what was not received at all. Both are looked up in
 * one statement, so that a message that arrives meanwhile is found once. `within` is what else holds for the place of a row.
 */
export const sentByText = (lastSeqno: string, within: (name: 't' | 'u') => string = () => ''): string =>
  `select ${receivedColumns} from transactions as t
    where t.in_created_lt > s.lt and t.in_created_lt <= s.lt + s.out_count and t.in_source = s.account
      and t.in_bits & 7 = ${STORED_MESSAGE_KIND.internal} and t.mc_seqno >= s.mc_seqno and t.mc_seqno <= ${lastSeqno}${within('t')}
    union all
    select ${unreceivedColumns} from unreceived_messages as u
    where u.account = s.account and u.created_lt > s.lt and u.created_lt <= s.lt + s.out_count and u.mc_seqno = s.mc_seqno${within('u')}`

type SentRow = MessageRow & { readonly sender_lt: bigint }

const TEXT = `select m.*, s.lt as sender_lt
    from unnest($1::bytea[], $2::bigint[], $3::integer[], $4::integer[], $5::integer[]) as s(account, lt, out_count, mc_seqno, last_seqno)
    cross join lateral (${sentByText('s.last_seqno', (name) => ` and ${name}.mc_seqno >= $6 and ${name}.mc_seqno <= $7`)}) as m`

/** `reach` is the number of masterchain blocks after the sending within which messages were received. */
export const sentMessagesQuery = (senders: readonly Sender[], reach: number): CompiledQuery<SentRow> => {
  const accounts = senders.map(({ account }) => account)
  const lts = senders.map(({ lt }) => lt)
  const counts = senders.map(({ out_count }) => out_count)
  const seqnos = senders.map(({ mc_seqno }) => mc_seqno)
  const lasts = seqnos.map((seqno) => Math.min(seqno + reach, 0x7fff_ffff))
  const { first, last } = spanOf(seqnos, 0, reach)
  return rawQuery(TEXT, [accounts, lts, counts, seqnos, lasts, first, last])
}

/** The messages that transactions sent, by the texts of {@link senderText}, each list by logical time. */
export const findSentMessages = async (
  reader: Reader,
  transactions: readonly Sender[],
): Promise<ReadonlyMap<string, readonly MessageRow[]>> => {
  const senders = transactions.filter(({ out_count }) => out_count > 0)
  const found = new Map<string, Map<bigint, MessageRow>>()
  for (const reach of [NEAR_BLOCKS, ANY_BLOCKS]) {
    const missing = senders.filter((sender) => (found.get(senderText(sender))?.size ?? 0) < sender.out_count)
    if (missing.length === 0) break
    for (const row of await reader.read(sentMessagesQuery(missing, reach))) {
      const text = senderText({ account: row.source!, lt: row.sender_lt })
      found.set(text, (found.get(text) ?? new Map<bigint, MessageRow>()).set(row.created_lt!, row))
    }
  }
  const byLt = (a: MessageRow, b: MessageRow): number => (a.created_lt! < b.created_lt! ? -1 : 1)
  return new Map([...found].map(([text, rows]) => [text, [...rows.values()].sort(byLt)]))
}

export const senderText = ({ account, lt }: Pick<Sender, 'account' | 'lt'>): string => `${keyText(account)} ${lt}`

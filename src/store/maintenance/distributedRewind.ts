import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import { clientReader } from '../connect/Database.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import type { Tables } from '../schema/tables.ts'
import { toUnreceivedMessage } from '../schema/unreceivedMessage.ts'
import { insertMissing } from '../writer/upsertRows.ts'

type TransactionRow = Tables['transactions']

// Parts of a rewind that join transactions of different accounts, which are on different workers.

type AccountRow = Pick<
  TransactionRow,
  | 'lt'
  | 'now'
  | 'mc_seqno'
  | 'end_status'
  | 'hash'
  | 'state_after'
  | 'balance'
  | 'balance_extra'
  | 'frozen_hash'
  | 'data_hash'
  | 'code_hash'
  | 'large'
> & { readonly account: Uint8Array }

const ACCOUNTS = `select a.account, t.* from (select distinct account from transactions where mc_seqno > $1 and lt >= $2) as a
  left join lateral (
    select p.lt, p.now, p.mc_seqno, p.end_status, p.hash, p.state_after, p.balance, p.balance_extra, p.frozen_hash, p.data_hash,
      p.code_hash, p.large
    from transactions as p where p.account = a.account and p.mc_seqno <= $1 order by p.lt desc limit 1
  ) as t on true`

/** The accounts and logical times of `rewound_accounts`, as rows `r` to join with. */
export type RewoundRows = { readonly rows: string; readonly values: unknown[] }

/** The accounts touched above a masterchain block, each with its last transaction up to it, in a temporary table. */
export const collectAccountsDistributed = async (
  client: pg.ClientBase,
  seqno: number,
  lt: bigint,
): Promise<RewoundRows> => {
  const rows = await clientReader(client).read(CompiledQuery.raw(ACCOUNTS, [seqno, lt]) as CompiledQuery<AccountRow>)
  await client.query(
    `CREATE TEMPORARY TABLE rewound_accounts (account bytea, lt bigint, now integer, mc_seqno integer, end_status smallint,
       hash bytea, state_after bytea, balance bigint, balance_extra jsonb, frozen_hash bytea, data_hash bytea, code_hash bytea,
       large jsonb) ON COMMIT DROP`,
  )
  await client.query(
    'INSERT INTO rewound_accounts SELECT * FROM jsonb_populate_recordset(NULL::rewound_accounts, $1::jsonb)',
    [JSON.stringify(rows.map(toJson))],
  )
  // No table of the coordinator can be joined with one that is on every node.
  return {
    rows: 'unnest($1::bytea[], $2::bigint[]) AS r (account, lt)',
    values: [rows.map(({ account }) => account), rows.map((row) => row.lt)],
  }
}

const toJson = (row: AccountRow) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (typeof value === 'bigint') return [name, String(value)]
      return [name, value instanceof Uint8Array ? `\\x${toHex(value)}` : value]
    }),
  )

const SENDERS = `select m.account, m.created_lt, s.mc_seqno, s.trace_id
  from unnest($1::bytea[], $2::bigint[]) as m(account, created_lt) cross join lateral (
    select lt, out_count, mc_seqno, trace_id from transactions
    where account = m.account and lt < m.created_lt and mc_seqno <= $3 order by lt desc limit 1
  ) as s where s.lt + s.out_count >= m.created_lt`

type SenderRow = { account: Uint8Array; created_lt: bigint; mc_seqno: number; trace_id: Uint8Array }

/** Messages sent up to a masterchain block and received above are pending again. */
export const restoreMessagesDistributed = async (client: pg.ClientBase, seqno: number, lt: bigint): Promise<void> => {
  const { rows } = await client.query<TransactionRow>(
    `SELECT * FROM transactions WHERE mc_seqno > $1 AND lt >= $2 AND in_bits & 7 = ${STORED_MESSAGE_KIND.internal}`,
    [seqno, lt],
  )
  const keyOf = (account: Uint8Array, createdLt: bigint): string => `${toHex(account)} ${createdLt}`
  const senders = await clientReader(client).read(
    CompiledQuery.raw(SENDERS, [
      rows.map(({ in_source }) => in_source),
      rows.map(({ in_created_lt }) => in_created_lt),
      seqno,
    ]) as CompiledQuery<SenderRow>,
  )
  const senderOf = new Map(senders.map((sender) => [keyOf(sender.account, sender.created_lt), sender]))
  const messages = rows.flatMap((row) => {
    const sender = senderOf.get(keyOf(row.in_source!, row.in_created_lt!))
    return sender === undefined ? [] : [toUnreceivedMessage(row, sender)]
  })
  if (messages.length > 0) await insertMissing(client, 'unreceived_messages', messages)
}

import type pg from 'pg'
import { clientReader } from '../../store/connect/Database.ts'
import { rawQuery } from '../../store/reader/sql.ts'
import { STORED_MESSAGE_KIND } from '../../store/schema/codes.ts'
import { isId } from '../../store/schema/idParts.ts'

// Trace ids from the other end of a message, where the two transactions are on different workers: found first, then written.

type Wanting = {
  readonly account: Uint8Array
  readonly lt: bigint
  readonly out_count: number
  readonly in_source: Uint8Array | null
  readonly in_created_lt: bigint | null
}

type Found = { readonly account: Uint8Array; readonly lt: bigint; readonly trace_id: Uint8Array }

const INTERNAL = STORED_MESSAGE_KIND.internal

const SENDERS = `select m.account, m.lt, s.trace_id
  from unnest($1::bytea[], $2::bigint[], $3::bytea[], $4::bigint[]) as m(account, lt, source, created_lt) cross join lateral (
    select lt, out_count, trace_id from transactions
    where account = m.source and lt < m.created_lt and lt >= m.created_lt - $6::bigint order by lt desc limit 1
  ) as s where s.lt + s.out_count >= m.created_lt and s.trace_id <> $5`

const RECEIVERS = `select m.account, m.lt, r.trace_id
  from unnest($1::bytea[], $2::bigint[], $3::integer[]) as m(account, lt, out_count) cross join lateral (
    select trace_id from transactions where in_source = m.account and in_created_lt > m.lt
      and in_created_lt <= m.lt + m.out_count and in_bits & 7 = ${INTERNAL} and trace_id <> $4 limit 1
  ) as r`

const UPDATE = `UPDATE transactions t SET trace_id = r.trace_id FROM unnest($1::bytea[], $2::bigint[], $3::bytea[])
    AS r (account, lt, trace_id) WHERE t.account = r.account AND t.lt = r.lt AND t.mc_seqno = $4`

/** Gives transactions of a block without a trace id that of their senders or receivers. Returns how many. */
export const fillFromDistributed = async (
  client: pg.ClientBase,
  side: 'senders' | 'receivers',
  seqno: number,
  none: Uint8Array,
  maxSent: number,
): Promise<number> => {
  const { rows } = await client.query<Wanting>(
    `SELECT account, lt, out_count, in_source, in_created_lt FROM transactions
     WHERE mc_seqno = $1 AND ${isId('trace_id', '$2::bytea')}`,
    [seqno, none],
  )
  const wanting = side === 'receivers' ? rows : rows.filter(({ in_source }) => in_source !== null)
  if (wanting.length === 0) return 0
  const keys = [wanting.map(({ account }) => account), wanting.map(({ lt }) => lt)]
  const query =
    side === 'senders'
      ? rawQuery<Found>(SENDERS, [
          ...keys,
          wanting.map(({ in_source }) => in_source),
          wanting.map(({ in_created_lt }) => in_created_lt),
          none,
          maxSent,
        ])
      : rawQuery<Found>(RECEIVERS, [...keys, wanting.map(({ out_count }) => out_count), none])
  const found = await clientReader(client).read(query)
  if (found.length === 0) return 0
  const columns = [found.map(({ account }) => account), found.map(({ lt }) => lt), found.map((row) => row.trace_id)]
  return (await client.query(UPDATE, [...columns, seqno])).rowCount ?? 0
}

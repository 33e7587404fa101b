import type pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { lowestKept } from '../schema/PartitionMap.ts'
import { findIndexState, lockIndex } from '../writer/indexState.ts'
import type { Lease } from '../writer/lease.ts'
import { dropPartitions, listPartitions, lockPartitionedTables, readPartitionMap } from '../writer/partitions.ts'

const PAGE_BYTES = 8192
// 128 MiB, a second or two.
const PIECE_PAGES = 16_384

/**
 * Deletes lookups (hash to transaction) before a masterchain block and returns how many. The table is not partitioned, so it is
 * scanned once in chunks, each a short transaction. An index by block would not help: new rows share pages with old ones, so it
 * would touch every page.
 */
export const clearLookups = async (
  database: Pick<Database, 'transaction'>,
  before: number,
  signal: AbortSignal,
  piecePages = PIECE_PAGES,
): Promise<number> => {
  const pages = await database.transaction(async (client) => {
    const { rows } = await client.query<{ bytes: bigint }>(
      `SELECT pg_relation_size('transaction_lookup')::int8 AS bytes`,
    )
    return Number(rows[0]!.bytes) / PAGE_BYTES
  })
  const pieces = Math.max(1, Math.ceil(pages / piecePages))
  let gone = 0
  for (let k = 0; k < pieces; k++) {
    signal.throwIfAborted()
    const limits = [
      ...(k === 0 ? [] : [`ctid >= '(${k * piecePages},0)'::tid`]),
      ...(k === pieces - 1 ? [] : [`ctid < '(${(k + 1) * piecePages},0)'::tid`]),
      'mc_seqno < $1',
    ]
    const { rowCount } = await database.transaction((client) =>
      client.query(`DELETE FROM transaction_lookup WHERE ${limits.join(' AND ')}`, [before]),
    )
    gone += rowCount ?? 0
  }
  return gone
}

export type Dropped = {
  /** The first block that is retained. */
  readonly retainedFrom: number
  readonly partitions: number
}

/**
 * Drops the history before a masterchain block, by whole partitions: the retained history starts with the partition of the block.
 * Accounts and contracts keep their latest state. `retained_from` tells readers that there was more. `clearLookups` deletes the
 * lookups of dropped transactions. A trace across the border keeps its row; one that is open there with pending messages from
 * before is deleted.
 */
export const dropBefore = (
  database: Pick<Database, 'transaction'>,
  seqno: number,
  lease: Pick<Lease, 'guard'>,
): Promise<Dropped> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    const state = await findIndexState(client)
    if (state === undefined) return { retainedFrom: 0, partitions: 0 }
    const retainedFrom = Math.max(lowestKept(await readPartitionMap(client), seqno), state.retainedFrom)
    const old = (await listPartitions(client)).filter(({ start }) => start < retainedFrom)
    // Before any row changes: the classifier reads these tables first and changes its queue last.
    if (old.length > 0) await lockPartitionedTables(client)
    await forgetTraces(client, retainedFrom)
    await client.query('DELETE FROM unclassified_blocks WHERE mc_seqno < $1', [retainedFrom])
    await client.query('UPDATE index_state SET retained_from = $1', [retainedFrom])
    await client.query('DELETE FROM covered_ranges WHERE last_seqno < $1', [retainedFrom])
    // Nothing is ever indexed below it again, so the lower edge is not needed.
    await client.query(`UPDATE covered_ranges SET first_seqno = $1, lower_edge = '{}' WHERE first_seqno < $1`, [
      retainedFrom,
    ])
    const names = old.map(({ name }) => name)
    await dropPartitions(client, names)
    await lease.guard(client)
    return { retainedFrom, partitions: names.length }
  })

/** Deletes open traces that ended before, or whose pending messages are dropped. */
const forgetTraces = async (client: pg.ClientBase, retainedFrom: number): Promise<void> => {
  await client.query('DELETE FROM open_traces WHERE mc_seqno_end < $1', [retainedFrom])
  const { rows: across } = await client.query<{ trace_id: Uint8Array; pending: number }>(
    'SELECT trace_id, pending FROM open_traces WHERE mc_seqno_start < $1 AND pending > 0',
    [retainedFrom],
  )
  if (across.length === 0) return
  const { rows: going } = await client.query<{ trace_id: Uint8Array }>(
    `SELECT DISTINCT trace_id FROM unreceived_messages
     WHERE trace_id = ANY ($1::bytea[]) AND mc_seqno < $2 AND bits & 7 = ${STORED_MESSAGE_KIND.internal}`,
    [across.map(({ trace_id }) => trace_id), retainedFrom],
  )
  await client.query('DELETE FROM open_traces WHERE trace_id = ANY ($1::bytea[])', [
    going.map(({ trace_id }) => trace_id),
  ])
}

import type pg from 'pg'
import type { Database } from '../connect/Database.ts'
import type { Lease } from '../lease/Lease.ts'
import { indexedChannel } from '../notify/indexedChannel.ts'
import { sendHint } from '../notify/sendHint.ts'
import { type dividedTables, partitionName } from '../partitions/dividedTables.ts'
import { dropPartitions } from '../partitions/dropPartitions.ts'
import { listPartitions } from '../partitions/listPartitions.ts'
import { findIndexState } from '../writer/indexState.ts'
import { lockIndex } from '../writer/lockIndex.ts'
import { findRewindPoint, type RewindPoint } from './RewindPoint.ts'
import { rewindAccounts } from './rewindAccounts.ts'
import { rewindTraces } from './rewindTraces.ts'

/**
 * Takes back everything above a masterchain block, in one transaction; the covered ranges end there. The writer forgets what it
 * knows afterwards, and the state of the index is loaded anew.
 *
 * What was known of accounts before cannot always be told from what is left. Until the blocks are indexed again:
 * - an account that was touched above has its balance, status and hashes of the block; its data is unknown, unless it is the same;
 * - a contract that was touched above is still described as it was last seen; its `data_hash` is then not that of the account.
 * Bodies and codes stay, since others may have the same.
 */
export const rewindIndex = (
  database: Pick<Database, 'transaction'>,
  seqno: number,
  lease: Pick<Lease, 'guard'>,
): Promise<void> =>
  database.transaction(async (client) => {
    await lockIndex(client)
    // Rows are found by index, whatever the server believes of tables that it has never looked at.
    await client.query('SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off')
    if ((await findIndexState(client)) === undefined) return
    const point = await findRewindPoint(client, seqno)
    await rewindTraces(client, point)
    await rewindAccounts(client, point)
    await deleteAbove(client, point)
    await client.query('DELETE FROM covered_ranges WHERE first_seqno > $1', [seqno])
    await client.query('UPDATE covered_ranges SET last_seqno = $1 WHERE last_seqno > $1', [seqno])
    await sendHint(client, indexedChannel, `${seqno}-${seqno}`)
    await lease.guard(client)
  })

/** The logical times of rows that are not found by their block. */
const ltColumns: Readonly<Record<Exclude<(typeof dividedTables)[number], 'message_contents'>, string | undefined>> = {
  indexed_blocks: undefined,
  blocks: undefined,
  shard_tops: undefined,
  transactions: 'lt',
  unreceived_messages: 'created_lt',
  traces: undefined,
  jetton_transfers: 'lt',
  jetton_burns: 'lt',
  nft_transfers: 'lt',
  long_traces: undefined,
  actions: 'trace_end_lt',
  action_accounts: undefined,
}

/** Bodies stay where their partition does: it may be that a block below has them, too. */
const deleteAbove = async (client: pg.ClientBase, { seqno, lt }: RewindPoint): Promise<void> => {
  const partitions = await listPartitions(client)
  const above = new Set(partitions.filter(({ start }) => start > seqno).map(({ name }) => name))
  await dropPartitions(client, [...above])
  const lowest = partitions.findLast(({ start }) => start <= seqno)?.start
  if (lowest !== undefined) {
    for (const [table, column] of Object.entries(ltColumns)) {
      const also = column === undefined ? '' : ` AND ${column} >= ${lt}`
      await client.query(`DELETE FROM ${partitionName(table, lowest)} WHERE mc_seqno > $1${also}`, [seqno])
    }
  }
  await client.query('DELETE FROM transaction_lookup WHERE mc_seqno > $1', [seqno])
  await client.query('DELETE FROM unclassified_blocks WHERE mc_seqno > $1', [seqno])
}

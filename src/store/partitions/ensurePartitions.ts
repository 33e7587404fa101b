import type { Database } from '../connect/Database.ts'
import { dividedTables, partitionName } from './dividedTables.ts'
import { listPartitions } from './listPartitions.ts'

const MAX_SEQNO = 0x7fff_ffff
// Any number that nobody else takes: "partitio" as bytes.
const LOCK_KEY = 0x7061_7274_6974_696fn

/**
 * Makes the partitions that begin at `starts` in every divided table, where they are missing. They are made in a transaction of
 * their own: one that is empty is seen by nobody, and nobody waits for the batch that will fill it.
 *
 * A partition is made as a table and attached, since that leaves readers alone; CREATE TABLE … PARTITION OF would lock them out.
 */
export const ensurePartitions = (
  database: Pick<Database, 'transaction'>,
  starts: readonly number[],
  width: number,
): Promise<void> =>
  database.transaction(async (client) => {
    // Two who make the same ones at a time would be in each other's way.
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY])
    const present = new Set((await listPartitions(client)).map(({ name }) => name))
    const statements = starts.flatMap((start) =>
      dividedTables
        .filter((table) => !present.has(partitionName(table, start)))
        .map((table) => makePartition(table, start, width)),
    )
    if (statements.length > 0) await client.query(statements.join(';\n'))
  })

const makePartition = (table: string, start: number, width: number): string => {
  const name = partitionName(table, start)
  const end = start + width > MAX_SEQNO ? 'MAXVALUE' : start + width
  return `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
    ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${start}) TO (${end})`
}

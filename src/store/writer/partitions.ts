import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { isDistributed } from '../distributed/engine.ts'
import { identifyStatement, keylessTables } from '../distributed/rowIdentity.ts'
import { DatabaseTimeoutError, toDatabaseError } from '../errors.ts'
import { partitionedTables, partitionName } from '../schema/tables.ts'

// The server checks for deadlocks after a second and cancels a waiter, usually a reader of two tables. Release the locks earlier.
const LOCK_MS = 800
const BREATH_MS = 200
const TRIES = 4
// Autovacuum releases a partition after a second.
const DROP_LOCK_MS = 2000

/**
 * Locks the partitioned tables, all in one statement: locked one after the other, as DROP TABLE does, they could deadlock with
 * readers of several of them. While a long read runs, later readers queue behind our lock request; so it is given up and retried
 * after a pause. A transaction that changes rows of other tables besides takes these locks first.
 */
export const lockPartitionedTables = async (client: pg.ClientBase): Promise<void> => {
  for (let left = TRIES - 1; !(await lockPartitioned(client, left === 0)); left -= 1) await delay(BREATH_MS)
}

/** Drops partitions; readers wait meanwhile. */
export const dropPartitions = async (client: pg.ClientBase, names: readonly string[]): Promise<void> => {
  if (names.length === 0) return
  await lockPartitionedTables(client)
  await client.query(`SET LOCAL lock_timeout TO ${DROP_LOCK_MS}`)
  await client.query(`DROP TABLE ${names.join(', ')}`)
}

/** Whether the locks were acquired; a timeout is an error on the last attempt only. */
const lockPartitioned = async (client: pg.ClientBase, isLast: boolean): Promise<boolean> => {
  await client.query(`SAVEPOINT before_locks; SET LOCAL statement_timeout TO ${LOCK_MS}`)
  try {
    await client.query(
      `LOCK TABLE ${partitionedTables.map((name) => `ONLY ${name}`).join(', ')} IN ACCESS EXCLUSIVE MODE`,
    )
  } catch (error) {
    if (isLast || !(toDatabaseError(error) instanceof DatabaseTimeoutError)) throw error
    await client.query('ROLLBACK TO SAVEPOINT before_locks')
    return false
  }
  await client.query('SET LOCAL statement_timeout TO DEFAULT; RELEASE SAVEPOINT before_locks')
  return true
}

export type Partition = { readonly table: string; readonly name: string; readonly start: number }

/** The existing partitions, by table and start. */
export const listPartitions = async (client: pg.ClientBase): Promise<readonly Partition[]> => {
  const { rows } = await client.query<Partition>(
    `SELECT p.relname AS "table", c.relname AS name, substring(c.relname FROM '_p([0-9]+)$')::int AS start
     FROM pg_inherits i
       JOIN pg_class c ON c.oid = i.inhrelid
       JOIN pg_class p ON p.oid = i.inhparent
     WHERE p.relkind = 'p' AND c.relkind = 'r' AND p.relnamespace = current_schema()::regnamespace
     ORDER BY 1, 3`,
  )
  return rows
}

const MAX_SEQNO = 0x7fff_ffff
// An arbitrary unique lock number: "partitio" as bytes.
const LOCK_KEY = 0x7061_7274_6974_696fn

/**
 * Creates missing partitions with these starts in every partitioned table, in a transaction of its own, so that nobody waits for
 * the batch that fills them. Each is created as a table and attached, which does not block readers; CREATE TABLE … PARTITION OF
 * would.
 */
export const ensurePartitions = (
  database: Pick<Database, 'transaction'>,
  starts: readonly number[],
  width: number,
): Promise<void> =>
  database.transaction(async (client) => {
    // Serialise concurrent creation of the same partitions.
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY])
    const onCluster = isDistributed(client)
    const present = new Set((await listPartitions(client)).map(({ name }) => name))
    const statements = starts.flatMap((start) =>
      partitionedTables
        .filter((table) => !present.has(partitionName(table, start)))
        .flatMap((table) => makePartition(table, start, width, onCluster)),
    )
    // Citus sends the whole text to its workers, which take one statement at a time.
    const texts = onCluster || statements.length === 0 ? statements : [statements.join(';\n')]
    for (const text of texts) await client.query(text)
  })

const makePartition = (table: string, start: number, width: number, onCluster: boolean): readonly string[] => {
  const name = partitionName(table, start)
  const end = start + width > MAX_SEQNO ? 'MAXVALUE' : start + width
  return [
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`,
    ...(onCluster && keylessTables.includes(table) ? [identifyStatement(name)] : []),
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${start}) TO (${end})`,
  ]
}

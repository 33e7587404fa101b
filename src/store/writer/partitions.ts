import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../connect/Database.ts'
import { isDistributed } from '../distributed/engine.ts'
import { identifyStatement, keylessTables } from '../distributed/rowIdentity.ts'
import { DatabaseTimeoutError, toDatabaseError } from '../errors.ts'
import {
  chooseSpan,
  MAX_SEQNO,
  PartitionMap,
  type PartitionSizes,
  type PartitionSpan,
  wantPartitionBytes,
} from '../schema/PartitionMap.ts'
import { partitionedTables, partitionName, partitionsText } from '../schema/tables.ts'
import { readRanges } from './indexState.ts'

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

export type Partition = PartitionSpan & { readonly table: string; readonly name: string }

/** The existing partitions, by table and start. */
export const listPartitions = async (client: pg.ClientBase): Promise<readonly Partition[]> => {
  const { rows } = await client.query<{ table_name: string; name: string; first: number; last: number }>(
    `${partitionsText} ORDER BY 1, 3`,
  )
  return rows.map(({ table_name: table, name, first, last }) => ({ table, name, start: first, end: last + 1 }))
}

export const readPartitionMap = async (client: pg.ClientBase): Promise<PartitionMap> =>
  new PartitionMap((await listPartitions(client)).filter(({ table }) => table === partitionedTables[0]))

// An arbitrary unique lock number: "partitio" as bytes.
const LOCK_KEY = 0x7061_7274_6974_696fn

/**
 * Creates the missing partitions of these blocks in every partitioned table, each of at most `width` blocks, and returns all. This is a
 * transaction of its own, so that nobody waits for the batch that fills them.
 */
export const ensurePartitions = (
  database: Pick<Database, 'transaction'>,
  seqnos: readonly number[],
  width: number,
): Promise<PartitionMap> =>
  database.transaction(async (client) => {
    // Serialise concurrent creation of the same partitions.
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY])
    let map = await readPartitionMap(client)
    let sizes: PartitionSizes | undefined
    for (const seqno of seqnos) {
      if (map.find(seqno) !== undefined) continue
      sizes ??= await readSizes(client, width)
      const span = chooseSpan(map, seqno, sizes)
      await createPartition(client, span)
      map = new PartitionMap([...map.spans(), span])
    }
    return map
  })

/** Creates a partition in every partitioned table. It must not overlap others. */
export const createPartition = async (client: pg.ClientBase, span: PartitionSpan): Promise<void> => {
  const onCluster = isDistributed(client)
  const statements = partitionedTables.flatMap((table) => makePartition(table, span, onCluster))
  // Citus sends the whole text to its workers, which take one statement at a time.
  for (const text of onCluster ? statements : [statements.join(';\n')]) await client.query(text)
}

/** Each is created as a table and attached, which does not block readers; CREATE TABLE … PARTITION OF would. */
const makePartition = (table: string, { start, end }: PartitionSpan, onCluster: boolean): readonly string[] => {
  const name = partitionName(table, start)
  return [
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`,
    ...(onCluster && keylessTables.includes(table) ? [identifyStatement(name)] : []),
    `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${start}) TO (${end > MAX_SEQNO ? 'MAXVALUE' : end})`,
  ]
}

/** With fewer blocks a partition does not tell much. */
const MIN_COVERED = 4096

const readSizes = async (client: pg.ClientBase, width: number): Promise<PartitionSizes> => {
  // The coordinator of a cluster has no rows, and each worker has a part of each partition only.
  if (isDistributed(client)) return { width, wantedBytes: undefined, bytesPerBlock: () => undefined }
  const { rows } = await client.query<{ first: number; bytes: number }>(
    `SELECT first, sum(pg_total_relation_size(name::regclass))::float8 AS bytes FROM (${partitionsText}) AS p GROUP BY 1`,
  )
  const { rows: memory } = await client.query<{ bytes: number }>(
    `SELECT pg_size_bytes(current_setting('shared_buffers'))::float8 AS bytes`,
  )
  const bytesOf = new Map(rows.map(({ first, bytes }) => [first, bytes]))
  const all = rows.reduce((sum, { bytes }) => sum + bytes, 0)
  const ranges = await readRanges(client)
  return {
    width,
    wantedBytes: wantPartitionBytes(memory[0]!.bytes, all),
    bytesPerBlock: ({ start, end }) => {
      const covered = ranges.reduce(
        (sum, { firstSeqno, lastSeqno }) =>
          sum + Math.max(0, Math.min(end, lastSeqno + 1) - Math.max(start, firstSeqno)),
        0,
      )
      return covered < MIN_COVERED ? undefined : (bytesOf.get(start) ?? 0) / covered
    },
  }
}

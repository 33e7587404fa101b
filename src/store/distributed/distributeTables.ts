import type pg from 'pg'
import { DatabaseExtensionError, toDatabaseError } from '../errors.ts'
import { fillStatement, ownedCopies } from './ownedTables.ts'
import { placements } from './placements.ts'
import { addTraceAccounts } from './routedTraces.ts'
import { identifyRows } from './rowIdentity.ts'

/** A step of the distribution: a table, and how many of its pieces (itself, or its partitions) have been copied to the workers. */
export type DistributionStep = {
  readonly table: string
  readonly copied: number
  readonly pieces: number
}

export type DistributeOptions = {
  readonly onStep?: (step: DistributionStep) => void
  readonly signal?: AbortSignal
}

/**
 * Distributes the tables over a Citus cluster, with their rows. Tables that are distributed already are skipped, so that it can be
 * run again after a failure. Returns the names of the others. Reads go on meanwhile; writes to a table wait until it is distributed.
 */
export const distributeTables = async (
  client: pg.ClientBase,
  { onStep = () => {}, signal }: DistributeOptions = {},
): Promise<readonly string[]> => {
  try {
    await checkExtension(client)
    const { rows } = await client.query<{ name: string }>('SELECT logicalrelid::text AS name FROM pg_dist_partition')
    const present = new Set(rows.map(({ name }) => name))
    const distributed: string[] = []
    await client.query('SET statement_timeout = 0')
    // A read that names no worker asks every shard, so there are few. Two for each worker leave some to move to further ones.
    const workers = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM pg_dist_node WHERE groupid <> 0 AND shouldhaveshards',
    )
    await client.query(`SET citus.shard_count = ${SHARDS_PER_WORKER * Math.max(1, workers.rows[0]!.count)}`)
    await addTraceAccounts(client)
    await identifyRows(client)
    for (const [table, placement] of Object.entries(placements)) {
      signal?.throwIfAborted()
      if (placement === 'here' || present.has(table)) continue
      await reportCopies(client, table, onStep, async () => {
        if (placement === 'everywhere') await client.query('SELECT create_reference_table($1)', [table])
        else await distribute(client, table, placement.by)
      })
      distributed.push(table)
    }
    return distributed
  } catch (error) {
    throw toDatabaseError(error)
  }
}

const SHARDS_PER_WORKER = 2

/** A copy for the lists of owners is filled at once: readers use it as soon as it is there. */
const distribute = async (client: pg.ClientBase, table: string, by: string): Promise<void> => {
  const source = Object.entries(ownedCopies).find(([, { copy }]) => copy === table)?.[0]
  if (source === undefined) {
    await client.query('SELECT create_distributed_table($1, $2)', [table, by])
    return
  }
  await client.query('BEGIN')
  try {
    await client.query(`LOCK TABLE ${source} IN SHARE MODE`)
    await client.query('SELECT create_distributed_table($1, $2)', [table, by])
    await client.query(fillStatement(source))
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

/** The server sends a notice before it copies the rows of a table or a partition. */
const reportCopies = async (
  client: pg.ClientBase,
  table: string,
  onStep: (step: DistributionStep) => void,
  work: () => Promise<void>,
): Promise<void> => {
  const { rows } = await client.query<{ pieces: number }>(
    'SELECT greatest(1, count(*))::int AS pieces FROM pg_inherits WHERE inhparent = $1::regclass',
    [table],
  )
  const { pieces } = rows[0]!
  let copied = 0
  const onNotice = ({ message = '' }: { readonly message?: string | undefined }): void => {
    if (/^Copying data from local table/.test(message)) onStep({ table, copied: copied++, pieces })
  }
  client.on('notice', onNotice)
  try {
    await work()
  } finally {
    client.off('notice', onNotice)
  }
  onStep({ table, copied: pieces, pieces })
}

const checkExtension = async (client: pg.ClientBase): Promise<void> => {
  const { rows } = await client.query<{ there: boolean; available: boolean }>(
    `SELECT to_regproc('create_distributed_table') IS NOT NULL AS there,
       EXISTS (SELECT FROM pg_available_extensions WHERE name = 'citus') AS available`,
  )
  const { there, available } = rows[0]!
  if (there) return
  throw new DatabaseExtensionError(
    available
      ? 'The server has the extension citus, but this database does not use it. Run CREATE EXTENSION citus in it as its administrator, add the worker nodes, and try again.'
      : 'Tables can be distributed only by a server with the extension citus, and this one does not have it. Name such a server with --database-url, or leave out --distribute.',
  )
}

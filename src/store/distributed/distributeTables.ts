import type pg from 'pg'
import { DatabaseExtensionError, toDatabaseError } from '../errors.ts'
import { placements } from './placements.ts'

/**
 * Distributes the tables over a Citus cluster, with their rows. Tables that are distributed already are skipped. Returns the
 * names of the others.
 */
export const distributeTables = async (client: pg.ClientBase): Promise<readonly string[]> => {
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
    for (const [table, placement] of Object.entries(placements)) {
      if (placement === 'here' || present.has(table)) continue
      if (placement === 'everywhere') await client.query('SELECT create_reference_table($1)', [table])
      else await client.query('SELECT create_distributed_table($1, $2)', [table, placement.by])
      distributed.push(table)
    }
    return distributed
  } catch (error) {
    throw toDatabaseError(error)
  }
}

const SHARDS_PER_WORKER = 2

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

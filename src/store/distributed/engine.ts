import type pg from 'pg'

/**
 * Connections to a database whose tables are distributed over a Citus cluster. Some statements have a form of their own there; most
 * are the same.
 */
const distributedClients = new WeakSet<object>()

export const markDistributed = (client: pg.ClientBase): void => {
  distributedClients.add(client)
}

/** Whether the tables behind a connection are distributed. */
export const isDistributed = (client: pg.ClientBase): boolean => distributedClients.has(client)

/** Asks the server whether the tables are distributed: the extension alone changes nothing. */
export const findDistribution = async (client: pg.ClientBase): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AND to_regclass('transactions') IS NOT NULL AS there`,
  )
  if (!rows[0]!.there) return false
  const { rowCount } = await client.query(
    `SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('transactions')`,
  )
  return rowCount === 1
}

import type pg from 'pg'
import { CodedError } from '../../primitives/errors.ts'

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

type Asked = { query<Row extends pg.QueryResultRow>(sql: string): Promise<{ readonly rows: Row[] }> }

/** Asks the server whether the tables are distributed: the extension alone changes nothing. */
export const findDistribution = async (client: Asked): Promise<boolean> => {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('pg_dist_partition') IS NOT NULL AND to_regclass('transactions') IS NOT NULL AS there`,
  )
  if (!rows[0]!.there) return false
  const { rows: found } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_dist_partition WHERE logicalrelid = to_regclass('transactions')`,
  )
  return found[0]!.count === 1
}

/** Whether the tables of a database are distributed. They may be while processes use it: then a statement for one server fails. */
export class Engine {
  #isDistributed: boolean

  constructor(isNow: boolean) {
    this.#isDistributed = isNow
  }

  get isDistributed(): boolean {
    return this.#isDistributed
  }

  /** Whether a statement failed because the tables have been distributed meanwhile. Other errors say nothing of it. */
  async hasChanged(error: unknown, client: Asked): Promise<boolean> {
    if (this.#isDistributed || error instanceof CodedError || !(error instanceof Error && 'severity' in error))
      return false
    this.#isDistributed = await findDistribution(client).catch(() => false)
    return this.#isDistributed
  }
}

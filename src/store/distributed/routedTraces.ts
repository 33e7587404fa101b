import type pg from 'pg'
import { array, bytea, nullable } from '../schema/columns.ts'
import { tables } from '../schema/tables.ts'

/**
 * Traces on a cluster have one more column: the accounts of their transactions, which are on the workers of those accounts. On one
 * server it would only take space.
 */
export const routedTraces = { ...tables.traces, accounts: nullable(array(bytea)) } as const

/** The transactions of a trace with more accounts are on all workers anyway. */
export const MAX_ROUTED_ACCOUNTS = 32

/** Adds the column. */
export const addTraceAccounts = async (client: pg.ClientBase): Promise<void> => {
  const { rowCount } = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'traces'::regclass AND attname = 'accounts'`,
  )
  if (rowCount === 0) await client.query('ALTER TABLE traces ADD COLUMN accounts bytea[]')
}

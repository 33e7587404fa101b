import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import type { Reader } from '../connect/Database.ts'
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

type AccountsRow = { readonly accounts: readonly Uint8Array[] | null }

export const traceAccountsQuery = (traceId: Uint8Array): CompiledQuery<AccountsRow> =>
  CompiledQuery.raw('select accounts from traces where trace_id = $1', [traceId]) as CompiledQuery<AccountsRow>

/** The accounts of a finished trace; `undefined` where they are many, or not known. */
export const findTraceAccounts = async (
  reader: Reader,
  traceId: Uint8Array,
): Promise<readonly Uint8Array[] | undefined> =>
  (await reader.read(traceAccountsQuery(traceId)))[0]?.accounts ?? undefined

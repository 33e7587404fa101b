import type { Database } from '../../../src/store/connect/Database.ts'
import { actionTables, chainTables } from '../../../src/store/schema/chainTables.ts'
import { contractTables } from '../../../src/store/schema/contractTables.ts'

export type IndexDump = Readonly<Record<string, readonly string[]>>

/**
 * Every row of every table, as text, in the order of the text. When a row was committed is left out, and how often a block waits to
 * be classified, which depends on how the blocks came, as do the balances of jetton wallets. So is what only a cluster has.
 */
export const dumpIndex = (database: Pick<Database, 'transaction'>): Promise<IndexDump> =>
  database.transaction(async (client) => {
    const dump: Record<string, readonly string[]> = {}
    for (const [table, columns] of Object.entries({ ...chainTables, ...contractTables, ...actionTables })) {
      const names = Object.keys(columns).filter(
        (name) => name !== 'committed_at' && !(table === 'transaction_lookup' && name === 'account'),
      )
      const { rows } = await client.query<{ row: string }>(
        `SELECT ${table === 'unclassified_blocks' ? 'DISTINCT' : ''} (to_jsonb(t) - 'committed_at')::text AS row
         FROM (SELECT ${names.join(', ')} FROM ${table} OFFSET 0) t ORDER BY 1`,
      )
      dump[table] = rows.map(({ row }) => row)
    }
    return dump
  })

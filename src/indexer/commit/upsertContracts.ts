import type pg from 'pg'
import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'
import { insertMissing, type NewestWinsTable, newestWins, upsertNewest } from '../../store/writer/upsertRows.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import { newestRows } from './newestRows.ts'

type ContractTable = keyof InspectedContracts['contracts'] & NewestWinsTable

/** Writes what was found out about contracts, where nothing newer is known. */
export const upsertContracts = async (client: pg.ClientBase, inspected: InspectedContracts): Promise<void> => {
  const { contracts, codes } = inspected
  for (const table of Object.keys(contracts) as ContractTable[]) await upsertTable(client, table, contracts[table])
  if (codes.length > 0) await insertMissing(client, 'codes', codes)
}

const upsertTable = async <Name extends ContractTable>(
  client: pg.ClientBase,
  table: Name,
  rows: readonly CopyRow<(typeof tables)[Name]>[],
): Promise<void> => {
  if (rows.length === 0) return
  const key = newestWins[table]
  type Row = CopyRow<(typeof tables)[Name]> & { readonly last_lt: bigint; readonly since_lt?: bigint }
  const newest = newestRows(rows as readonly Row[], (row) => (row as unknown as Record<string, Uint8Array>)[key]!)
  await upsertNewest(client, table, newest)
}

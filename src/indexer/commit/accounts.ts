import type pg from 'pg'
import { packCell } from '../../codec/stored/packCell.ts'
import { accountStatusCode } from '../../store/schema/codes.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import type { tables } from '../../store/schema/tables.ts'
import { insertMissing, type NewestWinsTable, newestWins, upsertNewest } from '../../store/writer/upsertRows.ts'
import type { TouchedAccount } from '../blockSets.ts'
import type { IndexBatch, InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import { type KeySet, newestAccountsOf } from '../newestAccounts.ts'

type Row = CopyRow<typeof tables.latest_account_states>

const MAX_INT8 = 2n ** 63n - 1n

/** The newest state of each account in a batch, except those with newer stored states. */
export const listAccountRows = (
  { blockSets, resolved }: Pick<IndexBatch, 'blockSets' | 'resolved'>,
  hasNewer: Pick<KeySet, 'has'> | undefined,
): Row[] => {
  const newest = newestAccountsOf(blockSets)
  const matched = newest.match(resolved)
  const rows: Row[] = []
  for (const [k, { touched, seqno }] of newest.list.entries()) {
    if (!hasNewer?.has(touched.account)) rows.push(toRow(touched, seqno, matched[k]))
  }
  return rows
}

const toRow = (touched: TouchedAccount, seqno: number, found: ResolvedAccount | undefined): Row => {
  const { balance } = touched
  const isLarge = balance > MAX_INT8
  const data = found?.data
  return {
    balance: isLarge ? null : balance,
    last_lt: touched.lastLt,
    now: touched.now,
    mc_seqno: seqno,
    status: accountStatusCode(touched.status),
    account: touched.account,
    hash: touched.stateHash,
    last_hash: touched.lastHash,
    frozen_hash: touched.frozenHash,
    data_hash: touched.dataHash,
    code_hash: touched.codeHash,
    balance_extra: (found ?? touched).extraCurrencies,
    large: isLarge ? { balance: String(balance) } : null,
    data: data === undefined || data === 'unknown' ? null : packCell(data),
  }
}

type ContractRow = { readonly last_lt: bigint; readonly since_lt?: bigint }

/** One row per key: the newest, with the least `since_lt`. */
export const newestRows = <Row extends ContractRow>(rows: readonly Row[], keyOf: (row: Row) => Uint8Array): Row[] => {
  const newest = new Map<string, Row>()
  for (const row of rows) {
    const key = Buffer.from(keyOf(row)).toString('latin1')
    const other = newest.get(key)
    newest.set(key, other === undefined ? row : merge(other, row))
  }
  return [...newest.values()]
}

const merge = <Row extends ContractRow>(a: Row, b: Row): Row => {
  const newer = b.last_lt >= a.last_lt ? b : a
  if (a.since_lt === undefined || b.since_lt === undefined) return newer
  return { ...newer, since_lt: a.since_lt < b.since_lt ? a.since_lt : b.since_lt }
}

type ContractTable = keyof InspectedContracts['contracts'] & NewestWinsTable

/** Writes detected contracts, unless newer ones are stored. */
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

import type { IndexBatch, InspectedContracts } from '../../../src/indexer/IndexBatch.ts'
import type { CopyRow, Table } from '../../../src/store/schema/columns.ts'
import type { ChainCopy } from './ChainCopy.ts'
import type { TemplateBatch } from './ChainTemplate.ts'
import { copyBlockSet } from './copyBlockSet.ts'

/** A batch of a copy, up to linking. */
export const copyBatch = (
  { blockSets, resolved, inspected }: TemplateBatch,
  copy: ChainCopy,
): Pick<IndexBatch, 'blockSets' | 'resolved' | 'inspected'> => ({
  blockSets: blockSets.map((blockSet) => copyBlockSet(blockSet, copy)),
  resolved: resolved.map((account) => ({
    ...account,
    account: copy.mapAddress(account.account),
    lastLt: account.lastLt === 0n ? 0n : account.lastLt + copy.shifts.lt,
  })),
  inspected: copyInspected(inspected, copy),
})

const copyInspected = (inspected: InspectedContracts, copy: ChainCopy): InspectedContracts => {
  const copyRows = <T extends Table>(rows: readonly CopyRow<T>[]): CopyRow<T>[] =>
    rows.map((row) => copy.mapRow<T>(row))
  const contracts = Object.entries(inspected.contracts).map(([table, rows]) => [
    table,
    copyRows(rows as readonly unknown[] as readonly CopyRow<Table>[]),
  ])
  return {
    contracts: Object.fromEntries(contracts) as InspectedContracts['contracts'],
    // All copies have the same.
    codes: copy.round === 0 ? inspected.codes : [],
    jettonTransfers: copyRows(inspected.jettonTransfers),
    jettonBurns: copyRows(inspected.jettonBurns),
    nftTransfers: copyRows(inspected.nftTransfers),
  }
}

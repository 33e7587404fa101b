import type { CopyRow } from '../../store/Table.ts'
import type { tables } from '../../store/tables.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { DetectorContext, FoundRows } from './Detector.ts'
import { allDetectors } from './detectors/allDetectors.ts'
import { type ContractTable, contractTables, type InspectStats } from './InspectStats.ts'
import type { MethodRunner } from './MethodRunner.ts'
import type { Subject } from './Subject.ts'

type Contracts = InspectedContracts['contracts']
type Lists = { [T in ContractTable]: CopyRow<(typeof tables)[T]>[] }

export const noContracts = (): Lists => ({
  jetton_masters: [],
  jetton_wallets: [],
  nft_collections: [],
  nft_items: [],
  nft_sales: [],
  dns_entries: [],
  multisigs: [],
  multisig_orders: [],
  vesting_contracts: [],
  dex_pools: [],
})

/** Looks at contracts, several at once. Rows come in the order of the subjects. */
export const inspectSubjects = async (
  subjects: readonly Subject[],
  runner: MethodRunner,
  context: Omit<DetectorContext, 'run'>,
  parallel: number,
): Promise<Contracts> => {
  const found = new Array<FoundRows>(subjects.length)
  let next = 0
  let failed = false
  const work = async (): Promise<void> => {
    while (!failed && next < subjects.length) {
      const at = next++
      try {
        found[at] = await inspectSubject(subjects[at]!, runner, context)
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, subjects.length) }, work))
  const contracts = noContracts()
  for (const rows of found) for (const table of contractTables) addRow(contracts, table, rows, context.stats)
  return contracts
}

const addRow = <T extends ContractTable>(lists: Lists, table: T, rows: FoundRows, stats: InspectStats): void => {
  const row = rows[table]
  if (row === undefined) return
  lists[table].push(row)
  stats.detected[table]++
}

const inspectSubject = async (
  subject: Subject,
  runner: MethodRunner,
  context: Omit<DetectorContext, 'run'>,
): Promise<FoundRows> => {
  const { stats } = context
  const candidates = allDetectors.filter(({ isCandidate }) => isCandidate(subject))
  if (candidates.length > 0) stats.candidates++
  const run = runner.runFor(subject)
  let found: FoundRows = {}
  for (const { name, detect } of candidates) {
    const rows = await detect({ ...context, run }, subject)
    if (rows === undefined) stats.refused[name] = (stats.refused[name] ?? 0) + 1
    // A contract may pretend to be two things of one table. It is the first of them.
    else found = { ...rows, ...found }
    // It may have the methods of every kind of contract just to be asked for all of them.
    if (runner.isExhausted(subject)) break
  }
  return found
}

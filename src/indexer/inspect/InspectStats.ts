import type { InspectedContracts } from '../IndexBatch.ts'

export type ContractTable = keyof InspectedContracts['contracts']

/** Why a run gave no result that could be looked at. */
export type RunFailure = 'timeout' | 'gas' | 'result' | 'input' | 'crash'

/** What was done, in numbers that only grow. */
export type InspectStats = {
  /** Accounts with code that were looked at. */
  accounts: number
  /** Of those, the ones that have methods of a known contract. */
  candidates: number
  /** Runs of get-methods, and those that a run before made needless. */
  runs: number
  cachedRuns: number
  /** Claims that a parent had vouched for before. */
  vouchedBefore: number
  /** Tokens of which the store has a newer state, so that nothing had to be run. */
  storedNewer: number
  /** Rows, by table. */
  readonly detected: Record<ContractTable, number>
  /** Contracts that have the methods but not the answers, by the name of the detector. */
  readonly refused: Record<string, number>
  readonly failedRuns: Record<RunFailure, number>
  /** Accounts whose code or data the source does not have. */
  unknown: number
  events: number
}

export const contractTables: readonly ContractTable[] = [
  'jetton_masters',
  'jetton_wallets',
  'nft_collections',
  'nft_items',
  'nft_sales',
  'dns_entries',
  'multisigs',
  'multisig_orders',
  'vesting_contracts',
  'dex_pools',
]

export const createInspectStats = (): InspectStats => ({
  accounts: 0,
  candidates: 0,
  runs: 0,
  cachedRuns: 0,
  vouchedBefore: 0,
  storedNewer: 0,
  detected: Object.fromEntries(contractTables.map((table) => [table, 0])) as Record<ContractTable, number>,
  refused: {},
  failedRuns: { timeout: 0, gas: 0, result: 0, input: 0, crash: 0 },
  unknown: 0,
  events: 0,
})

import { getMethodId } from '../../codec/tlb/VmValue.ts'
import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import type { TokenContent } from '../../contracts/tokens/tokenContent.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import type { tables } from '../../store/schema/tables.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { NewerRows, Subject, VouchedTokens } from './knownContracts.ts'

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

/** At most one row of each table. */
export type FoundRows = { readonly [T in ContractTable]?: CopyRow<(typeof tables)[T]> }

export type DetectorContext = {
  /** Runs methods after the last block of the batch. */
  readonly run: RunMethod
  readonly vouched: VouchedTokens
  readonly stats: InspectStats
  readonly dnsZones: DnsZones
  readonly newer: NewerRows
}

/** Recognises one kind of contract. */
export type Detector = {
  readonly name: string
  /** Whether the code is such that it is worth a run. */
  readonly isCandidate: (subject: Subject) => boolean
  /** What is written of it; `undefined` where it is no contract of this kind. */
  readonly detect: (context: DetectorContext, subject: Subject) => Promise<FoundRows | undefined>
}

/** Whether a code has all of these methods. */
export const hasMethods = (...names: readonly string[]): ((subject: Subject) => boolean) => {
  const ids = names.map(getMethodId)
  return ({ methods }) => ids.every((id) => methods.has(id))
}

/** Whether it has one of them. */
export const hasAnyMethod = (...names: readonly string[]): ((subject: Subject) => boolean) => {
  const ids = names.map(getMethodId)
  return ({ methods }) => ids.some((id) => methods.has(id))
}

/** Content as clients get it: text by the names of TEP-64. The database has no character of number zero, so it is left out. */
export const toContentJson = (content: TokenContent): Record<string, string> => {
  if (content.kind === 'offChain') return { uri: withoutNul(content.uri) }
  const json: Record<string, string> = {}
  for (const [name, text] of Object.entries(content.texts)) json[name] = withoutNul(text)
  if (content.imageData !== undefined) json['image_data'] = toBase64(content.imageData)
  return json
}

export const withoutNul = (text: string): string => text.replaceAll('\0', '')

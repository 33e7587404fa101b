import { getMethodId } from '../../codec/tlb/VmValue.ts'
import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { RunMethod } from '../../contracts/getMethods.ts'
import type { TokenContent } from '../../contracts/tokens/tokenContent.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import type { tables } from '../../store/schema/tables.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { NewerRows, Subject, VerifiedTokens } from './knownContracts.ts'

export type ContractTable = keyof InspectedContracts['contracts']

/** Why a run failed. */
export type RunFailure = 'timeout' | 'gas' | 'result' | 'input' | 'crash'

/** Counters, which only grow. */
export type InspectStats = {
  /** Accounts with code that were inspected. */
  accounts: number
  /** Those with methods of a known contract. */
  candidates: number
  /** Runs of get-methods, and those answered from the cache. */
  runs: number
  cachedRuns: number
  /** Claims that a parent had verified before. */
  vouchedBefore: number
  /** Tokens with a newer stored state, which need no run. */
  storedNewer: number
  /** Rows, by table. */
  readonly detected: Record<ContractTable, number>
  /** Contracts with the methods but without valid results, by detector. */
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
  /** Runs methods at the state after the batch. */
  readonly run: RunMethod
  readonly vouched: VerifiedTokens
  readonly stats: InspectStats
  readonly dnsZones: DnsZones
  readonly newer: NewerRows
}

/** Recognises one kind of contract. */
export type Detector = {
  readonly name: string
  /** Whether the code is worth a run. */
  readonly isCandidate: (subject: Subject) => boolean
  /** The rows of the contract; `undefined` if it is not of this kind. */
  readonly detect: (context: DetectorContext, subject: Subject) => Promise<FoundRows | undefined>
}

/** Whether the code has all of these methods. */
export const hasMethods = (...names: readonly string[]): ((subject: Subject) => boolean) => {
  const ids = names.map(getMethodId)
  return ({ methods }) => ids.every((id) => methods.has(id))
}

/** Whether the code has one of these methods. */
export const hasAnyMethod = (...names: readonly string[]): ((subject: Subject) => boolean) => {
  const ids = names.map(getMethodId)
  return ({ methods }) => ids.some((id) => methods.has(id))
}

/** Content as text by TEP-64 names. NUL characters are removed: the database has none. */
export const toContentJson = (content: TokenContent): Record<string, string> => {
  if (content.kind === 'offChain') return { uri: withoutNul(content.uri) }
  const json: Record<string, string> = {}
  for (const [name, text] of Object.entries(content.texts)) json[name] = withoutNul(text)
  if (content.imageData !== undefined) json['image_data'] = toBase64(content.imageData)
  return json
}

export const withoutNul = (text: string): string => text.replaceAll('\0', '')

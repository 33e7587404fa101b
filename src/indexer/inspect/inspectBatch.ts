import type { VirtualMachine } from '../../chain/ports.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { type ExtraCurrencies, extraCurrenciesType, NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import type { tables } from '../../store/schema/tables.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import type { IndexBatch, InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import type { ChainStates } from '../ports.ts'
import { BatchView, CodeFacts, listCodes, listStates, type NewestState, StoredCodes } from './codes.ts'
import {
  type ContractTable,
  contractTables,
  createInspectStats,
  type Detector,
  type DetectorContext,
  type FoundRows,
  type InspectStats,
} from './Detector.ts'
import { dedustPool, jettonMaster, jettonWallet } from './detectors/jettons.ts'
import { multisig, multisigOrder, vestingWallet } from './detectors/lockedContracts.ts'
import { auction, fixPriceSale, nftCollection, nftItem, telemintItem } from './detectors/nfts.ts'
import { findNewerRows, type StoredContracts, type Subject, VerifiedTokens } from './knownContracts.ts'
import { MethodResults, MethodRunner, Offences } from './MethodRunner.ts'
import { accountOf, listTokenEvents, tokenFinder } from './tokenEvents.ts'

/** A contract may match several detectors, but at most one of those that share a table. */
const allDetectors: readonly Detector[] = [
  jettonWallet,
  jettonMaster,
  nftItem,
  nftCollection,
  fixPriceSale,
  auction,
  telemintItem,
  multisig,
  multisigOrder,
  vestingWallet,
  dedustPool,
]

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

/** Inspects contracts in parallel. Rows come in the order of the subjects. */
const inspectSubjects = async (
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
    // If a contract claims to be two kinds of one table, the first wins.
    else found = { ...rows, ...found }
    // It may have the methods of every kind just to be run for all of them.
    if (runner.isExhausted(subject)) break
  }
  return found
}

const noMethods: ReadonlySet<number> = new Set()

/** The states with code, and the facts about that code. */
const listSubjects = async (
  states: Iterable<NewestState>,
  codes: CodeFacts,
  view: BatchView,
  stats: InspectStats,
): Promise<Subject[]> => {
  const subjects: Subject[] = []
  for (const { key, touched, sinceLt, resolved } of states) {
    if (touched.status !== 'active') continue
    if (resolved === undefined || resolved.code === 'unknown' || resolved.data === 'unknown') {
      stats.unknown++
      continue
    }
    const { code, data = emptyCell, extraCurrencies } = resolved
    if (code === undefined) continue
    const address = { workchain: touched.workchain, hash: touched.account.subarray(1) }
    const balance = { grams: touched.balance, extra: toExtraCurrencies(extraCurrencies) }
    // Hashes from the block: most accounts are not interesting and need not be hashed.
    const { codeHash = code.hash(), dataHash = data.hash() } = touched
    subjects.push({
      contract: { address, code, data, balance },
      account: touched.account,
      key,
      codeHash,
      dataHash,
      sinceLt,
      lastLt: touched.lastLt,
      methods: (await codes.findMethods(code, codeHash, view)) ?? noMethods,
    })
  }
  stats.accounts += subjects.length
  return subjects
}

/** If the code is known, so are the extra currencies. */
const toExtraCurrencies = (known: ResolvedAccount['extraCurrencies']): ExtraCurrencies => {
  if (known === undefined || known === 'unknown') return NO_EXTRA_CURRENCIES
  const amounts = Object.entries(known).map(([id, amount]) => [Number(id), BigInt(amount)] as const)
  return Dict.of(extraCurrenciesType, amounts)
}

export type InspectParts = {
  readonly vm: VirtualMachine
  readonly states: ChainStates | undefined
  readonly known: StoredContracts
  readonly dnsZones: DnsZones
  readonly logger: Logger
  readonly parallel: number
  readonly stats: InspectStats
  /** Caches that outlive a batch, all bounded. */
  readonly memory: {
    readonly codes: CodeFacts
    readonly stored: StoredCodes
    readonly vouched: VerifiedTokens
    readonly results: MethodResults
    readonly offences: Offences
  }
}

type Batch = Pick<IndexBatch, 'blockSets' | 'resolved'>

/** Detects the contracts of a batch, and the token requests made in it. */
const inspectBatch = async (
  parts: InspectParts,
  { blockSets, resolved }: Batch,
  signal: AbortSignal,
): Promise<InspectedContracts> => {
  const { vm, states, known, dnsZones, logger, stats, parallel, memory } = parts
  const { codes, stored, vouched, results, offences } = memory
  const last = blockSets.at(-1)
  const newest = listStates(blockSets, resolved)
  const view = last && states && new BatchView(states, last, signal)
  const subjects = view === undefined ? [] : await listSubjects(newest.values(), codes, view, stats)
  await vouched.load(known, [...listCandidates(subjects), ...listAsked(blockSets)])
  let contracts: InspectedContracts['contracts'] = noContracts()
  if (view !== undefined && subjects.some(isCandidate)) {
    const [opened, context] = await Promise.all([view.open(), view.getContext()])
    const tools = { vm, view: opened, context, results, offences, stats, logger, signal }
    const runner = new MethodRunner(tools, subjects)
    const newer = await findNewerRows(subjects, vouched, known)
    stats.storedNewer += newer.wallets.size + newer.items.size
    contracts = await inspectSubjects(subjects, runner, { vouched, dnsZones, stats, newer }, parallel)
  }
  const events = listTokenEvents(blockSets, tokenFinder(newest, subjects, contracts, vouched))
  stats.events += events.jettonTransfers.length + events.jettonBurns.length + events.nftTransfers.length
  return { contracts, codes: await listCodes(resolved, newest, codes, stored, known, view), ...events }
}

const isCandidate = (subject: Subject): boolean => allDetectors.some((detector) => detector.isCandidate(subject))

type Wanted = Parameters<VerifiedTokens['load']>[1][number]

/** Subjects that may be tokens, so that their parents need not be queried again. */
const listCandidates = (subjects: readonly Subject[]): Wanted[] =>
  subjects.flatMap((subject) => [
    ...(jettonWallet.isCandidate(subject) ? [{ kind: 'jettonWallet', account: subject.account } as const] : []),
    ...(nftItem.isCandidate(subject) ? [{ kind: 'nftItem', account: subject.account } as const] : []),
  ])

/** Accounts that received token requests; they may no longer be tokens. */
const listAsked = (blockSets: readonly DecodedBlockSet[]): Wanted[] =>
  blockSets.flatMap((blockSet) =>
    blockSet.tokenRequests.map((request) => ({
      kind: request.kind === 'nftTransfer' ? 'nftItem' : 'jettonWallet',
      account: accountOf(blockSet, request),
    })),
  )

export type InspectorOptions = {
  readonly vm: VirtualMachine
  /** Without states, no contract is inspected: only tokens known to the store have events. */
  readonly states: ChainStates | undefined
  readonly known: StoredContracts
  readonly dnsZones: DnsZones
  readonly logger: Logger
  /** Contracts inspected in parallel: as many as the virtual machine has threads, and a few that wait for an account. */
  readonly parallel?: number
}

export interface Inspector {
  /** Counters since the start. */
  readonly stats: InspectStats
  /** Detects the contracts of consecutive block sets after the last of them. Fails as a whole and can be retried. */
  inspect(
    blockSets: readonly DecodedBlockSet[],
    resolved: readonly ResolvedAccount[],
    signal: AbortSignal,
  ): Promise<InspectedContracts>
}

export const createInspector = ({ parallel = 4, ...options }: InspectorOptions): Inspector => {
  const stats = createInspectStats()
  const memory = {
    codes: new CodeFacts(8 << 20),
    stored: new StoredCodes(),
    vouched: new VerifiedTokens(32 << 20),
    results: new MethodResults(32 << 20),
    offences: new Offences(),
  }
  return {
    stats,
    inspect: (blockSets, resolved, signal) =>
      inspectBatch({ ...options, memory, stats, parallel }, { blockSets, resolved }, signal),
  }
}

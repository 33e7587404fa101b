import type { VirtualMachine } from '../../chain/ports.ts'
import type { DnsZones } from '../../contracts/dns/domainItems.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { IndexBatch, InspectedContracts } from '../IndexBatch.ts'
import type { ChainStates } from '../ports.ts'
import { BatchView } from './BatchView.ts'
import type { CodeFacts } from './CodeFacts.ts'
import { allDetectors } from './detectors/allDetectors.ts'
import { jettonWallet } from './detectors/jettonWallet.ts'
import { nftItem } from './detectors/nftItem.ts'
import type { InspectStats } from './InspectStats.ts'
import { inspectSubjects, noContracts } from './inspectSubjects.ts'
import type { KnownContracts } from './KnownContracts.ts'
import { listCodes, type StoredCodes } from './listCodes.ts'
import { listStates } from './listStates.ts'
import { listSubjects } from './listSubjects.ts'
import { accountOf, listTokenEvents } from './listTokenEvents.ts'
import type { MethodResults } from './MethodResults.ts'
import { MethodRunner, type Offences } from './MethodRunner.ts'
import { findNewerRows } from './NewerRows.ts'
import type { Subject } from './Subject.ts'
import { tokenFinder } from './tokenFinder.ts'
import type { VouchedTokens } from './VouchedTokens.ts'

export type InspectParts = {
  readonly vm: VirtualMachine
  readonly states: ChainStates | undefined
  readonly known: KnownContracts
  readonly dnsZones: DnsZones
  readonly logger: Logger
  readonly parallel: number
  readonly stats: InspectStats
  /** What is kept from batch to batch, all of it bounded. */
  readonly memory: {
    readonly codes: CodeFacts
    readonly stored: StoredCodes
    readonly vouched: VouchedTokens
    readonly results: MethodResults
    readonly offences: Offences
  }
}

type Batch = Pick<IndexBatch, 'units' | 'resolved'>

/** Says what the contracts of a batch are after it, and which requests were made to tokens. */
export const inspectBatch = async (
  parts: InspectParts,
  { units, resolved }: Batch,
  signal: AbortSignal,
): Promise<InspectedContracts> => {
  const { vm, states, known, dnsZones, logger, stats, parallel, memory } = parts
  const { codes, stored, vouched, results, offences } = memory
  const last = units.at(-1)
  const newest = listStates(units, resolved)
  const view = last && states && new BatchView(states, last, signal)
  const subjects = view === undefined ? [] : await listSubjects(newest.values(), codes, view, stats)
  await vouched.load(known, [...listCandidates(subjects), ...listAsked(units)])
  let contracts: InspectedContracts['contracts'] = noContracts()
  if (view !== undefined && subjects.some(isCandidate)) {
    const [opened, context] = await Promise.all([view.open(), view.getContext()])
    const tools = { vm, view: opened, context, results, offences, stats, logger, signal }
    const runner = new MethodRunner(tools, subjects)
    const newer = await findNewerRows(subjects, vouched, known)
    stats.storedNewer += newer.wallets.size + newer.items.size
    contracts = await inspectSubjects(subjects, runner, { vouched, dnsZones, stats, newer }, parallel)
  }
  const events = listTokenEvents(units, tokenFinder(newest, subjects, contracts, vouched))
  stats.events += events.jettonTransfers.length + events.jettonBurns.length + events.nftTransfers.length
  return { contracts, codes: await listCodes(resolved, newest, codes, stored, known, view), ...events }
}

const isCandidate = (subject: Subject): boolean => allDetectors.some((detector) => detector.isCandidate(subject))

type Wanted = Parameters<VouchedTokens['load']>[1][number]

/** Subjects that may be tokens, so that their parents need not be asked again. */
const listCandidates = (subjects: readonly Subject[]): Wanted[] =>
  subjects.flatMap((subject) => [
    ...(jettonWallet.isCandidate(subject) ? [{ kind: 'jettonWallet', account: subject.account } as const] : []),
    ...(nftItem.isCandidate(subject) ? [{ kind: 'nftItem', account: subject.account } as const] : []),
  ])

/** Accounts that were asked as tokens, which they may not be any more. */
const listAsked = (units: readonly DecodedUnit[]): Wanted[] =>
  units.flatMap((unit) =>
    unit.tokenRequests.map((request) => ({
      kind: request.kind === 'nftTransfer' ? 'nftItem' : 'jettonWallet',
      account: accountOf(unit, request),
    })),
  )

import type { VirtualMachine } from '../../chain/ports.ts'
import type { DnsZones } from '../../contracts/dns/findDomainName.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import type { IndexBatch, InspectedContracts } from '../IndexBatch.ts'
import type { ChainStates } from '../ports.ts'
import type { CodeFacts } from './CodeFacts.ts'
import { jettonWallet } from './detectors/jettonWallet.ts'
import { nftItem } from './detectors/nftItem.ts'
import type { InspectStats } from './InspectStats.ts'
import { inspectSubjects, noContracts } from './inspectSubjects.ts'
import type { KnownContracts, KnownToken } from './KnownContracts.ts'
import { listCodes, type StoredCodes } from './listCodes.ts'
import { listStates, type NewestState } from './listStates.ts'
import { listSubjects } from './listSubjects.ts'
import { accountOf, type FindToken, listTokenEvents } from './listTokenEvents.ts'
import type { MethodResults } from './MethodResults.ts'
import { MethodRunner, type Offences } from './MethodRunner.ts'
import type { Subject } from './Subject.ts'
import type { VouchedTokens } from './VouchedTokens.ts'

export type InspectParts = {
  readonly vm: VirtualMachine
  readonly states: ChainStates | undefined
  readonly known: KnownContracts
  readonly dnsZones: DnsZones
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
  const { vm, states, known, dnsZones, stats, parallel, memory } = parts
  const { codes, stored, vouched, results, offences } = memory
  const last = units.at(-1)
  const newest = listStates(units, resolved)
  const view = last && newest.size > 0 ? await states?.openAt(last.seqno, signal) : undefined
  const context = await view?.getContext()
  const subjects =
    view === undefined || context === undefined ? [] : await listSubjects(newest.values(), codes, context, view, stats)
  await vouched.load(known, [...listCandidates(subjects), ...listAsked(units)])
  let contracts: InspectedContracts['contracts'] = noContracts()
  if (view !== undefined && context !== undefined) {
    const runner = new MethodRunner({ vm, view, context, results, offences, stats, signal }, subjects)
    contracts = await inspectSubjects(subjects, runner, { vouched, dnsZones, stats }, parallel)
  }
  const events = listTokenEvents(units, tokenFinder(newest, subjects, contracts, vouched))
  stats.events += events.jettonTransfers.length + events.jettonBurns.length + events.nftTransfers.length
  return { contracts, codes: await listCodes(resolved, codes, stored, known, context), ...events }
}

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

/** What accounts are by this batch or, where it cannot tell because they are gone or not to be had, were known to be. */
const tokenFinder = (
  newest: ReadonlyMap<string, NewestState>,
  subjects: readonly Subject[],
  contracts: InspectedContracts['contracts'],
  vouched: VouchedTokens,
): FindToken => {
  const inspected = new Set(subjects.map(({ key }) => key))
  const found = new Map<string, KnownToken>()
  for (const { address, code_hash, owner, jetton } of contracts.jetton_wallets) {
    const token = { kind: 'jettonWallet', account: address, codeHash: code_hash, owner, master: jetton } as const
    found.set(`jettonWallet ${toHex(address)}`, token)
  }
  for (const { address, code_hash, index, collection_address } of contracts.nft_items) {
    const collection = collection_address ?? undefined
    const token = { kind: 'nftItem', account: address, codeHash: code_hash, index, collection } as const
    found.set(`nftItem ${toHex(address)}`, token)
  }
  const find = (kind: KnownToken['kind'], account: string, aborted: boolean): KnownToken | undefined => {
    if (inspected.has(account)) return found.get(`${kind} ${account}`)
    const { status, codeHash } = newest.get(account)?.touched ?? {}
    if (codeHash !== undefined) return vouched.findWithCode(kind, account, codeHash)
    // It was destroyed by this very request, or there was nothing that could have served it.
    return status === 'active' || aborted ? undefined : vouched.find(kind, account)
  }
  return find as FindToken
}

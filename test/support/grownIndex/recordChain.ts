import type { VirtualMachine } from '../../../src/chain/ports.ts'
import type { IndexedChain } from '../../../src/cli/index/openChain.ts'
import { dnsZones } from '../../../src/contracts/dns/domainItems.ts'
import type { DecodedBlockSet, TouchedAccount } from '../../../src/indexer/blockSets.ts'
import { decodeBlockSet } from '../../../src/indexer/decode/decodeBlockSet.ts'
import type { InspectedContracts, ResolvedAccount } from '../../../src/indexer/IndexBatch.ts'
import { createInspector } from '../../../src/indexer/inspect/inspectBatch.ts'
import { mapAhead } from '../../../src/indexer/pipeline/queues.ts'
import { createBlocksOnlyResolver, createStateResolver } from '../../../src/indexer/sources/resolveAccounts.ts'
import { silentLogger } from '../databaseServer.ts'
import { SampleKnown } from '../inspectSample.ts'

/** What the stages before linking make of consecutive block sets. */
export type RecordedBatch = {
  readonly blockSets: readonly DecodedBlockSet[]
  readonly resolved: readonly ResolvedAccount[]
  readonly inspected: InspectedContracts
}

/** All of a chain, from its first block on. */
export type RecordedChain = { readonly name: string; readonly batches: readonly RecordedBatch[] }

export type RecordOptions = {
  readonly name: string
  readonly last: number
  readonly vm: VirtualMachine
  readonly signal: AbortSignal
}

// As large as the indexer makes them.
const BATCH_TRANSACTIONS = 4000
const BATCH_UNITS = 256

/** Decodes the blocks of a chain, resolves what they touch and looks at the contracts, as the indexer would do it upwards. */
export const recordChain = async (
  { blockSets: source, states }: IndexedChain,
  { name, last, vm, signal }: RecordOptions,
): Promise<RecordedChain> => {
  const resolver = states === undefined ? createBlocksOnlyResolver() : createStateResolver(states)
  const known = new SampleKnown()
  const inspector = createInspector({ vm, states, known, dnsZones: dnsZones.main, logger: silentLogger })
  const seqnos = Array.from({ length: last }, (_, k) => k + 1)
  const batches: RecordedBatch[] = []
  let blockSets: DecodedBlockSet[] = []
  const finish = async (): Promise<void> => {
    const resolved = await resolver.resolve(blockSets, signal)
    const inspected = await inspector.inspect(blockSets, resolved, signal)
    known.take(inspected)
    batches.push({ blockSets, resolved, inspected })
    blockSets = []
  }
  for await (const raw of mapAhead(seqnos, 4, (seqno) => source.fetchBlockSet(seqno, signal))) {
    const blockSet = decodeBlockSet(raw)
    blockSets.push({ ...blockSet, accounts: blockSet.accounts.map(toPlainAccount) })
    const transactions = blockSets.reduce((sum, blockSet) => sum + blockSet.transactions.count, 0)
    if (blockSets.length === BATCH_UNITS || transactions >= BATCH_TRANSACTIONS) await finish()
  }
  if (blockSets.length > 0) await finish()
  return { name, batches }
}

/** With members of its own, so that it can be copied and kept in a file. */
const toPlainAccount = (account: TouchedAccount): TouchedAccount => ({
  account: account.account,
  workchain: account.workchain,
  blockShard: account.blockShard,
  blockSeqno: account.blockSeqno,
  lastLt: account.lastLt,
  lastHash: account.lastHash,
  now: account.now,
  stateHash: account.stateHash,
  status: account.status,
  balance: account.balance,
  extraCurrencies: account.extraCurrencies,
  frozenHash: account.frozenHash,
  codeHash: account.codeHash,
  dataHash: account.dataHash,
})

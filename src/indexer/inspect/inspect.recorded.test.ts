import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { localnetAt, type RecordedHeight } from '../../../test/support/contractRunner.ts'
import { readFixtureJson } from '../../../test/support/fixtures.ts'
import { SampleKnown, sampleInspector } from '../../../test/support/inspectSample.ts'
import { listLocalnetBlockSets } from '../../../test/support/rawBlockSets.ts'
import { createTestMachine } from '../../../test/support/vmSamples.ts'
import { type Address, formatRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedBlockSet, RawBlockSet } from '../blockSets.ts'
import { decodeBlockSet } from '../decode/decodeBlockSet.ts'
import { toTexts } from '../decode/findTransactions.ts'
import type { InspectedContracts, ResolvedAccount } from '../IndexBatch.ts'
import type { ChainStates } from '../ports.ts'
import { contractTables } from './Detector.ts'

const { machine } = await createTestMachine({ after })

/** The block sets in which tokens were made and moved. */
const [FIRST, LAST] = [38, 62]

const nameOf = (key: Uint8Array | null | undefined): string => {
  if (key === null || key === undefined) return 'nobody'
  const address = parseAddressKey(key)
  return typeof address === 'string' ? address : formatRawAddress(address)
}

const statesOf = (blockSets: readonly RawBlockSet[], heights: ReadonlyMap<number, RecordedHeight>): ChainStates => ({
  forget: () => undefined,
  openAt: (seqno) => {
    const { context, find } = heights.get(seqno)!
    return Promise.resolve({
      block: blockSets.find((blockSet) => blockSet.seqno === seqno)!.masterchain.id,
      findAccount: () => Promise.reject(new TypeError('Nobody should ask for an account.')),
      findContract: (address) => Promise.resolve(find(address)),
      getContext: () => Promise.resolve(context),
    })
  },
})

const resolveAt = ({ find }: RecordedHeight, blockSets: readonly DecodedBlockSet[]): ResolvedAccount[] => {
  const newest = new Map(blockSets.flatMap(({ accounts }) => accounts.map((it) => [toHex(it.account), it] as const)))
  return [...newest.values()].map(({ account, lastLt }) => {
    const contract = find(parseAddressKey(account) as Address)
    const extraCurrencies = contract && toTexts(contract.balance.extra)
    return { account, lastLt, code: contract?.code, data: contract?.data, extraCurrencies }
  })
}

type Row = { readonly since_lt?: bigint; readonly last_lt: bigint }

/** What is in the store after batches: of every contract the newest row, since the earliest. */
const store = (batches: readonly InspectedContracts[]) => {
  const tables: Record<string, Record<string, Row>> = {}
  for (const { contracts } of batches) {
    for (const table of contractTables) {
      for (const row of contracts[table] as readonly (Row & { readonly address: Uint8Array })[]) {
        const key = nameOf(row.address)
        const before = tables[table]?.[key]
        tables[table] = {
          ...tables[table],
          [key]: before === undefined ? row : { ...before, ...row, since_lt: before.since_lt! },
        }
      }
    }
  }
  const codes = batches.flatMap((batch) => batch.codes.map(({ code_hash }) => toHex(code_hash))).sort()
  const { jettonTransfers, jettonBurns, nftTransfers } = joinEvents(batches)
  return { tables, codes, jettonTransfers, jettonBurns, nftTransfers }
}

const joinEvents = (batches: readonly InspectedContracts[]) => ({
  jettonTransfers: batches.flatMap((batch) => batch.jettonTransfers),
  jettonBurns: batches.flatMap((batch) => batch.jettonBurns),
  nftTransfers: batches.flatMap((batch) => batch.nftTransfers),
})

const A = '0:1320beaaaa0078704ac69bf1e54efbc6f5add372571aa1c704b7b07326f9f51f'
const B = '0:8a3cf375573cecb8e2684bfa86768fbef1dec28fcfdabfbb75e6aed33f22b24b'
const C = '0:8d40d1bc04aa6b9c2bf4dcb31b9443d24365844783f92053c88b707e4ddc68c2'

type Step = Readonly<Record<string, string>>

test('the tokens of the recorded network, however its block sets are batched', async (t) => {
  const raw = listLocalnetBlockSets().filter(({ seqno }) => seqno >= FIRST && seqno <= LAST)
  const blockSets = raw.map((blockSet) => decodeBlockSet(blockSet))
  const heights = localnetAt(blockSets.map(({ seqno }) => seqno))
  const states = statesOf(raw, heights)
  const stored = []
  for (const size of [1, 7, blockSets.length]) {
    const known = new SampleKnown()
    const inspector = sampleInspector(machine, states, { known })
    const batches: InspectedContracts[] = []
    for (let k = 0; k < blockSets.length; k += size) {
      const batch = blockSets.slice(k, k + size)
      const resolved = resolveAt(heights.get(batch.at(-1)!.seqno)!, batch)
      const found = await inspector.inspect(batch, resolved, new AbortController().signal)
      known.take(found)
      batches.push(found)
    }
    stored.push(store(batches))
    const { accounts, candidates, runs, cachedRuns, vouchedBefore } = inspector.stats
    t.diagnostic(`${size} a batch: ${JSON.stringify({ accounts, candidates, runs, cachedRuns, vouchedBefore })}`)
  }
  const [single] = stored
  for (const other of stored) assert.deepEqual(other, single)
  const steps = readFixtureJson<readonly Step[]>('localnet/activity.json')
  const find = (name: string): string => steps.find((step) => step[name] !== undefined)![name]!
  const [minter, jA, jB, collection] = ['minter', 'jA', 'jB', 'collection'].map(find)
  const { tables, jettonTransfers, jettonBurns, nftTransfers } = single!
  assert.deepEqual(Object.keys(tables['jetton_masters']!), [minter])
  assert.deepEqual(Object.keys(tables['jetton_wallets']!).sort(), [jA, jB].sort())
  assert.deepEqual(Object.keys(tables['nft_collections']!), [collection])
  const items = steps.flatMap(({ item }) => item ?? [])
  assert.deepEqual(Object.keys(tables['nft_items']!).sort(), items.toSorted())
  assert.deepEqual(
    jettonTransfers.map((it) =>
      [it.account, it.source, it.destination, it.jetton_master].map(nameOf).concat(String(it.aborted)),
    ),
    [
      [jA, A, B, minter, 'false'],
      [jA, C, C, minter, 'true'],
    ],
  )
  assert.deepEqual(
    jettonBurns.map((it) => [it.account, it.owner, it.jetton_master].map(nameOf).concat(String(it.aborted))),
    [[jB, B, minter, 'false']],
  )
  assert.deepEqual(
    nftTransfers.map((it) =>
      [it.account, it.old_owner, it.new_owner, it.collection].map(nameOf).concat(String(it.aborted)),
    ),
    [
      [items[0], A, C, collection, 'false'],
      [items[1], C, C, collection, 'true'],
    ],
  )
  const rows = tables as unknown as Record<string, Record<string, Record<string, bigint & Uint8Array>>>
  const master = rows['jetton_masters']![minter!]!
  const wallets = rows['jetton_wallets']!
  const burnt = jettonBurns[0]!.amount
  assert.equal(wallets[jA!]!['balance']! + wallets[jB!]!['balance']!, master['total_supply'])
  assert.equal(wallets[jB!]!['balance']!, jettonTransfers[0]!.amount - burnt)
  assert.equal(nameOf(rows['nft_items']![items[0]!]!['owner_address']), C)
})

import type { TestContext } from 'node:test'
import { CellWriter } from '../../../src/codec/cell/CellWriter.ts'
import type { DecodedBlockSet } from '../../../src/indexer/blockSets.ts'
import { IndexWriter } from '../../../src/indexer/commit/IndexWriter.ts'
import { loadIndexState, type Side } from '../../../src/indexer/commit/indexState.ts'
import { loadOpenTraces } from '../../../src/indexer/commit/traces.ts'
import type { IndexBatch, InspectedContracts, LinkedTraces } from '../../../src/indexer/IndexBatch.ts'
import { linkBlockSets, NOTHING_OPEN } from '../../../src/indexer/link/linkBlockSets.ts'
import { sha256 } from '../../../src/primitives/hash.ts'
import type { Database } from '../../../src/store/connect/Database.ts'
import type { Lease } from '../../../src/store/writer/lease.ts'
import { openFreshDatabase } from '../database.ts'
import type { SampleBlockSet } from './SampleWorld.ts'
import { toDecodedBlockSet } from './toDecodedBlockSet.ts'

export const sampleZeroState: Uint8Array = new Uint8Array(32).fill(7)
/** Few partitions: to make them takes longer than to fill them. */
const SAMPLE_WIDTH = 20

/** For tests that are alone. */
export const noLease: Pick<Lease, 'guard'> = { guard: async () => {} }

export type SampleIndexerOptions = { readonly lease?: Pick<Lease, 'guard'>; readonly width?: number }

/** Indexes block sets of a made-up world as the pipeline would. */
export class SampleIndexer {
  readonly database: Database
  readonly writer: IndexWriter
  readonly #world: readonly SampleBlockSet[]

  constructor(
    database: Database,
    world: readonly SampleBlockSet[],
    { lease = noLease, width = SAMPLE_WIDTH }: SampleIndexerOptions = {},
  ) {
    this.database = database
    this.#world = world
    this.writer = new IndexWriter({ database, lease, partitionWidth: width })
  }

  static async create(
    t: TestContext,
    world: readonly SampleBlockSet[],
    options: SampleIndexerOptions & { readonly url?: string } = {},
  ): Promise<SampleIndexer> {
    const database = await openFreshDatabase(t, options.url === undefined ? {} : { url: options.url })
    const partitionWidth = options.width ?? SAMPLE_WIDTH
    await loadIndexState(database, { zeroState: sampleZeroState, partitionWidth, watchedAccounts: undefined })
    return new SampleIndexer(database, world, options)
  }

  blockSets(first: number, last: number): DecodedBlockSet[] {
    return this.#world.filter(({ seqno }) => seqno >= first && seqno <= last).map(toDecodedBlockSet)
  }

  /** Linked with what is in the database on both sides. */
  async makeBatch(first: number, last: number): Promise<{ readonly batch: IndexBatch; readonly side: Side }> {
    const blockSets = this.blockSets(first, last)
    const { ranges } = await loadIndexState(this.database, {
      zeroState: sampleZeroState,
      partitionWidth: SAMPLE_WIDTH,
      watchedAccounts: undefined,
    })
    const below = ranges.find(({ lastSeqno }) => lastSeqno === first - 1)
    const above = ranges.find(({ firstSeqno }) => firstSeqno === last + 1)
    const [openBelow, openAbove] = await this.database.transaction(async (client) => [
      below && (await loadOpenTraces(client, below)),
      above && (await loadOpenTraces(client, above)),
    ])
    const linked = linkBlockSets({ below: openBelow ?? NOTHING_OPEN, blockSets, above: openAbove })
    const side = below !== undefined ? 'above' : above !== undefined ? 'below' : 'new'
    return { batch: toBatch(blockSets, linked), side }
  }

  async index(first: number, last: number): Promise<void> {
    const { batch, side } = await this.makeBatch(first, last)
    await this.writer.commit(batch, side, new Date('2026-01-01'))
  }
}

/** With states and contracts made up for it. */
export const toBatch = (blockSets: readonly DecodedBlockSet[], linked: LinkedTraces): IndexBatch => ({
  blockSets,
  linked,
  resolved: resolve(blockSets),
  inspected: inspect(blockSets),
})

const resolve = (blockSets: readonly DecodedBlockSet[]): IndexBatch['resolved'] => {
  const newest = new Map(
    blockSets.flatMap(({ accounts }) => accounts).map((one) => [Buffer.from(one.account).toString('hex'), one]),
  )
  return [...newest.values()].map(({ account, lastLt, dataHash }) => ({
    account,
    lastLt,
    code: 'unknown',
    data: new CellWriter().writeBytes(dataHash!).toCell(),
    extraCurrencies: undefined,
  }))
}

export const noContracts: InspectedContracts = {
  contracts: {
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
  },
  codes: [],
  jettonTransfers: [],
  jettonBurns: [],
  nftTransfers: [],
}

/** Every other account is a wallet of a token, and whatever it receives a transfer. */
const inspect = (blockSets: readonly DecodedBlockSet[]): InspectedContracts => {
  const wallets = blockSets.flatMap(({ accounts }) => accounts).filter(({ account }) => account[32]! % 2 === 0)
  return {
    ...noContracts,
    contracts: {
      ...noContracts.contracts,
      jetton_wallets: wallets.map(({ account, lastLt, balance, codeHash, dataHash }) => ({
        since_lt: lastLt,
        last_lt: lastLt,
        balance: balance * 7n,
        address: account,
        owner: account,
        jetton: sha256(account),
        code_hash: codeHash!,
        data_hash: dataHash!,
      })),
    },
    codes: wallets.map(({ account, codeHash }) => ({ code_hash: codeHash!, code: account, methods: [1n] })),
    jettonTransfers: blockSets.flatMap(({ seqno, accounts }) =>
      accounts
        .filter(({ account }) => account[32]! % 2 === 0)
        .map(({ account, lastLt, now }) => ({
          lt: lastLt,
          now,
          mc_seqno: seqno,
          aborted: false,
          query_id: 1n,
          amount: lastLt,
          forward_amount: 0n,
          account,
          source: account,
          destination: account,
          jetton_master: sha256(account),
          response_destination: new Uint8Array(),
        })),
    ),
  }
}

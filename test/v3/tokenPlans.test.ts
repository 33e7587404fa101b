import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import { compareBytes } from '../../src/primitives/bytes.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { dnsRecordsQuery } from '../../src/store/reader/dnsRecords.ts'
import { jettonMastersQuery, jettonWalletsQuery, ownerWalletsQuery } from '../../src/store/reader/jettons.ts'
import { multisigOrdersQuery, multisigsQuery, ordersOfMultisigsQuery } from '../../src/store/reader/multisigs.ts'
import { listNftItems, type NftItemFilter, nftItemsQuery } from '../../src/store/reader/nftItems.ts'
import { nftCollectionsQuery, nftSalesQuery } from '../../src/store/reader/nfts.ts'
import { type Cursor, manyKeysQuery, type Page } from '../../src/store/reader/page.ts'
import {
  collectionStatsQuery,
  countHolders,
  holdersQuery,
  readCollectionStats,
} from '../../src/store/reader/tokenStats.ts'
import { vestingsQuery } from '../../src/store/reader/vestings.ts'
import { queryBuilder } from '../../src/store/schema/tables.ts'
import { countRead } from '../support/countRead.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { pretendLarge } from '../support/pretendLarge.ts'

const ROWS = 20_000
const OWNERS = 2000
/** One who has a tenth of everything. */
const RICH = 1

const keyOf = (number: string): string => `decode(lpad(to_hex((${number})::int8), 66, '0'), 'hex')`
const ownerOf = `CASE WHEN k % 10 = 0 THEN ${RICH} ELSE 2 + (k * 7919) % ${OWNERS} END`
const common = `k * 10, k * 10 + 5, '\\x00', '\\x00'`
const commonColumns = 'since_lt, last_lt, code_hash, data_hash'

/** The numbers of addresses: items from 100000 on, collections from 200000, sales from 300000. */
const statements = [
  `INSERT INTO jetton_masters (${commonColumns}, address, admin_address, mintable, total_supply, wallet_code_hash)
   SELECT ${common}, ${keyOf('200000 + k')}, ${keyOf(ownerOf)}, true, k, '\\x00'`,
  `INSERT INTO jetton_wallets (${commonColumns}, address, owner, jetton, balance)
   SELECT ${common}, ${keyOf('100000 + k')}, ${keyOf(ownerOf)}, ${keyOf('200000 + k % 50')}, (k * 31) % 1000`,
  `INSERT INTO nft_collections (${commonColumns}, address, owner_address, next_item_index)
   SELECT ${common}, ${keyOf('200000 + k')}, ${keyOf(ownerOf)}, k`,
  `INSERT INTO nft_items (${commonColumns}, address, init, index, collection_address, owner_address)
   SELECT ${common}, ${keyOf('100000 + k')}, true, k, CASE WHEN k % 9 = 0 THEN NULL ELSE ${keyOf('200000 + k % 50')} END,
     CASE WHEN k % 4 = 3 THEN ${keyOf('300000 + k')} ELSE ${keyOf(ownerOf)} END`,
  `INSERT INTO nft_sales (${commonColumns}, address, kind, nft_address, nft_owner_address, details)
   SELECT ${common}, ${keyOf('300000 + k')}, CASE k % 3 WHEN 0 THEN 'getgems_auction' ELSE 'getgems_sale' END,
     ${keyOf('100000 + k')}, ${keyOf(ownerOf)},
     jsonb_build_object('full_price', (1 + k * 31 % 997)::text, 'is_complete', k % 5 = 0, 'end_flag', k % 7 = 0)`,
  `INSERT INTO dns_entries (last_lt, domain, nft_item_address, nft_item_owner, dns_wallet)
   SELECT k, repeat('x', k % 20) || k || '.ton', ${keyOf('100000 + k')}, ${keyOf(ownerOf)}, ${keyOf(ownerOf)}`,
  `INSERT INTO multisigs (${commonColumns}, address, threshold, next_order_seqno, signers, proposers)
   SELECT ${common}, ${keyOf('200000 + k')}, 1, 0, ARRAY[${keyOf(`2 + k % ${OWNERS}`)}], ARRAY[${keyOf(`2 + (k * 3) % ${OWNERS}`)}]`,
  `INSERT INTO multisig_orders (${commonColumns}, address, multisig_address, expiration_date, approvals_num, sent_for_execution,
     order_seqno, approvals_mask, signers)
   SELECT ${common}, ${keyOf('100000 + k')}, ${keyOf('200000 + k % 500')}, 0, 0, false, k, 0, '{}'`,
  `INSERT INTO vesting_contracts (${commonColumns}, address, start_time, total_duration, unlock_period, cliff_duration, total_amount,
     sender_address, owner_address, whitelist)
   SELECT ${common}, ${keyOf('100000 + k')}, 0, 0, 0, 0, 0, ${keyOf(`2 + k % ${OWNERS}`)}, ${keyOf(`2 + (k * 3) % ${OWNERS}`)},
     ARRAY[${keyOf(`2 + (k * 7) % ${OWNERS}`)}]`,
]

const fill = (database: Database): Promise<void> =>
  database.transaction(async (client) => {
    for (const statement of statements) await client.query(`${statement} FROM generate_series(1, ${ROWS}) AS k`)
    // As is done in the background: until then it costs more to look into these.
    for (const index of ['multisigs_by_signer', 'multisigs_by_proposer', 'vesting_contracts_by_whitelist']) {
      await client.query('SELECT gin_clean_pending_list($1::regclass)', [index])
    }
    await client.query('ANALYZE')
    await pretendLarge(client, 100)
  })

const key = (number: number): Uint8Array => {
  const bytes = Buffer.alloc(33)
  bytes.writeUInt32BE(number, 29)
  return bytes
}

const first: Page = { limit: 10, offset: 0, after: undefined }
const deep = (order: string, ...place: Cursor['key']): Page => ({ ...first, after: { order, key: place } })
const raw = (query: RawBuilder<unknown>): CompiledQuery<unknown> => query.compile(queryBuilder)
const built = (query: Compilable<unknown>): CompiledQuery<unknown> => query.compile()
const half = BigInt(ROWS * 5)

const items: NftItemFilter = {
  addresses: undefined,
  owners: undefined,
  collections: undefined,
  indexes: undefined,
  includeOnSale: false,
  byLastLt: false,
}
const wallets = { addresses: undefined, owners: undefined, jettons: undefined, withBalance: false, sort: undefined }
const masters = { addresses: undefined, admins: undefined }
const owners = [RICH, 5, 700].map(key)
const addresses = [100_001, 100_500].map(key)
const collections = [key(200_010)]

/** Each with how many rows it may read for ten. */
const questions: readonly (readonly [name: string, most: number, query: CompiledQuery<unknown>])[] = [
  ['jettons', 30, raw(jettonMastersQuery(masters, deep('since asc', half, key(1))))],
  ['jettons of admins', 60, raw(jettonMastersQuery({ ...masters, admins: owners }, first))],
  ['jettons by address', 10, raw(jettonMastersQuery({ ...masters, addresses: collections }, first))],
  ['wallets', 30, raw(jettonWalletsQuery(wallets, deep('since asc', half, key(1))))],
  ['wallets of owners', 30, raw(jettonWalletsQuery({ ...wallets, owners }, first))],
  ['wallets of each owner', 60, manyKeysQuery((owner) => ownerWalletsQuery(owner, 11))(owners)],
  [
    'richest of a jetton',
    30,
    raw(jettonWalletsQuery({ ...wallets, jettons: collections, sort: 'desc' }, deep('balance desc', 500n, key(1)))),
  ],
  [
    'wallets of a jetton',
    30,
    raw(jettonWalletsQuery({ ...wallets, jettons: collections }, deep('since asc', half, key(1)))),
  ],
  // A fiftieth of all wallets and items, and the sales of the latter.
  ['holders of a jetton', 500, raw(holdersQuery(collections[0]!))],
  ['stats of a collection', 1500, raw(collectionStatsQuery(collections[0]!))],
  ['collections of owners', 60, raw(nftCollectionsQuery({ addresses: undefined, owners }, first))],
  ['items', 60, raw(nftItemsQuery(items, deep('since asc', half, key(1))))],
  ['newest items', 60, raw(nftItemsQuery({ ...items, byLastLt: true }, deep('last lt', half, key(1))))],
  ['items of owners', 60, raw(nftItemsQuery({ ...items, owners }, first))],
  ['items of each owner', 120, manyKeysQuery((owner) => nftItemsQuery({ ...items, owners: [owner] }, first))(owners)],
  [
    'items of owners, deep',
    120,
    raw(nftItemsQuery({ ...items, owners }, deep('owner', key(RICH), key(200_030), half, key(1)))),
  ],
  ['items of a collection', 60, raw(nftItemsQuery({ ...items, collections }, deep('index', half / 10n, key(1))))],
  ['items of owners in a collection', 120, raw(nftItemsQuery({ ...items, collections, owners }, first))],
  ['items by number', 30, raw(nftItemsQuery({ ...items, collections, indexes: [57n, 107n] }, first))],
  ['items by address', 30, raw(nftItemsQuery({ ...items, addresses }, first))],
  ['items of a seller', 60, raw(nftItemsQuery({ ...items, owners: [key(700)], includeOnSale: true }, first))],
  ['sales', 10, built(nftSalesQuery([300_001, 300_002].map(key)))],
  ['names of a wallet', 30, built(dnsRecordsQuery({ wallet: key(RICH) }, deep('length', 17, 'xxxxx', key(1))))],
  ['a name', 5, built(dnsRecordsQuery({ domain: 'x1.ton' }, first))],
  [
    'multisigs of members',
    100,
    built(multisigsQuery({ addresses: undefined, members: [key(5), key(6)], direction: 'desc' }, first)),
  ],
  ['multisigs', 5, built(multisigsQuery({ addresses: collections, members: undefined, direction: 'asc' }, first))],
  [
    'orders of multisigs',
    60,
    raw(
      multisigOrdersQuery(
        { addresses: undefined, multisigs: [200_007, 200_008].map(key), direction: 'desc' },
        deep('since desc', half, key(1)),
      ),
    ),
  ],
  ['all orders', 60, built(ordersOfMultisigsQuery(collections))],
  ['vesting wallets', 120, built(vestingsQuery({ wallets: [key(5), key(6)], withListed: true }, first))],
]

test('no question about tokens reads a table from end to end, or more of it than it shows', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await fill(database)
  for (const [name, most, query] of questions) {
    const read = await countRead(database, query)
    t.diagnostic(`${name}: ${read} rows`)
    assert.ok(read <= most, `${name} read ${read} rows`)
  }

  await t.test('items of owners, with and without what they sell, page by page', async () => {
    const { listReads } = database.reader()
    for (const filter of [
      { ...items, owners },
      { ...items, owners, includeOnSale: true },
      { ...items, owners: [key(RICH)], collections: [key(200_010), key(200_020)] },
    ]) {
      const whole = await listNftItems(listReads, filter, { limit: 10_000, offset: 0, after: undefined })
      assert.ok(whole.rows.length > 50)
      const found = []
      let after: Cursor | undefined
      do {
        const { rows, next } = await listNftItems(listReads, filter, { limit: 61, offset: 0, after })
        found.push(...rows)
        after = next
      } while (after !== undefined)
      assert.deepEqual(found, whole.rows)
    }
  })

  await t.test('stats of a jetton and of a collection are what their rows come to', async () => {
    const { listReads } = database.reader()
    const numbers = Array.from({ length: ROWS }, (_, index) => index + 1).filter((k) => k % 50 === 7)
    const holders = numbers.filter((k) => (k * 31) % 1000 > 0).length
    assert.deepEqual(await countHolders(listReads, key(200_007)), { holders, isComplete: true })

    const inCollection = numbers.filter((k) => k % 9 !== 0)
    const offers = inCollection.filter((k) => k % 4 === 3 && (k % 3 === 0 ? k % 7 !== 0 : k % 5 !== 0))
    const prices = offers.filter((k) => k % 3 !== 0).map((k) => 1 + ((k * 31) % 997))
    const isOffered = new Set(offers)
    const ownerIn = (k: number): number => (k % 10 === 0 ? RICH : 2 + ((k * 7919) % OWNERS))
    // What is sold already belongs to the contract of the sale until the item leaves it.
    const owned = inCollection.map((k) => (k % 4 === 3 && !isOffered.has(k) ? 300_000 + k : ownerIn(k)))
    const stats = await readCollectionStats(listReads, key(200_007))
    assert.ok(prices.length > 10)
    assert.deepEqual(
      [stats.items, stats.owners, stats.onSale, stats.floor?.price, stats.isComplete],
      [inCollection.length, new Set(owned).size, offers.length, BigInt(Math.min(...prices)), true],
    )
    const count = (owner: Uint8Array): number => owned.filter((each) => compareBytes(key(each), owner) === 0).length
    assert.deepEqual(
      stats.topOwners.map(({ items }) => items),
      stats.topOwners.map(({ owner }) => count(owner)),
    )
    assert.equal(stats.topOwners.length, new Set(owned).size)
    const none = await readCollectionStats(listReads, key(999_999))
    assert.deepEqual(none, { items: 0, owners: 0, onSale: 0, floor: undefined, topOwners: [], isComplete: true })
  })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { contractAt } from '../../../../test/support/contractRunner.ts'
import { haveFixtures, readFixture } from '../../../../test/support/fixtures.ts'
import { inspectStates, sampleInspector, sampleStates } from '../../../../test/support/inspectSample.ts'
import { filled } from '../../../../test/support/sampleMessages.ts'
import { scriptedCode } from '../../../../test/support/scriptedCode.ts'
import { cell, int, nothing, slice } from '../../../../test/support/scriptedMethods.ts'
import { createTestMachine } from '../../../../test/support/vmSamples.ts'
import type { Cell } from '../../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../../codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../../codec/cell/decodeBoc.ts'
import { addressArgument } from '../../../contracts/getMethods.ts'
import { contractInit } from '../../../devnet/contracts/contractInit.ts'
import { writeAddress } from '../../../devnet/contracts/messages.ts'
import { type Address, addressKeyOf, formatUpperRawAddress } from '../../../primitives/Address.ts'

const { machine } = await createTestMachine({ after })

const at = (byte: number): Address => ({ workchain: 0, hash: filled(byte) })
const raw = (byte: number): string => formatUpperRawAddress(at(byte))
const [self, marketplace, nft, owner, feeTo, royaltyTo] = [at(1), at(2), at(3), at(4), at(5), at(6)]

const address = (w: CellWriter, value: Address | undefined): CellWriter =>
  value === undefined ? w.writeUint(0, 2) : writeAddress(w, value)

const inspect = async (code: Cell, data: Cell) => {
  const inspector = sampleInspector(machine, sampleStates([]))
  const contract = contractAt(self, contractInit(code, data))
  const { contracts } = await inspectStates(inspector, [{ contract, lt: 77n }])
  return { rows: contracts.nft_sales, stats: inspector.stats }
}

const getgemsCode = (name: string): Cell => decodeSingleBoc(readFixture(`mainnet/contracts/getgems/${name}.boc`))

const common = (code: Cell, data: Cell) => ({
  since_lt: 77n,
  last_lt: 77n,
  address: addressKeyOf(self),
  code_hash: code.hash(),
  data_hash: data.hash(),
})

const fees = new CellWriter()
address(fees, feeTo).writeCoins(250_000_000n)
address(fees, royaltyTo).writeCoins(350_000_000n)

/** The data of sales before version 4. */
const saleData = (soldFields: boolean): Cell => {
  const w = new CellWriter().writeBit(true).writeUint(1_745_530_105, 32)
  address(address(address(w, marketplace), nft), owner).writeCoins(5_000_000_000n)
  if (soldFields) w.writeUint(0, 32).writeUint64(0n)
  return w.writeRef(fees.toCell()).toCell()
}

test('sales of versions 2 and 3 as they are on the main network', async (t) => {
  if (!haveFixtures(t, 'mainnet/contracts/getgems')) return
  for (const [name, data] of [
    ['GetgemsNftFixpriceSaleV2_8278f4c5', saleData(false)],
    ['GetgemsNftFixpriceSaleV3R3_24221fa5', saleData(true)],
  ] as const) {
    const code = getgemsCode(name)
    const { rows, stats } = await inspect(code, data)
    assert.deepEqual(rows, [
      {
        ...common(code, data),
        created_at: 1_745_530_105n,
        kind: 'getgems_sale',
        nft_address: addressKeyOf(nft),
        nft_owner_address: addressKeyOf(owner),
        marketplace_address: addressKeyOf(marketplace),
        details: {
          is_complete: true,
          full_price: '5000000000',
          marketplace_fee_address: raw(5),
          marketplace_fee: '250000000',
          royalty_address: raw(6),
          royalty_amount: '350000000',
        },
      },
    ])
    // The method is run once, although two kinds of contracts have it.
    assert.deepEqual([stats.runs, stats.cachedRuns], [1, 1])
  }
})

const auctionDetails = {
  end_flag: false,
  end_time: 1_750_000_000,
  last_bid: '0',
  min_step: 5,
  mp_fee_address: raw(5),
  mp_fee_factor: 5,
  mp_fee_base: 100,
  royalty_fee_address: raw(6),
  royalty_fee_factor: 7,
  royalty_fee_base: 1000,
  max_bid: '100000000000',
  min_bid: '2000000000',
  last_bid_at: 0,
  is_canceled: false,
}

test('auctions of versions 3 and 4 as they are on the main network', async (t) => {
  if (!haveFixtures(t, 'mainnet/contracts/getgems')) return
  const shares = (w: CellWriter, factor: number, base: number) => w.writeUint(factor, 32).writeUint(base, 32)
  const olderFees = shares(address(shares(address(new CellWriter(), feeTo), 5, 100), royaltyTo), 7, 1000).toCell()
  const olderTerms = address(new CellWriter().writeUint(8_449_000, 32), marketplace)
    .writeCoins(2_000_000_000n)
    .writeCoins(100_000_000_000n)
    .writeCoins(5n)
    .writeUint(300, 32)
  const older = new CellWriter().writeUint(0b01000, 5).writeCoins(0n).writeUint(0, 32).writeUint(1_750_000_000, 32)
  address(older, undefined).writeRef(olderFees).writeRef(address(olderTerms, nft).writeUint(1_745_530_105, 32).toCell())
  const newerFees = shares(shares(address(address(new CellWriter(), feeTo), royaltyTo), 5, 100), 7, 1000).toCell()
  const newerTerms = address(new CellWriter(), marketplace)
    .writeCoins(2_000_000_000n)
    .writeCoins(100_000_000_000n)
    .writeUint(5, 7)
    .writeUint(300, 17)
  const newer = new CellWriter().writeUint(0, 4).writeCoins(0n).writeUint(0, 32).writeUint(1_750_000_000, 32)
  address(newer, owner)
    .writeUint64(0n)
    .writeRef(newerFees)
    .writeRef(address(newerTerms, nft).writeUint(1_745_530_105, 32).toCell())
    .writeBit(false)
  for (const [name, data, expectedOwner] of [
    ['GetgemsNftAuctionV3R2_1bd9c5a3', older.toCell(), undefined],
    ['GetgemsNftAuctionV4R1_ce5a7853', newer.toCell(), addressKeyOf(owner)],
  ] as const) {
    const code = getgemsCode(name)
    const { rows } = await inspect(code, data)
    assert.deepEqual(rows, [
      {
        ...common(code, data),
        created_at: 1_745_530_105n,
        kind: 'getgems_auction',
        nft_address: addressKeyOf(nft),
        nft_owner_address: expectedOwner,
        marketplace_address: addressKeyOf(marketplace),
        details: auctionDetails,
      },
    ])
  }
})

const [zero, one] = [int(0), int(1)]
const none = slice(new CellWriter().writeUint(0, 2).toCell())
const named = (value: Address) => addressArgument(value)

/** get_fix_price_data_v4 of a sale that takes jettons, too. */
const saleV4 = [
  zero,
  int(1_745_530_105),
  named(marketplace),
  named(nft),
  none,
  int(9_000_000_000n),
  named(feeTo),
  int(5000),
  none,
  zero,
  zero,
  zero,
  cell(emptyCell),
]

test('a sale of version 4, before its item has come and without royalty', async () => {
  const code = scriptedCode({ get_fix_price_data_v4: saleV4 })
  const { rows } = await inspect(code, emptyCell)
  assert.deepEqual(rows, [
    {
      ...common(code, emptyCell),
      created_at: 1_745_530_105n,
      kind: 'getgems_sale',
      nft_address: addressKeyOf(nft),
      nft_owner_address: undefined,
      marketplace_address: addressKeyOf(marketplace),
      details: {
        is_complete: false,
        full_price: '9000000000',
        marketplace_fee_address: raw(5),
        marketplace_fee: '5000',
        royalty_amount: '0',
      },
    },
  ])
})

test('a contract that pretends to be several of these is the first of them', async () => {
  const auctionV4 = [
    one,
    ...[zero, int(5), named(marketplace), named(nft), named(owner), zero, none, one],
    ...[named(feeTo), one, one, named(royaltyTo), one, one, zero, zero, zero, zero, zero],
    ...[zero, zero, none, none, zero, zero],
  ]
  const code = scriptedCode({ get_fix_price_data_v4: saleV4, get_auction_data_v4: auctionV4 })
  const { rows } = await inspect(code, emptyCell)
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['getgems_sale'],
  )
})

test('what is no sale gives no row', async () => {
  const cut = saleV4.slice(0, 9)
  const replaced = (index: number, value: (typeof saleV4)[number]) => saleV4.with(index, value)
  const bad = {
    'too few': cut,
    'no address of an item': replaced(3, none),
    'a price below zero': replaced(5, int(-1)),
    'a time that no clock shows': replaced(1, int(2n ** 60n)),
    'a cell for a number': replaced(7, cell(emptyCell)),
    'half an address': replaced(2, slice(new CellWriter().writeUint(0b100, 3).toCell())),
  }
  for (const [name, stack] of Object.entries(bad)) {
    const { rows, stats } = await inspect(scriptedCode({ get_fix_price_data_v4: stack }), emptyCell)
    assert.deepEqual(rows, [], name)
    assert.equal(stats.refused['getgems_sale'], 1, name)
  }
  // The kind in front: of an auction, and of nothing known.
  for (const kind of [0x46495851, 0x415543]) {
    const { rows } = await inspect(scriptedCode({ get_sale_data: [int(kind), ...saleV4] }), emptyCell)
    assert.deepEqual(rows, [])
  }
})

const royalty = [int(5), int(100), named(royaltyTo)]
const name = (text: string) => slice(new CellWriter().writeBytes(Buffer.from(text)).toCell())

test('an item of Telegram in an auction, and one that is not', async () => {
  const rules = [named(owner), int(10), int(20), int(5), int(3600), int(604_800)]
  const selling = scriptedCode({
    get_telemint_token_name: [name('al\0ice')],
    get_telemint_auction_state: [named(feeTo), int(7), int(1_700_000_000), int(8), int(1_700_000_900)],
    get_telemint_auction_config: rules,
    royalty_params: royalty,
  })
  const details = {
    token_name: 'alice',
    bidder_address: raw(5),
    bid: '7',
    bid_ts: '1700000000',
    min_bid: '8',
    end_time: 1_700_000_900,
    beneficiary_address: raw(4),
    initial_min_bid: '10',
    max_bid: '20',
    min_bid_step: '5',
    min_extend_time: '3600',
    duration: '604800',
    royalty_numerator: 5,
    royalty_denominator: 100,
    royalty_destination: raw(6),
  }
  const { rows } = await inspect(selling, emptyCell)
  assert.deepEqual(rows, [{ ...common(selling, emptyCell), kind: 'telemint', details }])
  const idle = scriptedCode({
    get_telemint_token_name: [name('alice')],
    get_telemint_auction_config: [nothing, zero, zero, zero, zero, zero],
    royalty_params: royalty,
  })
  const { rows: idleRows } = await inspect(idle, emptyCell)
  assert.deepEqual(idleRows[0]?.details, {
    token_name: 'alice',
    bid: '0',
    bid_ts: '0',
    min_bid: '0',
    end_time: 0,
    initial_min_bid: '0',
    max_bid: '0',
    min_bid_step: '0',
    min_extend_time: '0',
    duration: '0',
    royalty_numerator: 5,
    royalty_denominator: 100,
    royalty_destination: raw(6),
  })
})

test('a number of Telegram as it is on the main network', async (t) => {
  if (!haveFixtures(t, 'mainnet/contracts/fragment')) return
  const folder = 'mainnet/contracts/fragment/FragmentNumbersItem_5b092991'
  const [code, data] = [`${folder}.boc`, `${folder}.data.boc`].map((path) => decodeSingleBoc(readFixture(path)))
  const { rows, stats } = await inspect(code!, data!)
  assert.equal(rows.length, 1)
  assert.equal(rows[0]?.kind, 'telemint')
  const { token_name } = rows[0]!.details as Record<string, unknown>
  assert.match(String(token_name), /^888\d{8}$/)
  // It is an item, too, but nobody vouches for it here.
  assert.deepEqual(stats.refused, { nft_item: 1 })
})

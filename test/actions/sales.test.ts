import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuctionFacts, KnownAccount, SaleFacts } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import {
  addressOf,
  body,
  cell,
  classifyOne,
  classifySteps,
  type Step,
  stateInit,
  text,
  writeNamed,
} from '../support/actionTrace.ts'

const item: KnownAccount = {
  nftItem: { index: 5n, collection: addressOf('collection'), owner: undefined, uri: undefined, codeHash: undefined },
}
const telegramItem: KnownAccount = { nftItem: { ...item.nftItem!, uri: 'https://nft.fragment.com/number/1.json' } }

const sale = (codeHash?: string): { sale: SaleFacts } => ({
  sale: {
    nft: addressOf('item'),
    owner: addressOf('alice'),
    price: 1000n,
    marketplace: addressOf('market'),
    codeHash,
  },
})
const auction = (codeHash?: string): { auction: AuctionFacts } => ({
  auction: {
    nft: addressOf('item'),
    owner: addressOf('alice'),
    lastBid: 1n,
    marketplace: addressOf('market'),
    codeHash,
  },
})

const transfer = (newOwner: string): Cell =>
  body(0x5fcc3d14, (w) => {
    writeNamed(writeNamed(w.writeUint64(3n), newOwner), 'alice')
    w.writeMaybeRef(undefined).writeCoins(10n).writeBit(false)
  })
const assigned = (previousOwner: string): Cell =>
  body(0x05138d91, (w) => writeNamed(w.writeUint64(3n), previousOwner).writeBit(false))

/** The owner gives the item to a contract that makes another one and passes the item on. */
const listed = (data: Cell): Step => ({
  to: 'alice',
  sends: [
    {
      to: 'item',
      body: transfer('listing'),
      sends: [
        {
          to: 'listing',
          body: assigned('alice'),
          sends: [
            { to: 'trade', body: body(1), deploys: true, initState: stateInit(data) },
            { to: 'item', body: transfer('trade'), sends: [{ to: 'trade', body: assigned('listing') }] },
          ],
        },
      ],
    },
  ],
})

const saleFees = (isOldest: boolean): Cell =>
  cell((w) => {
    if (isOldest) w.writeCoins(20n)
    writeNamed(w, 'fees')
    if (!isOldest) w.writeCoins(20n)
    writeNamed(w, 'author').writeCoins(30n)
  })
const saleData = (isOldest: boolean): Cell =>
  cell((w) => {
    if (!isOldest) w.writeBit(false).writeUint(1, 32)
    writeNamed(writeNamed(writeNamed(w, 'market'), 'item'), 'alice')
    w.writeCoins(1000n).writeRef(saleFees(isOldest))
  })
const saleDataV4 = cell((w) => {
  writeNamed(writeNamed(w.writeBit(false), 'market'), 'alice')
    .writeCoins(1000n)
    .writeUint(0, 32)
    .writeUint64(0n)
  w.writeRef(cell((fees) => writeNamed(writeNamed(fees, 'fees'), 'author').writeUint(5000, 17).writeUint(100, 17)))
})

const onSale = {
  nft_collection: 'collection',
  nft_item: 'item',
  nft_item_index: '5',
  owner: 'alice',
  listing_address: 'listing',
  sale_address: 'trade',
  marketplace_address: null,
  full_price: '1000',
  marketplace_fee: '20',
  royalty_amount: '30',
  marketplace_fee_address: 'fees',
  royalty_address: 'author',
  marketplace: null,
}
const shares = { ...onSale, marketplace_fee: null, royalty_amount: null }

const saleVersions: readonly (readonly [string, string | undefined, Cell, object])[] = [
  ['v1', '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=', saleData(true), onSale],
  ['v2', 'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=', saleData(false), onSale],
  ['v3', 'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=', saleData(false), onSale],
  ['v3r2', '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=', saleData(false), onSale],
  ['v3r3', 'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=', saleData(false), onSale],
  ['v4r1', 'a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=', saleDataV4, shares],
  ['one that is not known', undefined, saleDataV4, shares],
]

for (const [version, codeHash, data, details] of saleVersions) {
  test(`an item put on sale: ${version}`, () => {
    const rows = classifySteps(listed(data), { item, trade: sale(codeHash) })
    assert.deepEqual(
      rows.map(({ type, ancestors }) => [type, ...ancestors]),
      [
        ['nft_put_on_sale'],
        ['nft_transfer', 'nft_put_on_sale'],
        ['call_contract', 'nft_put_on_sale'],
        ['nft_transfer', 'nft_put_on_sale'],
        ['contract_deploy'],
      ],
    )
    assert.deepEqual(rows[0], {
      type: 'nft_put_on_sale',
      success: true,
      accounts: ['alice', 'item', 'listing', 'trade'],
      transactions: ['alice.1', 'item.1', 'item.2', 'listing.1', 'trade.1', 'trade.2'],
      ancestors: [],
      details,
    })
  })
}

const pair = (w: Parameters<typeof writeNamed>[0], factor: number, base: number) =>
  w.writeUint(factor, 32).writeUint(base, 32)
const feesWithShares = cell((w) => pair(writeNamed(pair(writeNamed(w, 'fees'), 5, 100), 'author'), 7, 200))
const bids = cell((w) => w.writeCoins(11n).writeCoins(22n).writeCoins(1n).writeUint(1, 32))
const bidsOf = (isAfterGas: boolean) =>
  cell((w) => {
    if (isAfterGas) w.writeUint(0, 32)
    writeNamed(w, 'market').writeCoins(11n).writeCoins(22n).writeCoins(1n).writeUint(1, 32)
  })
const auctionV1 = cell((w) => w.writeRef(feesWithShares).writeRef(bids))
const auctionV3r2 = cell((w) => {
  writeNamed(w.writeUint(0, 3), undefined).writeCoins(0n).writeUint(0, 32).writeUint(9, 32)
  w.writeRef(feesWithShares).writeRef(bidsOf(true))
})
const auctionHead = (w: Parameters<typeof writeNamed>[0]) =>
  writeNamed(
    writeNamed(w.writeUint(0, 2), 'bob').writeCoins(3n).writeUint(0, 32).writeUint(9, 32),
    'alice',
  ).writeUint64(0n)
const auctionV3r3 = cell((w) => {
  pair(pair(auctionHead(w), 5, 100), 7, 200)
  w.writeRef(cell((fees) => writeNamed(writeNamed(fees, 'fees'), 'author'))).writeRef(bidsOf(false))
})
const auctionV4 = cell((w) => {
  auctionHead(w)
    .writeRef(cell((fees) => pair(pair(writeNamed(writeNamed(fees, 'fees'), 'author'), 5, 100), 7, 200)))
    .writeRef(bidsOf(false))
})

const auctionVersions: readonly (readonly [string, string | undefined, Cell])[] = [
  ['v1', '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=', auctionV1],
  ['v3r2', 'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=', auctionV3r2],
  ['v3r3', 'u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=', auctionV3r3],
  ['v4r1', 'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=', auctionV4],
  ['one that is not known', undefined, auctionV3r3],
]

const onAuction = {
  nft_collection: 'collection',
  nft_item: 'item',
  nft_item_index: '5',
  owner: 'alice',
  listing_address: 'listing',
  auction_address: 'trade',
  marketplace_address: null,
  marketplace_fee_factor: '5',
  marketplace_fee_base: '100',
  royalty_fee_base: '200',
  max_bid: '22',
  min_bid: '11',
  marketplace_fee_address: 'fees',
  royalty_address: 'author',
  marketplace: null,
}

for (const [version, codeHash, data] of auctionVersions) {
  test(`an item put on auction: ${version}`, () => {
    assert.deepEqual(classifyOne('nft_put_on_auction', listed(data), { item, trade: auction(codeHash) }), {
      type: 'nft_put_on_auction',
      success: true,
      accounts: ['alice', 'item', 'listing', 'trade'],
      transactions: ['alice.1', 'item.1', 'item.2', 'listing.1', 'trade.1', 'trade.2'],
      ancestors: [],
      details: onAuction,
    })
  })
}

test('an auction of the second version, and a sale for somebody else, are not put together', () => {
  const second = auction('ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ=')
  const other = { sale: { ...sale().sale, owner: addressOf('bob') } }
  for (const trade of [second, other, {}]) {
    const types = classifySteps(listed(saleDataV4), { item, trade }).map(({ type }) => type)
    assert.deepEqual(types, ['nft_transfer', 'call_contract', 'nft_transfer', 'contract_deploy'])
  }
})

test('a sale with a new price', () => {
  const change = body(0x6c6c2080, (w) => w.writeUint64(1n).writeCoins(2000n).writeCoins(40n).writeCoins(60n))
  const steps = (aborted: boolean): Step => ({ to: 'alice', sends: [{ to: 'trade', body: change, aborted }] })
  for (const aborted of [false, true]) {
    assert.deepEqual(classifyOne('nft_update_sale', steps(aborted), { trade: sale() }), {
      type: 'nft_update_sale',
      success: !aborted,
      accounts: ['alice', 'item', 'trade'],
      transactions: ['alice.1', 'trade.1'],
      ancestors: [],
      details: {
        source: 'alice',
        sale_contract: 'trade',
        nft_address: 'item',
        marketplace_address: 'market',
        marketplace: null,
        full_price: '2000',
        marketplace_fee: '40',
        royalty_amount: '60',
      },
    })
  }
})

const ended = (command: Cell): Step => ({
  to: 'alice',
  sends: [{ to: 'trade', body: command, sends: [{ to: 'item', body: transfer('alice') }] }],
})
const endDetails = { owner: 'alice', nft_item: 'item', nft_collection: 'collection', marketplace_address: 'market' }

test('a sale that was called off', () => {
  const rows = classifySteps(ended(body(3)), { item, trade: sale() })
  assert.deepEqual(
    rows.map(({ type, ancestors }) => [type, ...ancestors]),
    [['nft_cancel_sale'], ['call_contract', 'nft_cancel_sale'], ['nft_transfer']],
  )
  assert.deepEqual(rows[0], {
    type: 'nft_cancel_sale',
    success: true,
    accounts: ['alice', 'item', 'trade'],
    transactions: ['alice.1', 'trade.1'],
    ancestors: [],
    details: { ...endDetails, sale_address: 'trade', marketplace: null },
  })
})

const ends: readonly (readonly [string, Cell, string])[] = [
  ['the comment cancel', text('cancel'), 'nft_cancel_auction'],
  ['the comment finish', text('finish'), 'nft_finish_auction'],
  ['the comment stop', text('stop'), 'nft_finish_auction'],
  ['the opcode cancel', body(0x5616c572), 'nft_cancel_auction'],
  ['the opcode finish', body(0x20c9eb18), 'nft_finish_auction'],
  ['the opcode stop', body(0xb95616b6), 'nft_finish_auction'],
]

for (const [how, command, type] of ends) {
  test(`an auction that ended without a buyer, by ${how}`, () => {
    assert.deepEqual(classifyOne(type, ended(command), { item, trade: auction() }), {
      type,
      success: true,
      accounts: ['alice', 'item', 'trade'],
      transactions: ['alice.1', 'trade.1'],
      ancestors: [],
      details: { ...endDetails, auction_address: 'trade', marketplace: null },
    })
  })
}

test('an item of Telegram that is put up for auction, and taken back', () => {
  const config = cell((w) => {
    writeNamed(w, 'alice').writeCoins(11n).writeCoins(22n).writeUint(5, 8).writeUint(1, 32).writeUint(2, 32)
  })
  const start = body(0x487a8e81, (w) => w.writeUint64(1n).writeRef(config))
  const answered = (command: Cell): Step => ({
    to: 'alice',
    sends: [{ to: 'item', body: command, sends: [{ to: 'alice', body: body(0xa37a0983) }] }],
  })
  const common = {
    success: true,
    accounts: ['alice', 'item'],
    transactions: ['alice.1', 'alice.2', 'item.1'],
    ancestors: [],
  }
  assert.deepEqual(classifyOne('teleitem_start_auction', answered(start), { item: telegramItem }), {
    type: 'teleitem_start_auction',
    ...common,
    details: {
      ...onAuction,
      listing_address: null,
      auction_address: 'item',
      marketplace_fee_factor: '0',
      marketplace_fee_base: '0',
      royalty_fee_base: '0',
      marketplace_fee_address: 'alice',
      royalty_address: null,
    },
  })
  assert.deepEqual(classifyOne('teleitem_cancel_auction', answered(body(0x371638ae)), { item: telegramItem }), {
    type: 'teleitem_cancel_auction',
    ...common,
    details: { ...endDetails, auction_address: 'item', marketplace_address: null, marketplace: null },
  })
  const unsaid = body(0x487a8e81, (w) => w.writeUint64(1n).writeRef(emptyCell))
  const { details } = classifyOne('teleitem_start_auction', answered(unsaid), { item: telegramItem })
  const { max_bid: max, min_bid: min, marketplace_fee_address: to } = details as Record<string, unknown>
  assert.deepEqual([max, min, to], ['0', '0', null])
  const plain = classifySteps(answered(start), { item }).map(({ type }) => type)
  assert.deepEqual(plain, ['call_contract', 'call_contract'])
})

const dnsItem: KnownAccount = {
  nftItem: { ...item.nftItem!, codeHash: 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk=' },
}
const bidOn = (to: string, refund: Cell, value: bigint): Step => ({
  to: 'alice',
  sends: [{ to, value: 200n, sends: [{ to: 'bob', body: refund, value }] }],
})
const outbidText = text('Your bid has been outbid by another user. Sorry')

const bidCases: readonly (readonly [string, string, Cell, Record<string, KnownAccount>])[] = [
  ['a marketplace', 'trade', outbidText, { item, trade: auction() }],
  ['Telegram', 'item', body(0x557cea20), { item: telegramItem }],
  ['.ton', 'item', body(0x557cea20), { item: dnsItem }],
]

for (const [where, to, refund, known] of bidCases) {
  test(`a bid at an auction of ${where}, and the one before that goes back`, () => {
    const rows = classifySteps(bidOn(to, refund, 150n), known)
    assert.deepEqual(rows.slice(0, 2), [
      {
        type: 'auction_bid',
        success: true,
        accounts: [...new Set(['alice', 'item', to])],
        transactions: ['alice.1', `${to}.1`],
        ancestors: [],
        details: {
          amount: '200',
          bidder: 'alice',
          auction: to,
          nft_item: 'item',
          nft_collection: 'collection',
          nft_item_index: '5',
        },
      },
      {
        type: 'auction_outbid',
        success: true,
        accounts: [...new Set(['alice', 'bob', 'item', to])],
        transactions: ['bob.1', `${to}.1`],
        ancestors: [],
        details: {
          auction_address: to,
          bidder: 'bob',
          new_bidder: 'alice',
          nft_item: 'item',
          nft_collection: 'collection',
          amount: '150',
        },
      },
    ])
  })
}

test('money for a domain that gives none back is no bid', () => {
  const steps: Step = { to: 'alice', sends: [{ to: 'item' }] }
  assert.deepEqual(
    classifySteps(steps, { item: dnsItem }).map(({ type }) => type),
    ['ton_transfer'],
  )
})

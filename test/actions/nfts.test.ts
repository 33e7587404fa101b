import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { addressOf, body, classifyOne, classifySteps, type Step, text, writeNamed } from '../support/actionTrace.ts'

const EMPTY_BOC = 'te6cckEBAQEAAgAAAEysuc0='

const transfer = (newOwner: string): Cell =>
  body(0x5fcc3d14, (w) => {
    writeNamed(writeNamed(w.writeUint64(3n), newOwner), 'alice')
    w.writeMaybeRef(undefined).writeCoins(10n).writeBit(false)
  })

const assigned = (previousOwner: string | undefined, payload?: Cell): Cell =>
  body(0x05138d91, (w) => {
    writeNamed(w.writeUint64(3n), previousOwner)
    if (payload === undefined) w.writeBit(false)
    else w.writeBit(true).writeRef(payload)
  })

const item: KnownAccount = {
  nftItem: {
    index: 12345678901234567890n,
    collection: addressOf('collection'),
    owner: undefined,
    uri: undefined,
    codeHash: undefined,
  },
}

const details = {
  nft_collection: 'collection',
  nft_item: 'item',
  nft_item_index: '12345678901234567890',
  new_owner: 'bob',
  is_purchase: false,
  query_id: '3',
  response_destination: 'alice',
  custom_payload: null,
  forward_payload: EMPTY_BOC,
  forward_amount: '10',
  comment: null,
  is_encrypted_comment: false,
  real_old_owner: null,
  marketplace: null,
  marketplace_address: null,
  payout_amount: null,
  payout_address: null,
  payout_comment: null,
  payout_comment_encrypted: null,
  payout_comment_encoded: null,
  royalty_amount: null,
  royalty_address: null,
}

test('an item that is made', () => {
  const steps: Step = { to: 'collection', from: 'alice', sends: [{ to: 'item', body: body(1), deploys: true }] }
  assert.deepEqual(classifyOne('nft_mint', steps, { item }), {
    type: 'nft_mint',
    success: true,
    accounts: ['collection', 'item'],
    transactions: ['collection.1', 'item.1'],
    ancestors: [],
    details: {
      owner: 'collection',
      nft_item: 'item',
      nft_collection: 'collection',
      nft_item_index: '12345678901234567890',
    },
  })
})

test('an item that is given away', () => {
  const steps: Step = {
    to: 'alice',
    sends: [{ to: 'item', body: transfer('bob'), sends: [{ to: 'bob', body: assigned('alice') }] }],
  }
  assert.deepEqual(classifySteps(steps, { item }), [
    {
      type: 'nft_transfer',
      success: true,
      accounts: ['alice', 'bob', 'item'],
      transactions: ['alice.1', 'bob.1', 'item.1'],
      ancestors: [],
      details: { ...details, old_owner: 'alice' },
    },
  ])
  const failed: Step = { to: 'alice', sends: [{ to: 'item', body: transfer('bob'), aborted: true }] }
  assert.equal(classifyOne('nft_transfer', failed, { item }).success, false)
  assert.deepEqual(
    classifySteps(steps).map(({ type }) => type),
    ['call_contract', 'call_contract'],
  )
})

const auction: KnownAccount = {
  auction: {
    nft: addressOf('item'),
    owner: addressOf('seller'),
    lastBid: 500n,
    marketplace: addressOf('market'),
    codeHash: undefined,
  },
}

test('an auction that somebody told to end: the item and the money of the seller are beside each other', () => {
  const steps: Step = {
    to: 'carol',
    sends: [
      {
        to: 'auction',
        body: text('finish'),
        sends: [
          { to: 'royalty', value: 50n },
          { to: 'seller', value: 400n, body: text('Profit') },
          { to: 'item', body: transfer('bob') },
        ],
      },
    ],
  }
  const rows = classifySteps(steps, { item, auction })
  const sold = {
    ...details,
    old_owner: 'auction',
    is_purchase: true,
    price: '500',
    marketplace: null,
    real_old_owner: 'seller',
    marketplace_address: 'market',
  }
  assert.deepEqual(
    rows.map(({ type, ancestors }) => [type, ...ancestors]),
    [
      ['nft_finish_auction'],
      ['ton_transfer', 'nft_finish_auction'],
      ['ton_transfer'],
      ['nft_purchase'],
      ['ton_transfer', 'nft_purchase'],
      ['nft_transfer', 'nft_purchase'],
    ],
  )
  const purchase = rows.find(({ type }) => type === 'nft_purchase')
  assert.deepEqual(purchase, {
    type: 'nft_purchase',
    success: true,
    accounts: ['auction', 'bob', 'item', 'seller'],
    transactions: ['item.1', 'seller.1'],
    ancestors: [],
    details: {
      ...sold,
      payout_amount: '400',
      payout_address: 'seller',
      payout_comment: 'Profit',
      payout_comment_encrypted: false,
      payout_comment_encoded: false,
    },
  })
  assert.deepEqual(rows.find(({ type }) => type === 'nft_transfer')?.details, sold)
  assert.deepEqual(rows[0], {
    type: 'nft_finish_auction',
    success: true,
    accounts: ['auction', 'bob', 'carol', 'item'],
    transactions: ['auction.1', 'carol.1'],
    ancestors: [],
    details: {
      owner: 'bob',
      nft_item: 'item',
      nft_collection: 'collection',
      auction_address: 'auction',
      marketplace_address: null,
      marketplace: null,
    },
  })
})

const telegramItem: KnownAccount = {
  nftItem: { ...item.nftItem!, uri: 'https://nft.fragment.com/username/chain.json' },
}
const bid = (amount: bigint): Cell => body(0x38127de1, (w) => w.writeCoins(amount).writeUint(1, 32))

test('a user name that was sold by auction', () => {
  const steps: Step = {
    to: 'item',
    sends: [
      { to: 'fragment', body: body(0x370fec51), value: 5n },
      { to: 'seller', body: body(0x370fec51), value: 95n },
      { to: 'bob', body: assigned('seller', bid(100n)), value: 1n },
    ],
  }
  const [row, ...others] = classifySteps(steps, { item: telegramItem })
  const { forward_payload, ...shown } = row!.details as Record<string, unknown>
  assert.deepEqual(others, [])
  assert.equal(typeof forward_payload, 'string')
  const { forward_payload: _empty, ...plain } = details
  assert.deepEqual(
    { ...row, details: shown },
    {
      type: 'nft_transfer',
      success: true,
      accounts: ['bob', 'fragment', 'item', 'seller'],
      transactions: ['bob.1', 'fragment.1', 'item.1', 'seller.1'],
      ancestors: [],
      details: {
        ...plain,
        old_owner: 'seller',
        is_purchase: true,
        price: '100',
        marketplace: null,
        response_destination: null,
        forward_amount: null,
        payout_amount: '95',
        payout_address: 'seller',
        royalty_amount: '5',
        royalty_address: 'fragment',
      },
    },
  )
})

test('a user name with its first owner is no purchase', () => {
  const steps: Step = {
    to: 'collection',
    from: 'bob',
    sends: [{ to: 'item', body: body(0x299a3e15), sends: [{ to: 'bob', body: assigned(undefined, bid(100n)) }] }],
  }
  const row = classifyOne('nft_transfer', steps, { item: telegramItem })
  assert.deepEqual(
    [row.accounts, row.transactions],
    [
      ['bob', 'item'],
      ['bob.1', 'item.1'],
    ],
  )
  const { is_purchase, price, old_owner } = row.details as Record<string, unknown>
  assert.deepEqual({ is_purchase, price, old_owner }, { is_purchase: false, price: undefined, old_owner: undefined })
})

test('an item that says what it is', () => {
  const report = body(0x8b771735, (w) => writeNamed(w.writeUint64(1n).writeUintWide(77n, 256), 'collection'))
  const steps: Step = {
    to: 'alice',
    sends: [{ to: 'item', body: body(0x2fcb26a2, (w) => w.writeUint64(1n)), sends: [{ to: 'alice', body: report }] }],
  }
  assert.deepEqual(classifySteps(steps)[0], {
    type: 'nft_discovery',
    success: true,
    accounts: ['alice', 'item'],
    transactions: ['alice.1', 'alice.2', 'item.1'],
    ancestors: [],
    details: { source: 'alice', nft_item: 'item', nft_collection: 'collection', nft_item_index: '77' },
  })
})

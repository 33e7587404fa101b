import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { type CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { addressOf, body, cell, classifyOne, classifySteps, type Step, writeNamed } from '../support/actionTrace.ts'
import { allTransactions, internalBody, knownWallets, noDeposit, noPosition, sendJettons } from '../support/dexSteps.ts'

const known: Record<string, KnownAccount> = {
  ...knownWallets('alice/usd', 'alice/eur', 'alice/shares', 'usd vault/usd', 'eur vault/eur'),
  'pool 1': { dedustPool: { assets: [undefined, addressOf('usd')] } },
  'pool 2': { dedustPool: { assets: [undefined, addressOf('eur')] } },
}

/** `undefined` is the native coin. */
const writeAsset = (w: CellWriter, jetton: string | undefined): CellWriter => {
  if (jetton === undefined) return w.writeUint(0, 4)
  const { workchain, hash } = parseAddress(addressOf(jetton))
  return w.writeUint(1, 4).writeInt(workchain, 8).writeBytes(hash)
}

const payFromPool = (amount: bigint): Cell =>
  body(0xad4eb6f5, (w) => w.writeUint64(1n).writeRef(emptyCell).writeCoins(amount))
const payoutOfCoins: Step = { to: 'alice', body: body(0x474f86cf) }

test('a withdrawal at DeDust: coins and jettons', () => {
  const burn = body(0x595f07bc, (w) => writeNamed(w.writeUint64(1n).writeCoins(70n), 'alice'))
  const jettons = sendJettons('usd', { from: 'usd vault', to: 'alice', amount: 9n })
  const root: Step = {
    to: 'alice',
    sends: [
      {
        to: 'alice/shares',
        body: burn,
        sends: [
          {
            to: 'pool 1',
            body: body(0x7bdd97de),
            sends: [
              { to: 'vault', body: payFromPool(8n), sends: [payoutOfCoins] },
              { to: 'usd vault', body: payFromPool(9n), sends: [jettons] },
            ],
          },
        ],
      },
    ],
  }
  assert.deepEqual(classifySteps(root, known), [
    {
      type: 'dex_withdraw_liquidity',
      success: true,
      accounts: ['alice', 'alice/shares', 'alice/usd', 'pool 1', 'usd vault', 'usd vault/usd', 'vault'],
      transactions: allTransactions(root),
      ancestors: [],
      details: {
        ...noPosition,
        dex: 'dedust',
        amount_1: '8',
        asset_1: null,
        user_jetton_wallet_1: null,
        amount_2: '9',
        asset_2: 'usd',
        user_jetton_wallet_2: 'alice/usd',
        lp_tokens_burnt: '70',
        source: 'alice',
        pool: 'pool 1',
        destination_liquidity: 'pool 1',
      },
    },
  ])
  // Whose shares they are must be known; then it is a burn of nobody knows what.
  const { 'alice/shares': _, ...others } = known
  assert.ok(!classifySteps(root, others).some(({ type }) => type === 'dex_withdraw_liquidity'))
})

const targets = (w: CellWriter): CellWriter => w.writeCoins(1n).writeCoins(30n).writeCoins(40n)
const coinDeposit = body(0xd55e4686, (w) => {
  writeAsset(writeAsset(w.writeUint64(1n).writeCoins(30n).writeBit(false), undefined), 'usd').writeRef(cell(targets))
})
const jettonDeposit = body(0x40e108d6, (w) => targets(writeAsset(writeAsset(w.writeBit(false), undefined), 'usd')))
const toPool = body(0xb56b9598, (w) => {
  writeNamed(w.writeUint64(1n).writeRef(emptyCell), 'alice').writeCoins(1n)
  w.writeRef(cell((c) => writeAsset(writeAsset(c, undefined).writeCoins(30n), 'usd').writeCoins(40n)))
})

const factory = (sends: readonly Step[] = []): Step => ({
  to: 'factory',
  body: body(0xf04ec526),
  sends: [
    { to: 'deposit', body: body(0x9b3aa3fa) },
    { to: 'deposit', body: body(0x54240fe5), sends },
  ],
})
const completed: Step = {
  to: 'pool 1',
  body: toPool,
  sends: [
    { to: 'deposit', body: body(0xaae79256), sends: [{ to: 'alice' }] },
    { to: 'alice/shares', body: internalBody(77n, 'pool 1') },
  ],
}
const coins = (sends?: readonly Step[]): Step => ({ to: 'vault', body: coinDeposit, sends: [factory(sends)] })
const jettons = (sends?: readonly Step[]): Step =>
  sendJettons('usd', { from: 'alice', to: 'usd vault', amount: 40n, payload: jettonDeposit, sends: [factory(sends)] })

const coinLeg = { asset: null, amount: '30', wallet: null, target: '30' }
const jettonLeg = { asset: 'usd', amount: '40', wallet: 'alice/usd', target: '40' }

for (const [name, sends, [first, second]] of [
  ['jettons, then coins', [jettons(), coins([completed])], [jettonLeg, coinLeg]],
  ['coins, then jettons', [coins(), jettons([completed])], [coinLeg, jettonLeg]],
] as const) {
  test(`a deposit at DeDust, both assets in one trace: ${name}`, () => {
    const root: Step = { to: 'alice', sends }
    const accounts = [
      'alice',
      'alice/shares',
      'alice/usd',
      'deposit',
      'factory',
      'pool 1',
      'usd vault',
      'usd vault/usd',
    ]
    assert.deepEqual(classifySteps(root, known), [
      {
        type: 'dex_deposit_liquidity',
        success: true,
        accounts: [...accounts, 'vault'],
        transactions: allTransactions(root),
        ancestors: [],
        details: {
          ...noDeposit,
          dex: 'dedust',
          source: 'alice',
          pool: 'pool 1',
          destination_liquidity: 'deposit',
          lp_tokens_minted: '77',
          asset_1: first.asset,
          amount_1: first.amount,
          user_jetton_wallet_1: first.wallet,
          target_asset_1: first.asset,
          target_amount_1: first.target,
          asset_2: second.asset,
          amount_2: second.amount,
          user_jetton_wallet_2: second.wallet,
          target_asset_2: second.asset,
          target_amount_2: second.target,
        },
      },
    ])
  })
}

test('a deposit at DeDust that is used again in the same trace is told step by step', () => {
  const rows = classifySteps({ to: 'alice', sends: [coins(), coins(), jettons([completed])] }, known)
  assert.deepEqual(
    rows.map(({ type, details }) => [type, (details as { readonly amount_1: string }).amount_1]),
    [
      ['dex_deposit_liquidity', '30'],
      ['dex_deposit_liquidity', '30'],
      ['dex_deposit_liquidity', '40'],
    ],
  )
})

const swapEvent = (
  assetIn: string | undefined,
  assetOut: string | undefined,
  amounts: readonly [bigint, bigint],
): Step => ({
  body: body(0x9c610de3, (w) => {
    writeAsset(writeAsset(w, assetIn), assetOut).writeCoins(amounts[0]).writeCoins(amounts[1])
  }),
})
const step = (pool: string, next?: Cell) => (w: CellWriter) =>
  writeNamed(w, pool).writeBit(false).writeCoins(0n).writeMaybeRef(next)
const request = body(0xe3a0d482, step('pool 1', cell(step('pool 2'))))

/** Dollars over coins to euros; what follows the first pool is given. */
const swapOf = (sends: readonly Step[]): Step => ({
  to: 'alice',
  sends: [
    sendJettons('usd', {
      from: 'alice',
      to: 'usd vault',
      amount: 5n,
      payload: request,
      sends: [{ to: 'pool 1', body: body(0x61ee542d), sends }],
    }),
  ],
})
const incoming = {
  asset: 'usd',
  source: 'alice',
  destination: 'usd vault',
  source_jetton_wallet: 'alice/usd',
  destination_jetton_wallet: 'usd vault/usd',
  amount: '5',
}

test('a swap at DeDust whose second pool refuses: the coins in between are paid', () => {
  const root = swapOf([
    swapEvent('usd', undefined, [5n, 6n]),
    {
      to: 'pool 2',
      body: body(0x72aca8aa),
      sends: [{ to: 'vault', body: payFromPool(6n), sends: [payoutOfCoins] }],
    },
  ])
  const row = classifyOne('jetton_swap', root, known)
  assert.equal(row.success, false)
  assert.deepEqual(row.details, {
    dex: 'dedust',
    sender: 'alice',
    asset_in: 'usd',
    asset_out: 'eur',
    dex_incoming_transfer: incoming,
    dex_outgoing_transfer: {
      asset: null,
      source: 'vault',
      destination: 'alice',
      source_jetton_wallet: null,
      destination_jetton_wallet: null,
      amount: '6',
    },
    peer_swaps: [],
  })
})

test('a swap at DeDust that the first pool refuses is an exchange of what was sent for itself', () => {
  const back = sendJettons('usd', { from: 'usd vault', to: 'alice', amount: 5n })
  const row = classifyOne('jetton_swap', swapOf([{ to: 'usd vault', body: payFromPool(5n), sends: [back] }]), known)
  const { asset_out, dex_incoming_transfer, dex_outgoing_transfer } = row.details as Record<string, unknown>
  assert.deepEqual(
    [row.success, asset_out, dex_incoming_transfer, dex_outgoing_transfer],
    [
      false,
      'eur',
      incoming,
      {
        asset: 'usd',
        source: 'usd vault',
        destination: 'alice',
        source_jetton_wallet: 'usd vault/usd',
        destination_jetton_wallet: 'alice/usd',
        amount: '5',
      },
    ],
  )
})

test('no swap at DeDust: jettons that were sent for something else, or through a pool that is none', () => {
  const paid: Step = { to: 'vault', body: payFromPool(6n), sends: [payoutOfCoins] }
  const types = (root: Step, facts = known) => classifySteps(root, facts).map(({ type }) => type)
  const other = sendJettons('usd', {
    from: 'alice',
    to: 'usd vault',
    amount: 5n,
    sends: [{ to: 'pool 1', body: body(0x61ee542d), sends: [paid] }],
  })
  assert.ok(!types({ to: 'alice', sends: [other] }).includes('jetton_swap'))
  assert.ok(!types(swapOf([paid]), { ...known, 'pool 2': {} }).includes('jetton_swap'))
  assert.ok(types(swapOf([paid])).includes('jetton_swap'))
})

test('a route longer than any is no swap, and does no harm', () => {
  let route: Step = { to: 'vault', body: payFromPool(6n), sends: [payoutOfCoins] }
  for (let hop = 0; hop < 3000; hop++) route = { to: 'pool 2', body: body(0x72aca8aa), sends: [route] }
  assert.ok(!classifySteps(swapOf([route]), known).some(({ type }) => type === 'jetton_swap'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyTrace } from '../../src/actions/classifyTrace.ts'
import { AccountFacts } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { type CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import {
  addressOf,
  body,
  buildTrace,
  cell,
  classifyOne,
  classifySteps,
  type Step,
  writeNamed,
} from '../support/actionTrace.ts'
import { allTransactions, internalBody, knownWallets, noDeposit, noPosition, sendJettons } from '../support/dexSteps.ts'

const known = knownWallets('alice/usd', 'alice/eur', 'alice/shares', 'mev/usd', 'usd vault/usd', 'eur vault/eur')

/** `undefined` is the native coin. */
const writeAsset = (w: CellWriter, jetton: string | undefined): CellWriter => {
  if (jetton === undefined) return w.writeUint(0, 2)
  const { workchain, hash } = parseAddress(addressOf(jetton))
  return w.writeUint(1, 2).writeInt(workchain, 8).writeBytes(hash)
}

const fee: Step = { to: 'service', body: body(0xc0ffeea0) }

test('a swap that was protected and failed: what is kept of it, since it has no shape', () => {
  const root: Step = {
    to: 'mev',
    sends: [{ to: 'alice', value: 7n, body: body(0xee51ce51, (w) => writeNamed(w.writeUint64(1n), 'alice')) }, fee],
  }
  assert.deepEqual(classifySteps(root, known), [
    {
      type: 'coffee_mev_protect_failed_swap',
      success: true,
      accounts: ['alice', 'mev', 'service'],
      transactions: allTransactions(root),
      ancestors: [],
      details: { error: "unsupported action type: 'coffee_mev_protect_failed_swap'" },
    },
    {
      type: 'call_contract',
      success: true,
      accounts: ['alice', 'mev'],
      transactions: ['alice.1', 'mev.1'],
      ancestors: ['coffee_mev_protect_failed_swap'],
      details: {
        opcode: '0xee51ce51',
        source: 'mev',
        destination: 'alice',
        value: '7',
        extra_currencies: {},
      },
    },
    {
      type: 'call_contract',
      success: true,
      accounts: ['mev', 'service'],
      transactions: ['mev.1', 'service.1'],
      ancestors: ['coffee_mev_protect_failed_swap'],
      details: {
        opcode: '0xc0ffeea0',
        source: 'mev',
        destination: 'service',
        value: '1000000000',
        extra_currencies: {},
      },
    },
  ])

  const [action] = classifyTrace(buildTrace(root), new AccountFacts(new Map())).actions
  assert.deepEqual(action?.rawAction, {
    type: 'coffee_mev_protect_failed_swap',
    success: true,
    source: addressOf('mev'),
    destination: addressOf('alice'),
    source_jetton_wallet: null,
    mev_contract: addressOf('alice'),
    mev_contract_jetton_wallet: null,
    asset: null,
    amount: '7',
  })
})

for (const [type, tag] of [
  ['coffee_mev_protect_hold_funds', 0x6bc79e7e],
  ['coffee_mev_protect_failed_swap', 0xee51ce51],
] as const) {
  test(`jettons for a protected swap, without a fee: ${type}`, () => {
    const paid = sendJettons('usd', { from: 'alice', to: 'mev', amount: 7n, payload: body(tag), sends: [] })
    const root: Step = { to: 'alice', sends: [{ to: 'bob' }, paid] }
    const rows = classifySteps(root, known)
    assert.deepEqual(
      rows.map((row) => [row.type, row.ancestors]),
      [
        ['ton_transfer', []],
        [type, []],
        ['jetton_transfer', [type]],
      ],
    )
    assert.deepEqual(rows[1]?.accounts, ['alice', 'alice/usd', 'mev', 'mev/usd'])
    if (type === 'coffee_mev_protect_hold_funds') {
      assert.deepEqual(rows[1]?.details, {
        source: 'alice',
        source_jetton_wallet: 'alice/usd',
        mev_contract: 'mev',
        mev_contract_jetton_wallet: null,
        asset: 'usd',
        amount: '7',
      })
    }
  })
}

const pay = (amount: bigint): Cell => body(0xc0ffee21, (w) => writeNamed(w.writeUint64(1n), 'alice').writeCoins(amount))
const coinsOut = (amount: bigint): Step => ({
  to: 'vault',
  body: pay(amount),
  sends: [{ to: 'alice', value: amount + 1n, body: body(0xc0ffee32) }],
})
const dollarsOut = (amount: bigint): Step => ({
  to: 'usd vault',
  body: pay(amount),
  sends: [sendJettons('usd', { from: 'usd vault', to: 'alice', amount })],
})
const log = (opcode: number, ...amounts: readonly bigint[]): Step => ({
  body: body(opcode, (w) => {
    w.writeUint64(1n)
    for (const amount of amounts) w.writeCoins(amount)
  }),
})

test('a withdrawal at swap.coffee: of coins the receiver stands in the place of a wallet', () => {
  const burn = body(0x595f07bc, (w) => writeNamed(w.writeUint64(1n).writeCoins(70n), 'alice'))
  const notified: Step = {
    to: 'pool',
    body: body(0x7bdd97de),
    sends: [log(0xc0ffee35, 8n, 9n, 70n), coinsOut(8n), dollarsOut(9n)],
  }
  const root: Step = { to: 'alice', sends: [{ to: 'alice/shares', body: burn, sends: [notified] }] }
  assert.deepEqual(classifySteps(root, known), [
    {
      type: 'dex_withdraw_liquidity',
      success: true,
      accounts: ['alice', 'alice/shares', 'alice/usd', 'pool', 'usd vault', 'usd vault/usd', 'vault'],
      transactions: allTransactions(root),
      ancestors: [],
      details: {
        ...noPosition,
        dex: 'coffee',
        amount_1: '8',
        asset_1: null,
        user_jetton_wallet_1: 'alice',
        amount_2: '9',
        asset_2: 'usd',
        user_jetton_wallet_2: 'alice/usd',
        lp_tokens_burnt: '70',
        source: 'alice',
        pool: 'pool',
        destination_liquidity: 'pool',
      },
    },
  ])
})

test('a deposit at swap.coffee: coins that complete it, and of which some come back', () => {
  const pool = cell((w) => writeAsset(writeAsset(w, undefined), 'usd').writeUint(0, 3).writeMaybeRef(undefined))
  const request = body(0xc0ffee27, (w) => {
    writeNamed(w.writeUint64(1n).writeCoins(30n).writeRef(emptyCell).writeRef(pool), 'alice')
  })
  const shares: Step = { to: 'alice/shares', body: internalBody(77n, 'pool') }
  const deposited: Step = {
    to: 'pool',
    body: body(0xc0ffee29),
    sends: [log(0xc0ffee33, 25n, 40n, 77n), coinsOut(5n), shares],
  }
  const depository: Step = { to: 'depository', body: body(0xc0ffee22), sends: [deposited] }
  const root: Step = {
    to: 'alice',
    sends: [{ to: 'vault', body: body(0xc0ffee04), sends: [{ to: 'factory', body: request, sends: [depository] }] }],
  }
  assert.deepEqual(classifySteps(root, known), [
    {
      type: 'dex_deposit_liquidity',
      success: true,
      accounts: ['alice', 'alice/shares', 'depository', 'factory', 'pool', 'vault'],
      transactions: allTransactions(root),
      ancestors: [],
      details: {
        ...noDeposit,
        dex: 'coffee',
        amount_1: '30',
        source: 'alice',
        pool: 'pool',
        destination_liquidity: 'pool',
        lp_tokens_minted: '77',
        target_asset_2: 'usd',
        vault_excesses: [{ asset: null, amount: '6' }],
      },
    },
  ])
})

const swapEvent = (asset: string | undefined, amountIn: bigint, amountOut: bigint): Step => ({
  body: body(0xc0ffee30, (w) => writeAsset(w.writeUint64(1n), asset).writeCoins(amountIn).writeCoins(amountOut)),
})

test('a pool of swap.coffee that refuses makes no swap', () => {
  const paid = body(0xc0ffee00, (w) => w.writeUint64(1n).writeCoins(5n))
  const refused: Step = { to: 'pool 2', body: body(0xc0ffee20), sends: [log(0xc0ffee31), dollarsOut(6n)] }
  const taken: Step = { to: 'pool', body: body(0xc0ffee20), sends: [swapEvent(undefined, 5n, 6n), refused] }
  for (const first of [refused, taken]) {
    const rows = classifySteps({ to: 'alice', sends: [{ to: 'vault', body: paid, sends: [first] }] }, known)
    assert.ok(rows.every(({ type }) => type === 'call_contract' || type === 'jetton_transfer'))
  }
})

test('a swap at swap.coffee through two pools', () => {
  const second: Step = {
    to: 'pool 2',
    body: body(0xc0ffee20),
    sends: [swapEvent('eur', 6n, 7n), dollarsOut(7n)],
  }
  const first: Step = { to: 'pool', body: body(0xc0ffee20), sends: [swapEvent(undefined, 5n, 6n), second] }
  const paid = body(0xc0ffee00, (w) => w.writeUint64(1n).writeCoins(5n))
  const row = classifyOne('jetton_swap', { to: 'alice', sends: [{ to: 'vault', body: paid, sends: [first] }] }, known)
  assert.equal(row.success, true)
  assert.deepEqual(row.details, {
    dex: 'coffee',
    sender: 'alice',
    asset_in: null,
    asset_out: 'usd',
    dex_incoming_transfer: {
      asset: null,
      source: 'alice',
      destination: 'vault',
      source_jetton_wallet: null,
      destination_jetton_wallet: null,
      amount: '5',
    },
    dex_outgoing_transfer: {
      asset: 'usd',
      source: 'usd vault',
      destination: 'alice',
      source_jetton_wallet: 'usd vault/usd',
      destination_jetton_wallet: 'alice/usd',
      amount: '7',
    },
    peer_swaps: [
      { asset_in: null, amount_in: '5', asset_out: 'eur', amount_out: '6' },
      { asset_in: 'eur', amount_in: '6', asset_out: 'usd', amount_out: '7' },
    ],
  })
})

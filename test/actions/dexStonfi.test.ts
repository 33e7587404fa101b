import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { body, cell, classifyOne, classifySteps, type Step, writeNamed } from '../support/actionTrace.ts'
import {
  allTransactions,
  internalBody,
  knownWallets,
  noDeposit,
  noPosition,
  payCoins,
  sendCoins,
  sendJettons,
} from '../support/dexSteps.ts'

const SWAPPED = 0xc64370e5
const NO_LIQUIDITY = 0x5ffe1295

const known = knownWallets(
  'alice/usd',
  'alice/shares',
  'router/usd',
  'router/eur',
  'router/pton',
  'alice/eur',
  'bob/usd',
  'router 2/usd',
  'router 2/eur',
  'router 2/pton',
)

const provided = (amounts: readonly [bigint, bigint], sends: readonly Step[] = []): Step => ({
  to: 'pool',
  body: body(0x37c096df, (w) => writeNamed(w.writeUint64(1n), 'alice').writeCoins(amounts[0]).writeCoins(amounts[1])),
  sends: [{ to: 'account', body: body(0x50c6a654), sends }],
})

const done = (sends: readonly Step[]): Step => ({ to: 'pool', body: body(0x06ecd527), sends })
const shares: Step = {
  to: 'alice/shares',
  body: internalBody(77n, 'pool'),
  sends: [{ to: 'alice', body: body(0xd53276db) }],
}
const jettonLeg = (sends?: readonly Step[]): Step =>
  sendJettons('usd', { from: 'alice', to: 'router', amount: 40n, sends: [provided([0n, 40n], sends)] })
const coinLeg = (sends?: readonly Step[]): Step =>
  sendCoins({ from: 'alice', to: 'router', amount: 30n, sends: [provided([30n, 0n], sends)] })

/** The wallet that got the jettons passes them on to that of the router. */
const passedOnLeg: Step = sendJettons('usd', {
  from: 'alice',
  to: 'bob',
  amount: 40n,
  sends: [
    {
      to: 'router/usd',
      body: internalBody(40n, 'bob'),
      sends: [{ to: 'router', body: body(0x7362d09c), sends: [provided([0n, 40n])] }],
    },
  ],
})

const jettonAccounts = ['account', 'alice', 'alice/usd', 'pool', 'router', 'router/usd']

const deposits: readonly (readonly [string, readonly Step[], readonly object[]])[] = [
  [
    'the first asset alone',
    [jettonLeg()],
    [
      {
        success: true,
        accounts: jettonAccounts,
        details: { asset_1: 'usd', amount_1: '40', user_jetton_wallet_1: 'alice/usd' },
      },
    ],
  ],
  [
    'an asset that another wallet passes on',
    [passedOnLeg],
    [
      {
        success: true,
        accounts: [...jettonAccounts.slice(0, 3), 'bob', 'bob/usd', ...jettonAccounts.slice(3)],
        details: { asset_1: 'usd', amount_1: '40', user_jetton_wallet_1: 'alice/usd' },
      },
    ],
  ],
  [
    'both assets, the coins last',
    [jettonLeg(), coinLeg([done([shares])])],
    [
      {
        success: true,
        accounts: ['account', 'alice', 'alice/shares', 'alice/usd', 'pool', 'router', 'router/pton', 'router/usd'],
        details: {
          asset_1: null,
          amount_1: '30',
          asset_2: 'usd',
          amount_2: '40',
          user_jetton_wallet_2: 'alice/usd',
          lp_tokens_minted: '77',
        },
      },
    ],
  ],
  [
    'both assets, the jettons last',
    [jettonLeg([done([shares])]), coinLeg()],
    [
      {
        success: true,
        accounts: ['account', 'alice', 'alice/shares', 'alice/usd', 'pool', 'router', 'router/pton', 'router/usd'],
        details: {
          asset_1: null,
          amount_1: '30',
          asset_2: 'usd',
          amount_2: '40',
          user_jetton_wallet_2: 'alice/usd',
          lp_tokens_minted: '77',
        },
      },
    ],
  ],
  [
    'an asset that is given back',
    [jettonLeg([done([{ to: 'account', body: body(0x50c6a654) }])])],
    [
      {
        success: false,
        accounts: jettonAccounts,
        details: { asset_1: 'usd', amount_1: '40', user_jetton_wallet_1: 'alice/usd' },
      },
    ],
  ],
]

for (const [name, sends, expected] of deposits) {
  test(`a deposit at STON.fi v2: ${name}`, () => {
    // Two that were put together have nobody who began both.
    const isJoint = sends.length > 1
    const root: Step = { to: 'alice', sends }
    const rows = classifySteps(root, known)
    assert.deepEqual(
      rows,
      expected.map((row) => ({
        type: 'dex_deposit_liquidity',
        ancestors: [],
        transactions: allTransactions(root).filter((hash) => !isJoint || hash !== 'alice.1'),
        ...row,
        details: {
          ...noDeposit,
          dex: 'stonfi_v2',
          source: 'alice',
          pool: 'pool',
          destination_liquidity: 'pool',
          ...(row as { readonly details: object }).details,
        },
      })),
    )
  })
}

const payTo = (exitCode: number, legs: readonly [bigint, string, bigint, string]): Cell =>
  body(0x657b54f5, (w) => {
    writeNamed(writeNamed(writeNamed(w.writeUint64(1n), 'alice'), 'alice'), 'alice').writeUint(exitCode, 32)
    const inner = cell((c) =>
      writeNamed(writeNamed(c.writeCoins(0n).writeCoins(legs[0]), legs[1]).writeCoins(legs[2]), legs[3]),
    )
    w.writeMaybeRef(undefined).writeRef(inner)
  })

const paid: readonly Step[] = [
  {
    to: 'router',
    body: payTo(0, [8n, 'router/pton', 0n, 'router/usd']),
    sends: [payCoins({ from: 'router', to: 'alice', amount: 8n })],
  },
  {
    to: 'router',
    body: payTo(0, [0n, 'router/pton', 9n, 'router/usd']),
    sends: [sendJettons('usd', { from: 'router', to: 'alice', amount: 9n })],
  },
]
const burn = body(0x595f07bc, (w) => writeNamed(w.writeUint64(1n).writeCoins(70n), 'alice'))

const withdrawals: readonly (readonly [string, Step, object])[] = [
  [
    'shares are burnt',
    { to: 'alice/shares', body: burn, sends: [{ to: 'pool', body: body(0x297437cf), sends: paid }] },
    {
      accounts: ['alice', 'alice/shares', 'alice/usd', 'pool', 'router', 'router/pton', 'router/usd'],
      lp_tokens_burnt: '70',
    },
  ],
  [
    'what was not provided is given back',
    { to: 'account', body: body(0x132b9a2c), sends: [{ to: 'pool', body: body(0x0f98e2b8), sends: paid }] },
    {
      accounts: ['account', 'alice', 'alice/usd', 'pool', 'router', 'router/pton', 'router/usd'],
      lp_tokens_burnt: null,
    },
  ],
]

for (const [name, step, expected] of withdrawals) {
  test(`a withdrawal at STON.fi v2: ${name}`, () => {
    const { accounts, ...details } = expected as { readonly accounts: readonly string[] }
    const root: Step = { to: 'alice', sends: [step] }
    const rows = classifySteps(root, known)
    assert.deepEqual(rows, [
      {
        type: 'dex_withdraw_liquidity',
        success: true,
        ancestors: [],
        accounts,
        transactions: allTransactions(root),
        details: {
          ...noPosition,
          dex: 'stonfi_v2',
          amount_1: '8',
          asset_1: null,
          user_jetton_wallet_1: null,
          amount_2: '9',
          asset_2: 'usd',
          user_jetton_wallet_2: 'alice/usd',
          source: 'alice',
          pool: 'pool',
          destination_liquidity: 'pool',
          ...details,
        },
      },
    ])
  })
}

/** A step of a route: the wallet that is to pay in the end, and what is to happen there. */
const request = (wallet: string, then?: Cell): Cell =>
  body(0x6664de2a, (w) => {
    writeNamed(writeNamed(writeNamed(w, wallet), 'alice'), 'alice').writeUint64(0n)
    w.writeRef(cell((c) => writeNamed(c.writeCoins(1n), 'alice').writeCoins(0n).writeMaybeRef(then)))
  })

/** A step within a step, as far as others read it. */
const nestedRequest = (wallet: string, then?: Cell): Cell =>
  body(0x69cf1a5b, (w) =>
    writeNamed(w, wallet).writeRef(cell((c) => c.writeCoins(1n).writeCoins(0n).writeMaybeRef(then))),
  )

const swap = (pool: string, asked: Cell, sends: readonly Step[]): Step => ({
  to: pool,
  body: body(0x6664de2a, (w) => writeNamed(w.writeUint64(1n), 'alice').writeCoins(5n).writeCoins(0n).writeRef(asked)),
  sends,
})

test('a swap at STON.fi v2 through two pools of one router, the second of which gives all back', () => {
  const asked = request('router/eur', nestedRequest('router/pton', nestedRequest('router/eur')))
  const refused: Step = {
    to: 'router',
    body: payTo(NO_LIQUIDITY, [6n, 'router/eur', 0n, 'router/pton']),
    sends: [sendJettons('eur', { from: 'router', to: 'alice', amount: 6n })],
  }
  const first: Step = {
    to: 'router',
    body: payTo(SWAPPED, [0n, 'router/usd', 6n, 'router/eur']),
    sends: [swap('pool 2', request('router/pton'), [refused])],
  }
  const steps = sendJettons('usd', {
    from: 'alice',
    to: 'router',
    amount: 5n,
    payload: asked,
    sends: [swap('pool', asked, [first])],
  })
  const row = classifyOne('jetton_swap', { to: 'alice', sends: [steps] }, known)
  assert.equal(row.success, false)
  assert.deepEqual(row.details, {
    dex: 'stonfi_v2',
    sender: 'alice',
    asset_in: 'usd',
    asset_out: 'eur',
    dex_incoming_transfer: {
      asset: 'usd',
      source: 'alice',
      destination: 'router',
      source_jetton_wallet: 'alice/usd',
      destination_jetton_wallet: 'router/usd',
      amount: '5',
    },
    dex_outgoing_transfer: {
      asset: 'eur',
      source: 'router',
      destination: 'alice',
      source_jetton_wallet: 'router/eur',
      destination_jetton_wallet: 'alice/eur',
      amount: '6',
    },
    peer_swaps: [],
  })
})

test('a swap at STON.fi v2 for coins, through two routers', () => {
  const last: Step = {
    to: 'router 2',
    body: payTo(SWAPPED, [0n, 'router 2/eur', 7n, 'router 2/pton']),
    sends: [payCoins({ from: 'router 2', to: 'bob', amount: 7n })],
  }
  const hop = sendJettons('eur', {
    from: 'router',
    to: 'router 2',
    amount: 6n,
    sends: [swap('pool 2', request('router 2/pton'), [last])],
  })
  const first: Step = { to: 'router', body: payTo(SWAPPED, [0n, 'router/usd', 6n, 'router/eur']), sends: [hop] }
  const steps = sendJettons('usd', {
    from: 'alice',
    to: 'router',
    amount: 5n,
    sends: [swap('pool', request('router/eur'), [first])],
  })
  const row = classifyOne('jetton_swap', { to: 'alice', sends: [steps] }, known)
  assert.equal(row.success, true)
  const { asset_out, dex_outgoing_transfer, peer_swaps } = row.details as Record<string, unknown>
  assert.deepEqual(
    [asset_out, dex_outgoing_transfer],
    [
      null,
      {
        asset: null,
        source: 'router 2',
        destination: 'bob',
        source_jetton_wallet: null,
        destination_jetton_wallet: null,
        amount: '7',
      },
    ],
  )
  assert.deepEqual(peer_swaps, [
    { asset_in: 'usd', amount_in: '5', asset_out: 'eur', amount_out: '6' },
    { asset_in: 'eur', amount_in: '6', asset_out: null, amount_out: '7' },
  ])
})

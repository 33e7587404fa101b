import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { addressOf, body, cell, classifyOne, classifySteps, type Step, writeNamed } from '../support/actionTrace.ts'
import { allTransactions, knownWallets, noDeposit, payCoins, sendCoins, sendJettons } from '../support/dexSteps.ts'

const known: Record<string, KnownAccount> = {
  ...knownWallets('alice/usd', 'alice/eur', 'router/usd', 'router/eur', 'router/pton'),
  position: {
    nftItem: {
      index: 12n,
      collection: addressOf('pool'),
      owner: addressOf('alice'),
      uri: undefined,
      codeHash: undefined,
    },
  },
}

type Leg = readonly [bigint, string]

const payTo = (exitCode: number, [amount0, wallet0]: Leg, [amount1, wallet1]: Leg): Cell =>
  body(0xa1daa96d, (w) => {
    writeNamed(writeNamed(w.writeUint64(1n), 'alice'), 'bob')
      .writeUint(exitCode, 32)
      .writeUint64(1n)
    w.writeMaybeRef(cell((c) => writeNamed(writeNamed(c.writeCoins(amount0), wallet0).writeCoins(amount1), wallet1)))
  })

const depositRequest = (otherWallet: string): Cell =>
  body(0x4468de77, (w) => writeNamed(w, otherWallet).writeCoins(0n).writeCoins(0n))

const funded = (added: readonly [bigint, bigint], sends: readonly Step[] = []): Step => ({
  to: 'pool',
  body: body(0x4468de77),
  sends: [
    {
      to: 'account',
      body: body(0x3ebe5431, (w) => {
        w.writeUint64(1n).writeCoins(added[0]).writeCoins(added[1]).writeCoins(25n).writeCoins(35n)
        w.writeUintWide(0n, 128).writeInt(-60, 24).writeInt(120, 24)
      }),
      sends,
    },
  ],
})

const position: Step = {
  to: 'position',
  deploys: true,
  body: body(0xd5ecca2a, (w) => {
    writeNamed(w.writeUint64(1n), 'alice').writeUintWide(99n, 128).writeInt(-60, 24).writeInt(120, 24)
    w.writeRef(cell((c) => c.writeUintWide(0n, 256).writeUintWide(0n, 256).writeUint64(12n)))
  }),
}
const refunds: Step = {
  to: 'router',
  body: payTo(0, [5n, 'router/pton'], [4n, 'router/usd']),
  sends: [
    payCoins({ from: 'router', to: 'alice', amount: 5n }),
    sendJettons('usd', { from: 'router', to: 'alice', amount: 4n }),
  ],
}
const minted: Step = { to: 'pool', body: body(0x81702ef8), sends: [position, refunds] }

const targets = { target_asset_1: null, target_asset_2: 'usd', target_amount_1: '25', target_amount_2: '35' }
const common = {
  ...noDeposit,
  ...targets,
  dex: 'tonco',
  source: 'alice',
  pool: 'pool',
  destination_liquidity: 'pool',
  tick_lower: '-60',
  tick_upper: '120',
}

test('a deposit at TONCO: the second asset of the pool alone', () => {
  const root: Step = {
    to: 'alice',
    sends: [
      sendJettons('usd', {
        from: 'alice',
        to: 'router',
        amount: 40n,
        payload: depositRequest('router/pton'),
        sends: [funded([0n, 40n])],
      }),
    ],
  }
  assert.deepEqual(classifySteps(root, known), [
    {
      type: 'dex_deposit_liquidity',
      success: true,
      accounts: ['account', 'alice', 'alice/usd', 'pool', 'router', 'router/usd'],
      transactions: allTransactions(root),
      ancestors: [],
      details: { ...common, asset_1: 'usd', amount_1: '40', user_jetton_wallet_2: 'alice/usd' },
    },
  ])
})

test('a deposit at TONCO: coins that complete a position', () => {
  const root: Step = {
    to: 'alice',
    sends: [
      sendCoins({
        from: 'alice',
        to: 'router',
        amount: 30n,
        payload: depositRequest('router/usd'),
        sends: [funded([30n, 0n], [minted])],
      }),
    ],
  }
  const [row, deployed, ...others] = classifySteps(root, known)
  assert.deepEqual(row, {
    type: 'dex_deposit_liquidity',
    success: true,
    accounts: ['account', 'alice', 'alice/usd', 'pool', 'position', 'router', 'router/pton', 'router/usd'],
    transactions: allTransactions(root),
    ancestors: [],
    details: {
      ...common,
      amount_1: '30',
      lp_tokens_minted: '99',
      vault_excesses: [
        { asset: null, amount: '5' },
        { asset: 'usd', amount: '4' },
      ],
      nft_index: '12',
      nft_address: 'position',
    },
  })
  assert.deepEqual([deployed?.type, others], ['contract_deploy', []])
})

const burn = (exitCode: number, legs: readonly [Leg, Leg], sends: readonly Step[]): Step => ({
  to: 'alice',
  sends: [
    {
      to: 'pool',
      body: body(0x530b5f2c, (w) => {
        w.writeUint64(12n).writeUint64(12n).writeUintWide(99n, 128).writeInt(-60, 24).writeInt(120, 24)
      }),
      sends: [
        {
          to: 'position',
          body: body(0x46ca335a, (w) => writeNamed(w.writeUint64(1n), 'alice')),
          sends: [
            { to: 'pool', body: body(0xd73ac09d), sends: [{ to: 'router', body: payTo(exitCode, ...legs), sends }] },
          ],
        },
      ],
    },
  ],
})

const withdrawals: readonly (readonly [string, Step, boolean, readonly string[], object])[] = [
  [
    'coins and jettons, of which the jettons come first',
    burn(
      201,
      [
        [8n, 'router/pton'],
        [9n, 'router/usd'],
      ],
      [
        sendJettons('usd', { from: 'router', to: 'alice', amount: 9n }),
        payCoins({ from: 'router', to: 'alice', amount: 8n }),
      ],
    ),
    true,
    ['alice', 'alice/usd', 'pool', 'position', 'router', 'router/pton', 'router/usd'],
    {
      amount_1: '8',
      asset_1: null,
      user_jetton_wallet_1: null,
      amount_2: '9',
      asset_2: 'usd',
      user_jetton_wallet_2: 'alice/usd',
    },
  ],
  [
    'the second asset only, and it fails',
    burn(
      77,
      [
        [0n, 'router/eur'],
        [9n, 'router/usd'],
      ],
      [sendJettons('usd', { from: 'router', to: 'alice', amount: 9n })],
    ),
    false,
    ['alice', 'alice/usd', 'pool', 'position', 'router', 'router/usd'],
    {
      amount_1: '0',
      asset_1: 'eur',
      user_jetton_wallet_1: 'alice',
      amount_2: '9',
      asset_2: 'usd',
      user_jetton_wallet_2: 'alice/usd',
    },
  ],
]

for (const [name, root, success, accounts, details] of withdrawals) {
  test(`a withdrawal at TONCO: ${name}`, () => {
    assert.deepEqual(classifySteps(root, known), [
      {
        type: 'dex_withdraw_liquidity',
        success,
        accounts,
        transactions: allTransactions(root),
        ancestors: [],
        details: {
          dex: 'tonco',
          lp_tokens_burnt: '99',
          is_refund: null,
          source: 'alice',
          pool: 'pool',
          destination_liquidity: 'pool',
          burnt_nft_index: '12',
          burnt_nft_address: 'position',
          tick_lower: '-60',
          tick_upper: '120',
          ...details,
        },
      },
    ])
  })
}

const swapRequest = (wallet: string, minOut: bigint, then?: Cell): Cell =>
  body(0xa7fb58f8, (w) => {
    writeNamed(writeNamed(w, wallet).writeUintWide(0n, 160).writeCoins(minOut), 'alice')
    w.writeMaybeRef(then)
  })

test('a swap at TONCO whose second pool refuses tells what the whole route was to give', () => {
  const refused: Step = {
    to: 'router',
    body: payTo(0x398, [6n, 'router/pton'], [0n, 'router/eur']),
    sends: [payCoins({ from: 'router', to: 'alice', amount: 6n })],
  }
  const hop = payCoins({
    from: 'router',
    to: 'router/pton',
    amount: 6n,
    sends: [
      { to: 'router', body: body(0x7362d09c), sends: [{ to: 'pool 2', body: body(0xa7fb58f8), sends: [refused] }] },
    ],
  })
  const first: Step = { to: 'router', body: payTo(200, [6n, 'router/pton'], [0n, 'router/usd']), sends: [hop] }
  const paid = sendJettons('usd', {
    from: 'alice',
    to: 'router',
    amount: 5n,
    payload: swapRequest('router/pton', 1n, swapRequest('router/eur', 44n)),
    sends: [{ to: 'pool', body: body(0xa7fb58f8), sends: [first] }],
  })
  const row = classifyOne('jetton_swap', { to: 'alice', sends: [paid] }, known)
  assert.equal(row.success, false)
  assert.deepEqual(row.details, {
    dex: 'tonco',
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
      asset: null,
      source: 'router',
      destination: 'alice',
      source_jetton_wallet: null,
      destination_jetton_wallet: null,
      amount: '6',
    },
    peer_swaps: [{ asset_in: 'usd', amount_in: '5', asset_out: null, amount_out: '6' }],
    min_out_amount: '44',
  })
})

test('a swap at TONCO that stops at its limit: what the router sends last counts', () => {
  const both: Step = {
    to: 'router',
    body: payTo(200, [2n, 'router/usd'], [3n, 'router/eur']),
    sends: [
      sendJettons('eur', { from: 'router', to: 'alice', amount: 3n }),
      sendJettons('usd', { from: 'router', to: 'alice', amount: 2n }),
    ],
  }
  const paid = sendJettons('usd', {
    from: 'alice',
    to: 'router',
    amount: 5n,
    payload: swapRequest('router/eur', 1n),
    sends: [{ to: 'pool', body: body(0xa7fb58f8), sends: [both] }],
  })
  const more = knownWallets('alice/eur', 'alice/usd', 'router/eur', 'router/usd')
  const row = classifyOne('jetton_swap', { to: 'alice', sends: [paid] }, more)
  const { asset_out: asset, min_out_amount: least } = row.details as Record<string, unknown>
  assert.deepEqual([row.success, asset, least], [true, 'usd', '2'])
})

test('a swap at TONCO that is refused, by a request that says nothing', () => {
  const refused: Step = {
    to: 'router',
    body: payTo(0x398, [5n, 'router/usd'], [0n, 'router/eur']),
    sends: [sendJettons('usd', { from: 'router', to: 'alice', amount: 5n })],
  }
  const swap: Step = { to: 'pool', body: body(0xa7fb58f8), sends: [refused] }
  const paid = sendJettons('usd', { from: 'alice', to: 'router', amount: 5n, sends: [swap] })
  const row = classifyOne('jetton_swap', { to: 'alice', sends: [paid] }, known)
  const { asset_out: asset, min_out_amount: least } = row.details as Record<string, unknown>
  assert.deepEqual([row.success, asset, least], [false, 'usd', '5'])
})

test('a new pool at TONCO that is not to be used yet', () => {
  const root: Step = {
    to: 'admin',
    sends: [
      {
        to: 'router',
        body: body(0x2e3034ef, (w) => {
          writeNamed(writeNamed(w.writeUint64(1n), 'router/usd'), 'router/eur').writeInt(-60, 24)
          w.writeUintWide(2n ** 100n, 160)
            .writeUint(1, 16)
            .writeUint(2, 16)
            .writeUint(3, 16)
          w.writeRef(emptyCell)
            .writeRef(emptyCell)
            .writeRef(cell((c) => writeNamed(writeNamed(c, 'usd'), 'eur')))
        }),
        sends: [
          {
            to: 'pool',
            body: body(0x441c39ed, (w) => {
              writeNamed(w.writeUint64(1n).writeUint(3, 2), 'admin').writeBit(true)
              writeNamed(w, 'admin').writeBit(true).writeInt(-60, 24).writeBit(true).writeUintWide(0n, 160)
              w.writeBit(true).writeBit(false)
            }),
            sends: [{ to: 'router', body: body(0xd53276db) }],
          },
        ],
      },
    ],
  }
  assert.deepEqual(classifySteps(root)[0], {
    type: 'tonco_deploy_pool',
    success: true,
    accounts: ['admin', 'pool', 'router'],
    transactions: allTransactions(root),
    ancestors: [],
    details: {
      source: 'admin',
      pool: 'pool',
      router: 'router',
      router_jetton_wallet_1: 'router/usd',
      router_jetton_wallet_2: 'router/eur',
      jetton_minter_1: 'usd',
      jetton_minter_2: 'eur',
      tick_spacing: '-60',
      initial_price_x96: String(2n ** 100n),
      protocol_fee: '1',
      lp_fee_base: '2',
      lp_fee_current: '3',
      pool_active: false,
    },
  })
})

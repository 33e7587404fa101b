import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, Dictionary } from '@ton/core'
import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import {
  addressOf,
  body,
  cell,
  classifyOne,
  classifySteps,
  type Step,
  text,
  writeNamed,
} from '../support/actionTrace.ts'
import { fromCoreCell } from '../support/coreCell.ts'
import {
  internalTransfer,
  lockedTransfer,
  sendJettons,
  walletFacts,
  walletOf,
  walletsOf,
} from '../support/jettonSteps.ts'

const TON = 1_000_000_000n
const pool: Record<string, KnownAccount> = { pool: { isNominatorPool: true } }

const commanded = (command: string, sends: readonly Step[] = [], more: Partial<Step> = {}): Step => ({
  to: 'alice',
  sends: [{ to: 'pool', value: 3n * TON, body: text(command), sends, ...more }],
})
const back = (value: bigint): Step => ({ to: 'alice', value })

test('a deposit to a nominator pool', () => {
  const row = {
    type: 'stake_deposit',
    success: true,
    accounts: ['alice', 'pool'],
    transactions: ['alice.1', 'pool.1'],
    ancestors: [],
    details: {
      provider: 'nominator',
      stake_holder: 'alice',
      pool: 'pool',
      amount: '3000000000',
      tokens_minted: null,
      asset: null,
    },
  }
  assert.deepEqual(classifySteps(commanded('d'), pool), [row])
  const returned: Step = { to: 'alice', body: body(0xffffffff) }
  assert.deepEqual(classifySteps(commanded('d', [returned], { aborted: true }), pool), [
    { ...row, success: false, transactions: ['alice.1', 'alice.2', 'pool.1'] },
  ])
  assert.deepEqual(
    classifySteps(commanded('d')).map(({ type }) => type),
    ['ton_transfer'],
  )
})

const asked = {
  type: 'stake_withdrawal_request',
  success: true,
  accounts: ['alice', 'pool'],
  ancestors: [],
  details: {
    provider: 'nominator',
    stake_holder: 'alice',
    pool: 'pool',
    payout_nft: null,
    asset: null,
    tokens_burnt: null,
  },
}
const paid = (holder: string, amount: string) => ({
  ...asked,
  type: 'stake_withdrawal',
  details: {
    provider: 'nominator',
    stake_holder: holder,
    pool: 'pool',
    amount,
    payout_nft: null,
    tokens_burnt: null,
    asset: null,
  },
})

test('a nominator pool pays back at once, or will', () => {
  const three = ['alice.1', 'alice.2', 'pool.1']
  const cases: readonly (readonly [readonly bigint[], object])[] = [
    [[], { ...asked, transactions: ['alice.1', 'pool.1'] }],
    // Not more than what was sent is change.
    [[3n * TON], { ...asked, transactions: three }],
    [[3n * TON + 1n], { ...paid('alice', '3000000001'), transactions: three }],
    [[2n, 5n * TON], { ...paid('alice', '2'), transactions: ['alice.1', 'alice.2', 'alice.3', 'pool.1'] }],
  ]
  for (const [values, row] of cases) {
    assert.deepEqual(classifySteps(commanded('w', values.map(back)), pool), [row])
  }
  // Of three transfers none is known to be the stake, and all stay what they are.
  const rows = classifySteps(commanded('w', [9n * TON, 2n, 1n].map(back)), pool)
  assert.deepEqual(rows[0], { ...asked, transactions: ['alice.1', 'pool.1'] })
  assert.deepEqual(
    rows.slice(1).map(({ type }) => type),
    ['ton_transfer', 'ton_transfer', 'ton_transfer'],
  )
})

test('the owner of a nominator pool lets it pay', () => {
  const request: Step = {
    to: 'owner',
    sends: [{ to: 'pool', body: body(2), sends: [back(TON), { to: 'bob', value: 2n * TON }] }],
  }
  const rows = classifySteps(request, pool)
  assert.deepEqual(
    rows.map(({ type }) => type),
    ['call_contract', 'stake_withdrawal', 'stake_withdrawal'],
  )
  assert.deepEqual(rows.slice(1), [
    { ...paid('alice', '1000000000'), transactions: ['alice.1', 'pool.1'] },
    { ...paid('bob', '2000000000'), accounts: ['bob', 'pool'], transactions: ['bob.1', 'pool.1'] },
  ])
})

const bill = (name: string, owner: string, amount: bigint, sends: readonly Step[] = []): Step => ({
  to: name,
  body: body(0xf127fe4e),
  sends: [
    {
      to: 'collection',
      body: body(0xed58b0b2, (w) => writeNamed(w.writeUint64(1n).writeCoins(amount), owner)),
      sends: [{ to: owner, value: amount * 2n, body: body(0xdb3b8abd) }, ...sends],
    },
  ],
})

test('bills of a liquid pool are paid one after the other', () => {
  const rows = classifySteps({
    to: 'pool',
    sends: [
      { to: 'collection', body: body(0x1140a64f), sends: [bill('bill 1', 'alice', 10n, [bill('bill 2', 'bob', 20n)])] },
    ],
  })
  const row = (holder: string, item: string, amount: string, burnt: string) => ({
    type: 'stake_withdrawal',
    success: true,
    ancestors: [],
    details: {
      provider: 'liquid_staking',
      stake_holder: holder,
      pool: 'pool',
      amount,
      payout_nft: item,
      tokens_burnt: burnt,
      asset: null,
    },
  })
  assert.deepEqual(rows.slice(1), [
    {
      ...row('alice', 'bill 1', '20', '10'),
      accounts: ['alice', 'bill 1', 'collection', 'pool'],
      transactions: ['alice.1', 'bill 1.1', 'collection.1', 'collection.2'],
    },
    {
      ...row('bob', 'bill 2', '40', '20'),
      accounts: ['bill 2', 'bob', 'collection', 'pool'],
      transactions: ['bill 2.1', 'bob.1', 'collection.2', 'collection.3'],
    },
  ])
})

test('a stake for which a liquid pool gave nothing is a call', () => {
  const deposit = (sends: readonly Step[]): Step => ({
    to: 'alice',
    sends: [{ to: 'pool', value: 5n * TON, body: body(0x47d54391), sends }],
  })
  const minted: Step = {
    to: 'master',
    body: body(0x1674b0a0),
    sends: [{ to: walletOf('alice'), body: internalTransfer(9n, 'pool') }],
  }
  assert.deepEqual(
    classifySteps(deposit([])).map(({ type }) => type),
    ['call_contract'],
  )
  assert.deepEqual(classifySteps(deposit([minted])), [
    {
      type: 'stake_deposit',
      success: true,
      accounts: ['alice', 'master', 'pool', 'wallet of alice'],
      transactions: ['alice.1', 'master.1', 'pool.1', 'wallet of alice.1'],
      ancestors: [],
      details: {
        provider: 'liquid_staking',
        stake_holder: 'alice',
        pool: 'pool',
        amount: '4000000000',
        tokens_minted: '9',
        asset: 'master',
      },
    },
  ])
})

const USDE = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC'
const STAKED_USDE = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D'

const mint: Step = {
  to: STAKED_USDE,
  body: body(0x642b7d07, (w) => writeNamed(w.writeUint64(1n), 'alice').writeCoins(2n)),
  sends: [{ to: 'staked wallet', body: internalTransfer(80n, 'pool') }],
}

test('stablecoins are staked', () => {
  const root: Step = { to: 'alice', sends: [sendJettons({ from: 'alice', to: 'pool', amount: 90n, sends: [mint] })] }
  const known = (jetton: string) => ({
    ...walletsOf(['alice', 'pool'], jetton),
    'staked wallet': walletFacts('alice', STAKED_USDE),
  })
  assert.deepEqual(classifySteps(root, known(USDE)), [
    {
      type: 'stake_deposit',
      success: true,
      accounts: [STAKED_USDE, 'alice', 'pool', 'staked wallet', 'wallet of alice', 'wallet of pool'],
      transactions: [
        `${STAKED_USDE}.1`,
        'alice.1',
        'pool.1',
        'staked wallet.1',
        'wallet of alice.1',
        'wallet of pool.1',
      ],
      ancestors: [],
      details: {
        provider: 'ethena',
        stake_holder: 'alice',
        pool: 'pool',
        amount: '90',
        tokens_minted: '80',
        asset: STAKED_USDE,
        source_asset: USDE,
      },
    },
  ])
  assert.deepEqual(
    classifySteps(root, known('another')).map(({ type }) => type),
    ['jetton_transfer', 'jetton_mint'],
  )
})

test('staked stablecoins are asked back by their owner only', () => {
  const root: Step = {
    to: 'alice',
    sends: [
      {
        to: walletOf('alice'),
        body: body(0x0f8a7ea5),
        sends: [
          {
            to: 'master',
            body: internalTransfer(70n, 'alice'),
            sends: [
              {
                to: 'pool',
                body: body(0x7362d09c),
                sends: [
                  {
                    to: 'master',
                    body: body(0x642b7d07),
                    sends: [{ to: 'locked wallet', body: lockedTransfer(60n, 'pool') }],
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  }
  const known = { ...walletsOf(['alice']), 'locked wallet': walletFacts('alice') }
  assert.deepEqual(classifyOne('stake_withdrawal_request', root, known).details, {
    provider: 'ethena',
    stake_holder: 'alice',
    pool: 'pool',
    payout_nft: null,
    asset: 'master',
    tokens_burnt: null,
    tokens_minted: '60',
  })
  const foreign = { ...known, 'locked wallet': walletFacts('bob') }
  assert.equal(
    classifySteps(root, foreign).some(({ type }) => type === 'stake_withdrawal_request'),
    false,
  )
})

const staked = (outcome: Step): Step => ({
  to: 'alice',
  sends: [
    sendJettons({
      from: 'alice',
      to: 'pool',
      amount: 50n,
      payload: body(0xcb03ab18, (w) => w.writeUint(86400, 32)),
      sends: [{ to: 'stake', body: body(0xd68a4ac1), sends: [outcome] }],
    }),
  ],
})
const updated: Step = { to: 'stake', body: body(0xae9307ce) }
const referrers: Step = {
  to: 'referrer 1',
  body: body(0x55c35b40),
  sends: [{ to: 'referrer 2', body: body(0x55c35b40), sends: [{ to: 'referrer 2', body: body(0x076ee4e0) }] }],
}

test('jettons are locked in a pool, or the pool does not take them', () => {
  const known = walletsOf(['alice', 'pool'])
  const details = {
    period: 86400,
    minted_stake_jettons: null,
    stake_wallet: 'stake',
    source: 'alice',
    source_jetton_wallet: 'wallet of alice',
    asset: 'master',
    pool: 'pool',
    amount: '50',
  }
  const taken = classifyOne(
    'jvault_stake',
    staked({ to: 'pool', body: body(0xf5c5baa3), sends: [referrers, updated] }),
    known,
  )
  assert.deepEqual(taken, {
    type: 'jvault_stake',
    success: true,
    accounts: ['alice', 'pool', 'referrer 1', 'referrer 2', 'stake', 'wallet of alice', 'wallet of pool'],
    transactions: [
      'alice.1',
      'pool.1',
      'pool.2',
      'referrer 1.1',
      'referrer 2.1',
      'referrer 2.2',
      'stake.1',
      'stake.2',
      'wallet of alice.1',
      'wallet of pool.1',
    ],
    ancestors: [],
    details,
  })
  const cancelled = classifyOne(
    'jvault_stake',
    staked({
      to: 'pool',
      body: body(0x9eada1d9),
      sends: [sendJettons({ from: 'pool', to: 'alice', amount: 50n })],
    }),
    known,
  )
  assert.equal(cancelled.success, false)
  assert.deepEqual(cancelled.details, details)
})

test('a chain of referrers as long as a trace', () => {
  let chain: Step = { to: 'referrer', body: body(0x076ee4e0) }
  for (let k = 0; k < 3900; k++) chain = { to: 'referrer', body: body(0x55c35b40), sends: [chain] }
  const root = staked({ to: 'pool', body: body(0xf5c5baa3), sends: [chain, updated] })
  const { transactions } = classifyOne('jvault_stake', root, walletsOf(['alice', 'pool']))
  assert.equal(transactions.length, 3908)
})

const stakeData: Record<string, KnownAccount> = {
  stake: { data: cell((w) => writeNamed(writeNamed(w, 'pool'), 'minter')) },
  pool: {
    data: cell((w) => {
      w.writeUint(0, 32).writeBit(false)
      for (const name of ['admin', 'creator', walletOf('pool')]) writeNamed(w, name)
    }),
  },
  ...walletsOf(['alice', 'pool']),
}

test('a stake that does not come back', () => {
  const request: Step = {
    to: 'alice',
    sends: [
      { to: 'stake', body: body(0x499a9262, (w) => w.writeUint64(1n).writeCoins(30n)), aborted: true, exitCode: 77 },
    ],
  }
  const row = {
    type: 'jvault_unstake',
    success: true,
    accounts: ['alice', 'pool', 'stake'],
    transactions: ['alice.1', 'stake.1'],
    ancestors: [],
    details: {
      source: 'alice',
      stake_wallet: 'stake',
      pool: 'pool',
      amount: '30',
      exit_code: 77,
      asset: 'master',
      staking_asset: 'minter',
    },
  }
  assert.deepEqual(classifyOne('jvault_unstake', request, stakeData), row)
  // Nothing is told of a stake whose jetton is not known.
  const { pool: _pool, ...unknown } = stakeData
  assert.deepEqual(
    classifySteps(request, unknown).map(({ type }) => type),
    ['call_contract'],
  )
})

test('a stake that is asked back from a wallet of another version', () => {
  const update: Step = { to: 'pool', body: body(0xf5c5baa3), sends: [{ to: 'stake', body: body(0xae9307ce) }] }
  const request = body(0x0168d4b7, (w) => w.writeUint64(1n).writeCoins(30n))
  const root: Step = { to: 'alice', sends: [{ to: 'stake', body: request, sends: [update] }] }
  const odd = { ...stakeData, stake: { data: cell((w) => w.writeUint(3, 2)) } }
  const row = classifyOne('jvault_unstake_request', root, odd)
  assert.equal(row.success, true)
  assert.deepEqual(row.details, {
    source: 'alice',
    stake_wallet: 'stake',
    pool: 'pool',
    amount: '30',
    exit_code: null,
    asset: null,
    staking_asset: null,
  })
})

const claimOf = (wallets: readonly string[]): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Bool())
  for (const wallet of wallets) dict.set(Address.parseRaw(addressOf(wallet)), true)
  return fromCoreCell(beginCell().storeUint(0x78d9f109, 32).storeUint(1, 64).storeDict(dict).endCell())
}

test('a claim of several rewards does not say which amount is whose', () => {
  const claimed = (...wallets: readonly string[]): Step => ({
    to: 'alice',
    sends: [
      {
        to: 'stake',
        body: claimOf(wallets),
        sends: [
          {
            to: 'pool',
            body: body(0x44bc1fe3),
            sends: [sendJettons({ from: 'pool', to: 'alice', amount: 8n }), updated],
          },
        ],
      },
    ],
  })
  const details = { source: 'alice', stake_wallet: 'stake', pool: 'pool' }
  const known = walletsOf(['alice', 'pool'])
  assert.deepEqual(classifyOne('jvault_claim', claimed('wallet of pool'), known), {
    type: 'jvault_claim',
    success: true,
    accounts: ['alice', 'pool', 'stake', 'wallet of alice', 'wallet of pool'],
    transactions: ['alice.1', 'alice.2', 'pool.1', 'stake.1', 'stake.2', 'wallet of alice.1', 'wallet of pool.1'],
    ancestors: [],
    details: { claimed_rewards: [{ jetton: 'wallet of pool', amount: '8' }], ...details },
  })
  assert.deepEqual(classifyOne('jvault_claim', claimed('wallet of pool', 'other'), known).details, {
    claimed_rewards: [],
    ...details,
  })
})

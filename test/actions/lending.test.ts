import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import type { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { body, cell, classifyOne, classifySteps, type Step, text, writeNamed } from '../support/actionTrace.ts'
import { sendJettons, walletsOf } from '../support/jettonSteps.ts'

const idOf = (asset: string): bigint => BigInt(`0x${createHash('sha256').update(asset).digest('hex')}`)
const TON_ID = idOf('TON')
/** tsTON, as the table of assets has it. */
const TSTON_ID = 0x3313e2f57ba870af34480350c789b0987d15b43a53172bfce294de21e7d724e7n
const TSTON = '0:BDF3FA8098D129B54B4F73B5BAC5D1E1FD91EB054169C3916DFC8CCD536D1000'

/** Messages to the contract of a user have a header before their opcode. */
const userBody = (opcode: number, write: (w: CellWriter) => void = () => undefined): Cell =>
  cell((w) => {
    w.writeCoins(6n).writeMaybeRef(undefined).writeUint(3, 2).writeUint(opcode, 32).writeUint64(1n)
    write(w)
  })

const liquidation = (collateral: bigint): Cell =>
  body(3, (w) => {
    writeNamed(writeNamed(w.writeUint64(1n), 'borrower'), 'alice')
    w.writeUintWide(collateral, 256).writeUint64(5n).writeInt(-1, 2).writeUint64(400n)
  })

const satisfied = (collateral: bigint): Cell =>
  body(0x311, (w) => {
    writeNamed(writeNamed(w.writeUint64(1n), 'real borrower'), 'alice').writeUintWide(TON_ID, 256)
    w.writeRef(
      cell((inner) => {
        inner.writeUint64(1n).writeUint64(390n).writeUint64(2n).writeUint64(3n).writeUintWide(collateral, 256)
        inner.writeUint64(4n).writeUint64(77n)
      }),
    )
  })

const unsatisfied = (code: number | undefined): Cell =>
  body(0x31f, (w) => {
    writeNamed(writeNamed(w.writeUint64(1n), 'borrower'), 'alice').writeUintWide(TON_ID, 256)
    w.writeRef(
      cell((inner) => {
        inner.writeUint64(400n).writeUintWide(TSTON_ID, 256).writeUint64(5n).writeUint64(0n).writeRef(text(''))
        if (code !== undefined) inner.writeUint(code, 32)
      }),
    )
  })

const liquidated: Step = {
  to: 'user',
  body: userBody(0x311a),
  sends: [{ to: 'alice', body: text('EVAA liquidation.') }],
}
const failed: Step = { to: 'user', body: body(0x311f) }
const report: Step = { to: 'alice', body: body(0x311d) }
const failure: Step = { to: 'alice', body: body(0x311f) }

const told = (answer: Step): Step => ({ to: 'user', body: userBody(0x31), sends: [answer] })
const byTon = (sends: readonly Step[], collateral = TSTON_ID): Step => ({
  to: 'alice',
  sends: [{ to: 'lender', body: liquidation(collateral), sends }],
})

const ASKED = {
  success: false,
  ancestors: [],
  details: {
    fail_reason: null as string | null,
    debt_amount: '400',
    source: 'alice',
    borrower: 'borrower',
    borrower_contract: 'user' as string | null,
    collateral: String(TSTON_ID),
    asset_id: `0x${TSTON_ID.toString(16)}`,
    asset: TSTON as string | null,
    is_known_asset: true,
    amount: '0',
  },
}
const refused = (reason: string) => ({ ...ASKED.details, fail_reason: reason })

test('a debt is paid for what secured it', () => {
  const answer = (collateral: bigint): Step => ({
    to: 'lender',
    body: satisfied(collateral),
    sends: [liquidated, report],
  })
  assert.deepEqual(classifyOne('evaa_liquidate', byTon([told(answer(TSTON_ID))])), {
    type: 'evaa_liquidate',
    success: true,
    accounts: ['alice', 'lender', 'real borrower', 'user'],
    transactions: ['alice.1', 'alice.2', 'alice.3', 'lender.1', 'lender.2', 'user.1', 'user.2'],
    ancestors: [],
    details: { ...ASKED.details, borrower: 'real borrower', debt_amount: '390', amount: '77' },
  })
  const unknown = idOf('UNKNOWN')
  const assets: readonly (readonly [bigint, object])[] = [
    [TON_ID, { asset: null, is_known_asset: true }],
    [unknown, { asset: null, is_known_asset: false }],
  ]
  for (const [id, shown] of assets) {
    assert.deepEqual(classifyOne('evaa_liquidate', byTon([told(answer(id))], id)).details, {
      ...ASKED.details,
      borrower: 'real borrower',
      debt_amount: '390',
      amount: '77',
      collateral: String(id),
      asset_id: `0x${id.toString(16)}`,
      ...shown,
    })
  }
})

test('a liquidation with jettons', () => {
  const known = walletsOf(['alice', 'lender'])
  const byJettons = (sends: readonly Step[]): Step => ({
    to: 'alice',
    sends: [sendJettons({ from: 'alice', to: 'lender', amount: 400n, payload: liquidation(TSTON_ID), sends })],
  })
  const reward = sendJettons({ from: 'lender', to: 'alice', amount: 77n })
  const answer: Step = { to: 'lender', body: satisfied(TSTON_ID), sends: [liquidated, reward] }
  assert.deepEqual(classifyOne('evaa_liquidate', byJettons([told(answer)]), known), {
    type: 'evaa_liquidate',
    success: true,
    accounts: ['alice', 'lender', 'real borrower', 'user', 'wallet of alice', 'wallet of lender'],
    transactions: [
      'alice.1',
      'alice.2',
      'alice.3',
      'lender.1',
      'lender.2',
      'user.1',
      'user.2',
      'wallet of alice.1',
      'wallet of alice.2',
      'wallet of lender.1',
      'wallet of lender.2',
    ],
    ancestors: [],
    details: { ...ASKED.details, borrower: 'real borrower', debt_amount: '390', amount: '77' },
  })
  const rejected = classifyOne('evaa_liquidate', byJettons([reward]), known)
  assert.equal(rejected.success, false)
  assert.deepEqual(rejected.details, { ...refused('immediate_rejection'), borrower_contract: null })
})

test('a liquidation that comes to nothing says why', () => {
  const bounced: Step = { to: 'alice', body: body(0xffffffff) }
  assert.deepEqual(classifyOne('evaa_liquidate', byTon([bounced])), {
    ...ASKED,
    type: 'evaa_liquidate',
    accounts: ['alice', 'borrower', 'lender'],
    transactions: ['alice.1', 'alice.2', 'lender.1'],
    details: { ...refused('immediate_rejection'), borrower_contract: null },
  })
  const noLiquidity: Step = { to: 'lender', body: satisfied(TSTON_ID), sends: [failed, failure] }
  assert.deepEqual(classifyOne('evaa_liquidate', byTon([told(noLiquidity)])), {
    ...ASKED,
    type: 'evaa_liquidate',
    accounts: ['alice', 'borrower', 'lender', 'user'],
    transactions: ['alice.1', 'alice.2', 'lender.1', 'lender.2', 'user.1', 'user.2'],
    details: refused('master_not_enough_liquidity'),
  })
  const reasons: readonly (readonly [number | undefined, string])[] = [
    [0xe001, 'master_liquidating_too_much'],
    [0xe002, 'user_withdraw_in_progress'],
    [0xe003, 'not_liquidatable'],
    [0xe004, 'execution_crashed'],
    [0xe005, 'min_collateral_not_satisfied'],
    [0xe006, 'user_not_enough_collateral'],
    [0xe007, 'user_liquidating_too_much'],
    [0xe008, 'master_not_enough_liquidity'],
    [0xe009, 'liquidation_prices_missing'],
    [0xe00a, 'unknown'],
    [undefined, 'parse_error'],
  ]
  for (const [code, reason] of reasons) {
    const row = classifyOne(
      'evaa_liquidate',
      byTon([told({ to: 'lender', body: unsatisfied(code), sends: [failure] })]),
    )
    assert.equal(row.success, false)
    assert.deepEqual(row.details, refused(reason))
  }
})

test('a withdrawal for which there are no funds', () => {
  const row = classifyOne('evaa_withdraw', {
    to: 'alice',
    sends: [
      {
        to: 'lender',
        body: body(2, (w) => writeNamed(w.writeUint64(1n).writeUintWide(TON_ID, 256).writeUint64(500n), 'bob')),
        sends: [
          {
            to: 'user',
            body: userBody(0x21),
            sends: [
              {
                to: 'lender',
                body: body(0x211),
                sends: [{ to: 'user', body: userBody(0x211f), sends: [{ to: 'alice', body: body(0x211fe8) }] }],
              },
            ],
          },
        ],
      },
    ],
  })
  assert.deepEqual(row, {
    type: 'evaa_withdraw',
    success: false,
    accounts: ['alice', 'bob', 'lender', 'user'],
    transactions: ['alice.1', 'alice.2', 'lender.1', 'lender.2', 'user.1', 'user.2'],
    ancestors: [],
    details: {
      recipient_jetton_wallet: null,
      master_jetton_wallet: null,
      master: 'lender',
      fail_reason: 'withdraw_no_funds_excess',
      asset_id: '0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8a',
      source: 'alice',
      recipient: 'bob',
      owner_contract: 'user',
      asset: null,
      amount: '500',
    },
  })
})

test('jettons that are supplied for somebody else and come back', () => {
  const known = walletsOf(['alice', 'bob', 'lender'])
  const payload = body(1, (w) => writeNamed(w.writeInt(-1, 2), 'bob'))
  const answers = (sends: readonly Step[]): Step => ({
    to: 'alice',
    sends: [
      sendJettons({
        from: 'alice',
        to: 'lender',
        amount: 60n,
        payload,
        sends: [{ to: 'user', body: userBody(0x11, (w) => w.writeUintWide(TSTON_ID, 256).writeUint64(60n)), sends }],
      }),
    ],
  })
  const details = {
    sender_jetton_wallet: null,
    recipient_jetton_wallet: null as string | null,
    master_jetton_wallet: 'wallet of lender',
    master: 'lender',
    asset_id: `0x${TSTON_ID.toString(16)}`,
    is_ton: false,
    source: 'alice',
    source_wallet: 'wallet of alice',
    recipient: 'bob',
    recipient_contract: 'user',
    asset: 'master',
    amount: '60',
  }
  const supplied = body(0x11a, (w) =>
    writeNamed(w.writeUint64(1n), 'bob').writeUintWide(TSTON_ID, 256).writeUint64(59n),
  )
  const ok = classifyOne('evaa_supply', answers([{ to: 'lender', body: supplied }]), known)
  assert.equal(ok.success, true)
  assert.deepEqual(ok.details, { ...details, amount: '59' })
  const back = sendJettons({ from: 'lender', to: 'bob', amount: 60n })
  const returned = classifyOne('evaa_supply', answers([{ ...back, from: 'lender' }]), known)
  assert.equal(returned.success, false)
  assert.deepEqual(returned.details, { ...details, recipient_jetton_wallet: 'wallet of bob' })
  // Without an answer nothing was supplied.
  assert.deepEqual(
    classifySteps(answers([]), known).map(({ type }) => type),
    ['jetton_transfer', 'call_contract'],
  )
})

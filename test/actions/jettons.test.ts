import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comment } from '@ton/core'
import type { KnownAccount } from '../../src/actions/trace/AccountFacts.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { addressOf, body, classifyOne, classifySteps, type Step, text, writeNamed } from '../support/actionTrace.ts'

const transfer = (to: string, amount: bigint, payload?: Cell): Cell =>
  body(0x0f8a7ea5, (w) => {
    w.writeUint64(7n).writeCoins(amount)
    writeNamed(writeNamed(w, to), 'alice').writeMaybeRef(undefined).writeCoins(5n)
    if (payload === undefined) w.writeBit(false)
    else w.writeBit(true).writeRef(payload)
  })

const internal = (amount: bigint): Cell =>
  body(0x178d4519, (w) => {
    w.writeUint64(7n).writeCoins(amount)
    writeNamed(writeNamed(w, 'alice'), 'alice').writeCoins(6n)
  })

const wallet = (owner: string, jetton = 'master'): KnownAccount => ({
  jettonWallet: { owner: addressOf(owner), jetton: addressOf(jetton) },
})

const excesses: Step = { to: 'alice', body: body(0xd53276db) }
const notified: Step = { to: 'bob', body: body(0x7362d09c) }

const sent = (request: Cell, received: Partial<Step> = {}): Step => ({
  to: 'alice',
  sends: [
    {
      to: 'wallet of alice',
      body: request,
      sends: [{ to: 'wallet of bob', body: internal(90n), sends: [notified, excesses], ...received }],
    },
  ],
})

test('jettons from one owner to another', () => {
  const known = { 'wallet of bob': wallet('bob') }
  const details = {
    asset: 'master',
    sender: 'alice',
    receiver: 'bob',
    sender_jetton_wallet: 'wallet of alice',
    receiver_jetton_wallet: 'wallet of bob',
    amount: '90',
    comment: 'thanks',
    is_encrypted_comment: false,
    query_id: '7',
    response_destination: 'alice',
    custom_payload: null,
    forward_payload: comment('thanks').toBoc({ idx: false, crc32: true }).toString('base64'),
    forward_amount: '6',
  }
  // Whom the request names counts less than who owns the wallet that the jettons came to.
  assert.deepEqual(classifySteps(sent(transfer('carol', 100n, text('thanks'))), known), [
    {
      type: 'jetton_transfer',
      success: true,
      accounts: ['alice', 'bob', 'wallet of alice', 'wallet of bob'],
      transactions: ['alice.1', 'alice.2', 'bob.1', 'wallet of alice.1', 'wallet of bob.1'],
      ancestors: [],
      details,
    },
  ])

  const bare = classifyOne('jetton_transfer', sent(transfer('bob', 100n)), known)
  assert.deepEqual(bare.details, { ...details, comment: null, forward_payload: null })

  // Depth first: the root, the first branch with the cell below it, the second branch with its own.
  const cell = (value: number, ...refs: readonly Cell[]): Cell =>
    refs.reduce((w, ref) => w.writeRef(ref), new CellWriter().writeUint(value, 8)).toCell()
  const forked = cell(1, cell(2, cell(3)), cell(4, cell(5)))
  const { forward_payload } = classifyOne('jetton_transfer', sent(transfer('bob', 100n, forked)), known)
    .details as Record<string, string>
  assert.equal(
    Buffer.from(forward_payload!, 'base64').toString('hex').slice(0, -8),
    'b5ee9c724101050100' + '1300' + '0202010103' + '01020202' + '000203' + '01020404' + '000205',
  )
})

test('jettons that did not arrive, and those whose receiver is not known', () => {
  const known = { 'wallet of bob': wallet('bob') }
  const failed = sent(transfer('bob', 100n), { aborted: true, sends: [] })
  assert.equal(classifyOne('jetton_transfer', failed, known).success, false)

  const types = classifySteps(sent(transfer('bob', 100n))).map(({ type }) => type)
  assert.deepEqual(types, ['call_contract', 'call_contract', 'call_contract', 'call_contract'])
})

test('wallets that have a message of their own between them: what was asked for counts', () => {
  const odd = sent(transfer('bob', 100n), { body: body(0x178d4519, (w) => w.writeUint64(7n)) })
  const { details } = classifyOne('jetton_transfer', odd, { 'wallet of bob': wallet('bob') })
  const { amount, forward_amount: forward, receiver } = details as Record<string, unknown>
  assert.deepEqual([amount, forward, receiver], ['100', '5', 'bob'])
})

test('a jetton that stands for coins goes without a wallet of the receiver', () => {
  const pton = '0:671963027F7F85659AB55B821671688601CDCF1EE674FC7FBBB1A776A18D34A3'
  const steps: Step = {
    to: 'router',
    from: 'pool',
    sends: [{ to: 'wallet of router', body: transfer('bob', 100n), sends: [notified] }],
  }
  const row = classifyOne('jetton_transfer', steps, { 'wallet of router': wallet('router', pton) })
  assert.deepEqual(row, {
    type: 'jetton_transfer',
    success: true,
    accounts: ['bob', 'router', 'wallet of router'],
    transactions: ['bob.1', 'router.1', 'wallet of router.1'],
    ancestors: [],
    details: {
      asset: pton,
      sender: 'router',
      receiver: 'bob',
      sender_jetton_wallet: null,
      receiver_jetton_wallet: null,
      amount: '100',
      comment: null,
      is_encrypted_comment: false,
      query_id: '7',
      response_destination: 'alice',
      custom_payload: null,
      forward_payload: null,
      forward_amount: '5',
    },
  })
})

test('jettons that their owner burnt', () => {
  const burn = body(0x595f07bc, (w) => writeNamed(w.writeUint64(1n).writeCoins(40n), 'alice'))
  const steps: Step = {
    to: 'alice',
    sends: [
      { to: 'wallet of alice', body: burn, sends: [{ to: 'master', body: body(0x7bdd97de), sends: [excesses] }] },
    ],
  }
  assert.deepEqual(classifySteps(steps, { 'wallet of alice': wallet('alice') }), [
    {
      type: 'jetton_burn',
      success: true,
      accounts: ['alice', 'master', 'wallet of alice'],
      transactions: ['alice.1', 'alice.2', 'master.1', 'wallet of alice.1'],
      ancestors: [],
      details: { owner: 'alice', owner_jetton_wallet: 'wallet of alice', asset: 'master', amount: '40' },
    },
  ])
})

test('jettons that were minted, and those that were not', () => {
  const mint = (opcode: number): Cell =>
    body(opcode, (w) => {
      writeNamed(w.writeUint64(1n), 'bob').writeCoins(9n)
      w.writeRef(body(0x178d4519, (inner) => inner.writeUint64(1n).writeCoins(77n)))
    })
  const minted = (opcode: number, isMinted: boolean): Step => ({
    to: 'admin',
    sends: [
      {
        to: 'master',
        body: mint(opcode),
        aborted: !isMinted,
        sends: isMinted ? [{ to: 'wallet of bob', body: internal(90n), deploys: true }] : [],
      },
    ],
  })
  const known = { 'wallet of bob': wallet('bob') }
  const done = { asset: 'master', receiver: 'bob', receiver_jetton_wallet: 'wallet of bob', ton_amount: '9' }
  for (const opcode of [0x642b7d07, 0x15]) {
    const row = classifyOne('jetton_mint', minted(opcode, true), known)
    assert.deepEqual(row.details, { ...done, amount: '90' })
    assert.equal(row.success, true)
    assert.deepEqual(row.accounts, ['admin', 'bob', 'master', 'wallet of bob'])
  }
  const failed = { ...done, receiver_jetton_wallet: null }
  // A master that tells the receiver by itself, and mints nothing.
  const told: Step = { to: 'admin', sends: [{ to: 'master', body: mint(0x15), sends: [notified] }] }
  const [row, ...more] = classifySteps(told, known)
  assert.deepEqual(
    [row?.type, row?.success, row?.transactions, more],
    ['jetton_mint', false, ['admin.1', 'bob.1', 'master.1'], []],
  )
  const unsaid = classifyOne('jetton_mint', minted(0x642b7d07, false), known)
  assert.deepEqual([unsaid.success, unsaid.details], [false, { ...failed, amount: null }])
  const said = classifyOne('jetton_mint', minted(0x15, false), known)
  assert.deepEqual([said.success, said.details], [false, { ...failed, amount: '77' }])
})

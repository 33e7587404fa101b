import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
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

const ELECTOR = `-1:${'3'.repeat(64)}`

test('a subscription that is paid, and ended', () => {
  const steps = (aborted: boolean): Step => ({
    to: 'wallet',
    from: 'plugin',
    body: body(0x706c7567, (w) => w.writeUint64(1n).writeCoins(300n)),
    aborted,
    sends: [{ to: 'plugin', body: body(0xf06c7567), sends: [{ to: 'shop', body: body(0x73756273) }] }],
  })
  for (const aborted of [false, true]) {
    assert.deepEqual(classifySteps(steps(aborted)), [
      {
        type: 'subscribe',
        success: !aborted,
        accounts: ['plugin', 'shop', 'wallet'],
        transactions: ['plugin.1', 'shop.1', 'wallet.1'],
        ancestors: [],
        details: { subscriber: 'wallet', beneficiary: 'shop', subscription: 'plugin', amount: '300' },
      },
    ])
  }
  const first: Step = {
    to: 'wallet',
    sends: [{ to: 'plugin', value: 250n, body: body(0xf06c7567), sends: [{ to: 'shop', body: body(0x73756273) }] }],
  }
  const paid = classifyOne('subscribe', first).details as Record<string, unknown>
  assert.equal(paid['amount'], '250')

  const ended = (answers: readonly Step[]): Step => ({
    to: 'wallet',
    sends: [{ to: 'plugin', body: body(0x64737472), sends: answers }],
  })
  assert.deepEqual(classifySteps(ended([{ to: 'shop', body: body(0x64737472) }])), [
    {
      type: 'unsubscribe',
      success: true,
      accounts: ['plugin', 'shop', 'wallet'],
      transactions: ['plugin.1', 'shop.1', 'wallet.1'],
      ancestors: [],
      details: { subscriber: 'wallet', beneficiary: 'shop', subscription: 'plugin' },
    },
  ])
  assert.deepEqual(classifyOne('unsubscribe', ended([])).details, { subscriber: 'wallet', subscription: 'plugin' })
})

const electionCases: readonly (readonly [string, number, number, object, object])[] = [
  [
    'election_deposit',
    0x4e73744b,
    0xf374484c,
    { stake_holder: 'validator', amount: '600' },
    { stake_holder: 'validator', amount: '600' },
  ],
  [
    'election_recover',
    0x47657424,
    0xf96f7324,
    { stake_holder: 'validator', amount: '800' },
    { stake_holder: 'validator' },
  ],
]

for (const [type, opcode, answer, done, undone] of electionCases) {
  test(`a stake: ${type}`, () => {
    const steps = (elector: string, answers: readonly Step[]): Step => ({
      to: 'validator',
      sends: [{ to: elector, value: 600n, body: body(opcode), sends: answers }],
    })
    const confirmed = [{ to: 'validator', value: 800n, body: body(answer) }]
    assert.deepEqual(classifySteps(steps(ELECTOR, confirmed)), [
      {
        type,
        success: true,
        accounts: [ELECTOR, 'validator'],
        transactions: [`${ELECTOR}.1`, 'validator.1', 'validator.2'],
        ancestors: [],
        details: done,
      },
    ])
    const refused = classifyOne(type, steps(ELECTOR, []))
    assert.deepEqual([refused.success, refused.details], [false, undone])
    const elsewhere = classifySteps(steps('somebody', confirmed)).map((row) => row.type)
    assert.deepEqual(elsewhere, ['call_contract', 'call_contract'])
  })
}

const plainBoc = (word: string): string =>
  beginCell().storeBuffer(Buffer.from(word)).endCell().toBoc({ idx: false, crc32: false }).toString('base64')
const wordCell = (word: string): Cell => cell((w) => w.writeBytes(Buffer.from(word)))
const order = { multisigOrder: { signers: [addressOf('alice'), addressOf('bob')] } }

test('an order that is made for a multisig wallet', () => {
  const request = body(0xf718510f, (w) => {
    w.writeUint64(4n).writeUintWide(9n, 256).writeBit(true).writeUint(1, 8).writeUintWide(1_800_000_000n, 48)
    w.writeRef(wordCell('order'))
  })
  const init = body(0x9c73fba2, (w) => {
    w.writeUint64(4n).writeUint(2, 8).writeMaybeRef(wordCell('signers')).writeUintWide(1_800_000_000n, 48)
    w.writeRef(wordCell('order')).writeBit(true).writeUint(1, 8)
  })
  const steps: Step = {
    to: 'alice',
    sends: [{ to: 'multisig', body: request, sends: [{ to: 'order', body: init, deploys: true }] }],
  }
  assert.deepEqual(classifySteps(steps, { order })[0], {
    type: 'multisig_create_order',
    success: true,
    accounts: ['alice', 'bob', 'multisig', 'order'],
    transactions: ['alice.1', 'multisig.1', 'order.1'],
    ancestors: [],
    details: {
      query_id: '4',
      order_seqno: '9',
      is_created_by_signer: true,
      is_signed_by_creator: true,
      creator_index: 1,
      expiration_date: 1_800_000_000,
      order_boc: plainBoc('order'),
      source: 'alice',
      destination: 'multisig',
      destination_order: 'order',
    },
  })
  assert.deepEqual(
    classifySteps(steps).map(({ type }) => type),
    ['call_contract', 'call_contract', 'contract_deploy'],
  )
})

test('an order of a proposer, who does not sign it', () => {
  const request = body(0xf718510f, (w) => {
    w.writeUint64(4n).writeUintWide(9n, 256).writeBit(false).writeUint(0, 8).writeUintWide(1_800_000_000n, 48)
    w.writeRef(wordCell('order'))
  })
  const init = body(0x9c73fba2, (w) => {
    w.writeUint64(4n).writeUint(2, 8).writeRef(wordCell('signers')).writeUintWide(1_800_000_000n, 48)
    w.writeRef(wordCell('order')).writeBit(false)
  })
  const steps: Step = {
    to: 'alice',
    sends: [{ to: 'multisig', body: request, sends: [{ to: 'order', body: init, deploys: true }] }],
  }
  const { details } = classifyOne('multisig_create_order', steps, { order })
  const { is_created_by_signer, is_signed_by_creator, order_boc } = details as Record<string, unknown>
  assert.deepEqual([is_created_by_signer, is_signed_by_creator, order_boc], [false, false, plainBoc('order')])
})

const byOpcode = body(0xa762230f, (w) => w.writeUint64(4n).writeUint(1, 8))
const accepted = body(0x82609bf6, (w) => w.writeUint64(4n))
const rejected = body(0xafaf283e, (w) => w.writeUint64(4n).writeUint(106, 32))
const approvals: readonly (readonly [string, Cell, Cell, boolean, number, number])[] = [
  ['by opcode', byOpcode, accepted, true, 1, 0],
  ['by comment', text('approve'), accepted, true, -1, 0],
  ['in vain', byOpcode, rejected, false, 1, 106],
]

for (const [how, request, answer, success, signerIndex, exitCode] of approvals) {
  test(`an order that is signed ${how}`, () => {
    const steps: Step = {
      to: 'bob',
      sends: [{ to: 'order', body: request, sends: [{ to: 'bob', body: answer }] }],
    }
    assert.deepEqual(classifySteps(steps, { order })[0], {
      type: 'multisig_approve',
      success,
      accounts: ['alice', 'bob', 'order'],
      transactions: ['bob.1', 'bob.2', 'order.1'],
      ancestors: [],
      details: { signer_index: signerIndex, exit_code: exitCode, source: 'bob', destination: 'order' },
    })
  })
}

test('an order that is carried out', () => {
  const execute = body(0x75097f5d, (w) => {
    w.writeUint64(4n).writeUintWide(9n, 256).writeUintWide(1_800_000_000n, 48).writeUint(2, 8)
    w.writeBytes(new Uint8Array(32).fill(7)).writeRef(wordCell('order'))
  })
  for (const aborted of [false, true]) {
    const steps: Step = { to: 'order', from: 'bob', sends: [{ to: 'multisig', body: execute, aborted }] }
    assert.deepEqual(classifyOne('multisig_execute', steps, { order }), {
      type: 'multisig_execute',
      success: !aborted,
      accounts: ['alice', 'bob', 'multisig', 'order'],
      transactions: ['multisig.1', 'order.1'],
      ancestors: [],
      details: {
        query_id: '4',
        order_seqno: '9',
        expiration_date: 1_800_000_000,
        approvals_num: 2,
        signers_hash: Buffer.alloc(32, 7).toString('base64'),
        order_boc: plainBoc('order'),
        source: 'order',
        destination: 'multisig',
      },
    })
  }
})

test('accounts that a vesting wallet may send to', () => {
  const chain = cell((w) => writeNamed(w, 'bob').writeRef(cell((last) => writeNamed(last, undefined))))
  const request = body(0x7258a69b, (w) => writeNamed(w.writeUint64(4n), 'carol').writeRef(chain))
  const steps: Step = {
    to: 'alice',
    sends: [{ to: 'vesting', body: request, sends: [{ to: 'alice', body: body(0xf258a69b) }] }],
  }
  assert.deepEqual(classifySteps(steps)[0], {
    type: 'vesting_add_whitelist',
    success: true,
    accounts: ['alice', 'vesting'],
    transactions: ['alice.1', 'alice.2', 'vesting.1'],
    ancestors: [],
    details: { query_id: '4', accounts_added: ['carol', 'bob', null], source: 'alice', vesting: 'vesting' },
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import type { CellWriter } from '../../src/codec/cell/CellWriter.ts'
import { body, classifyOne, classifySteps, type Step, writeNamed } from '../support/actionTrace.ts'

const excesses: Step = { to: 'alice', body: body(0x2565934c) }
const request = (sends: readonly Step[] = []): Step => ({ to: 'proxy', value: 1n, body: body(0x65448ff4), sends })
const sent = (to: string, content: Cell, sends: readonly Step[], more: Partial<Step> = {}): Step => ({
  to: 'alice',
  sends: [{ to, body: content, sends, ...more }],
})

/** What stands behind the number of a query, as others read it: tokens and an address. */
const signed = (opcode: number, writeAddress: (w: CellWriter) => void): Cell =>
  body(opcode, (w) => writeAddress(w.writeUint64(11n).writeUint64(12n)))

test('a client is charged', () => {
  const addresses: readonly (readonly [string, (w: CellWriter) => void, string | null])[] = [
    ['none', (w) => w.writeUint(0, 2), null],
    ['one of the chain', (w) => writeNamed(w, 'client'), 'client'],
    ['one outside', (w) => w.writeUint(1, 2).writeUint(13, 9).writeUint(0x1abc, 13), '13;1abc'],
  ]
  for (const [kind, write, shown] of addresses) {
    const row = classifyOne('cocoon_proxy_charge', sent('client', signed(0xbb63ff93, write), [request(), excesses]))
    assert.deepEqual(
      row,
      {
        type: 'cocoon_proxy_charge',
        success: true,
        accounts: ['alice', 'client', 'proxy'],
        transactions: ['alice.1', 'alice.2', 'client.1', 'proxy.1'],
        ancestors: [],
        details: {
          query_id: '11',
          new_tokens_used: '12',
          expected_address: shown,
          source: 'client',
          destination: 'proxy',
        },
      },
      kind,
    )
  }
  // Neither one of variable length nor half an address is any.
  for (const write of [
    (w: CellWriter) => void w.writeUint(3, 2).writeUint(0, 48),
    (w: CellWriter) => void w.writeUint(2, 2),
  ]) {
    const rows = classifySteps(sent('client', signed(0xbb63ff93, write), [request(), excesses]))
    assert.deepEqual(
      rows.map(({ type }) => type),
      ['call_contract', 'call_contract', 'call_contract'],
    )
  }
})

test('coins for a client', () => {
  const content = body(0xf172e6c2, (w) => writeNamed(w.writeUint64(5n).writeCoins(600n), 'bob'))
  assert.deepEqual(classifyOne('cocoon_client_top_up', sent('client', content, [request([excesses])])), {
    type: 'cocoon_client_top_up',
    success: true,
    accounts: ['alice', 'bob', 'client', 'proxy'],
    transactions: ['alice.1', 'alice.2', 'client.1', 'proxy.1'],
    ancestors: [],
    details: { query_id: '5', source: 'bob', destination: 'client', amount: '600' },
  })
  // The proxy did not answer.
  assert.deepEqual(
    classifySteps(sent('client', content, [request()])).map(({ type }) => type),
    ['call_contract', 'call_contract'],
  )
})

test('a proxy joins', () => {
  const content = body(0x927c7cb5, (w) => w.writeUint64(8n).writeUint(0xab, 8))
  const row = {
    type: 'cocoon_register_proxy',
    success: true,
    accounts: ['alice', 'root'],
    transactions: ['alice.1', 'alice.2', 'root.1'],
    ancestors: [],
    details: { query_id: '8', destination: 'root' },
  }
  assert.deepEqual(classifyOne('cocoon_register_proxy', sent('root', content, [excesses])), row)
  const aborted = sent('root', content, [excesses], { aborted: true, value: 0n })
  assert.deepEqual(classifyOne('cocoon_register_proxy', aborted), { ...row, success: false })
})

test('parts of an action are actions below it', () => {
  const content = body(0x927c7cb5, (w) => w.writeUint64(8n))
  const rows = classifySteps(sent('root', content, [excesses]))
  assert.deepEqual(
    rows.map(({ type, ancestors }) => [type, ancestors]),
    [
      ['cocoon_register_proxy', []],
      ['call_contract', ['cocoon_register_proxy']],
      ['call_contract', ['cocoon_register_proxy']],
    ],
  )
})

test('the last payout of a worker that its owner does not take', () => {
  const worker = body(0x4d725d2c, (w) => writeNamed(w.writeUint64(1n), 'owner').writeUint(2, 2).writeUint64(99n))
  const paid: Step = { to: 'owner', value: 70n, body: body(0xc59a7cd3), aborted: true }
  const row = classifyOne(
    'cocoon_worker_payout',
    sent(
      'worker',
      signed(0xf5f26a36, (w) => w.writeUint(0, 2)),
      [{ to: 'proxy', body: worker, sends: [paid] }],
    ),
  )
  assert.deepEqual(row, {
    type: 'cocoon_worker_payout',
    success: false,
    accounts: ['alice', 'owner', 'proxy', 'worker'],
    transactions: ['alice.1', 'owner.1', 'proxy.1', 'worker.1'],
    ancestors: [],
    details: {
      payout_type: 'last',
      query_id: '11',
      new_tokens: '12',
      worker_state: 2,
      worker_tokens: '99',
      source: 'alice',
      destination: 'owner',
      amount: '70',
    },
  })
})

test('coins that a client takes out, and how many it says', () => {
  const payout: Step = { to: 'alice', value: 70n, body: body(0xc59a7cd3) }
  const told = (payload: Cell | undefined): Cell =>
    body(0x65448ff4, (w) => {
      writeNamed(w.writeUint64(1n), 'alice').writeRef(body(0)).writeMaybeRef(payload)
    })
  const cases: readonly (readonly [Cell, string])[] = [
    [told(body(0xc68ebc7b, (w) => writeNamed(w.writeCoins(65n), 'alice'))), '65'],
    [told(body(0x5cfc6b87)), '0'],
    [told(undefined), '0'],
    [body(0x65448ff4), '0'],
  ]
  const content = body(0xda068e78, (w) => writeNamed(w.writeUint64(4n), 'bob'))
  for (const [request, amount] of cases) {
    const root = sent('client', content, [{ to: 'proxy', body: request, sends: [payout] }])
    assert.deepEqual(classifyOne('cocoon_client_withdraw', root).details, {
      query_id: '4',
      withdraw_amount: amount,
      source: 'bob',
      destination: 'client',
      amount,
    })
  }
})

test('a refund that its owner does not take', () => {
  const paid = (aborted: boolean): Step => ({ to: 'owner', value: 70n, body: body(0xc59a7cd3), aborted })
  const content = signed(0xefd711e1, (w) => w.writeUint(0, 2))
  for (const aborted of [false, true]) {
    const row = classifyOne('cocoon_grant_refund', sent('client', content, [request([paid(aborted), excesses])]))
    assert.equal(row.success, !aborted)
  }
})

test('a refund that is asked for without a wallet in between', () => {
  const content = body(0xfafa6cc1, (w) => writeNamed(w.writeUint64(3n), 'alice'))
  assert.deepEqual(
    classifyOne('cocoon_client_request_refund', sent('client', content, [request(), excesses])).details,
    {
      query_id: '3',
      via_wallet: false,
      source: 'alice',
      destination: 'client',
    },
  )
})

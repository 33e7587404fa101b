import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import {
  accountKey,
  emptyDescription,
  hashOf,
  makeAccountEvent,
  makeAction,
  makeInvalidation,
  makeStateEvent,
  makeTraceEvent,
  makeTransaction,
} from '../../../test/support/streamEvents.ts'
import { createBodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { StreamEvent } from '../../streaming/events.ts'
import { matchEvent } from '../../streaming/subscription/matchEvent.ts'
import { parseSubscription } from '../../streaming/subscription/parseSubscription.ts'
import type { Subscription } from '../../streaming/subscription/Subscription.ts'
import { createEventRenderer } from './renderEvent.ts'
import { EventView } from './views.ts'

const subscribe = (value: object): Subscription =>
  parseSubscription(
    { types: ['transactions', 'actions', 'trace', 'account_state_change'], addresses: ['*'], ...value },
    { transport: 'sse', mayStreamAll: true, expandActionTypes: () => ['ton_transfer'] },
  ).subscription

const open = () =>
  createEventRenderer({
    decoder: createBodyDecoder(),
    dialect: 'chain',
    reads: undefined,
    testOnly: false,
    findHead: () => 9,
  })

const view = Compile(EventView)

// biome-ignore lint/suspicious/noExplicitAny: looked into at every depth
type Json = any

const render = async (event: StreamEvent, subscription: Subscription, renderer = open()): Promise<Json> => {
  const value: unknown = JSON.parse(await renderer.render(matchEvent(subscription, event)!, subscription))
  assert.ok(view.Check(value), JSON.stringify(view.Errors(value).slice(0, 2)))
  return value
}

const pendingTrace = (id: string, lts: readonly number[], traceId?: Uint8Array): StreamEvent => {
  const transactions = lts.map((lt) =>
    makeTransaction({
      account: 1,
      lt,
      finality: 'pending',
      description: emptyDescription,
      message: { body: undefined },
    }),
  )
  const unreal = transactions.map((each) => ({ ...each, traceId, traceExternalHash: undefined }))
  return { ...makeTraceEvent('tx', { transactions: unreal, traceId }, 'pending'), id }
}

test('3: trace_id is absent until the root is real, trace_external_hash is everywhere', async () => {
  const speculative = subscribe({ min_finality: 'pending' })
  const [own] = (await render(pendingTrace('s-8-1234abcd-1', [1]), speculative)).transactions
  assert.deepEqual(
    [own.trace_id, own.trace_external_hash, own.emulated, own.finality],
    [undefined, toBase64(hashOf(2)), true, 'pending'],
  )
  const event = await render(pendingTrace('s-8-1234abcd-1', [1], hashOf(3)), speculative)
  assert.equal(event.transactions[0].trace_id, toBase64(hashOf(3)))
  assert.equal(event.trace_id, toBase64(hashOf(3)))
  assert.deepEqual(event.transactions[0].total_fees_extra_currencies, { 7: '1' })
})

test('5.4: revisions grow per trace and type; a finalized event alone is the first', async () => {
  const renderer = open()
  const speculative = subscribe({ min_finality: 'pending' })
  const numbers: number[] = []
  for (const [n, lts] of [
    [1, [1]],
    [2, [1, 2]],
    [2, [1, 2]],
    [5, [1, 2, 3]],
  ] as const) {
    const event = pendingTrace(`s-8-1234abcd-${n}`, lts)
    numbers.push((await render(event, speculative, renderer)).revision)
  }
  assert.deepEqual(numbers, [1, 2, 2, 3])
  const final = { ...pendingTrace('f-9-5-tx-0000000000000001', [1]), finality: 'finalized' } as StreamEvent
  assert.equal((await render(final, speculative, renderer)).revision, 4)
  assert.equal((await render(final, subscribe({}), renderer)).revision, 1)
})

test('3: a trace with a missing parent is sent as incomplete', async () => {
  const transactions = [1, 2].map((lt) =>
    makeTransaction({
      account: 1,
      lt,
      description: emptyDescription,
      message: { hash: hashOf(60 + lt), body: undefined },
    }),
  )
  const event = await render(makeTraceEvent('tr', { transactions, actions: undefined }), subscribe({}))
  assert.equal(event.is_incomplete, true)
  assert.equal(event.trace.tx_hash, toBase64(transactions[0]!.hash))
  assert.deepEqual(Object.keys(event.transactions).length, 2)
  assert.equal(event.actions, undefined)
})

test('3: traces without an external message have no hash, but an id', async () => {
  const trace = { externalHash: undefined, externalHashNorm: undefined, actions: [makeAction({ accounts: [1] })] }
  const event = await render(makeTraceEvent('ac', trace), subscribe({}))
  assert.deepEqual([event.trace_external_hash_norm, event.trace_id], [null, toBase64(hashOf(3))])
})

test('5.4: transactions of an account are of several traces', async () => {
  const transactions = [
    makeTransaction({ account: 1, lt: 1, description: emptyDescription, message: { body: undefined } }),
  ]
  const event = await render(makeAccountEvent(1, transactions), subscribe({ deliver: 'transaction' }))
  assert.deepEqual([event.trace_external_hash_norm, event.revision], [null, undefined])
})

test('3 and 5.7: states, and what extended receivers get of them', async () => {
  const own = makeStateEvent(1, 50)
  const account = `0:${Buffer.from(accountKey(1).subarray(1)).toString('hex').toUpperCase()}`
  const plain = { ...subscribe({}), extended: false }
  const state = {
    hash: toBase64(hashOf(200)),
    balance: '5',
    extra_currencies: { 100: '7' },
    account_status: 'active',
    frozen_hash: null,
    data_hash: toBase64(hashOf(201)),
    code_hash: toBase64(hashOf(50)),
  }
  const common = { type: 'account_state_change', finality: 'finalized', account, state }
  assert.deepEqual(await render(own, plain), common)
  const { emitted_at, previous, ...extended } = await render(own, subscribe({}))
  assert.deepEqual(extended, {
    ...common,
    lt: '5',
    last_transaction_hash: toBase64(hashOf(105)),
    utime: 1_700_000_000,
    mc_block_seqno: 8,
    event_id: own.id,
    mc_seqno: 9,
  })
  assert.equal(previous.balance, '0')
  assert.ok(emitted_at > 0)
})

test('4.3 and 5.7: invalidations, and why', async () => {
  const norm = toBase64(hashOf(1))
  const plain = { ...subscribe({ min_finality: 'pending' }), extended: false }
  assert.deepEqual(await render(makeInvalidation('invalidated'), plain), {
    type: 'trace_invalidated',
    trace_external_hash_norm: norm,
  })
  const { emitted_at, ...why } = await render(makeInvalidation('expired'), subscribe({ min_finality: 'pending' }))
  assert.ok(emitted_at > 0)
  assert.deepEqual(why, {
    type: 'message_expired',
    trace_external_hash_norm: norm,
    reason: 'rejected',
    exit_code: 35,
    event_id: 's-8-1234abcd-1',
    mc_seqno: 9,
  })
})

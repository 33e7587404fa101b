import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  accountKey,
  hashOf,
  makeAccountEvent,
  makeAction,
  makeInvalidation,
  makeJettonEvent,
  makeStateEvent,
  makeTraceEvent,
  makeTransaction,
} from '../../../test/support/streamEvents.ts'
import { addressKeyOf, formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import type { StreamEvent } from '../events.ts'
import { matchEvent } from './matchEvent.ts'
import { parseSubscription } from './parseSubscription.ts'
import type { Subscription } from './Subscription.ts'

const rawOf = (byte: number): string => {
  const address = parseAddressKey(accountKey(byte))
  assert.ok(typeof address !== 'string')
  assert.deepEqual(addressKeyOf(address), accountKey(byte))
  return formatUpperRawAddress(address)
}

const subscribe = (value: object): Subscription =>
  parseSubscription(value, {
    transport: 'sse',
    mayStreamAll: true,
    expandActionTypes: (words) => ['ton_transfer', 'jetton_transfer', ...words],
  }).subscription

const ltsOf = (subscription: Subscription, event: StreamEvent): number[] | undefined =>
  matchEvent(subscription, event)?.transactions?.map(({ lt }) => Number(lt))

const trace = {
  transactions: [
    makeTransaction({ account: 1, lt: 1 }),
    makeTransaction({ account: 2, lt: 2 }),
    makeTransaction({ account: 1, lt: 3 }),
  ],
}

test('3: transactions of subscribed accounts only, lt descending', () => {
  const event = makeTraceEvent('tx', trace)
  const subscription = subscribe({ types: ['transactions'], addresses: [rawOf(1)] })
  assert.deepEqual(ltsOf(subscription, event), [3, 1])
  assert.equal(matchEvent(subscription, event)?.key, '0,2')
  assert.equal(ltsOf(subscribe({ types: ['transactions'], addresses: [rawOf(9)] }), event), undefined)
  // Neither source nor destination counts.
  const sent = makeTransaction({ account: 3, lt: 4, message: { source: accountKey(9), destination: accountKey(9) } })
  assert.equal(
    ltsOf(
      subscribe({ types: ['transactions'], addresses: [rawOf(9)] }),
      makeTraceEvent('tx', { transactions: [sent] }),
    ),
    undefined,
  )
  assert.equal(matchEvent(subscribe({ types: ['actions'], addresses: [rawOf(1)] }), event), undefined)
  assert.equal(matchEvent(subscribe({ types: ['transactions'], addresses: ['*'] }), event)?.key, 'all')
})

test('3: actions of linked accounts whose type passes both lists, latest first', () => {
  const actions = [
    makeAction({ accounts: [1, 2], lt: 1 }),
    makeAction({ accounts: [1], lt: 3 }),
    makeAction({ accounts: [2], lt: 4 }),
    makeAction({ accounts: [1], lt: 5, type: 'jvault_stake' }),
    makeAction({ accounts: [1], lt: 6, type: 'jetton_transfer', ancestorTypes: ['jvault_stake'] }),
  ]
  const event = makeTraceEvent('ac', { actions })
  const shown = (value: object): number[] | undefined =>
    matchEvent(subscribe({ types: ['actions'], addresses: [rawOf(1)], ...value }), event)?.actions?.map(({ endLt }) =>
      Number(endLt),
    )
  assert.deepEqual(shown({}), [6, 3, 1])
  assert.deepEqual(shown({ supported_action_types: ['jvault_stake'] }), [5, 3, 1])
  assert.deepEqual(shown({ action_types: ['jetton_transfer'] }), [6])
  // Not understood, whatever action_types say.
  assert.equal(shown({ action_types: ['jvault_stake'] }), undefined)
  assert.equal(shown({ addresses: [rawOf(9)] }), undefined)
})

test('3: traces by hash, with all transactions and the actions that pass both lists', () => {
  const actions = [makeAction({ accounts: [7] }), makeAction({ accounts: [7], type: 'other' })]
  const event = makeTraceEvent('tr', { ...trace, actions })
  const part = matchEvent(subscribe({ types: ['trace'], trace_external_hash_norms: [toBase64(hashOf(1))] }), event)
  assert.deepEqual(
    part?.transactions?.map(({ lt }) => lt),
    [1n, 2n, 3n],
  )
  assert.deepEqual(
    part?.actions?.map(({ type }) => type),
    ['ton_transfer'],
  )
  const others = subscribe({ types: ['trace'], trace_external_hash_norms: [toBase64(hashOf(9))] })
  assert.equal(matchEvent(others, event), undefined)
})

test('5.4: traces that touch an address, if asked for', () => {
  const event = makeTraceEvent('tr', trace)
  assert.ok(matchEvent(subscribe({ types: ['trace'], addresses: [rawOf(2)] }), event))
  assert.equal(matchEvent(subscribe({ types: ['trace'], addresses: [rawOf(9)] }), event), undefined)
  const both = { types: ['trace'], addresses: [rawOf(2)], trace_external_hash_norms: [toBase64(hashOf(9))] }
  assert.equal(matchEvent(subscribe(both), event), undefined)
  assert.ok(matchEvent(subscribe({ ...both, extended: true }), event))
})

test('3: states of subscribed accounts, jettons of wallets or owners', () => {
  const both = subscribe({ types: ['account_state_change', 'jettons_change'], addresses: [rawOf(1)] })
  assert.ok(matchEvent(both, makeStateEvent(1)))
  assert.equal(matchEvent(both, makeStateEvent(2)), undefined)
  assert.ok(matchEvent(both, makeJettonEvent(1, 2, 3)))
  assert.ok(matchEvent(both, makeJettonEvent(2, 1, 3)))
  assert.equal(matchEvent(both, makeJettonEvent(2, 3, 1)), undefined)
})

test('4.1: min_finality', () => {
  const passed = (minFinality: string): boolean[] =>
    (['pending', 'confirmed', 'finalized'] as const).map((finality) => {
      const subscription = subscribe({ types: ['transactions'], addresses: [rawOf(1)], min_finality: minFinality })
      return matchEvent(subscription, makeTraceEvent('tx', trace, finality)) !== undefined
    })
  assert.deepEqual(passed('pending'), [true, true, true])
  assert.deepEqual(passed('confirmed'), [false, true, true])
  assert.deepEqual(passed('finalized'), [false, false, true])
})

test('3: traces without an external message are for extended subscriptions', () => {
  const value = { types: ['transactions', 'actions', 'trace'], addresses: [rawOf(1)] }
  const hashes = { trace_external_hash_norms: [toBase64(hashOf(1))] }
  for (const kind of ['tx', 'ac', 'tr'] as const) {
    const actions = [makeAction({ accounts: [1] })]
    const event = makeTraceEvent(kind, { ...trace, actions, externalHash: undefined, externalHashNorm: undefined })
    assert.equal(matchEvent(subscribe({ ...value, ...hashes }), event), undefined)
    assert.ok(matchEvent(subscribe({ ...value, ...hashes, extended: true }), event))
  }
})

test('4.3: invalidations are not tied to types, expiries are for extended subscriptions', () => {
  const value = { types: ['account_state_change'], addresses: [rawOf(1)] }
  const matches = (subscription: Subscription): boolean[] =>
    (['invalidated', 'expired'] as const).map((kind) => matchEvent(subscription, makeInvalidation(kind)) !== undefined)
  assert.deepEqual(matches(subscribe(value)), [false, false])
  assert.deepEqual(matches(subscribe({ ...value, min_finality: 'pending' })), [true, false])
  assert.deepEqual(matches(subscribe({ ...value, min_finality: 'pending', extended: true })), [true, true])
})

test('5.4: deliver decides between snapshots of traces and transactions of accounts', () => {
  const own = makeAccountEvent(1, [makeTransaction({ account: 1, lt: 1 }), makeTransaction({ account: 1, lt: 2 })])
  const snapshot = makeTraceEvent('tx', trace)
  const value = { types: ['transactions'], addresses: [rawOf(1)] }
  assert.deepEqual([ltsOf(subscribe(value), own), ltsOf(subscribe(value), snapshot)], [undefined, [3, 1]])
  const each = subscribe({ ...value, deliver: 'transaction' })
  assert.deepEqual([ltsOf(each, own), ltsOf(each, snapshot)], [[2, 1], undefined])
})

test('5.4: filters of single transactions', () => {
  const transactions = [
    makeTransaction({ account: 1, lt: 1, message: { kind: 'externalIn', opcode: 5 } }),
    makeTransaction({ account: 1, lt: 2, message: { kind: 'internal', opcode: 5, value: 10n } }),
    makeTransaction({ account: 1, lt: 3, message: { kind: 'internal', opcode: -1, value: 20n, bounced: true } }),
    makeTransaction({ account: 1, lt: 4, isTickTock: true }),
  ]
  const event = makeTraceEvent('tx', { transactions })
  const passed = (filters: object): number[] | undefined =>
    ltsOf(subscribe({ types: ['transactions'], addresses: [rawOf(1)], filters }), event)
  assert.deepEqual(passed({ opcodes: ['0x5'] }), [2, 1])
  assert.deepEqual(passed({ opcodes: ['ffffffff', '0x5'], min_value: '11' }), [3])
  assert.deepEqual(passed({ message_kinds: ['external_in'] }), [1])
  assert.deepEqual(passed({ message_kinds: ['internal', 'tick_tock'] }), [4, 2])
  assert.deepEqual(passed({ message_kinds: ['bounced'] }), [3])
  assert.deepEqual(passed({ min_value: '0' }), [4, 3, 2, 1])
  assert.equal(passed({ min_value: '21' }), undefined)
})

test('5.4: jetton masters select transactions of their wallets, changes of balances and actions with such an asset', () => {
  const facts = new Map([[keyText(accountKey(1)), { jettonMaster: accountKey(30) }]])
  const value = {
    types: ['transactions', 'jettons_change', 'actions', 'trace'],
    filters: { jetton_masters: [rawOf(30)] },
  }
  const subscription = subscribe(value)
  assert.deepEqual(ltsOf(subscription, makeTraceEvent('tx', { ...trace, facts })), [3, 1])
  assert.equal(matchEvent(subscription, makeTraceEvent('tx', trace)), undefined)
  assert.ok(matchEvent(subscription, makeJettonEvent(1, 2, 30)))
  assert.equal(matchEvent(subscription, makeJettonEvent(30, 30, 31)), undefined)
  const swap = makeAction({ accounts: [1], details: { dex_incoming_transfer: { asset: rawOf(30) } } })
  const sent = makeAction({ accounts: [1], lt: 2, details: { asset: rawOf(31), destination: rawOf(30) } })
  const part = matchEvent(subscription, makeTraceEvent('ac', { actions: [swap, sent] }))
  assert.deepEqual(part?.actions, [swap])
  assert.ok(matchEvent(subscription, makeTraceEvent('tr', { ...trace, facts })))
  // With addresses both must hold.
  const narrow = subscribe({ ...value, addresses: [rawOf(2)] })
  assert.equal(matchEvent(narrow, makeTraceEvent('tx', { ...trace, facts })), undefined)
  assert.ok(matchEvent(narrow, makeJettonEvent(1, 2, 30)))
  assert.equal(matchEvent(narrow, makeJettonEvent(1, 3, 30)), undefined)
})

test('5.4: code hashes select accounts, also where a block does not show a state', () => {
  const subscription = subscribe({
    types: ['transactions', 'account_state_change', 'jettons_change'],
    filters: { code_hashes: [toBase64(hashOf(50))] },
  })
  const transactions = [
    makeTransaction({ account: 1, lt: 1 }),
    makeTransaction({ account: 1, lt: 2, code: 50 }),
    makeTransaction({ account: 2, lt: 3, code: 51 }),
    makeTransaction({ account: 3, lt: 4 }),
  ]
  assert.deepEqual(ltsOf(subscription, makeTraceEvent('tx', { transactions })), [2, 1])
  const facts = new Map([[keyText(accountKey(3)), { codeHash: hashOf(50) }]])
  assert.deepEqual(ltsOf(subscription, makeTraceEvent('tx', { transactions, facts })), [4, 2, 1])
  assert.ok(matchEvent(subscription, makeStateEvent(1, 50)))
  assert.equal(matchEvent(subscription, makeStateEvent(1, 51)), undefined)
  assert.ok(matchEvent(subscription, makeJettonEvent(1, 2, 3, 50)))
})

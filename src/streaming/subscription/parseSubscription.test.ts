import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKeyOf, parseAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import { parseOperation, queryToSubscription } from './operations.ts'
import { parseSubscription, type SubscriptionOptions } from './parseSubscription.ts'
import { type Subscription, SubscriptionError } from './Subscription.ts'

const raw = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const friendly = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const other = `0:${'11'.repeat(32)}`
const hash = '7shPEyRwOSKPPGWkko7MZQbLq+xdEq+tiA9c7UMnb8I='
const hashHex = toHex(Buffer.from(hash, 'base64'))

const keyOf = (address: string): string => keyText(addressKeyOf(parseAddress(address)))
const hashKey = keyText(Buffer.from(hash, 'base64'))

const expandActionTypes = (words: readonly string[]): readonly string[] => ['ton_transfer', ...words]

const base: SubscriptionOptions = { transport: 'sse', mayStreamAll: false, expandActionTypes }

const parse = (value: unknown, options: Partial<SubscriptionOptions> = {}): Subscription =>
  parseSubscription(value, { ...base, ...options }).subscription

const refuse = (value: unknown, answer: object, options: Partial<SubscriptionOptions> = {}): void => {
  assert.throws(
    () => parseSubscription(value, { ...base, ...options }),
    (error) => {
      assert.ok(error instanceof SubscriptionError, String(error))
      assert.deepEqual(error.toAnswer(), answer)
      return true
    },
  )
}

test('2.1: defaults, and addresses and hashes in any form without duplicates', () => {
  const found = parse({
    types: ['transactions', 'trace', 'trace_invalidated'],
    addresses: [raw, friendly, other],
    trace_external_hash_norms: [` ${hash} `, hashHex, `0x${hashHex}`],
    unknown: 5,
  })
  assert.deepEqual(found, {
    types: new Set(['transactions', 'trace']),
    addresses: new Set([keyOf(raw), keyOf(other)]),
    selectsByFilter: false,
    traceHashes: new Set([hashKey]),
    tracesByAddress: false,
    minFinality: 'finalized',
    actionTypes: new Set(),
    supportedTypes: new Set(['ton_transfer']),
    withAddressBook: false,
    withMetadata: false,
    extended: false,
    heads: false,
    deliver: 'trace',
    filters: {
      opcodes: undefined,
      jettonMasters: undefined,
      codeHashes: undefined,
      messageKinds: undefined,
      minValue: undefined,
      success: undefined,
    },
    since: { kind: 'head' },
    until: undefined,
    onGap: 'fail',
  })
})

test('2.1: supported_action_types default to the header X-Actions-Version', () => {
  const value = { types: ['actions'], addresses: [raw] }
  assert.deepEqual(parse(value, { actionsVersion: 'v2' }).supportedTypes, new Set(['ton_transfer', 'v2']))
  const named = { ...value, supported_action_types: ['a', 'b'] }
  assert.deepEqual(parse(named, { actionsVersion: 'v2' }).supportedTypes, new Set(['ton_transfer', 'a', 'b']))
  assert.equal(parse(value).supportedTypes, parse(value).supportedTypes)
})

test('2.2: faults of an SSE body, with their texts', () => {
  const ok = { id: 'q', types: ['transactions'], addresses: [raw] }
  const cases: [value: unknown, error: string, id?: string][] = [
    [5, 'invalid subscription request: expected a JSON object'],
    [[], 'invalid subscription request: expected a JSON object'],
    [{ ...ok, id: 5 }, 'invalid subscription request: id must be text'],
    [{ ...ok, types: 'transactions' }, 'invalid subscription request: types must be a list of text'],
    [{ ...ok, addresses: [5] }, 'invalid subscription request: addresses must be a list of text'],
    [{ ...ok, min_finality: 'final' }, 'invalid subscription request: unknown finality state: final'],
    [{ ...ok, include_metadata: 1 }, 'invalid subscription request: include_metadata must be true or false'],
    [{ ...ok, deliver: 'x' }, 'invalid subscription request: deliver must be trace or transaction'],
    [
      { ...ok, action_types: Array(1001).fill('a') },
      'invalid subscription request: action_types has more than 1000 items',
    ],
    [{ ...ok, id: 'i'.repeat(201) }, 'invalid subscription request: id is longer than 200 characters'],
    [{ ...ok, types: [] }, 'types are required for subscription', 'q'],
    [{ ...ok, types: ['trace_invalidated'] }, 'types are required for subscription', 'q'],
    [{ ...ok, types: ['blocks', 'x'] }, 'invalid event type: x', 'q'],
    [{ ...ok, addresses: ['x'] }, 'invalid address: x', 'q'],
    [{ ...ok, addresses: ['x'.repeat(500)] }, `invalid address: ${'x'.repeat(100)}…`, 'q'],
    [
      { ...ok, types: ['trace'], trace_external_hash_norms: [' '] },
      'trace_external_hash_norms contains empty value',
      'q',
    ],
    [{ ...ok, trace_external_hash_norms: [hash] }, 'trace_external_hash_norms requires type "trace"', 'q'],
    [{ types: ['trace'] }, 'trace_external_hash_norms are required for trace subscription'],
    [{ types: ['transactions'] }, 'addresses are required for subscription'],
    [
      { types: ['transactions', 'trace'], trace_external_hash_norms: [hash] },
      'addresses are required for subscription',
    ],
  ]
  for (const [value, error, id] of cases) refuse(value, { ...(id !== undefined && { id }), error })
})

test('2.2: faults are found in the order of the contract', () => {
  // Each has all the faults after it, too.
  const faults = [
    { min_finality: 'final' },
    { types: ['x'] },
    { addresses: ['bad'] },
    { trace_external_hash_norms: ['', hash] },
    { trace_external_hash_norms: [hash] },
  ]
  const texts = [
    'invalid subscription request: unknown finality state: final',
    'invalid event type: x',
    'invalid address: bad',
    'trace_external_hash_norms contains empty value',
    'trace_external_hash_norms requires type "trace"',
  ]
  for (const [k, error] of texts.entries()) {
    const value = Object.assign({ types: ['transactions'], addresses: [] }, ...faults.slice(k).reverse())
    refuse(value, { error })
  }
})

test('1.2: addresses and trace hashes count, the limit is told last', () => {
  const value = { types: ['trace'], addresses: [raw, friendly, other], trace_external_hash_norms: [hash] }
  assert.equal(parse(value, { maxAddresses: 3 }).traceHashes.size, 1)
  assert.equal(parse(value, { maxAddresses: -1 }).traceHashes.size, 1)
  refuse(value, { error: 'too many addresses: 3 > max 2' }, { maxAddresses: 2 })
  refuse(value, { error: 'address limit exceeded: current 0 + new 3 > max 0' }, { maxAddresses: 0, transport: 'ws' })
  refuse({ ...value, since: 'x' }, { error: 'invalid since: x' }, { maxAddresses: 0 })
})

test('5.3: since, until and Last-Event-ID', () => {
  const value = { types: ['blocks'], since: { mc_seqno: 5 }, until: 'head', on_gap: 'mark' }
  const { since, until, onGap, extended } = parse(value)
  assert.deepEqual([since, until, onGap, extended], [{ kind: 'block', mcSeqno: 5 }, { kind: 'head' }, 'mark', false])
  const id = { mcSeqno: 8, lt: 5n, kind: 'tx', subject: '0000000000000001' }
  assert.deepEqual(parse(value, { lastEventId: 'f-8-5-tx-0000000000000001' }).since, { kind: 'id', id })
  refuse({ ...value, since: { seqno: 5 } }, { error: 'invalid since: {"seqno":5}' })
  refuse({ ...value, until: 'x' }, { error: 'invalid until: x' })
  refuse(value, { error: 'invalid since: x' }, { lastEventId: 'x' })
})

test('5.4: filters are read, bounded, and refused where they would do nothing', () => {
  const value = { types: ['transactions'], addresses: [raw] }
  const { filters, extended } = parse({
    ...value,
    filters: {
      opcodes: ['0x0f8a7ea5', '260734629', -5, 4294967291],
      jetton_masters: [friendly],
      code_hashes: [hash],
      message_kinds: ['internal', 'bounced'],
      min_value: '1000000000000000000000',
      success: false,
    },
  })
  assert.equal(extended, true)
  assert.deepEqual(filters, {
    opcodes: new Set([0x0f8a7ea5, -5]),
    jettonMasters: new Set([keyOf(raw)]),
    codeHashes: new Set([hashKey]),
    messageKinds: new Set(['internal', 'bounced']),
    minValue: 10n ** 21n,
    success: false,
  })
  const refused: [filters: object, error: string][] = [
    [{ opcode: ['1'] }, 'unknown filter: opcode'],
    [{ opcodes: ['xyz'] }, 'invalid filters.opcodes: xyz'],
    [{ opcodes: '1' }, 'invalid filters.opcodes: 1'],
    [{ opcodes: Array(101).fill('1') }, 'too many filters.opcodes: 101 > max 100'],
    [{ code_hashes: Array(21).fill(hash) }, 'too many filters.code_hashes: 21 > max 20'],
    [{ code_hashes: ['x'] }, 'invalid filters.code_hashes: x'],
    [{ jetton_masters: ['x'] }, 'invalid address: x'],
    [{ message_kinds: ['x'] }, 'invalid filters.message_kinds: x'],
    [{ min_value: '-1' }, 'invalid filters.min_value: -1'],
    [{ min_value: 5 }, 'invalid filters.min_value: 5'],
    [{ success: 'true' }, 'invalid filters.success: true'],
  ]
  for (const [given, error] of refused) refuse({ ...value, filters: given }, { error })
  const states = { types: ['account_state_change'], addresses: [raw], filters: { success: true } }
  refuse(states, { error: 'filters.success requires type "transactions"' })
  refuse({ ...value, filters: 5 }, { error: 'invalid subscription request: filters must be an object' })
})

test('5.4: what may stand instead of addresses', () => {
  const byMaster = parse({ types: ['jettons_change'], filters: { jetton_masters: [raw] } })
  assert.deepEqual([byMaster.selectsByFilter, byMaster.extended], [true, true])
  assert.equal(parse({ types: ['trace'], filters: { code_hashes: [hash] } }).tracesByAddress, true)
  refuse(
    { types: ['transactions'], filters: { opcodes: ['1'], code_hashes: [] } },
    { error: 'addresses are required for subscription' },
  )
  const traces = parse({ types: ['trace'], addresses: [raw] })
  assert.deepEqual([traces.tracesByAddress, traces.extended], [true, true])
  const blocks = parse({ types: ['blocks'] })
  assert.deepEqual([blocks.extended, blocks.heads], [false, true])
  assert.equal(parse({ types: ['transactions'], addresses: [raw], extended: true }).heads, true)
})

test('5.4: every address needs the scope stream:all', () => {
  const value = { id: 'a', types: ['transactions'], addresses: ['*', raw] }
  const found = parse(value, { mayStreamAll: true })
  assert.deepEqual([found.addresses, found.extended], ['all', true])
  assert.throws(() => parse(value), { status: 403, message: 'addresses "*" need a key with the scope stream:all' })
})

test('5.4: webhooks deliver transactions, extended, and heads only with blocks', () => {
  const found = parse({ types: ['transactions'], addresses: [raw] }, { transport: 'webhook' })
  assert.deepEqual([found.deliver, found.extended, found.heads], ['transaction', true, false])
})

const operate = (value: unknown, former?: Subscription, maxAddresses?: number) =>
  parseOperation(typeof value === 'string' ? value : JSON.stringify(value), { ...base, former, maxAddresses })

const refuseOperation = (value: unknown, answer: object, former?: Subscription): void => {
  assert.throws(
    () => operate(value, former),
    (error) => {
      assert.ok(error instanceof SubscriptionError, String(error))
      assert.deepEqual(error.toAnswer(), answer)
      return true
    },
  )
}

test('2.3: faults of operations, with their texts', () => {
  refuseOperation('{', { error: 'invalid request envelope: not valid JSON' })
  refuseOperation('5', { error: 'invalid request envelope: expected a JSON object' })
  refuseOperation({ operation: 'ping', id: 5 }, { error: 'invalid request envelope: id must be text' })
  refuseOperation({ operation: 'x', id: 'a' }, { id: 'a', error: 'unknown operation: x' })
  refuseOperation({ id: 'a' }, { id: 'a', error: 'unknown operation: ' })
  refuseOperation(
    { operation: 'subscribe', types: 5 },
    { error: 'invalid subscribe request: types must be a list of text' },
  )
  refuseOperation({ operation: 'subscribe', id: 'a' }, { id: 'a', error: 'types are required' })
  refuseOperation({ operation: 'subscribe', types: ['actions'] }, { error: 'addresses are required' })
  refuseOperation(
    { operation: 'unsubscribe', id: 'a' },
    { id: 'a', error: 'addresses or trace_external_hash_norms are required' },
  )
  refuseOperation(
    { operation: 'unsubscribe', addresses: 5 },
    { error: 'invalid unsubscribe request: addresses must be a list of text' },
  )
  refuseOperation({ operation: 'unsubscribe', id: 'a', addresses: ['x'] }, { id: 'a', error: 'invalid address: x' })
})

const subscribe = (value: object, former?: Subscription): Subscription => {
  const operation = operate({ operation: 'subscribe', ...value }, former)
  assert.ok(operation.kind === 'subscribe')
  return operation.subscription
}

test('2.3: ping', () => {
  assert.deepEqual(operate({ operation: 'ping', id: 'a' }), { kind: 'ping', id: 'a' })
  assert.deepEqual(operate({ operation: 'ping', id: null }), { kind: 'ping', id: undefined })
})

test('2.3: a second subscribe replaces addresses, types and hashes, and keeps what it leaves out', () => {
  const first = subscribe({
    types: ['actions', 'trace'],
    addresses: [raw],
    trace_external_hash_norms: [hash],
    min_finality: 'pending',
    include_address_book: true,
    include_metadata: true,
    supported_action_types: ['a'],
    action_types: ['b'],
  })
  const second = subscribe({ types: ['transactions'], addresses: [other] }, first)
  assert.deepEqual(second, {
    ...first,
    types: new Set(['transactions']),
    addresses: new Set([keyOf(other)]),
    traceHashes: new Set(),
  })
  const third = subscribe({ types: ['actions'], addresses: [raw], action_types: [], include_metadata: false }, second)
  assert.deepEqual([third.actionTypes, third.withMetadata, third.minFinality], [new Set(), false, 'pending'])
})

test('2.3: unsubscribe removes, unknown ones are no fault, and never widens', () => {
  const value = { types: ['trace', 'transactions'], addresses: [raw], trace_external_hash_norms: [hash] }
  const first = subscribe({ ...value, filters: { jetton_masters: [other] } })
  const operation = operate(
    { operation: 'unsubscribe', addresses: [friendly, other], trace_external_hash_norms: [hashHex] },
    first,
  )
  assert.ok(operation.kind === 'unsubscribe')
  assert.deepEqual(operation.subscription, { ...first, addresses: new Set(), traceHashes: new Set() })
  assert.equal(operation.subscription.selectsByFilter, false)
  const early = operate({ operation: 'unsubscribe', id: 'x', addresses: [raw] })
  assert.deepEqual([early.kind, early.id], ['unsubscribe', 'x'])
})

test('5.6: the fields of a query are those of a body', () => {
  const value = queryToSubscription({
    types: ['transactions', 'actions'],
    addresses: [`${raw},${friendly}`, other],
    trace_external_hash_norms: [],
    extended: ['0', 'true'],
    min_finality: ['pending'],
    'since.mc_seqno': ['12'],
    'filters.opcodes': ['0x1', '2'],
    'filters.jetton_masters': [raw],
    'filters.success': ['1'],
    'filters.min_value': ['5'],
    api_key: ['secret'],
  })
  assert.deepEqual(value, {
    types: ['transactions', 'actions'],
    addresses: [raw, friendly, other],
    trace_external_hash_norms: [],
    extended: true,
    min_finality: 'pending',
    since: { mc_seqno: 12 },
    filters: Object.assign(Object.create(null), {
      opcodes: ['0x1', '2'],
      jetton_masters: [raw],
      success: true,
      min_value: '5',
    }),
  })
  assert.equal(parse(value).filters.success, true)
  refuse(queryToSubscription({ types: ['blocks'], extended: ['maybe'] }), {
    error: 'invalid subscription request: extended must be true or false',
  })
  refuse(queryToSubscription({ types: ['transactions'], addresses: [raw], 'filters.x': ['1'] }), {
    error: 'unknown filter: x',
  })
  refuse(queryToSubscription({ types: ['transactions,actions'] }), {
    error: 'invalid event type: transactions,actions',
  })
  refuse(queryToSubscription({ types: ['blocks'], 'since.mc_seqno': ['x'] }), {
    error: 'invalid since: {"mc_seqno":"x"}',
  })
})

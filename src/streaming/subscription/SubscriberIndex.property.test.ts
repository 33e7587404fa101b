import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
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
import { toBase64 } from '../../primitives/base64.ts'
import { toUpperHex } from '../../primitives/hex.ts'
import { keyText } from '../../store/reader/TransactionRecord.ts'
import type { StreamEvent } from '../events.ts'
import { matchEvent } from './matchEvent.ts'
import { parseOperation } from './operations.ts'
import { parseSubscription, type SubscriptionOptions } from './parseSubscription.ts'
import { SubscriberIndex } from './SubscriberIndex.ts'
import { eventTypes, type Subscription, SubscriptionError } from './Subscription.ts'

const rawOf = (byte: number): string => `0:${toUpperHex(accountKey(byte)).slice(2)}`

const options: SubscriptionOptions = { transport: 'sse', mayStreamAll: true, expandActionTypes: () => ['ton_transfer'] }

// Few values, so that subscriptions and events meet.
const byte = fc.integer({ min: 1, max: 4 })
const addresses = fc.array(
  fc.oneof({ weight: 12, arbitrary: byte.map(rawOf) }, { weight: 1, arbitrary: fc.constant('*') }),
  { maxLength: 3 },
)
const hashes = fc.array(
  byte.map((each) => toBase64(hashOf(each))),
  { maxLength: 2 },
)

const subscription = fc
  .record(
    {
      types: fc.array(fc.constantFrom(...eventTypes), { minLength: 1, maxLength: 4 }),
      addresses,
      trace_external_hash_norms: hashes,
      min_finality: fc.constantFrom('pending', 'confirmed', 'finalized'),
      extended: fc.boolean(),
      deliver: fc.constantFrom('trace', 'transaction'),
      filters: fc.record(
        { jetton_masters: fc.array(byte.map(rawOf), { maxLength: 2 }), code_hashes: hashes },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['types'] },
  )
  .map((value): Subscription | undefined => {
    try {
      return parseSubscription(value, options).subscription
    } catch (error) {
      assert.ok(error instanceof SubscriptionError, String(error))
      return undefined
    }
  })
  .filter((found) => found !== undefined)

const facts = fc
  .array(fc.record({ account: byte, codeHash: byte, jettonMaster: fc.option(byte) }), { maxLength: 3 })
  .map(
    (list) =>
      new Map(
        list.map(({ account, codeHash, jettonMaster }) => [
          keyText(accountKey(account)),
          { codeHash: hashOf(codeHash), jettonMaster: jettonMaster === null ? undefined : accountKey(jettonMaster) },
        ]),
      ),
  )

const transactions = fc.array(
  fc
    .record({ account: byte, lt: fc.integer({ min: 1, max: 100 }), code: fc.option(byte, { nil: undefined }) })
    .map(makeTransaction),
  { maxLength: 4 },
)
const actions = fc.array(
  fc
    .record({ accounts: fc.array(byte, { maxLength: 2 }), details: byte.map((each) => ({ asset: rawOf(each) })) })
    .map(makeAction),
  { maxLength: 3 },
)
const finality = fc.constantFrom('pending' as const, 'confirmed' as const, 'finalized' as const)

const event: fc.Arbitrary<StreamEvent> = fc.oneof(
  fc
    .record({
      kind: fc.constantFrom('tx' as const, 'ac' as const, 'tr' as const),
      norm: fc.option(byte),
      transactions,
      actions,
      facts,
      finality,
    })
    .map(({ kind, norm, finality: own, ...trace }) =>
      makeTraceEvent(kind, { ...trace, externalHashNorm: norm === null ? undefined : hashOf(norm) }, own),
    ),
  fc.tuple(byte, transactions, facts).map((args) => makeAccountEvent(...args)),
  fc.tuple(byte, byte, facts).map((args) => makeStateEvent(...args)),
  fc.tuple(byte, byte, byte, byte).map((args) => makeJettonEvent(...args)),
  fc.constantFrom('expired' as const, 'invalidated' as const).map((kind) => makeInvalidation(kind)),
)

type Subscriber = { readonly n: number }

test('the index finds every subscriber that an event matches, after any changes of subscriptions', () => {
  const change = fc.record({ n: fc.integer({ min: 0, max: 5 }), given: fc.option(subscription) })
  let matches = 0
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), fc.array(event, { maxLength: 10 }), (changes, events) => {
      const subscribers = Array.from({ length: 6 }, (_, n): Subscriber => ({ n }))
      const index = new SubscriberIndex<Subscriber>()
      const present = new Map<Subscriber, Subscription>()
      for (const { n, given } of changes) {
        const subscriber = subscribers[n]!
        index.set(subscriber, given ?? undefined)
        if (given === null) present.delete(subscriber)
        else present.set(subscriber, given)
      }
      assert.equal(index.size, present.size)
      for (const each of events) {
        const found = index.find(each)
        for (const subscriber of found) assert.ok(present.has(subscriber))
        for (const [subscriber, own] of present) {
          if (matchEvent(own, each) === undefined) continue
          matches++
          assert.ok(found.has(subscriber), `${each.kind} ${subscriber.n}`)
        }
      }
      for (const subscriber of subscribers) index.set(subscriber, undefined)
      assert.deepEqual([index.size, index.keyCount], [0, 0])
      for (const each of events) assert.equal(index.find(each).size, 0)
    }),
    { numRuns: 500 },
  )
  assert.ok(matches > 500, String(matches))
})

test('finding takes as long with many subscribers as with few', () => {
  const index = new SubscriberIndex<Subscriber>()
  const { subscription: own } = parseSubscription({ types: ['transactions'], addresses: [rawOf(1)] }, options)
  index.set({ n: 0 }, own)
  for (let n = 1; n <= 20_000; n++) {
    const key = keyText(Uint8Array.of(0, n >> 8, n & 255, ...new Uint8Array(30).fill(9)))
    index.set({ n }, { ...own, addresses: new Set([key]) })
  }
  assert.deepEqual(
    [...index.find(makeTraceEvent('tx', { transactions: [makeTransaction({ account: 1, lt: 1 })] }))],
    [{ n: 0 }],
  )
  assert.equal(index.keyCount, 20_001)
})

test('hostile frames and bodies are refused with our error, never another', () => {
  const names = [
    'types',
    'addresses',
    'trace_external_hash_norms',
    'filters',
    'since',
    'until',
    'id',
    'operation',
    'deliver',
    'min_finality',
  ]
  const value = fc.oneof(
    fc.dictionary(fc.constantFrom(...names, '__proto__', 'constructor'), fc.jsonValue(), { noNullPrototype: true }),
    fc.record(
      {
        types: fc.array(fc.constantFrom(...eventTypes)),
        addresses: fc.array(fc.constantFrom('*', rawOf(1))),
        filters: fc.jsonValue(),
        since: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(value, fc.constantFrom('subscribe', 'unsubscribe', undefined), (given, operation) => {
      const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
      const frame = JSON.stringify(isObject && operation !== undefined ? { ...given, operation } : given)
      for (const parse of [() => parseOperation(frame, options), () => parseSubscription(JSON.parse(frame), options)]) {
        try {
          parse()
        } catch (error) {
          assert.ok(error instanceof SubscriptionError, String(error))
          assert.ok(error.message.length < 400)
        }
      }
    }),
    { numRuns: 1000 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  comparePositions,
  endOfBlock,
  formatEventId,
  InvalidSinceError,
  indexAfter,
  parseEventId,
  parseSince,
  subjectOf,
} from './eventIds.ts'

const sorted = [
  'f-7-99-st-ffffffffffffffff',
  'f-8-5-tx-0000000000000001',
  'f-8-5-tx-00000000000000ff',
  'f-8-5-st-0000000000000000',
  'f-8-5-je-0000000000000000',
  'f-8-5-ac-0000000000000000',
  'f-8-5-tr-0000000000000000',
  'f-8-5-bl-0000000000000000',
  'f-8-64153276000007-tx-eec84f1324703922',
  'f-8-6-hd-0000000000000000',
  's-8-00000000-0',
  's-8-00000000-10',
  's-8-1234abcd-9',
  'f-9-0-tx-0000000000000000',
]

test('an id is read as it was written, and ids have one order', () => {
  for (const [k, a] of sorted.entries()) {
    assert.equal(formatEventId(parseEventId(a)), a)
    for (const [l, b] of sorted.entries()) {
      assert.equal(Math.sign(comparePositions(parseEventId(a), parseEventId(b))), Math.sign(k - l), `${a} ${b}`)
    }
  }
})

test('anything else is refused with the text of the contract', () => {
  const refused = [
    '',
    'head ',
    'f-8-5-tx-1',
    'f-8-5-tx-000000000000000G',
    'f-8-5-tx-000000000000000A',
    'f-08-5-tx-0000000000000001',
    'f--8-5-tx-0000000000000001',
    'f-8-5-xx-0000000000000001',
    'f-2147483648-5-tx-0000000000000001',
    'f-8-9223372036854775808-tx-0000000000000001',
    'f-8-5-tx-0000000000000001\n',
    's-8-1234abc-1',
    's-8-1234abcd-9007199254740992',
    's-8-1234abcd-01',
    'e-8',
    '{"mc_seqno":-1}',
    '{"mc_seqno":1.5}',
    '{"mc_seqno":"1"}',
    '{"mc_seqno":1,"utime":2}',
    '{"mc_seqno":1,"more":2}',
    '{"utime":4294967296}',
    '{}',
    '{',
  ]
  for (const value of refused) {
    assert.throws(
      () => parseSince(value),
      new InvalidSinceError(value.startsWith('{"') ? JSON.parse(value) : value === '{}' ? {} : value),
    )
  }
  assert.throws(() => parseSince('now'), { name: 'InvalidSinceError', message: 'invalid since: now' })
  assert.throws(() => parseSince({ seqno: 1 }), { message: 'invalid since: {"seqno":1}' })
  for (const value of [undefined, null, 5, [], true]) assert.throws(() => parseSince(value), InvalidSinceError)
})

test('a stream begins at an id, after a block, at a time or at the head', () => {
  assert.deepEqual(parseSince('head'), { kind: 'head' })
  assert.deepEqual(parseSince({ mc_seqno: 0 }), { kind: 'block', mcSeqno: 0 })
  assert.deepEqual(parseSince('{"mc_seqno": 12}'), { kind: 'block', mcSeqno: 12 })
  assert.deepEqual(parseSince({ utime: 1_700_000_000 }), { kind: 'time', utime: 1_700_000_000 })
  assert.deepEqual(parseSince('f-8-5-tx-0000000000000001'), {
    kind: 'id',
    id: { mcSeqno: 8, lt: 5n, kind: 'tx', subject: '0000000000000001' },
  })
})

test('a cursor may stand in the middle of a block, at its end, or in a block that lacks the event', () => {
  const events = sorted.filter((id) => id.startsWith('f-8-')).map((id) => ({ id }))
  assert.equal(indexAfter(events, endOfBlock(7)), 0)
  assert.equal(indexAfter(events, endOfBlock(8)), events.length)
  assert.equal(indexAfter(events, endOfBlock(9)), events.length)
  for (const [k, { id }] of events.entries()) assert.equal(indexAfter(events, parseEventId(id)), k + 1)
  assert.equal(indexAfter(events, parseEventId('f-8-5-st-1111111111111111')), 3)
  assert.equal(indexAfter(events, parseEventId('f-8-9999-hd-1111111111111111')), events.length)
  assert.equal(indexAfter(events, parseEventId('s-8-1234abcd-1')), events.length)
  assert.equal(comparePositions(endOfBlock(8), parseEventId('f-8-6-hd-0000000000000000')), 0)
})

test('a subject is the start of a hash', () => {
  assert.equal(subjectOf(Uint8Array.of(0, 1, 2, 255, 128, 0, 0, 9, 77)), '000102ff80000009')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { ShapeInventory } from './ShapeInventory.ts'

const internal = { hash: `${'A'.repeat(43)}=`, source: `0:${'A'.repeat(64)}`, destination: `0:${'B'.repeat(64)}` }
const recorded = {
  transactions: [
    { lt: '5', in_msg: { ...internal, message_content: { body: null } }, out_msgs: [] },
    { lt: '5', in_msg: null, out_msgs: [] },
  ],
}

const compare = (ours: JsonValue): string[] => {
  const [known, own] = [new ShapeInventory(), new ShapeInventory()]
  known.add(recorded, 'answer')
  own.add(ours, 'answer')
  return own.compareWith(known).lines
}

test('members that are missing, that are more, and that are written otherwise', () => {
  const [first] = recorded.transactions
  assert.deepEqual(compare(recorded), [])
  assert.deepEqual(compare({ transactions: [] }), [])
  assert.deepEqual(compare({ transactions: [{ ...first!, lt: 5 }] }), [
    'Transaction.lt: recorded decimal digits, ours integer',
  ])
  const { hash: _hash, ...nameless } = internal
  assert.deepEqual(
    compare({ transactions: [{ ...first!, in_msg: { ...nameless, message_content: { body: null } } }] }),
    ['Message{internal}.hash: recorded hash as base64, ours none'],
  )
  const written = { ...internal, hash: 'ab'.repeat(32), more: true, message_content: { body: null } }
  assert.deepEqual(compare({ transactions: [{ ...first!, in_msg: written }] }), [
    'Message{internal}.hash: recorded hash as base64, ours hash as hexadecimal digits',
    'Message{internal}.more: not recorded, ours boolean',
  ])
  // Of kinds that only one of them has, nothing is said.
  const outside = { ...internal, source: null, message_content: { body: null, decoded: {} } }
  assert.deepEqual(compare({ transactions: [{ ...first!, in_msg: outside }] }), [])
})

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { hashKey, makeKey, parseKey } from './keyText.ts'

test('a key says for which network it is and what it is called, and all the rest is chance', () => {
  const keys = Array.from({ length: 2000 }, () => makeKey('main'))
  for (const { text, id, network } of keys) {
    assert.match(text, /^cc_main_[0-9a-hjkmnp-tv-z]{10}_[0-9a-hjkmnp-tv-z]{32}$/)
    assert.deepEqual(parseKey(text), { text, id, network })
    assert.equal(text.slice(0, id.length + 1), `${id}_`)
  }
  assert.equal(new Set(keys.map(({ id }) => id)).size, keys.length)
  // Every letter is as likely as any other: 2000 of each are expected.
  const counts = new Map<string, number>()
  for (const { text } of keys) for (const letter of text.slice(-32)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 32)
  for (const [letter, count] of counts) assert.ok(count > 1700 && count < 2300, `${letter} came ${count} times`)
})

test('what has not the form of a key is none', () => {
  const { text } = makeKey('test')
  const wrong = ['', 'x', text.slice(1), text.slice(0, -1), `${text}0`, ` ${text}`, `${text}\n`, text.toUpperCase()]
  for (const each of [...wrong, text.replace(/.$/, 'l'), 'cc_main', 'é'.repeat(60), '_'.repeat(79)]) {
    assert.equal(parseKey(each), undefined, each)
  }
})

test('the hash of a key', () => {
  const secret = Buffer.alloc(32, 1)
  const expected = createHmac('sha256', secret).update('key cc_main_x').digest('hex')
  assert.equal(hashKey(secret, 'cc_main_x').toString('hex'), expected)
  assert.notEqual(hashKey(Buffer.alloc(32, 2), 'cc_main_x').toString('hex'), expected)
})

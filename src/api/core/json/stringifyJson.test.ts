import assert from 'node:assert/strict'
import test from 'node:test'
import { stringifyJson } from './stringifyJson.ts'

test('bigints are written as numbers, everything else as JSON.stringify has it', () => {
  assert.equal(
    stringifyJson({ a: 1n, b: [2n ** 70n, 'x'], c: undefined, d: { e: null } }),
    '{"a":1,"b":[1180591620717411303424,"x"],"d":{"e":null}}',
  )
  assert.equal(stringifyJson([undefined, 1n]), '[null,1]')
  assert.equal(stringifyJson({ 'a"b': '\ud800\n' }), '{"a\\"b":"\\ud800\\n"}')
  assert.equal(stringifyJson({ 'a"b': '\ud800\n', n: 1n }), '{"a\\"b":"\\ud800\\n","n":1}')
  assert.equal(stringifyJson(undefined), 'null')
  assert.equal(stringifyJson(5n), '5')
})

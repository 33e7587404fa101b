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

test('what is nested deeper than the built-in way goes is written all the same', () => {
  let value: unknown = { 'a"b': [1n, undefined, 'x'], none: undefined }
  for (let depth = 0; depth < 20_000; depth++) value = [{ next: value, null: null }]
  const open = '[{"next":'.repeat(20_000)
  assert.equal(stringifyJson(value), `${open}{"a\\"b":[1,null,"x"]}${',"null":null}]'.repeat(20_000)}`)
})

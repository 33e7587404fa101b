import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asJson, readTexts, recordAsJson } from './JsonText.ts'
import { stringifyJson } from './stringifyJson.ts'

test('texts stand in the places of what they are the JSON of', () => {
  const list = asJson<number[]>('[1,2]')
  const cases: readonly [unknown, string][] = [
    [list, '[1,2]'],
    [{ a: list, b: 'x', c: [list, { d: list }] }, '{"a":[1,2],"b":"x","c":[[1,2],{"d":[1,2]}]}'],
    [
      {
        book: recordAsJson([
          ['k', '{"v":"é\\n"}'],
          ['l', 'null'],
        ]),
      },
      '{"book":{"k":{"v":"é\\n"},"l":null}}',
    ],
    [recordAsJson([]), '{}'],
    // The other way of writing, which takes bigints, knows them as well.
    [{ n: 1n, a: [list] }, '{"n":1,"a":[[1,2]]}'],
    [{ a: asJson(stringifyJson({ b: list })) }, '{"a":{"b":[1,2]}}'],
  ]
  for (const [value, text] of cases) {
    assert.equal(stringifyJson(value), text)
    assert.deepEqual(JSON.parse(text), JSON.parse(stringifyJson(readTexts(value))))
  }
})

test('what failed to be written leaves nothing behind', () => {
  const failing = { a: asJson('1'), b: { toJSON: () => assert.fail('not writable') } }
  assert.throws(() => stringifyJson(failing), /not writable/)
  assert.equal(stringifyJson({ a: 2, b: asJson('3') }), '{"a":2,"b":3}')
})

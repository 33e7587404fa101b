import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asJson, encodeJson, listAsJson, readTexts, recordAsJson, stringifyJson, textOf } from './stringifyJson.ts'

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

test('UTF-8 stands beside text, in lists and objects, in both ways of writing', () => {
  const bytes = Buffer.from('{"é":"🎉"}')
  const cases: readonly [unknown, string][] = [
    [asJson(bytes), '{"é":"🎉"}'],
    [{ a: asJson(bytes), b: 'ü' }, '{"a":{"é":"🎉"},"b":"ü"}'],
    [{ n: 1n, a: asJson(bytes), l: listAsJson([bytes]) }, '{"n":1,"a":{"é":"🎉"},"l":[{"é":"🎉"}]}'],
    [listAsJson(['1', bytes, '"ö"']), '[1,{"é":"🎉"},"ö"]'],
    [
      recordAsJson([
        ['a', '1'],
        ['b', bytes],
        ['c', bytes],
        ['d', '2'],
      ]),
      '{"a":1,"b":{"é":"🎉"},"c":{"é":"🎉"},"d":2}',
    ],
  ]
  for (const [value, text] of cases) {
    const json = encodeJson(value)
    assert.ok(json instanceof Uint8Array)
    assert.equal(textOf(json), text)
    assert.equal(stringifyJson(value), text)
    assert.deepEqual(JSON.parse(stringifyJson(readTexts(value))), JSON.parse(text))
  }
  assert.equal(encodeJson({ list: listAsJson(['1', '2']), none: listAsJson([]) }), '{"list":[1,2],"none":[]}')
  const many = Array.from({ length: 300_000 }, (_, k) => (k % 2 === 0 ? bytes : '1'))
  assert.equal(JSON.parse(stringifyJson({ many: listAsJson(many) })).many.length, many.length)
})

test('what failed to be written leaves nothing behind', () => {
  const failing = { a: asJson('1'), b: { toJSON: () => assert.fail('not writable') } }
  assert.throws(() => stringifyJson(failing), /not writable/)
  assert.equal(stringifyJson({ a: 2, b: asJson('3') }), '{"a":2,"b":3}')
})

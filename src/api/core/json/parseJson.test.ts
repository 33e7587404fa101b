import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidJsonError } from '../errors.ts'
import { parseJson } from './parseJson.ts'

const limits = { maxDepth: 5, maxValues: 20, maxDigits: 100 }

test('values are what JSON.parse says, but for integers that a number cannot hold', () => {
  const cases: [text: string, value: unknown][] = [
    ['{"a":[1,-2.5e3,"x",true,false,null,{}],"b":[]}', { a: [1, -2500, 'x', true, false, null, {}], b: [] }],
    [' \t\r\n[ 1 , 2 ] \n', [1, 2]],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9223372036854775808', -9223372036854775808n],
    [`1${'0'.repeat(90)}`, 10n ** 90n],
    ['-0', 0],
    ['0.1', 0.1],
    ['1e2', 100],
    ['"\\u0041\\n\\"\\\\\\ud83d\\ude00é😀"', 'A\n"\\😀é😀'],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"":1,"constructor":2,"toString":3}', { '': 1, constructor: 2, toString: 3 }],
  ]
  for (const [text, value] of cases) assert.deepEqual(parseJson(text, limits), value, text)
})

test('what is no JSON, or asks for too much, is refused with the place where it goes wrong', () => {
  const cases: [text: string, message: RegExp][] = [
    ['', /^Expected a value at character 0 of the JSON, but the text ends\.$/],
    ['nul', /^Expected a value at character 0 of the JSON, but found "n"\.$/],
    ['[1,]', /^Expected a value at character 3 /],
    ['[1 2]', /^Expected a comma or the end of the list at character 3 /],
    ['{"a" 1}', /^Expected a colon at character 5 /],
    ['{"a":1,}', /^Expected a name in double quotes at character 7 /],
    ["{'a':1}", /^Expected a name in double quotes at character 1 /],
    ['{"a":1', /^Expected a comma or the end of the object at character 6 of the JSON, but the text ends\.$/],
    ['1 1', /^Expected the end of the text at character 2 /],
    ['01', /^Expected the end of the text at character 1 /],
    ['+1', /^Expected a value/],
    ['.5', /^Expected a value/],
    ['1.', /^Expected the end of the text/],
    ['NaN', /^Expected a value/],
    ['"a\nb"', /^Expected no control character within a string at character 2 /],
    ['"a', /^Expected the end of a string/],
    ['"\\x41"', /^Expected a string with valid escapes at character 0 /],
    ['"\\', /^Expected the end of a string/],
    ['\ufeff1', /^Expected a value/],
    ['1e999', /^The number at character 0 of the JSON is too large\.$/],
    ['9'.repeat(101), /^The number at character 0 of the JSON is too large\.$/],
    ['[[[[[[1]]]]]]', /^The JSON is nested deeper than 5 levels\.$/],
    ['['.repeat(1_000_000), /^The JSON is nested deeper than 5 levels\.$/],
    ['{"a":'.repeat(100_000), /^The JSON is nested deeper than 5 levels\.$/],
    [`[${'1,'.repeat(20)}1]`, /^The JSON contains more than 20 values\.$/],
    ['{"__proto__":{"x":1}}', /__proto__/],
    ['{"\\u005f\\u005fproto__":1}', /__proto__/],
  ]
  for (const [text, message] of cases) {
    assert.throws(
      () => parseJson(text, limits),
      (error) => {
        assert.ok(error instanceof InvalidJsonError, `${text.slice(0, 40)}: ${error}`)
        assert.match(error.message, message)
        return true
      },
    )
  }
})

test('a megabyte of anything is read or refused at once', () => {
  const wide = { maxDepth: 128, maxValues: 100_000, maxDigits: 1000 }
  const texts = [
    `"${'a'.repeat(1 << 20)}"`,
    `"${'\\n'.repeat(1 << 19)}"`,
    `"${'\\'.repeat(1 << 20)}`,
    ' '.repeat(1 << 20),
    '9'.repeat(1 << 20),
    `0.${'9'.repeat(1 << 20)}`,
    `[${'0,'.repeat(1 << 19)}`,
    `{${'"a":0,'.repeat(1 << 17)}`,
    `[${'[],'.repeat(1 << 18)}`,
  ]
  for (const text of texts) {
    const start = performance.now()
    try {
      parseJson(text, wide)
    } catch (error) {
      assert.ok(error instanceof InvalidJsonError, `${error}`)
    }
    assert.ok(performance.now() - start < 2000, text.slice(0, 20))
  }
})

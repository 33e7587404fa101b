import assert from 'node:assert/strict'
import test from 'node:test'
import type { JsonValue } from '../../../src/api/core/json/parseJson.ts'
import { compareShapes } from './compareShapes.ts'

const hash = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM='
const other = 'P3lF+eqlE3QWGOMzsrHulBRN8rPSDu+lr9OLyDD/2Ic='

test('other data of the same shape is alike', () => {
  const pairs: [JsonValue, JsonValue][] = [
    [
      { lt: '1', hash },
      { hash: other, lt: '66822814000007' },
    ],
    [[{ a: 1 }], [{ a: 2 }, { a: 3 }]],
    [[], [1, 2]],
    [{ code: '' }, { code: 'te6cckEBAQEAAgAAAEysuc0=' }],
    [
      ['num', '0x1'],
      ['num', '-0x1f'],
    ],
    [{ '@type': 'ok' }, { '@type': 'ok' }],
    [{ message: 'hello' }, { message: 'привет' }],
  ]
  for (const [expected, actual] of pairs) assert.deepEqual(compareShapes(expected, actual, ''), [])
})

test('other members, types and encodings are told', () => {
  const pairs: [JsonValue, JsonValue, string[]][] = [
    [{ a: 1 }, {}, ['.a: expected integer, got none']],
    [{}, { a: 1 }, ['.a: expected none, got integer']],
    [{ a: 1 }, { a: '1' }, ['.a: expected integer, got decimal digits']],
    [{ a: 1.5 }, { a: 1 }, ['.a: expected fraction, got integer']],
    [{ a: hash }, { a: '08'.repeat(32) }, ['.a: expected hash as base64, got hash as hexadecimal digits']],
    [{ a: `0:${'aB'.repeat(32)}` }, { a: `0:${'ab'.repeat(32)}` }, ['.a: expected text, got raw address, lower case']],
    [{ '@type': 'raw.message' }, { '@type': 'ext.message' }, ['.@type: expected raw.message, got ext.message']],
    [[{ a: 1 }], [{ a: 1 }, { a: 'x' }], ['[1].a: expected integer, got word']],
    [
      ['num', '0x1'],
      ['cell', { bytes: '' }],
      ['.num: expected hexadecimal number, got none', '.cell: expected none, got object'],
    ],
    [{ a: null }, { a: 1 }, ['.a: expected null, got integer']],
  ]
  for (const [expected, actual, told] of pairs) assert.deepEqual(compareShapes(expected, actual, ''), told)
})

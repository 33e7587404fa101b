import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { CodedError } from '../../primitives/errors.ts'
import { parseDocument } from './parseDocument.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const parse = (text: string | Uint8Array) => parseDocument(typeof text === 'string' ? Buffer.from(text) : text)

test('numbers keep their digits', () => {
  const text = `{"safe": 9007199254740991, "next":9007199254740992,"big":-123456789012345678901234567890 ,
    "list":[18446744073709551615,1.5,-0,0.1,1e3],"huge":1e400,"tiny":1e-400,"text":"12345678901234567890","\\"1":{"a":99999999999999999}}`
  assert.deepEqual(parse(text), {
    safe: 9007199254740991,
    next: '9007199254740992',
    big: '-123456789012345678901234567890',
    list: ['18446744073709551615', 1.5, -0, 0.1, 1000],
    huge: '1e400',
    tiny: 0,
    text: '12345678901234567890',
    '"1': { a: '99999999999999999' },
  })
})

test('characters that the database does not take', () => {
  assert.deepEqual(
    parse('{"a\\u0000b":"c\\u0000d","half":"\\ud83dx\\ude00","whole":"\\ud83d\\ude00","list":["\\u0000"]}'),
    {
      ab: 'cd',
      half: '\ufffdx\ufffd',
      whole: '😀',
      list: [''],
    },
  )
  assert.deepEqual(parse(Buffer.from('{"a":"\xff\xc3","b":"ok"}', 'latin1')), { a: '\ufffd\ufffd', b: 'ok' })
  // A byte order mark is not part of the text.
  assert.deepEqual(parse('\ufeff{"a":1}'), { a: 1 })
})

test('a key can have any name', () => {
  const parsed = parse('{"__proto__":{"polluted":1},"constructor":2,"toString":3}')
  assert.deepEqual(Object.keys(parsed), ['__proto__', 'constructor', 'toString'])
  assert.equal(Object.getPrototypeOf(parsed), Object.prototype)
  assert.equal(({} as { polluted?: number }).polluted, undefined)
})

const refused: [string, RegExp][] = [
  ['', /not JSON/],
  ['<html></html>', /not JSON/],
  ['{"a":1', /not JSON/],
  ['{"a":"1', /not JSON/],
  [`{"a":012345678901234567890}`, /not JSON/],
  [`{"a":12345678901234567890x}`, /not JSON/],
  [`{"a":1234567890-1234567890}`, /not JSON/],
  ['{"a":NaN}', /not JSON/],
  ['null', /not a JSON object/],
  ['[{}]', /not a JSON object/],
  ['"text"', /not a JSON object/],
  ['12345678901234567890', /not a JSON object/],
  [`${'['.repeat(500_000)}`, /deeper than 32/],
  [`{"a":`.repeat(33), /deeper than 32/],
  [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, /deeper than 32/],
]

test('what is no object of JSON is refused', () => {
  for (const [text, expected] of refused) {
    assert.throws(
      () => parse(text),
      (error: unknown) => error instanceof CodedError && expected.test(error.message),
      text.slice(0, 50),
    )
  }
  const deepest = `{"a":${'['.repeat(31)}${']'.repeat(31)}}`
  assert.equal(JSON.stringify(parse(deepest)), deepest)
})

test('long documents take no longer than their length', () => {
  const size = 1_000_000
  const texts = ['\\"', '"', '{}', '1', '[],', '\\', '\ud800', '\0', ' '].flatMap((part) => {
    const many = part.repeat(size / part.length)
    return [many, `{"a":"${many}`, `{"a":"${many}"}`, `{"a":${many}}`]
  })
  const start = performance.now()
  for (const text of texts) {
    try {
      parse(text)
    } catch (error) {
      assert.ok(error instanceof CodedError, String(error))
    }
  }
  assert.ok(performance.now() - start < 15_000)
})

test('any value is as JSON.parse reads it', (t) => {
  t.diagnostic(`seed ${seed}`)
  const keepDigits = (_: string, value: unknown): unknown =>
    typeof value === 'number' && /^-?\d+$/.test(String(value)) && !Number.isSafeInteger(value) ? String(value) : value
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (object) => {
      const text = JSON.stringify(object)
      if (/\\u0000|\\ud[89a-f]/.test(text)) return
      assert.deepEqual(parse(text), JSON.parse(text, keepDigits))
    }),
    { seed, numRuns: 500 },
  )
})

test('any bytes are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ maxLength: 100 }).map((text) => Buffer.from(`{${text}}`)),
  )
  fc.assert(
    fc.property(bytes, (each) => {
      try {
        parse(each)
      } catch (error) {
        assert.ok(error instanceof CodedError, String(error))
      }
    }),
    { seed, numRuns: 2000 },
  )
})

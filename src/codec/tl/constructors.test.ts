import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileSchema } from './compileSchema.ts'
import { tlFunctionRows, tlTypeRows } from './constructors.ts'
import { parseSchema } from './parseSchema.ts'

/** CRC-32 bit by bit: the ids of the table from a second source. */
const crc32 = (text: string): number => {
  let crc = 0xffff_ffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

const rows = `${tlTypeRows}${tlFunctionRows}`.split('\n').filter((row) => row !== '')
const schema = parseSchema(tlTypeRows, tlFunctionRows)

test('every id is the checksum of its row, except where the row states another', () => {
  const differing = rows.filter(
    (row) => Number.parseInt(row.slice(0, 8), 16) !== crc32(row.slice(9).replace(/#[0-9a-f]{8}|[();]/g, '')),
  )
  assert.equal(rows.length, 96)
  assert.deepEqual(
    differing.map((row) => row.split(' ')[1]),
    [
      'liteServer.transactionId#b12f65af',
      'liteServer.signatureSet.ordinary#f644a6e6',
      'liteServer.getValidatorStats#091a58bc',
    ],
  )
  const stated = rows.flatMap((row) => /^([0-9a-f]{8}) [\w.]+#([0-9a-f]{8})/.exec(row)?.slice(1, 3).join() ?? [])
  assert.deepEqual(stated, ['b12f65af,b12f65af', 'f644a6e6,f644a6e6', '091a58bc,091a58bc'])
})

test('names, ids and keys are unique, and a flag is a bit of a flags word above its field', () => {
  assert.equal(schema.rows.filter(({ isFunction }) => isFunction).length, 35)
  assert.equal(new Set(schema.rows.map(({ name }) => name.toLowerCase())).size, rows.length)
  assert.equal(new Set(schema.rows.map(({ id }) => id)).size, rows.length)
  for (const { name, fields, result } of schema.rows) {
    assert.notEqual(result, 'union', `${name}: a function may not answer with one of several constructors`)
    assert.equal(new Set(fields.map(({ key }) => key)).size, fields.length, name)
    assert.ok(!fields.some(({ key }) => ['kind', 'r', 'w', 'v', 'i', 'present'].includes(key)), name)
    assert.ok(new Set(fields.flatMap(({ flag }) => flag?.key ?? [])).size <= 1, `${name}: more than one flags word`)
    for (const [at, { type, isVector, flag }] of fields.entries()) {
      assert.equal(type === 'true' && flag === undefined, false, name)
      if (flag === undefined) continue
      assert.equal(isVector, undefined, name)
      assert.ok(flag.mask <= 2 ** 31, name)
      const words = fields.slice(0, at).filter((word) => word.type === '#' && word.flag === undefined)
      assert.ok(
        words.some((word) => word.key === flag.key),
        name,
      )
    }
  }
})

test('rows that are not TL are refused', () => {
  const refused: [types: string, functions: string, message: RegExp][] = [
    ['a.b = a.B;', '', /Expected a TL row as "id name fields = Type;", got "a\.b = a\.B;"/],
    ['00000000 a.b = a.B', '', /Expected a TL row/],
    ['00000000 a.b x = a.B;', '', /Expected a TL field as name:type, got "x"/],
    ['00000000 a.b x:!y = a.B;', '', /Expected a TL field as name:type, got "x:!y"/],
    ['00000000 a.b x:a.c = a.B;', '', /TL constructor a\.c is used above its definition/],
    ['00000000 a.b x:a.B = a.B;', '', /TL type a\.B is used above its definition/],
    ['00000000 a.b = a.B;\n00000001 a.b x:int = a.C;', '', /TL row a\.b is defined twice/],
    ['00000000 a.b = a.B;\n00000001 a.c x:a.B = a.B;', '', /TL type a\.B is used above its definition/],
    ['', '00000000 a.get = a.B;', /TL type a\.B is used above its definition/],
  ]
  for (const [types, functions, message] of refused) assert.throws(() => parseSchema(types, functions), { message })
})

test('a table compiles to readers and writers of its own', () => {
  const { rows: compiled, boxed } = compileSchema(parseSchema('00000001 a.b = a.B;\n00000002 a.c x:int = a.B;', ''))
  assert.deepEqual([...compiled.keys()], ['a.b', 'a.c'])
  assert.deepEqual([...boxed.keys()], ['a.B'])
})

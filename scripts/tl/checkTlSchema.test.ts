import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tlSections } from '../../src/codec/tl/constructors.ts'
import { checkTlSchema } from './checkTlSchema.ts'
import { computeTlId, parseTlSchema } from './parseTlSchema.ts'

/** CRC-32 bit by bit, to have the ids from a second hand. */
const slowCrc32 = (text: string): number => {
  let crc = 0xffff_ffff
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb8_8320 : 0)
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

test('ids of lines that everyone knows', () => {
  assert.equal(computeTlId('boolTrue = Bool;'), 0x997275b5)
  assert.equal(computeTlId('boolFalse = Bool;'), 0xbc799737)
  assert.equal(computeTlId('true = True;'), 0x3fedd339)
  assert.equal(computeTlId('vector {t:Type} # [ t ] = Vector t;'), 0x1cb5c415)
  assert.equal(computeTlId('liteServer.getTime#16ad5a34  =  liteServer.CurrentTime;'), 0x16ad5a34)
})

test('every id of the table is that of its line, but for the stated ones', () => {
  const rows = tlSections.flatMap(({ schema }) => schema.split('\n')).filter((row) => /^[0-9a-f]{8} /.test(row))
  const computed = rows.map((row) => slowCrc32(row.slice(9).replace(/#[0-9a-f]{8}|[();]/g, '')))
  const differing = rows.filter((row, i) => Number.parseInt(row.slice(0, 8), 16) !== computed[i])
  assert.equal(rows.length, 181)
  assert.deepEqual(
    differing.map((row) => row.split(' ')[1]),
    [
      'liteServer.transactionId#b12f65af',
      'liteServer.signatureSet.ordinary#f644a6e6',
      'liteServer.getValidatorStats#091a58bc',
      'db.block.info#4ac6e727',
    ],
  )
})

test('the table is fit to generate from', () => {
  const combinators = parseTlSchema(tlSections)
  assert.deepEqual(checkTlSchema(combinators), [])
  assert.equal(combinators.filter(({ isFunction }) => isFunction).length, 36)
  assert.equal(combinators.filter(({ explicitId }) => explicitId !== undefined).length, 4)
})

/** A section whose rows have the ids that they compute to, unless the line states one. */
const sectionOf = (file: string, ...lines: string[]) => {
  const rows = lines.map((line) => {
    if (line === '---functions---') return line
    const id = /#([0-9a-f]{8})/.exec(line)?.[1] ?? computeTlId(line).toString(16).padStart(8, '0')
    return `${id} ${line}`
  })
  return { file, about: '', schema: rows.join('\n') }
}

const problemsOf = (...lines: string[]): string[] => checkTlSchema(parseTlSchema([sectionOf('x', ...lines)]))

test('a row with another id than its line is refused', () => {
  const wrong = { file: 'x', about: '', schema: '16ad5a35 liteServer.getTime = liteServer.CurrentTime;' }
  assert.deepEqual(checkTlSchema(parseTlSchema([wrong])), [
    'liteServer.getTime: its row says 16ad5a35, its line computes to 16ad5a34.',
  ])
  const unlike = { file: 'x', about: '', schema: '00000001 a.b#00000002 = a.B;' }
  assert.deepEqual(checkTlSchema(parseTlSchema([unlike])), ['a.b: its row says 00000001, its line states 00000002.'])
  assert.deepEqual(problemsOf('liteServer.getTime#16ad5a34 = liteServer.CurrentTime;'), [
    'liteServer.getTime: it states the id that its line computes to anyway.',
  ])
})

test('a table that would not generate is refused', () => {
  const refused: [string[], string][] = [
    [['a.b x:a.c = a.B;'], 'a.b: a.c is not defined before it.'],
    [['a.b x:a.B = a.B;'], 'a.b: a.B is not defined before it.'],
    [['a.c x:(vector a.B) = a.C;', 'a.b = a.B;'], 'a.c: a.B is not defined before it.'],
    [['---functions---', 'a.get = a.B;'], 'a.get: a.B is not defined before it.'],
    [['a.b x:mode.0?int mode:# = a.B;'], 'a.b: x depends on mode, which is no # field before it.'],
    [['a.b mode:int x:mode.0?int = a.B;'], 'a.b: x depends on mode, which is no # field before it.'],
    [['a.b mode:# x:mode.32?int = a.B;'], 'a.b: x depends on bit 32; a flags word has 32.'],
    [['a.b mode:# flags:# x:mode.0?int y:flags.0?int = a.B;'], 'a.b: it has more than one flags word.'],
    [['a.b x:true = a.B;'], 'a.b: x is nothing but a flag and names no bit.'],
    [['a.b x_y:int xY:int = a.B;'], 'a.b: field xY occurs twice.'],
    [['a.b kind:int = a.B;'], 'a.b: a field cannot be kind.'],
    [['a.b = a.B;', 'a.c x:(vector a.b) = a.C;'], 'a.c: items of x may take no bytes, so its count has no bound.'],
    [['a.b = a.B;', 'a.b x:int = a.C;'], 'AB is defined twice.'],
    [
      ['a.b = a.B;', 'a.c = a.B;', '---functions---', 'a.get = a.B;'],
      'a.get: a function that answers with one of several constructors is not supported.',
    ],
  ]
  for (const [lines, problem] of refused) assert.deepEqual(problemsOf(...lines), [problem])
  const spread = [sectionOf('x', 'a.b = a.B;'), sectionOf('y', 'a.c = a.B;')]
  assert.deepEqual(checkTlSchema(parseTlSchema(spread)), [
    'a.b: the constructors of a.B are spread over several files.',
    'a.c: the constructors of a.B are spread over several files.',
  ])
})

test('lines that are not TL are refused', () => {
  const parse = (schema: string) => () => parseTlSchema([{ file: 'x', about: '', schema }])
  assert.throws(parse('a.b = a.B;'), /Expected a row as "id name fields = Type;", got "a\.b = a\.B;"/)
  assert.throws(parse('00000000 a.b = a.B'), /Expected a row/)
  assert.throws(parse('00000000 a.b x = a.B;'), /Expected a field as name:type, got "x"/)
  assert.throws(parse('00000000 a.b x:!y = a.B;'), /Expected the name of a type, got "!y"/)
})

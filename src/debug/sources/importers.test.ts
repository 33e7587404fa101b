import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callCode, createTestMachine } from '../../../test/support/vmSamples.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { getMethodId, type VmValue } from '../../codec/tlb/VmValue.ts'
import { fromBase64, toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { listCode } from '../../tvm/listCode.ts'
import { Coverage, formatLcov } from '../coverage.ts'
import { SourceMapInvalidError } from '../errors.ts'
import { importSourceMap } from './importers.ts'
import { matchesCode, SourcePositions } from './SourceMap.ts'

const SOURCE = `
int add(int a, int b) method_id {
  int c = a + b;
  if (c > 10) {
    throw(77);
  }
  return c * 2;
}
() recv_internal(slice body) impure {
  int x = 3;
  throw_if(40, x > 5);
}
`

/** What the FunC compiler's debugger build makes of it, but for members that are of no use here. */
const place = (line: number, pos: number, func: string, ...vars: string[]) => ({ file: 'a.fc', line, pos, func, vars })
const COMPILED = {
  codeBoc: 'te6ccgEBBAEAJgABFP8A9KQT9LzyyAsBAgFiAgMABNAwABugjy9AQYQVJ+WAm71UAQ==',
  debugMarksBoc:
    'te6ccgECIwEAAQIAAgEgAQIBQ7/Q1RcGGf23j8Y1JDdf9lcddqs/pRL4VsnKKmK/t5oSmHADAgFICAkCA87ABAUBAfQSAgFIEQYBASAHAASoGAFDv0uZnMvxS/2fk6ijPB5Lht2jpZn7O79YriZByc18akF6wAoBQ79B1Zks7anCerdb0mQB3cTml14VpErb6dwzB4vNnFOHEMAeAgPOQAsMAgEgDQ4BAdwdAgEgDxACASAVFgIBIBEhAgEgExcBASASAAHVAQEgFAAEqCACASAXGAIBIBsbAQEgGQEBIBoABKgoAASoQAEBIBwABKhIAASoWAIJngAAAAofIAEBWCICASAhIQEBICIABKgI',
  debugInfo: {
    locations: [
      place(3, 2, 'add', 'a', 'b'),
      place(4, 2, 'add', 'c'),
      place(4, 14, 'add'),
      place(5, 4, 'add'),
      place(5, 4, 'add', 'c'),
      place(6, 2, 'add'),
      place(7, 2, 'add'),
      place(7, 2, 'add', 'c'),
      place(7, 14, 'add'),
      place(10, 2, 'recv_internal'),
      place(11, 2, 'recv_internal'),
      place(12, 0, 'recv_internal'),
    ],
  },
}
const code = decodeSingleBoc(fromBase64(COMPILED.codeBoc))
const codeHash = toBase64(code.hash())
const { machine } = await createTestMachine({ after }, { workers: 1 })

const record = async (a: bigint, b: bigint) => {
  const stack: VmValue[] = [a, b].map((value) => ({ kind: 'int', value }))
  const call = callCode('', { contract: { code }, methodId: getMethodId('add'), stack })
  const window = { from: 0, count: 1_000 }
  return (await machine.recordMethod(call, { window, stack: 'diff', registers: false, cells: false, log: false }))
    .recording
}

test('output of the FunC compiler leads from steps to lines', async () => {
  const map = importSourceMap(COMPILED, undefined, { 'a.fc': SOURCE })
  const recording = await record(3n, 4n)
  assert.ok(matchesCode(map, recording.code_hash))
  assert.deepEqual(map.methods, { 0: 'recv_internal', [getMethodId('add')]: 'add' })
  const places = new SourcePositions(map)
  const lines = recording.steps.map((step) => places.ofStep(step)?.l)
  // The selector has no source.
  assert.equal(lines[0], undefined)
  assert.deepEqual([...new Set(lines.filter((line) => line !== undefined))], [3, 4, 6, 7])
  const failed = await record(30n, 4n)
  assert.equal(failed.exit_code, 77)
  const { cell, offset } = failed.failure!.location!
  assert.deepEqual(places.find(cell, offset), { f: 0, l: 5, c: 5, fn: 'add', vars: ['c'] })
})

test('coverage counts lines', async () => {
  const coverage = new Coverage()
  coverage.add((await record(3n, 4n)).summary.coverage)
  const map = importSourceMap(COMPILED, undefined, { 'a.fc': SOURCE })
  const before = coverage.report(listCode(code), map)
  assert.equal(before.lines![0]!.lines.find(({ line }) => line === 5)?.count, 0)
  coverage.add((await record(30n, 4n)).summary.coverage)
  const both = coverage.report(listCode(code), map)
  assert.equal(both.lines![0]!.lines.find(({ line }) => line === 5)?.count, 1)
  assert.ok(both.instructions.covered > before.instructions.covered)
  assert.match(formatLcov(both), /^TN:\nSF:a\.fc\n[\s\S]*DA:5,1\n[\s\S]*end_of_record\n$/)
})

test('output of the Tolk compiler: ranges by mark, marks by cell', () => {
  const range = (line: number) => [7, line, 3, line, 9]
  const map = importSourceMap({
    codeBoc64: COMPILED.codeBoc,
    debugMarksBase64: COMPILED.debugMarksBoc,
    tolkVersion: '1.3.0',
    symbolTypesJson: {
      files: [{ file_id: 7, file_name: 'a.tolk', size_chars: 100 }],
      functions: [{ f_idx: 0, name: 'add', ident_loc: range(2), end_loc: range(8) }],
    },
    debugMarksJson: [
      { kind: 'loc', mark_id: 0, range: range(3) },
      { kind: 'stack', mark_id: 1, stack: [1] },
      { kind: 'enter_fun', mark_id: 2, f_idx: 0, is_inlined: false, range: range(2) },
    ],
  })
  assert.equal(map.code_hash, codeHash)
  assert.deepEqual(map.places, [{ f: 0, l: 3, c: 3, el: 3, ec: 9, fn: 'add' }, null, null])
  assert.deepEqual(map.methods, { [getMethodId('add')]: 'add' })
  assert.ok(Object.values(map.marks).some((marks) => marks.length > 0))
})

test('maps of ton-source-map and of assemblers, with dictionaries', () => {
  const cell = 'AB'.repeat(32)
  const leaf = 'CD'.repeat(32)
  const assemblyMapping = {
    cells: {
      [cell]: { instructions: [{ name: 'ADD', offset: 8, debugSections: [1], loc: { file: 'x.tasm', line: 3 } }] },
    },
    dictionaryCells: [{ cell: leaf, offset: 12, dataCell: cell }],
  }
  const highlevelMapping = {
    version: '1',
    files: [{ path: 'x.fc', content: 'text' }],
    locations: [
      { idx: 1, loc: { file: 'x.fc', line: 0, col: 2, length: 4 }, context: { func_name: 'f' }, vars: [{ name: 'v' }] },
    ],
  }
  const map = importSourceMap({ highlevelMapping, assemblyMapping }, codeHash)
  const found = new SourcePositions(map).find(toBase64(Buffer.from(leaf, 'hex')), 20)
  assert.deepEqual(found, { f: 0, l: 1, c: 3, el: 1, ec: 7, fn: 'f', vars: ['v'] })
  const assembly = importSourceMap(assemblyMapping, codeHash)
  assert.equal(new SourcePositions(assembly).find(toBase64(Buffer.from(cell, 'hex')), 8)?.l, 4)
})

test('our own form is read back, and what is no map is refused', () => {
  const map = importSourceMap(COMPILED)
  assert.deepEqual(importSourceMap(JSON.parse(JSON.stringify(map))), map)
  assert.equal(matchesCode(map, toBase64(new Uint8Array(32))), false)
  const hex = Object.fromEntries(
    Object.entries(map.marks).map(([hash, marks]) => [toHex(fromBase64(hash)).toUpperCase(), marks]),
  )
  assert.deepEqual(importSourceMap({ ...map, marks: hex }), map)
  for (const wrong of [
    null,
    [],
    {},
    { ...map, places: [{ f: 9, l: 1 }] },
    { ...map, code_hash: 'x' },
    { ...map, marks: { x: [] } },
    { ...COMPILED, debugMarksBoc: 'te6' },
    { ...COMPILED, debugInfo: {} },
    { cells: {} },
  ]) {
    assert.throws(() => importSourceMap(wrong), SourceMapInvalidError, JSON.stringify(wrong)?.slice(0, 60))
  }
})

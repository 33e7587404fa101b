import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import { fromCoreCell } from '../../../../test/support/coreCell.ts'
import { decodeConfigParam } from '../../../../test/support/decodeConfigParam.ts'
import { sampleParams } from '../../../../test/support/sampleConfig.ts'
import { toPlain } from '../../../../test/support/toPlain.ts'
import { toHex } from '../../../primitives/hex.ts'
import { CellWriter, emptyCell } from '../../cell/CellWriter.ts'
import { Dict } from '../../cell/Dict.ts'
import { CellError } from '../../cell/errors.ts'
import { pruneCell } from '../../cell/merkle.ts'
import { configDictType, configParams, encodeConfigParam, findConfigParam } from './configParams.ts'

for (const { id, value, cell } of sampleParams) {
  test(`parameter ${id} (${configParams[id].name}) is written as the schema says and read back`, () => {
    const written = encodeConfigParam(id, value as never)
    assert.equal(toHex(written.hash()), cell.hash().toString('hex'))
    const decoded = decodeConfigParam(id, fromCoreCell(cell))
    assert(decoded.kind === 'known')
    assert.equal(decoded.name, configParams[id].name)
    assert.deepEqual(toPlain(decoded.value), toPlain(value))
  })
}

test('there is a sample of every parameter in the table, and no name stands twice', () => {
  const ids = Object.keys(configParams).map(Number)
  assert.deepEqual(
    [...new Set(sampleParams.map(({ id }) => id))].sort((a, b) => a - b),
    ids,
  )
  assert.equal(new Set(Object.values(configParams).map(({ name }) => name)).size, ids.length)
})

test('the type of a value follows from the number', () => {
  const decoded = decodeConfigParam(8, encodeConfigParam(8, { version: 3, capabilities: 1n }))
  assert(decoded.kind === 'known' && decoded.id === 8)
  const { version }: { version: number } = decoded.value
  assert.equal(version, 3)
})

test('an unknown number is a raw cell without an error', () => {
  for (const id of [-999, -1, 26, 38, 41, 70, 2 ** 31 - 1]) {
    assert.deepEqual(decodeConfigParam(id, emptyCell), { kind: 'raw', id, cell: emptyCell, error: undefined })
  }
})

test('a known number with something else in it is a raw cell with the error', () => {
  const list = new CellWriter().writeUint(0b110, 3).writeUint(16, 5).writeUint(0x54, 8).toCell()
  const wrongValidator = new CellWriter().writeUint(0x12, 8).writeUintWide(0n, 64).writeUint(1, 16).writeUint(1, 16)
  const cases: [string, number, CellWriter, RegExp][] = [
    ['unknown tag', 34, new CellWriter().writeUint(0x13, 8), /#11 or #12, but got #13/],
    ['too short', 15, new CellWriter().writeUint(1, 32), /32 more bits were expected/],
    ['too long', 19, new CellWriter().writeUint(1, 33), /Configuration parameter 19 should fill its cell/],
    ['broken inside a dictionary', 34, wrongValidator.writeUint64(0n).writeMaybeRef(list), /#53 or #73, but got #54/],
  ]
  for (const [name, id, writer, message] of cases) {
    const cell = writer.toCell()
    const decoded = decodeConfigParam(id, cell)
    assert(decoded.kind === 'raw' && decoded.cell === cell, name)
    assert(decoded.error instanceof CellError && message.test(decoded.error.message), name)
  }
})

test('a parameter that a proof leaves out is told from a broken one by its error', () => {
  const whole = fromCoreCell(beginCell().storeBuffer(Buffer.alloc(32, 1)).storeRef(beginCell().endCell()).endCell())
  const decoded = decodeConfigParam(0, pruneCell(whole, 0))
  assert(decoded.kind === 'raw')
  assert.equal(decoded.error?.code, 'proof_incomplete')
})

test('few cells that spell out endlessly many entries are not followed forever', () => {
  // 256 forks over one and the same subtree stand for 2^256 keys.
  let node = new CellWriter().writeUint(0b00, 2).toCell()
  for (let k = 0; k < 256; k++) node = new CellWriter().writeUint(0b00, 2).writeRef(node).writeRef(node).toCell()
  const decoded = decodeConfigParam(31, new CellWriter().writeMaybeRef(node).toCell())
  assert(decoded.kind === 'raw')
  assert.match(String(decoded.error?.message), /leads back to the same cells/)
})

test('a parameter is found by number in a configuration, typed', () => {
  const config = Dict.of(configDictType, [
    [19, encodeConfigParam(19, -777)],
    [34, emptyCell],
  ])
  const globalId: number | undefined = findConfigParam(config, 19)
  assert.equal(globalId, -777)
  assert.equal(findConfigParam(config, 8), undefined)
  assert.throws(() => findConfigParam(config, 34), CellError)
})

test('a consensus configuration whose parts contradict each other is not written', () => {
  const sample = sampleParams.findLast(({ id }) => id === 29)
  assert(sample?.id === 29 && sample.value.extension !== undefined)
  const extension = { ...sample.value.extension, protoVersion: undefined }
  assert.throws(() => encodeConfigParam(29, { ...sample.value, extension }), CellError)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, Dictionary } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  libPublishersType,
  librariesType,
  readLibDescr,
  readSimpleLib,
  simpleLibsType,
  writeLibDescr,
  writeSimpleLib,
} from './StateInit.ts'

const lib = new CellWriter().writeUint(0x11b, 12).toCell()
const publisher = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)

test('a LibDescr holds its publishers inline, after the reference to the library', () => {
  for (const fills of [[5], [5, 6, 0xff]]) {
    const publishers = Dictionary.empty<Buffer, boolean>(Dictionary.Keys.Buffer(32), {
      serialize: () => undefined,
      parse: () => true,
    })
    for (const fill of fills) publishers.set(Buffer.alloc(32, fill), true)
    const expected = beginCell().storeUint(0, 2).storeRef(toCoreCell(lib)).storeDictDirect(publishers).endCell()
    const descr = {
      lib,
      publishers: Dict.of(
        libPublishersType,
        fills.map((fill) => [publisher(fill), true]),
      ),
    }
    const cell = writeWhole(writeLibDescr, descr)
    assert.equal(toCoreCell(cell).hash().toString('hex'), expected.hash().toString('hex'))
    assert.deepEqual(toPlain(readWhole(cell, readLibDescr, 'It')), toPlain(descr))
  }
})

test('libraries are found by the hash of their cell, and changed without touching the others', () => {
  const publishers = Dict.of(libPublishersType, [[publisher(1), true]])
  const libraries = Dict.of(librariesType, [[lib.hash(), { lib, publishers }]])
  const found = libraries.find(lib.hash())!
  const more = libraries.set(lib.hash(), { ...found, publishers: found.publishers.set(publisher(2), true) })
  const keys = more
    .find(lib.hash())!
    .publishers.entries()
    .map(([key]) => key[0])
  assert.deepEqual(keys, [1, 2])
})

test('a LibDescr needs a publisher and its tag', () => {
  assert.throws(() => writeWhole(writeLibDescr, { lib, publishers: new Dict(libPublishersType) }), CellError)
  const wrong = fromCoreCell(beginCell().storeUint(0b01, 2).storeRef(toCoreCell(lib)).endCell())
  assert.throws(() => readWhole(wrong, readLibDescr, 'It'), /Expected constructor tag \$00, but got \$01/)
})

test('a SimpleLib is a bit and a reference', () => {
  const cell = writeWhole(writeSimpleLib, { isPublic: true, root: lib })
  assert.equal(
    toCoreCell(cell).hash().toString('hex'),
    beginCell().storeBit(true).storeRef(toCoreCell(lib)).endCell().hash().toString('hex'),
  )
  assert.deepEqual(toPlain(readWhole(cell, readSimpleLib, 'It')), { isPublic: true, root: toPlain(lib) })
  const libs = Dict.of(simpleLibsType, [[lib.hash(), { isPublic: false, root: lib }]])
  assert.equal(libs.find(lib.hash())?.isPublic, false)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, type Cell as CoreCell, Dictionary } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { findAttribute, readTokenContent, tokenValueBytes } from '../../../test/support/tokenContent.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { type Cell, wholeSlice } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { pruneCell } from '../cell/merkle.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ContentError, ContentLimitError } from './ContentBudget.ts'
import { decodeUtf8, encodeUtf8 } from './text.ts'
import { hashName, type TokenContent, type TokenValue, writeTokenContent } from './tokenContent.ts'

const read = (cell: Cell): TokenContent => readTokenContent(openCell(cell))
const snake = (text: string): TokenValue => ({ kind: 'snake', bytes: encodeUtf8(text) })
const attribute = (name: string, value: TokenValue) => ({ key: hashName(name), name, value })
const text = (value: TokenValue | undefined): string | undefined => {
  const bytes = value === undefined ? undefined : tokenValueBytes(value)
  return bytes === undefined ? undefined : decodeUtf8(bytes)
}

/** On-chain content as contracts make it. */
const onChain = (values: Record<string, CoreCell>): Cell => {
  const dict = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  for (const [name, cell] of Object.entries(values)) dict.set(Buffer.from(sha256(Buffer.from(name))), cell)
  return fromCoreCell(beginCell().storeUint(0, 8).storeDict(dict).endCell())
}
const coreSnake = (value: string): CoreCell => beginCell().storeUint(0, 8).storeStringTail(value).endCell()

test('off-chain content is an address', () => {
  const uri = `https://example.org/${'long/'.repeat(40)}c.json`
  const cell = fromCoreCell(beginCell().storeUint(1, 8).storeStringTail(uri).endCell())
  const content = read(cell)
  assert.ok(content.kind === 'offChain')
  assert.equal(decodeUtf8(content.uri), uri)
  assert.equal(toHex(writeWhole(writeTokenContent, content).hash()), toHex(cell.hash()))
  assert.equal(findAttribute(content, 'uri'), undefined)
})

test('on-chain content is a dictionary by the hash of names, known or not', () => {
  const long = 'a word, '.repeat(40)
  const cell = onChain({
    name: coreSnake('Token'),
    description: coreSnake(long),
    decimals: coreSnake('9'),
    odd: coreSnake('?'),
  })
  const content = read(cell)
  assert.ok(content.kind === 'onChain')
  assert.deepEqual(
    ['name', 'description', 'decimals', 'symbol'].map((name) => text(findAttribute(content, name))),
    ['Token', long, '9', undefined],
  )
  const unknown = content.attributes.filter(({ name }) => name === undefined)
  assert.deepEqual(
    unknown.map(({ key, value }) => [toHex(key), text(value)]),
    [[toHex(sha256(encodeUtf8('odd'))), '?']],
  )
  assert.equal(toHex(writeWhole(writeTokenContent, content).hash()), toHex(cell.hash()))
})

test('a value may be in chunks', () => {
  const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
  const pieces = ['<svg>', '', 'x'.repeat(300), '</svg>']
  for (const [number, piece] of pieces.entries()) chunks.set(number, beginCell().storeStringTail(piece).endCell())
  const cell = onChain({ image_data: beginCell().storeUint(1, 8).storeDict(chunks).endCell() })
  const content = read(cell)
  const value = findAttribute(content, 'image_data')
  assert.ok(value?.kind === 'chunked')
  assert.deepEqual(
    value.chunks.map(({ bytes }) => decodeUtf8(bytes)),
    pieces,
  )
  assert.equal(text(value), pieces.join(''))
  assert.equal(toHex(writeWhole(writeTokenContent, content).hash()), toHex(cell.hash()))
  chunks.delete(1)
  chunks.set(900, beginCell().storeStringTail('!').endCell())
  const gaps = onChain({ image_data: beginCell().storeUint(1, 8).storeDict(chunks).endCell() })
  assert.equal(text(findAttribute(read(gaps), 'image_data')), `${pieces.join('')}!`)
  assert.equal(toHex(writeWhole(writeTokenContent, read(gaps)).hash()), toHex(gaps.hash()))
})

test('a value that stands in place, without a reference, is read all the same', () => {
  const inline = Dictionary.empty<Buffer, string>(Dictionary.Keys.Buffer(32), {
    serialize: (value, builder) => {
      builder.storeUint(0, 8).storeStringTail(value)
    },
    parse: () => '',
  })
  inline.set(Buffer.from(hashName('symbol')), 'INL')
  inline.set(Buffer.from(hashName('name')), `In place ${'and long '.repeat(20)}`)
  const content = read(fromCoreCell(beginCell().storeUint(0, 8).storeDict(inline).endCell()))
  assert.equal(text(findAttribute(content, 'symbol')), 'INL')
  assert.equal(text(findAttribute(content, 'name')), `In place ${'and long '.repeat(20)}`)
})

test('what is not content data is kept as it stands, and takes nothing from the others', () => {
  const cell = onChain({
    name: coreSnake('Good'),
    symbol: beginCell().storeUint(2, 8).storeStringTail('no such layout').endCell(),
    decimals: beginCell().storeUint(0, 12).endCell(),
    image: beginCell().endCell(),
    uri: beginCell().storeUint(1, 9).endCell(),
  })
  const content = read(cell)
  assert.ok(content.kind === 'onChain')
  assert.deepEqual(Object.fromEntries(content.attributes.map(({ name, value }) => [name, value.kind])), {
    name: 'snake',
    symbol: 'other',
    decimals: 'other',
    image: 'other',
    uri: 'other',
  })
  assert.equal(tokenValueBytes(findAttribute(content, 'symbol')!), undefined)
  assert.equal(toHex(writeWhole(writeTokenContent, content).hash()), toHex(cell.hash()))
})

test('what does not start as content is refused', () => {
  assert.throws(() => read(emptyCell), CellError)
  assert.throws(() => read(new CellWriter().writeUint(0x68, 8).toCell()), /byte 00 or 01, but got 68/)
  assert.throws(() => read(new CellWriter().writeUint(0x01_4, 12).toCell()), ContentError)
  assert.throws(() => read(new CellWriter().writeUint(1, 9).toCell()), CellError)
})

test('a proof that lacks a value does not pass for content that has another', () => {
  const value = pruneCell(writeWhole(writeTokenContent, { kind: 'offChain', uri: new Uint8Array(200) }), 0)
  const slice = wholeSlice(new CellWriter().writeRef(value).toCell())
  const attributes = [{ key: hashName('name'), name: 'name', value: { kind: 'other', slice } as const }]
  const cell = writeWhole(writeTokenContent, { kind: 'onChain', attributes })
  assert.throws(() => read(cell), PrunedBranchError)
})

test('content is counted as a whole', () => {
  const attributes = Array.from({ length: 20 }, (_, k) => attribute(`n${k}`, snake('x'.repeat(100))))
  const cell = writeWhole(writeTokenContent, { kind: 'onChain', attributes })
  const readWithin = (maxCells: number, maxBytes: number) => readTokenContent(openCell(cell), { maxCells, maxBytes })
  assert.equal(readWithin(20, 2000).kind, 'onChain')
  assert.throws(() => readWithin(19, 2000), ContentLimitError)
  assert.throws(() => readWithin(20, 1999), ContentLimitError)
  const many = Array.from({ length: 1025 }, (_, k) => attribute(`n${k}`, snake('')))
  const tooMany = writeWhole(writeTokenContent, { kind: 'onChain', attributes: many })
  assert.throws(() => read(tooMany), /more than 1024 attributes/)
  assert.equal(read(writeWhole(writeTokenContent, { kind: 'onChain', attributes: many.slice(1) })).kind, 'onChain')
})

/** A dictionary node of `bits` key bits in which every key leads to the same leaf. */
const everyKey = (bits: number, leaf: Cell): Cell => {
  let node = new CellWriter().writeUint(0, 2).writeRef(leaf).toCell()
  for (let k = 0; k < bits; k++) node = new CellWriter().writeUint(0, 2).writeRef(node).writeRef(node).toCell()
  return node
}

test('few cells that spell out endlessly much are refused in time', () => {
  const start = performance.now()
  // 2 to the 32 chunks of 100 KB each, in a thousand cells; once as an attribute, once as every attribute.
  let chunk = new CellWriter().writeBytes(new Uint8Array(127)).toCell()
  for (let k = 0; k < 700; k++) chunk = new CellWriter().writeBytes(new Uint8Array(127)).writeRef(chunk).toCell()
  const value = new CellWriter().writeUint(1, 8).writeMaybeRef(everyKey(32, chunk)).toCell()
  const once = onChain({})
  assert.deepEqual(read(once), { kind: 'onChain', attributes: [] })
  const slice = wholeSlice(new CellWriter().writeRef(value).toCell())
  const one = writeWhole(writeTokenContent, {
    kind: 'onChain',
    attributes: [attribute('image_data', { kind: 'other', slice })],
  })
  assert.throws(() => read(one), ContentLimitError)
  const all = new CellWriter().writeUint(0, 8).writeMaybeRef(everyKey(256, value)).toCell()
  assert.throws(() => read(all), ContentLimitError)
  // Chains without a single byte cost as much as others.
  let empty = emptyCell
  for (let k = 0; k < 700; k++) empty = new CellWriter().writeRef(empty).toCell()
  const hollow = new CellWriter().writeUint(1, 8).writeMaybeRef(everyKey(32, empty)).toCell()
  const hollows = new CellWriter().writeUint(0, 8).writeMaybeRef(everyKey(256, hollow)).toCell()
  assert.throws(() => read(hollows), ContentLimitError)
  assert.ok(performance.now() - start < 5000)
})

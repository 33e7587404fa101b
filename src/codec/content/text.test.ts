import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell, comment as coreComment } from '@ton/core'
import fc from 'fast-check'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { haveFixtures, listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { PrunedBranchError } from '../cell/errors.ts'
import { pruneCell } from '../cell/merkle.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ContentError, ContentLimitError } from './ContentBudget.ts'
import {
  type Comment,
  decodeUtf8,
  decodeUtf8Lossy,
  encodeUtf8,
  findComment,
  findUtf8,
  readComment,
  readSnake,
  writeComment,
  writeSnake,
} from './text.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const counting = (length: number): Uint8Array => Uint8Array.from({ length }, (_, k) => k)
const read = (cell: Cell): Uint8Array => readSnake(openCell(cell))

test('a cell takes 127 bytes, then the first reference goes on', () => {
  for (const [length, cells] of [
    [0, 1],
    [1, 1],
    [127, 1],
    [128, 2],
    [254, 2],
    [255, 3],
  ] as const) {
    const cell = writeWhole(writeSnake, counting(length))
    assert.equal(cell.depth() + 1, cells, `${length} bytes`)
    assert.equal(toHex(read(cell)), toHex(counting(length)))
  }
})

test('bytes are written behind what the cell holds', () => {
  const w = new CellWriter().writeUint(0, 32)
  writeSnake(w, counting(124))
  const cell = w.toCell()
  assert.deepEqual([cell.bits, cell.ref(0).bits], [32 + 8 * 123, 8])
  const r = openCell(cell)
  r.skipBits(32)
  assert.equal(toHex(readSnake(r)), toHex(counting(124)))
  // One bit more leaves room for one byte less.
  const odd = new CellWriter().writeUint(0, 8)
  writeSnake(odd, counting(127))
  assert.equal(odd.usedBits, 8 + 8 * 126)
})

test('a cell may break off inside a byte, if the whole is bytes', () => {
  const end = new CellWriter().writeUint(0b1000, 4).toCell()
  assert.equal(toHex(read(new CellWriter().writeUint(0b0100_0001_0100, 12).writeRef(end).toCell())), '4148')
  assert.throws(() => read(new CellWriter().writeUint(0x414, 12).toCell()), /has whole bytes, this one has 12 bits/)
  assert.throws(() => read(end), ContentError)
})

test('only the first reference is part of the string', () => {
  const next = new CellWriter().writeUint(0x42, 8).toCell()
  const w = new CellWriter().writeUint(0x41, 8).writeRef(next).writeRef(emptyCell)
  assert.equal(toHex(read(w.toCell())), '4142')
})

test('long chains are read up to the limits and refused beyond', () => {
  const longest = counting(1024 * 127)
  const cell = writeWhole(writeSnake, longest)
  assert.equal(toHex(read(cell)), toHex(longest))
  assert.throws(() => writeWhole(writeSnake, counting(1024 * 127 + 1)), ContentError)
  assert.throws(() => read(new CellWriter().writeRef(cell).toCell()), ContentLimitError)
  const small = writeWhole(writeSnake, counting(300))
  assert.equal(readSnake(openCell(small), { maxCells: 3, maxBytes: 300 }).length, 300)
  assert.throws(() => readSnake(openCell(small), { maxCells: 2, maxBytes: 300 }), /more than 2 cells/)
  assert.throws(() => readSnake(openCell(small), { maxCells: 3, maxBytes: 299 }), /longer than 299 bytes/)
})

test('a chain that the proof has cut is not an end of the string', () => {
  const cut = new CellWriter().writeUint(0x41, 8).writeRef(pruneCell(new CellWriter().writeRef(emptyCell).toCell(), 0))
  assert.throws(() => read(cut.toCell()), PrunedBranchError)
})

test('strings agree with @ton/core both ways, at any offset', (t) => {
  t.diagnostic(`seed ${seed}`)
  const sample = fc.tuple(fc.string({ unit: 'binary', maxLength: 700, size: 'max' }), fc.nat(1000))
  fc.assert(
    fc.property(sample, ([text, offset]) => {
      const theirs = beginCell().storeUint(0, offset).storeStringTail(text).endCell()
      const w = new CellWriter().writeBits(new Uint8Array(128), offset)
      writeSnake(w, encodeUtf8(text))
      const ours = w.toCell()
      assert.equal(toHex(ours.hash()), theirs.hash().toString('hex'))
      const r = openCell(fromCoreCell(theirs))
      r.skipBits(offset)
      assert.equal(decodeUtf8(readSnake(r)), toCoreCell(ours).beginParse().skip(offset).loadStringTail())
    }),
    { seed, numRuns: 300 },
  )
})

test('spoilt chains are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeSnake, counting(400))), ({ cell }) => {
      passesOrFailsCoded(() => read(cell))
    }),
    { seed, numRuns: 300 },
  )
})

const text = (value: string): Comment => ({ kind: 'text', bytes: encodeUtf8(value) })

test('a text comment is 32 zero bits and bytes, as @ton/core writes it', () => {
  for (const value of ['', 'hello', 'ж'.repeat(200)]) {
    const cell = writeWhole(writeComment, text(value))
    assert.equal(toHex(cell.hash()), coreComment(value).hash().toString('hex'))
    assert.deepEqual(readComment(openCell(cell)), text(value))
  }
})

test('a body of 32 zero bits is an empty comment, an empty body is none', () => {
  assert.deepEqual(findComment(openCell(new CellWriter().writeUint(0, 32).toCell())), text(''))
  assert.equal(findComment(openCell(emptyCell)), undefined)
})

test('encrypted comment is known by its tag and kept as it is', () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, k) => 255 - k)
  const cell = writeWhole(writeComment, { kind: 'encrypted', bytes })
  assert.equal(openCell(cell).readUint(32), 0x2167da4b)
  assert.deepEqual(findComment(openCell(cell)), { kind: 'encrypted', bytes })
})

test('other bodies are no comments', () => {
  const other = new CellWriter().writeUint(0x0f8a7ea5, 32).toCell()
  assert.equal(findComment(openCell(other)), undefined)
  assert.throws(() => readComment(openCell(other)), /00000000 or 2167da4b, but got 0f8a7ea5/)
  const halfByte = new CellWriter().writeUint(0, 36).toCell()
  assert.equal(findComment(openCell(halfByte)), undefined)
  assert.throws(() => readComment(openCell(halfByte)), ContentError)
  const long = writeWhole(writeComment, text('x'.repeat(500)))
  assert.equal(findComment(openCell(long), { maxCells: 2, maxBytes: 1000 }), undefined)
  const library = new CellWriter().writeUint(2, 8).writeBytes(new Uint8Array(32)).toExoticCell()
  assert.equal(findComment(openCell(new CellWriter().writeUint(0, 32).writeRef(library).toCell())), undefined)
  // But nobody knows what a cut proof holds.
  const cut = new CellWriter().writeUint(0, 32).writeRef(pruneCell(other, 0)).toCell()
  assert.throws(() => findComment(openCell(cut)), PrunedBranchError)
})

test('spoilt comments are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeComment, text('word '.repeat(60)))), ({ cell }) => {
      passesOrFailsCoded(() => decodeUtf8(readComment(openCell(cell)).bytes))
      passesOrFailsCoded(() => findComment(openCell(cell)))
    }),
    { seed, numRuns: 400 },
  )
})

type Decoded = {
  readonly body: string
  readonly decoded: { readonly type?: string; readonly '@type'?: string; readonly comment?: string }
}

const listComments = (value: unknown): Decoded[] => {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(listComments)
  const each = value as Partial<Decoded>
  const type = each.decoded?.type ?? each.decoded?.['@type']
  const isComment = typeof each.body === 'string' && type === 'text_comment'
  return isComment ? [each as Decoded, ...inside] : inside
}

test('comments of recorded answers are read as the indexer decoded them', (t) => {
  if (!haveFixtures(t, 'mainnet/api-v3')) return
  let checked = 0
  for (const path of listFixtures('mainnet/api-v3', '.json')) {
    for (const { body, decoded } of listComments(readFixtureJson<unknown>(path))) {
      const cell = decodeSingleBoc(fromBase64(body))
      const comment = readComment(openCell(cell))
      // The indexer shows NUL as a blank.
      const shown = decodeUtf8(comment.bytes).replaceAll('\0', ' ')
      assert.deepEqual([comment.kind, shown], ['text', decoded.comment], path)
      checked++
    }
  }
  t.diagnostic(`${checked} comments`)
  assert.ok(checked >= 20)
})

test('bytes that are not UTF-8 are an error, or are replaced, as asked', () => {
  const cases: [number[], string][] = [
    [[0xff], '\ufffd'],
    [[0x41, 0xc3], 'A\ufffd'],
    [[0xc0, 0x80], '\ufffd\ufffd'],
    [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
    [[0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  ]
  for (const [bytes, replaced] of cases) {
    assert.throws(() => decodeUtf8(Uint8Array.from(bytes)), ContentError)
    assert.equal(findUtf8(Uint8Array.from(bytes)), undefined)
    assert.equal(decodeUtf8Lossy(Uint8Array.from(bytes)), replaced)
  }
})

test('NUL and the byte order mark are characters like any other', () => {
  const text = '\ufeffa\u0000b'
  assert.equal(decodeUtf8(encodeUtf8(text)), text)
  assert.equal(decodeUtf8Lossy(encodeUtf8(text)), text)
  assert.equal(decodeUtf8(new Uint8Array(0)), '')
})

test('any text comes back, and any bytes are text or refused', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(decodeUtf8(encodeUtf8(text)), text)),
    { seed },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = findUtf8(bytes)
      if (text !== undefined) assert.deepEqual(encodeUtf8(text), bytes)
      assert.equal(decodeUtf8Lossy(bytes), Buffer.from(bytes).toString('utf8'))
    }),
    { seed, numRuns: 1000 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comment as coreComment } from '@ton/core'
import fc from 'fast-check'
import { haveFixtures, listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { PrunedBranchError } from '../cell/errors.ts'
import { pruneCell } from '../cell/prune.ts'
import { writeWhole } from '../cell/wholeCell.ts'
import { ContentError } from './ContentError.ts'
import { type Comment, findComment, readComment, writeComment } from './comment.ts'
import { decodeUtf8, encodeUtf8 } from './utf8.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
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

test('an encrypted comment is known by its tag and kept as it is', () => {
  const bytes = Uint8Array.from({ length: 200 }, (_, k) => 255 - k)
  const cell = writeWhole(writeComment, { kind: 'encrypted', bytes })
  assert.equal(openCell(cell).readUint(32), 0x2167da4b)
  assert.deepEqual(findComment(openCell(cell)), { kind: 'encrypted', bytes })
})

test('other bodies are no comments', () => {
  const other = new CellWriter().writeUint(0x0f8a7ea5, 32).toCell()
  assert.equal(findComment(openCell(other)), undefined)
  assert.throws(() => readComment(openCell(other)), /00000000 or 2167da4b, 0f8a7ea5 came/)
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

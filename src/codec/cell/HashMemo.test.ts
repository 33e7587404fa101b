import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { CellWriter } from './CellWriter.ts'
import { type BocOptions, decodeSingleBoc } from './decodeBoc.ts'
import { BLOCK_BOC, encodeBoc } from './encodeBoc.ts'
import { ProofError } from './errors.ts'
import { HashIndex } from './HashIndex.ts'
import { HashMemo } from './HashMemo.ts'

const WORDS = 8
const words = new Int32Array(WORDS)
const scratch = new Uint8Array(words.buffer)

const hashIn = (memo: HashMemo, content: Uint8Array): string => {
  scratch.fill(0)
  scratch.set(content)
  const out = new Uint8Array(40)
  memo.hashInto(scratch.subarray(0, content.length), words, out, 4)
  assert.deepEqual([...out.subarray(0, 4), ...out.subarray(36)], Array(8).fill(0))
  return toHex(out.subarray(4, 36))
}

test('digests are right, whatever was hashed in their place before', () => {
  const memo = new HashMemo(WORDS)
  // Three times as many as there are places, each twice in a row and once more when others have taken its place.
  const contents = Array.from({ length: 12_000 }, (_, k) =>
    Uint8Array.from({ length: 1 + (k % (4 * WORDS)) }, (_byte, at) => (k * (at + 1)) >> (at % 5)),
  )
  for (const round of [1, 2]) {
    for (const content of contents) {
      const expected = toHex(sha256(content))
      assert.equal(hashIn(memo, content), expected, `round ${round}`)
      assert.equal(hashIn(memo, content), expected)
    }
  }
})

test('contents that differ in zeros at their end are told apart', () => {
  const memo = new HashMemo(WORDS)
  for (const length of [1, 2, 3, 4, 5, 4, 3, 2, 1]) {
    assert.equal(hashIn(memo, new Uint8Array(length)), toHex(sha256(new Uint8Array(length))))
  }
})

const treeOf = (depth: number, path: number): Cell => {
  const w = new CellWriter().writeUint(path, 32)
  if (depth > 0) w.writeRef(treeOf(depth - 1, 2 * path)).writeRef(treeOf(depth - 1, 2 * path + 1))
  return w.toCell()
}

test('cells of bags that repeat each other have the hashes that they have alone', () => {
  for (const path of [1, 2, 1, 3, 1]) {
    const bytes = encodeBoc([treeOf(4, path)])
    const repeated = decodeSingleBoc(bytes, { isRepeated: true })
    assert.deepEqual(repeated.hash(), decodeSingleBoc(bytes).hash())
  }
})

test('stored hashes are taken without a look at the cells where the caller has checked them', () => {
  const root = treeOf(7, 1)
  const bytes = encodeBoc([root], BLOCK_BOC)
  const believed = decodeSingleBoc(bytes, { trusted: true, believeStored: true })
  assert.deepEqual(believed.hash(), root.hash())
  assert.deepEqual(believed.ref(0).ref(1).hash(), root.ref(0).ref(1).hash())
  assert.equal(believed.depth(), root.depth())
  // Another hash in the record of a cell that has one.
  const [cell, at] = findStored(root, Buffer.from(bytes))
  const changed = bytes.slice()
  changed[at]! ^= 1
  const read = (options: BocOptions): Uint8Array => {
    const index = new HashIndex()
    const visit = (each: Cell): void => {
      if (index.find(each) < 0) index.add(each)
      for (let k = 0; k < each.refCount; k++) visit(each.ref(k))
    }
    const found = decodeSingleBoc(changed, { skipChecksum: true, ...options })
    visit(found)
    return index.find(cell) < 0 ? new Uint8Array() : found.hash()
  }
  assert.throws(() => read({ trusted: true }), ProofError)
  assert.deepEqual(read({ trusted: true, believeStored: true }), new Uint8Array())
  // Without trust, they are checked whatever else is asked for.
  assert.throws(() => read({ believeStored: true }), ProofError)
})

const findStored = (cell: Cell, bytes: Buffer): [cell: Cell, at: number] => {
  const at = bytes.indexOf(cell.hash())
  return at < 0 ? findStored(cell.ref(0), bytes) : [cell, at]
}

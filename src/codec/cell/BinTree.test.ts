import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromCell, ordinary, prunedBranch, type ReferenceCell, toCell } from '../../../test/support/referenceCell.ts'
import { type BinTreeLeaf, lookupBinTree, readBinTree, writeBinTree } from './BinTree.ts'
import type { CellReader } from './CellReader.ts'
import type { CellWriter } from './CellWriter.ts'
import { CellError, PrunedBranchError } from './errors.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const readByte = (r: CellReader): number => r.readUint(8)
const writeByte = (w: CellWriter, value: number): void => void w.writeUint(value, 8)

const leaf = (value: number): ReferenceCell => ordinary(`0${value.toString(2).padStart(8, '0')}`)
const fork = (left: ReferenceCell, right: ReferenceCell): ReferenceCell => ordinary('1', [left, right])

const tree = fork(fork(leaf(1), leaf(2)), fork(leaf(3), fork(leaf(4), leaf(5))))
const leaves: readonly BinTreeLeaf<number>[] = [
  { path: 0b00n, depth: 2, value: 1 },
  { path: 0b01n, depth: 2, value: 2 },
  { path: 0b10n, depth: 2, value: 3 },
  { path: 0b110n, depth: 3, value: 4 },
  { path: 0b111n, depth: 3, value: 5 },
]

test('leaves come from left to right with the way to them', () => {
  assert.deepEqual(readBinTree(toCell(tree), readByte), leaves)
  assert.deepEqual(readBinTree(toCell(leaf(9)), readByte), [{ path: 0n, depth: 0, value: 9 }])
})

test('a tree is built from its leaves', () => {
  assert.deepEqual(fromCell(writeBinTree(leaves, writeByte)), tree)
  assert.deepEqual(fromCell(writeBinTree([{ path: 0n, depth: 0, value: 9 }], writeByte)), leaf(9))
})

const gap = (k: number): CellError =>
  new CellError(`The leaves of a binary tree leave a gap or are out of order at leaf ${k}.`)

test('leaves that leave a gap, stand in a wrong order or are too many are refused', () => {
  assert.throws(() => writeBinTree([], writeByte), gap(0))
  assert.throws(() => writeBinTree(leaves.slice(1), writeByte), gap(0))
  assert.throws(() => writeBinTree(leaves.slice(0, -1), writeByte), gap(4))
  assert.throws(() => writeBinTree([leaves[1]!, leaves[0]!, ...leaves.slice(2)], writeByte), gap(0))
  assert.throws(
    () => writeBinTree([...leaves, leaves[4]!], writeByte),
    new CellError('A binary tree is complete after 5 of 6 leaves.'),
  )
})

test('one leaf is looked up without entering what lies beside the way', () => {
  const pruned = prunedBranch(1, ['ab'.repeat(32)], [2])
  const part = toCell(fork(pruned, fork(pruned, fork(leaf(4), pruned))))
  const asked: number[] = []
  const turn = (depth: number): 'left' | 'right' => {
    asked.push(depth)
    return depth < 2 ? 'right' : 'left'
  }
  assert.deepEqual(lookupBinTree(part, turn, readByte), { depth: 3, value: 4 })
  assert.deepEqual(asked, [0, 1, 2])
  assert.throws(() => lookupBinTree(part, () => 'left', readByte), PrunedBranchError)
  assert.throws(() => readBinTree(part, readByte), PrunedBranchError)
  assert.deepEqual(
    lookupBinTree(toCell(leaf(9)), () => 'left', readByte),
    { depth: 0, value: 9 },
  )
  assert.equal(
    lookupBinTree(part, (depth) => (depth === 1 ? 'stop' : 'right'), readByte),
    undefined,
  )
})

const deep = (depth: number): ReferenceCell => {
  let root = leaf(1)
  for (let k = 0; k < depth; k++) root = fork(root, leaf(2))
  return root
}

test('sixty turns are the most', () => {
  assert.equal(readBinTree(toCell(deep(60)), readByte).length, 61)
  assert.equal(lookupBinTree(toCell(deep(60)), () => 'left', readByte)?.depth, 60)
  const refusal = new CellError('A binary tree is more than 60 deep.')
  assert.throws(() => readBinTree(toCell(deep(61)), readByte), refusal)
  assert.throws(() => lookupBinTree(toCell(deep(61)), () => 'left', readByte), refusal)
  assert.throws(() => writeBinTree([{ path: 0n, depth: 61, value: 1 }], writeByte), refusal)
  assert.throws(() => writeBinTree([{ path: 0n, depth: 1e9, value: 1 }], writeByte), refusal)
  const listed = readBinTree(toCell(deep(60)), readByte)
  assert.deepEqual(fromCell(writeBinTree(listed, writeByte)), deep(60))
})

test('a tree that few cells spell out without end is given up', () => {
  let root = leaf(1)
  for (let k = 0; k < 11; k++) root = fork(root, root)
  assert.equal(readBinTree(toCell(root), readByte).length, 2048)
  for (let k = 0; k < 40; k++) root = fork(root, root)
  assert.throws(() => readBinTree(toCell(root), readByte), new CellError('A binary tree has more than 2048 leaves.'))
})

const faults: readonly (readonly [string, ReferenceCell])[] = [
  ['an empty cell', ordinary('')],
  ['a fork without references', ordinary('1')],
  ['a fork with one reference', ordinary('1', [leaf(1)])],
  ['a fork with three references', ordinary('1', [leaf(1), leaf(2), leaf(3)])],
  ['a fork with more bits', ordinary('10', [leaf(1), leaf(2)])],
  ['a leaf that is too short', ordinary('00000001')],
  ['a leaf that is too long', ordinary('0000000011')],
  ['a leaf with a reference', ordinary('000000001', [leaf(1)])],
]

for (const [name, root] of faults) {
  test(`${name} is refused`, () => {
    assert.throws(() => readBinTree(toCell(root), readByte), CellError)
    assert.throws(() => readBinTree(toCell(fork(leaf(1), root)), readByte), CellError)
  })
}

test('any tree is read back as it was written', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60, size: 'max' }), (shape) => {
      const made: BinTreeLeaf<number>[] = []
      let next = 0
      const grow = (path: bigint, depth: number): void => {
        if (shape[next++] === true && depth < 20) {
          grow(path << 1n, depth + 1)
          grow((path << 1n) | 1n, depth + 1)
        } else made.push({ path, depth, value: made.length })
      }
      grow(0n, 0)
      assert.deepEqual(readBinTree(writeBinTree(made, writeByte), readByte), made)
    }),
    { seed, numRuns: 300 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  fromCell,
  hashOf,
  listCells,
  merkleProofOf,
  merkleUpdateOf,
  ordinary,
  prunedBranch,
  pruneReference,
  type ReferenceCell,
  toCell,
} from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { openCell } from './CellReader.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { ProofError } from './errors.ts'
import { recordVisited, VisitedCells } from './HashIndex.ts'
import { applyMerkleUpdate, buildMerkleUpdate, readMerkleUpdate } from './merkle.ts'

const leaf = ordinary('11')
const kept = ordinary('0', [leaf, ordinary('01', [leaf])])
const gone = ordinary('1', [ordinary('10', [leaf])])
const fresh = ordinary('111', [ordinary('00'), leaf])
const old = ordinary('101', [kept, gone])
const next = ordinary('110', [fresh, kept, leaf])

const apply = (from: ReferenceCell, update: ReferenceCell): string =>
  toHex(applyMerkleUpdate(toCell(from), toCell(update)).hash())

test('the new side prunes what the old one has, the old side shows the way to it', () => {
  const update = buildMerkleUpdate(toCell(old), toCell(next))
  const before = ordinary('101', [pruneReference(kept, 0), pruneReference(gone, 0)])
  const after = ordinary('110', [fresh, pruneReference(kept, 0), leaf])
  assert.deepEqual(fromCell(update), merkleUpdateOf(before, after))
  const sides = readMerkleUpdate(update)
  assert.deepEqual([toHex(sides.before.hash(0)), toHex(sides.after.hash(0))], [hashOf(old), hashOf(next)])
  assert.ok(applyMerkleUpdate(toCell(old), update).equals(toCell(next)))
})

test('a tree that stays the same, and one that is new altogether', () => {
  const same = buildMerkleUpdate(toCell(old), toCell(old))
  assert.deepEqual(fromCell(same), merkleUpdateOf(pruneReference(old, 0), pruneReference(old, 0)))
  assert.ok(applyMerkleUpdate(toCell(old), same).equals(toCell(old)))
  const other = buildMerkleUpdate(toCell(old), toCell(fresh))
  assert.deepEqual(fromCell(other), merkleUpdateOf(pruneReference(old, 0), fresh))
  assert.ok(applyMerkleUpdate(toCell(old), other).equals(toCell(fresh)))
})

test('only what was visited of the old tree is compared with the new one', () => {
  const deepKept = kept.refs[1]!
  const changed = ordinary('101', [ordinary('0', [deepKept, deepKept]), gone])
  const blind = buildMerkleUpdate(toCell(old), toCell(changed), new VisitedCells())
  assert.deepEqual(
    fromCell(blind).refs[1],
    ordinary('101', [ordinary('0', [deepKept, deepKept]), pruneReference(gone, 0)]),
  )
  const visited = recordVisited(() => openCell(toCell(old)).readRef())
  const seeing = buildMerkleUpdate(toCell(old), toCell(changed), visited)
  const short = pruneReference(deepKept, 0)
  assert.deepEqual(fromCell(seeing).refs[1], ordinary('101', [ordinary('0', [short, short]), pruneReference(gone, 0)]))
  for (const update of [blind, seeing]) assert.ok(applyMerkleUpdate(toCell(old), update).equals(toCell(changed)))
})

test('the result shares what did not change with the old tree', () => {
  const from = toCell(old)
  const result = applyMerkleUpdate(from, buildMerkleUpdate(from, toCell(next)))
  assert.deepEqual([result.ref(1).arena === from.ref(0).arena, result.ref(1).index], [true, from.ref(0).index])
})

test('an update that prunes nothing applies too', () => {
  assert.equal(apply(old, merkleUpdateOf(old, next)), hashOf(next))
})

test('the same content may stand pruned in one place and whole in another', () => {
  const twice = ordinary('0', [kept, kept])
  const before: ReferenceCell = ordinary('0', [
    pruneReference(kept, 0),
    ordinary('0', [leaf, pruneReference(kept.refs[1]!, 0)]),
  ])
  const after = ordinary('1', [pruneReference(kept.refs[1]!, 0), pruneReference(kept, 0)])
  assert.equal(apply(twice, merkleUpdateOf(before, after)), hashOf(ordinary('1', [kept.refs[1]!, kept])))
})

test('parts under Merkle cells of the trees are pruned and found one level higher', () => {
  const inside = (tree: ReferenceCell): ReferenceCell => ordinary('1', [merkleProofOf(ordinary('0', [tree, tree]))])
  const from = inside(ordinary('10', [kept]))
  const to = inside(ordinary('01', [kept]))
  const update = buildMerkleUpdate(toCell(from), toCell(to))
  assert.equal(update.level, 0)
  assert.ok(listCells(fromCell(update)).some((cell) => cell.exotic && cell.bits.startsWith('0000000100000010')))
  assert.ok(applyMerkleUpdate(toCell(from), update).equals(toCell(to)))
})

test('trees with pruned branches of their own, under Merkle proofs', () => {
  const own = prunedBranch(1, ['ab'.repeat(32)], [7])
  const inside = (bits: string): ReferenceCell =>
    ordinary('', [merkleProofOf(ordinary(bits, [ordinary('1', [own, kept]), own, kept]))])
  const update = buildMerkleUpdate(toCell(inside('0')), toCell(inside('1')))
  assert.ok(applyMerkleUpdate(toCell(inside('0')), update).equals(toCell(inside('1'))))
})

test('below three Merkle cells nothing is pruned, and the update still applies', () => {
  const wrap = (bits: string): ReferenceCell =>
    merkleProofOf(merkleProofOf(merkleProofOf(ordinary(bits, [kept, gone]))))
  const update = buildMerkleUpdate(toCell(wrap('0')), toCell(wrap('1')))
  assert.ok(applyMerkleUpdate(toCell(wrap('0')), update).equals(toCell(wrap('1'))))
})

test('one cell may stand pruned in the old tree and be a part of it under a Merkle proof as well', () => {
  const whole = ordinary('0', [kept, leaf])
  const part = ordinary('0', [pruneReference(kept, 0), leaf])
  const from = ordinary('1', [whole, merkleProofOf(part)])
  const to = ordinary('0', [ordinary('1', [kept]), merkleProofOf(ordinary('', [part]))])
  const before = ordinary('1', [part, merkleProofOf(part)])
  const after = ordinary('0', [
    ordinary('1', [pruneReference(kept, 0)]),
    { ...to.refs[1]!, refs: [ordinary('', [pruneReference(part, 1)])] },
  ])
  const update = toCell(merkleUpdateOf(before, after))
  // Read from a bag, so that both places are one cell.
  assert.ok(applyMerkleUpdate(toCell(from), decodeSingleBoc(encodeBoc([update]))).equals(toCell(to)))
})

const refusals: readonly (readonly [string, ReferenceCell, ReferenceCell, string])[] = [
  ['another kind of cell', old, next, 'Expected a Merkle update, but got another kind of cell.'],
  ['a Merkle proof', old, merkleProofOf(next), 'Expected a Merkle update, but got another kind of cell.'],
  [
    'an update of another tree',
    next,
    merkleUpdateOf(old, next),
    'A Merkle update starts from another cell than the one it is applied to.',
  ],
  [
    'an update that uses what it does not show',
    old,
    merkleUpdateOf(pruneReference(old, 0), ordinary('', [pruneReference(kept, 0)])),
    'A Merkle update uses a part of the old tree that it does not show there.',
  ],
  [
    'an update that uses what never was there',
    old,
    merkleUpdateOf(old, ordinary('', [pruneReference(fresh, 0)])),
    'A Merkle update uses a part of the old tree that it does not show there.',
  ],
  [
    'an update that is itself pruned',
    old,
    merkleUpdateOf(old, pruneReference(next, 1)),
    'Only a whole Merkle update applies, and to a whole tree: their levels are 1 and 0.',
  ],
  [
    'an update of a tree that is itself pruned',
    ordinary('101', [pruneReference(kept, 0), gone]),
    merkleUpdateOf(old, next),
    'Only a whole Merkle update applies, and to a whole tree: their levels are 0 and 1.',
  ],
]

for (const [name, from, update, message] of refusals) {
  test(`${name} is refused`, () => assert.throws(() => apply(from, update), new ProofError(message)))
}

test('an update that lies about a side is refused', () => {
  const good = merkleUpdateOf(old, next)
  for (const at of [8, 300, 525, 545]) {
    const bits = good.bits.slice(0, at) + (good.bits[at] === '0' ? '1' : '0') + good.bits.slice(at + 1)
    assert.throws(() => apply(old, { ...good, bits }), ProofError)
  }
})

test('trees with more paths than anyone can walk are compared and rebuilt cell by cell', () => {
  const bomb = (bits: string): ReferenceCell => {
    let root = ordinary(bits, [kept])
    for (let k = 0; k < 400; k++) root = ordinary(k.toString(2), [root, root, root, root])
    return root
  }
  const start = performance.now()
  const update = buildMerkleUpdate(toCell(bomb('0')), toCell(bomb('1')))
  assert.ok(applyMerkleUpdate(toCell(bomb('0')), update).equals(toCell(bomb('1'))))
  assert.ok(performance.now() - start < 2000)
})

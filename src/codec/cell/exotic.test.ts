import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findExoticFault,
  LIBRARY_REFERENCE,
  levelMaskOf,
  levelOfMask,
  MERKLE_PROOF,
  MERKLE_UPDATE,
  PRUNED_BRANCH,
  popcount3,
} from './exotic.ts'

test('the number of level bits and the level of every mask', () => {
  const masks = [0, 1, 2, 3, 4, 5, 6, 7]
  assert.deepEqual(masks.map(popcount3), [0, 1, 1, 2, 1, 2, 2, 3])
  assert.deepEqual(masks.map(levelOfMask), [0, 1, 2, 2, 3, 3, 3, 3])
})

test('the mask of a cell follows from its kind and from its children', () => {
  for (const below of [0, 1, 2, 3, 4, 5, 6, 7]) {
    assert.equal(levelMaskOf(0, 0, below), below)
    assert.equal(levelMaskOf(PRUNED_BRANCH, 5, below), 5)
    assert.equal(levelMaskOf(LIBRARY_REFERENCE, 7, below), 0)
    assert.equal(levelMaskOf(MERKLE_PROOF, 7, below), below >> 1)
    assert.equal(levelMaskOf(MERKLE_UPDATE, 7, below), below >> 1)
  }
})

const padding = 3
const fault = (bytes: readonly number[], bits: number, refs: number): string | undefined =>
  findExoticFault(Uint8Array.from([...new Array(padding).fill(9), ...bytes]), padding, bits, refs)

const pruned = (mask: number, depths: readonly number[]): number[] => [
  1,
  mask,
  ...new Array(32 * depths.length).fill(0),
  ...depths.flatMap((depth) => [depth >> 8, depth & 0xff]),
]

test('a pruned branch of every mask holds as many hashes and depths as the mask has bits', () => {
  for (let mask = 1; mask <= 7; mask++) {
    const count = popcount3(mask)
    const bits = 8 * (2 + 34 * count)
    assert.equal(fault(pruned(mask, new Array(count).fill(1024)), bits, 0), undefined)
    for (let k = 0; k < count; k++) {
      const depths = new Array(count).fill(0)
      depths[k] = 1025
      assert.equal(
        fault(pruned(mask, depths), bits, 0),
        'a pruned branch stands for depth 1025, at most 1024 is allowed',
      )
    }
  }
})

const library = [2, ...new Array(32).fill(0)]
const proof = [3, ...new Array(34).fill(0)]
const update = [4, ...new Array(68).fill(0)]

const faults: readonly (readonly [string, readonly number[], number, number, string | undefined])[] = [
  ['no type byte', [], 0, 0, 'an exotic cell needs at least 8 data bits for its type, it has 0'],
  ['seven bits', [2], 7, 0, 'an exotic cell needs at least 8 data bits for its type, it has 7'],
  ['type 0', [0], 8, 0, 'exotic cells have type 1 to 4, it is 0'],
  ['type 5', [5], 8, 0, 'exotic cells have type 1 to 4, it is 5'],
  ['type 255', [255], 8, 0, 'exotic cells have type 1 to 4, it is 255'],
  ['pruned, with a reference', pruned(1, [0]), 288, 1, 'a pruned branch has no references, this one has 1'],
  ['pruned, no mask', [1], 8, 0, 'a pruned branch needs a level mask, it has 8 bits'],
  ['pruned, half a mask', [1, 1], 15, 0, 'a pruned branch needs a level mask, it has 15 bits'],
  ['pruned, mask 0', pruned(0, [0]), 288, 0, 'the level mask of a pruned branch is 1 to 7, it is 0'],
  ['pruned, mask 8', pruned(8, [0]), 288, 0, 'the level mask of a pruned branch is 1 to 7, it is 8'],
  ['pruned, too long', pruned(1, [0, 0]), 560, 0, 'a pruned branch with level mask 1 has 288 bits, it has 560'],
  ['pruned, too short', pruned(3, [0]), 288, 0, 'a pruned branch with level mask 3 has 560 bits, it has 288'],
  ['pruned, a bit more', pruned(1, [0]), 289, 0, 'a pruned branch with level mask 1 has 288 bits, it has 289'],
  ['library', library, 264, 0, undefined],
  ['library, short', library, 256, 0, 'a library reference has 264 bits and no references, it has 256 and 0'],
  ['library, with one', library, 264, 1, 'a library reference has 264 bits and no references, it has 264 and 1'],
  ['proof', proof, 280, 1, undefined],
  ['proof, alone', proof, 280, 0, 'a Merkle proof has 280 bits and 1 reference, it has 280 and 0'],
  ['proof, long', proof, 288, 1, 'a Merkle proof has 280 bits and 1 reference, it has 288 and 1'],
  ['update', update, 552, 2, undefined],
  ['update, one side', update, 552, 1, 'a Merkle update has 552 bits and 2 references, it has 552 and 1'],
  ['update, short', update, 544, 2, 'a Merkle update has 552 bits and 2 references, it has 544 and 2'],
]

for (const [name, bytes, bits, refs, expected] of faults) {
  test(`layout of an exotic cell: ${name}`, () => assert.equal(fault(bytes, bits, refs), expected))
}

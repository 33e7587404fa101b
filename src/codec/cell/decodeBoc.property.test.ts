import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell as CoreCell } from '@ton/core'
import fc from 'fast-check'
import { arbitraryExoticTree, arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { assembleBag, parseBag, rawCells } from '../../../test/support/RawBag.ts'
import { depthOf, hashOf, maskOf, type ReferenceCell, toCell, toCoreCell } from '../../../test/support/referenceCell.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { decodeBoc, decodeSingleBoc, openIndexedBoc } from './decodeBoc.ts'
import { BLOCK_BOC, CHECKED_BOC, encodeBoc, PLAIN_BOC } from './encodeBoc.ts'
import { levelOfMask } from './exotic.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const allMasks = [1, 2, 3, 4, 5, 6, 7]
/** The masks that @ton/core reads right: it takes a pruned branch to hold as many hashes as its level says. */
const gaplessMasks = [1, 3, 7]
const levels = [0, 1, 2, 3]
const formats = [PLAIN_BOC, CHECKED_BOC, BLOCK_BOC, { ...BLOCK_BOC, crc: false, cacheBits: false }]

const describe = (cell: Cell): unknown => ({
  mask: cell.levelMask,
  hashes: levels.map((level) => toHex(cell.hash(level))),
  depths: levels.map((level) => cell.depth(level)),
})

const describeReference = (cell: ReferenceCell): unknown => ({
  mask: maskOf(cell),
  hashes: levels.map((level) => hashOf(cell, level)),
  depths: levels.map((level) => depthOf(cell, level)),
})

const compare = (cell: Cell, expected: ReferenceCell): void => {
  const seen = new Set<ReferenceCell>()
  const visit = (ours: Cell, reference: ReferenceCell): void => {
    if (seen.has(reference)) return
    seen.add(reference)
    assert.deepEqual(describe(ours), describeReference(reference))
    for (const [k, ref] of reference.refs.entries()) visit(ours.ref(k), ref)
  }
  visit(cell, expected)
}

test('cells of all kinds have the masks, hashes and depths that the rules give, built and read in every format', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryExoticTree(allMasks), fc.nat(7), (tree, stored) => {
      compare(toCell(tree), tree)
      const options = { allowPrunedRoots: true, strict: true }
      for (const format of formats) compare(decodeSingleBoc(encodeBoc([toCell(tree)], format), options), tree)
      compare(decodeSingleBoc(assembleBag(rawCells([tree], (cell) => cell.bits.length % 8 === stored)), options), tree)
      compare(openIndexedBoc(encodeBoc([toCell(tree)], BLOCK_BOC))[0]!, tree)
    }),
    { seed, numRuns: 300 },
  )
})

test('ordinary trees hash as in @ton/core, which reads our bags as we read its', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryTree(), fc.boolean(), fc.boolean(), (tree, idx, crc32) => {
      const core = toCoreCell(tree)
      const ours = toCell(tree)
      assert.equal(toHex(ours.hash()), core.hash().toString('hex'))
      assert.equal(ours.depth(), core.depth())
      const read = decodeSingleBoc(core.toBoc({ idx, crc32 }), { strict: true })
      assert.ok(read.equals(ours))
      for (const format of formats) {
        const [again] = CoreCell.fromBoc(Buffer.from(encodeBoc([ours], format)))
        assert.ok(again?.equals(core))
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('trees with exotic cells hash as in @ton/core at every level', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryExoticTree(gaplessMasks), (tree) => {
      const core = toCoreCell(tree)
      const ours = toCell(tree)
      assert.equal(ours.level, core.level())
      assert.equal(ours.level, levelOfMask(maskOf(tree)))
      for (const level of levels) {
        assert.equal(toHex(ours.hash(level)), core.hash(level).toString('hex'), `hash at level ${level}`)
        assert.equal(ours.depth(level), core.depth(level), `depth at level ${level}`)
      }
      assert.ok(decodeSingleBoc(core.toBoc(), { allowPrunedRoots: true }).equals(ours))
      for (const format of formats) {
        assert.ok(CoreCell.fromBoc(Buffer.from(encodeBoc([ours], format)))[0]?.equals(core))
      }
    }),
    { seed, numRuns: 300 },
  )
})

test('several roots, equal or not, come back in their order', (t) => {
  t.diagnostic(`seed ${seed}`)
  const roots = fc
    .tuple(
      fc.array(arbitraryTree(12), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(100), { minLength: 1, maxLength: 8 }),
    )
    .map(([trees, picks]) => picks.map((pick) => trees[pick % trees.length]!))
  fc.assert(
    fc.property(roots, (trees) => {
      for (const format of formats) {
        const bytes = encodeBoc(trees.map(toCell), format)
        const hashes = decodeBoc(bytes, { strict: true }).map((root) => toHex(root.hash()))
        assert.deepEqual(
          hashes,
          trees.map((tree) => hashOf(tree)),
        )
        assert.deepEqual(
          CoreCell.fromBoc(Buffer.from(bytes)).map((root) => root.hash().toString('hex')),
          hashes,
        )
      }
    }),
    { seed, numRuns: 200 },
  )
})

test('what is changed anywhere is refused with our error or is another valid bag', (t) => {
  t.diagnostic(`seed ${seed}`)
  const change = fc.record({ at: fc.nat(100_000), bits: fc.integer({ min: 1, max: 255 }), cut: fc.nat(20) })
  fc.assert(
    fc.property(
      arbitraryExoticTree(allMasks, 12),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (tree, changes) => {
        // The sizes of its numbers do not fit what it says, so a bag without a checksum is where a change does most.
        const bytes = encodeBoc([toCell(tree)], { index: true, crc: false, cacheBits: false, innerHashes: true })
        for (const { at, bits, cut } of changes) {
          bytes[at % bytes.length]! ^= bits
          for (const input of [bytes, bytes.slice(0, bytes.length - cut)]) {
            for (const options of [
              {},
              { lenient: true, allowPrunedRoots: true },
              { trusted: true, allowTrailing: true },
            ]) {
              try {
                for (const root of decodeBoc(input, options)) root.hash()
              } catch (error) {
                assert.ok(error instanceof CodedError, String(error))
              }
            }
          }
        }
      },
    ),
    { seed, numRuns: 500 },
  )
})

test('the bags of the tests are taken apart and put together again without a change', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryExoticTree(allMasks), (tree) => {
      for (const format of formats) {
        const bytes = encodeBoc([toCell(tree)], format)
        assert.equal(toHex(assembleBag(parseBag(bytes))), toHex(bytes))
      }
    }),
    { seed, numRuns: 100 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell as CoreCell, convertToMerkleProof } from '@ton/core'
import fc from 'fast-check'
import { arbitraryClosedTree, arbitraryPair, arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { assembleBag, parseBag, type RawBag } from '../../../test/support/RawBag.ts'
import { toCell, toCoreCell } from '../../../test/support/referenceCell.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from './Cell.ts'
import { openCell, openRaw } from './CellReader.ts'
import { decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { PRUNED_BRANCH } from './exotic.ts'
import { recordVisited, type VisitedCells } from './HashIndex.ts'
import {
  applyMerkleUpdate,
  buildMerkleProof,
  buildMerkleUpdate,
  isMerkleCell,
  unwrapMerkleProof,
  wrapMerkleProof,
} from './merkle.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** Enters cells along random ways down; `turns` says which reference to take and when to start again at the root. */
const wander = (root: Cell, turns: readonly number[]): VisitedCells =>
  recordVisited(() => {
    let cell = root
    for (const turn of turns) {
      openRaw(cell)
      const choice = turn % (cell.refCount + 1)
      cell = choice === cell.refCount ? root : cell.ref(choice)
    }
  })

const turnList = fc.array(fc.nat(19), { maxLength: 40, size: 'max' })

/** Goes through the original and the proof side by side and says how many cells it found pruned. */
const compare = (original: Cell, shown: Cell, visited: VisitedCells): number => {
  let pruned = 0
  const seen = new Set<string>()
  const visit = (whole: Cell, part: Cell, merkleDepth: number): void => {
    const key = `${whole.arena === original.arena} ${whole.index} ${toHex(part.hash())} ${merkleDepth}`
    if (seen.has(key)) return
    seen.add(key)
    assert.equal(toHex(part.hash(merkleDepth)), toHex(whole.hash(merkleDepth)))
    assert.equal(part.depth(merkleDepth), whole.depth(merkleDepth))
    if (part.exoticType === PRUNED_BRANCH && part.level > merkleDepth) {
      assert.ok(!visited.has(whole), 'a visited cell was pruned')
      assert.ok(whole.refCount > 0, 'a cell without references was pruned')
      pruned++
      return
    }
    assert.ok(visited.has(whole) || whole.refCount === 0 || merkleDepth > 2, 'a cell was kept that nobody visited')
    assert.deepEqual([part.bits, part.refCount, part.exoticType], [whole.bits, whole.refCount, whole.exoticType])
    assert.deepEqual(openRaw(part).readBits(part.bits), openRaw(whole).readBits(whole.bits))
    if (merkleDepth > 2 && !visited.has(whole)) return
    const childDepth = isMerkleCell(whole) ? merkleDepth + 1 : merkleDepth
    for (let k = 0; k < whole.refCount; k++) visit(whole.ref(k), part.ref(k), childDepth)
  }
  visit(original, shown, 0)
  return pruned
}

test('a proof shows what was visited, hides the rest, and survives its way through a bag', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.oneof(arbitraryTree(), arbitraryClosedTree()), turnList, (tree, turns) => {
      const root = decodeSingleBoc(encodeBoc([toCell(tree)]))
      const visited = wander(root, turns)
      const proof = buildMerkleProof(root, visited)
      const read = decodeSingleBoc(encodeBoc([proof]))
      assert.equal(toHex(read.hash()), toHex(proof.hash()))
      compare(root, unwrapMerkleProof(read, root.hash()), visited)
    }),
    { seed, numRuns: 500 },
  )
})

test('a proof of a whole tree is that of @ton/core, and pruned proofs hash the same there', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryTree(), turnList, (tree, turns) => {
      const root = toCell(tree)
      assert.equal(toHex(wrapMerkleProof(root).hash()), convertToMerkleProof(toCoreCell(tree)).hash().toString('hex'))
      const proof = buildMerkleProof(root, wander(root, turns))
      const [core] = CoreCell.fromBoc(Buffer.from(encodeBoc([proof])))
      assert.equal(core?.hash().toString('hex'), toHex(proof.hash()))
      assert.equal(core?.refs[0]?.hash(0).toString('hex'), toHex(root.hash()))
    }),
    { seed, numRuns: 300 },
  )
})

/** The bag with one bit of one cell's data changed, and everything that merely describes it put right. */
const tamper = (bytes: Uint8Array, pickCell: number, pickBit: number): Uint8Array | undefined => {
  const bag: RawBag = parseBag(bytes)
  const target = pickCell % bag.cells.length
  const { data, d2 } = bag.cells[target]!
  // The completion bit and what follows it are no data.
  const bits = 8 * data.length - ((d2 & 1) === 0 ? 0 : 1 + 31 - Math.clz32(data.at(-1)! & -data.at(-1)!))
  if (bits === 0) return undefined
  const bit = pickBit % bits
  const changed = data.map((byte, k) => (k === bit >> 3 ? byte ^ (0x80 >> (bit & 7)) : byte))
  return assembleBag({ ...bag, cells: bag.cells.map((cell, k) => (k === target ? { ...cell, data: changed } : cell)) })
}

const tampering = fc.array(fc.tuple(fc.nat(1000), fc.nat(2000)), { minLength: 5, maxLength: 5 })

test('a proof with any bit changed is refused', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.oneof(arbitraryTree(), arbitraryClosedTree()), turnList, tampering, (tree, turns, changes) => {
      const root = toCell(tree)
      const bytes = encodeBoc([buildMerkleProof(root, wander(root, turns))])
      for (const [pickCell, pickBit] of changes) {
        const changed = tamper(bytes, pickCell, pickBit)
        if (changed === undefined) continue
        for (const options of [{}, { lenient: true }, { trusted: true }]) {
          assert.throws(() => unwrapMerkleProof(decodeSingleBoc(changed, options), root.hash()), CodedError)
        }
      }
    }),
    { seed, numRuns: 200 },
  )
})

test('an update leads from the old tree to the new one, whatever was visited', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryPair(), fc.option(turnList), ([from, to], turns) => {
      const old = decodeSingleBoc(encodeBoc([toCell(from)]))
      const next = toCell(to)
      const update = turns === null ? buildMerkleUpdate(old, next) : buildMerkleUpdate(old, next, wander(old, turns))
      assert.equal(update.level, 0)
      const read = decodeSingleBoc(encodeBoc([update]))
      const result = applyMerkleUpdate(old, read)
      assert.equal(toHex(result.hash()), toHex(next.hash()))
      assert.deepEqual(encodeBoc([result]), encodeBoc([next]))
      assert.ok(applyMerkleUpdate(toCell(from), update).equals(next))
    }),
    { seed, numRuns: 500 },
  )
})

test('an update with any bit changed is refused', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryPair(), tampering, ([from, to], changes) => {
      const old = toCell(from)
      const bytes = encodeBoc([buildMerkleUpdate(old, toCell(to))])
      for (const [pickCell, pickBit] of changes) {
        const changed = tamper(bytes, pickCell, pickBit)
        if (changed === undefined) continue
        for (const options of [{}, { lenient: true }, { trusted: true }]) {
          assert.throws(() => applyMerkleUpdate(old, decodeSingleBoc(changed, options)), CodedError)
        }
      }
    }),
    { seed, numRuns: 200 },
  )
})

test('reading along visited cells never meets a pruned branch', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryTree(), turnList, (tree, turns) => {
      const root = toCell(tree)
      const inner = unwrapMerkleProof(buildMerkleProof(root, wander(root, turns)), root.hash())
      let cell = inner
      for (const turn of turns) {
        openCell(cell)
        const choice = turn % (cell.refCount + 1)
        cell = choice === cell.refCount ? inner : cell.ref(choice)
      }
    }),
    { seed, numRuns: 300 },
  )
})

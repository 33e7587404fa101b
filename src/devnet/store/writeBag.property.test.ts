import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Cell as CoreCell } from '@ton/core'
import fc from 'fast-check'
import { arbitraryClosedTree, arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { hashOf, toCell } from '../../../test/support/referenceCell.ts'
import { type Cell, cellAt } from '../../codec/cell/Cell.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import { decodeBoc } from '../../codec/cell/decodeBoc.ts'
import { BLOCK_BOC, encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { toHex } from '../../primitives/hex.ts'
import { ArenaWriter, adoptCells } from './ArenaWriter.ts'
import { CellCopier } from './StateStore.ts'
import { runAtOnce } from './slicedWork.ts'
import { writeBag } from './writeBag.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const hashesOf = (cells: readonly Cell[]): string[] => cells.map((cell) => toHex(cell.hash()))

/** All arenas that a cell keeps alive. */
const reachableArenas = (root: Cell): Set<CellArena> => {
  const found = new Set<CellArena>()
  const visit = (cell: Cell): void => {
    found.add(cell.arena)
    for (let k = 0; k < cell.refCount; k++)
      visit(cellAt(cell.arena, cell.arena.refs[cell.arena.refStart[cell.index]! + k]!))
  }
  visit(root)
  for (const { foreign } of [...found]) for (const { arena } of foreign) found.add(arena)
  return found
}

test('a bag in slices has the cells that were given, each once; others read it, too', (t) => {
  t.diagnostic(`seed ${seed}`)
  const trees = fc.array(fc.oneof(arbitraryTree(120), arbitraryClosedTree()), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(trees, (list) => {
      const roots = list.map(toCell)
      const bag = runAtOnce(writeBag(roots))
      assert.equal(bag.length, encodeBoc(roots).length)
      assert.deepEqual(
        hashesOf(decodeBoc(bag)),
        list.map((tree) => hashOf(tree)),
      )
    }),
    { seed, numRuns: 300 },
  )
  fc.assert(
    fc.property(fc.array(arbitraryTree(60), { minLength: 1, maxLength: 3 }), (list) => {
      const read = CoreCell.fromBoc(Buffer.from(runAtOnce(writeBag(list.map(toCell)))))
      assert.deepEqual(
        read.map((cell) => cell.hash().toString('hex')),
        list.map((tree) => hashOf(tree)),
      )
    }),
    { seed, numRuns: 100 },
  )
})

test('copies are equal to the cells they are of, and keep none of their arenas', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryClosedTree(60), fc.boolean(), (tree, fromBag) => {
      const made = toCell(tree)
      const root = fromBag ? decodeBoc(encodeBoc([made], BLOCK_BOC))[0]! : made
      const copier = new CellCopier()
      const copy = runAtOnce(copier.copy(root))
      const young = new ArenaWriter(3)
      const adopted = adoptCells(root, young, (arena) => young.owns(arena))
      for (const [cell, writer] of [
        [copy, copier.writer],
        [adopted, young],
      ] as const) {
        assert.deepEqual(hashesOf([cell]), [hashOf(tree)])
        assert.deepEqual(encodeBoc([cell], BLOCK_BOC), encodeBoc([made], BLOCK_BOC))
        for (const arena of reachableArenas(cell)) assert.ok(writer.owns(arena))
      }
      const before = young.count
      assert.equal(
        adoptCells(adopted, young, (arena) => young.owns(arena)),
        adopted,
      )
      assert.equal(young.count, before)
    }),
    { seed, numRuns: 300 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arbitraryTree } from '../../../test/support/arbitraryCell.ts'
import { haveFixtures, listFixtures, readFixture } from '../../../test/support/fixtures.ts'
import { toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { Cell } from './Cell.ts'
import { CellWriter } from './CellWriter.ts'
import { type BocOptions, decodeSingleBoc } from './decodeBoc.ts'
import { encodeBoc } from './encodeBoc.ts'
import { ProofError } from './errors.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

/** The hashes and depths of all cells of a bag at all levels, asked for in this order. */
const readAll = (bytes: Uint8Array, options: BocOptions, order: readonly number[]): string[] => {
  const { arena } = decodeSingleBoc(bytes, { trusted: true, allowPrunedRoots: true, ...options })
  const found: string[] = []
  for (const asked of order) {
    const index = asked % arena.count
    const cell = new Cell(arena, index)
    for (const level of [asked % 4, 0, 3, 1, 2])
      found[5 * index + level] = `${toHex(cell.hash(level))} ${cell.depth(level)}`
  }
  return found
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k)

/** Cells of repeated bags are hashed one by one. */
const expectSame = (bytes: Uint8Array, picks: readonly number[] = []): void => {
  const all = upTo(decodeSingleBoc(bytes, { trusted: true, allowPrunedRoots: true }).arena.count)
  const alone = readAll(bytes, { isRepeated: true }, [...all].reverse())
  assert.deepEqual(readAll(bytes, {}, all), alone)
  assert.deepEqual(readAll(bytes, {}, [...picks, ...all]), alone)
}

test('cells that are hashed together have the hashes that they have alone, at all levels', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryTree(), fc.array(fc.nat(1000), { maxLength: 5 }), (tree, picks) =>
      expectSame(encodeBoc([toCell(tree)]), picks),
    ),
    { seed, numRuns: 500 },
  )
})

test('so do those of recorded blocks', (t) => {
  if (!haveFixtures(t, 'localnet/blocks')) return
  const blocks = listFixtures('localnet/blocks', '.boc')
  assert.ok(blocks.length > 10)
  for (const path of blocks.slice(0, 40)) expectSame(readFixture(path), [7, 100])
})

test('a cell that was built later refers to cells of other arenas and of its own', () => {
  const leaf = (value: number): Cell => new CellWriter().writeUint(value, 32).toCell()
  const fork = (cells: readonly Cell[]): Cell => {
    const writer = new CellWriter().writeUint(cells.length, 8)
    for (const cell of cells) writer.writeRef(cell)
    return writer.toCell()
  }
  const read = decodeSingleBoc(encodeBoc([fork([leaf(1), fork([leaf(2), leaf(3)])])]))
  const built = fork([read, fork([leaf(4), read.ref(1)]), leaf(5)])
  const again = decodeSingleBoc(encodeBoc([built]), { isRepeated: true })
  assert.equal(toHex(built.hash()), toHex(again.hash()))
})

test('what pruned branches make too deep is refused, each time it is asked for, and leaves nothing behind', () => {
  const pruned = (depth: number): Cell => {
    const writer = new CellWriter()
    writer.writeUint(1, 8).writeUint(1, 8).writeBytes(new Uint8Array(32)).writeUint(depth, 16)
    return writer.toExoticCell()
  }
  const over = (below: Cell, levels: number): Cell =>
    levels === 0 ? below : over(new CellWriter().writeRef(below).toCell(), levels - 1)
  assert.equal(over(pruned(1021), 3).depth(0), 1024)
  const deep = over(pruned(1022), 3)
  for (let k = 0; k < 2; k++) assert.throws(() => deep.hash(0), ProofError)
  // What waited for others when it failed is not taken for done.
  const broken = new CellWriter()
    .writeRef(over(pruned(1022), 2))
    .writeRef(over(pruned(5), 2))
    .toCell()
  assert.throws(() => broken.hash(0), ProofError)
  const alone = decodeSingleBoc(encodeBoc([over(pruned(5), 2)]), { allowPrunedRoots: true, isRepeated: true })
  assert.equal(toHex(broken.ref(1).hash(0)), toHex(alone.hash(0)))
})

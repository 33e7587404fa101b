import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marker } from '../../../test/support/sampleMessages.ts'
import { libraryReference } from '../../../test/support/vmSamples.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../codec/cell/CellWriter.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { toHex } from '../../primitives/hex.ts'
import { VmInputError } from '../errors.ts'
import { collectLibraries, encodeLibraries, listLibraryReferences, NO_LIBRARIES } from './collectLibraries.ts'

const over = (...refs: readonly Cell[]): Cell => {
  const w = new CellWriter().writeUint(1, 1)
  for (const ref of refs) w.writeRef(ref)
  return w.toCell()
}

const referTo = (cell: Cell): Cell => libraryReference(cell.hash())
const bag = (cell: Cell): Uint8Array => encodeBoc([cell])
const namesOf = (libraries: ReadonlyMap<string, Cell>): string[] => [...libraries.keys()].sort()
const hashes = (...cells: readonly Cell[]): string[] => cells.map((cell) => toHex(cell.hash())).sort()

/** Finds what it was made with, and notes what it was asked for. */
const createFinder = (...cells: readonly Cell[]) => {
  const asked: string[] = []
  const find = (hash: Uint8Array): Cell | undefined => {
    asked.push(toHex(hash))
    return cells.find((cell) => cell.hasHash(hash))
  }
  return { find, asked }
}

test('references are found at any depth, and nothing else is taken for one', () => {
  const looksLikeOne = new CellWriter().writeUint(2, 8).writeBytes(marker(1).hash()).toCell()
  const tree = over(looksLikeOne, over(over(referTo(marker(1))), referTo(marker(2))))
  assert.deepEqual(listLibraryReferences(bag(tree)).map(toHex).sort(), hashes(marker(1), marker(2)))
  assert.deepEqual(listLibraryReferences(bag(looksLikeOne)), [])
})

test('what libraries refer to is followed, in circles too, and each is asked for once', async () => {
  const third = marker(3)
  const second = over(referTo(third), referTo(third))
  const first = over(referTo(second))
  const { find, asked } = createFinder(first, second, third)
  const libraries = await collectLibraries([bag(over(referTo(first))), bag(referTo(second))], find)
  assert.deepEqual(namesOf(libraries), hashes(first, second, third))
  assert.deepEqual(asked.toSorted(), hashes(first, second, third))
})

test('one that nobody has is left out, and asked for once', async () => {
  const { find, asked } = createFinder(marker(1))
  const libraries = await collectLibraries(
    [bag(over(referTo(marker(1)), referTo(marker(2)), referTo(marker(2))))],
    find,
  )
  assert.deepEqual(namesOf(libraries), hashes(marker(1)))
  assert.equal(asked.length, 2)
})

test('libraries may come later', async () => {
  const { find } = createFinder(marker(1))
  const libraries = await collectLibraries([bag(referTo(marker(1)))], (hash) => Promise.resolve(find(hash)))
  assert.deepEqual(namesOf(libraries), hashes(marker(1)))
})

test('known ones are kept and not asked for, and without a source there are none', async () => {
  const known = new Map([[toHex(marker(1).hash()), marker(1)]])
  const { find, asked } = createFinder(marker(2))
  const libraries = await collectLibraries([bag(over(referTo(marker(1)), referTo(marker(2))))], find, known)
  assert.deepEqual(namesOf(libraries), hashes(marker(1), marker(2)))
  assert.deepEqual(asked, hashes(marker(2)))
  assert.equal((await collectLibraries([bag(referTo(marker(1)))], undefined)).size, 0)
})

test('an endless chain of libraries is refused', async () => {
  const chain = [emptyCell]
  for (let k = 0; k < 300; k++) chain.push(over(referTo(chain.at(-1)!)))
  const byHash = new Map(chain.map((cell) => [toHex(cell.hash()), cell]))
  const find = (hash: Uint8Array): Cell | undefined => byHash.get(toHex(hash))
  await assert.rejects(collectLibraries([bag(referTo(chain.at(-1)!))], find), VmInputError)
  assert.equal((await collectLibraries([bag(referTo(chain[200]!))], find)).size, 201)
})

test('the collection holds each library under its hash; an empty one holds what nobody can find', () => {
  const cells = [marker(1), marker(2)]
  const map = new Map(cells.map((cell) => [toHex(cell.hash()), cell]))
  const written = new Dict(simpleLibsType, decodeSingleBoc(encodeLibraries(map))).entries()
  assert.deepEqual(
    written.map(([hash, { root }]) => [toHex(hash), toHex(root.hash())]).sort(),
    hashes(...cells).map((hash) => [hash, hash]),
  )
  const entries = new Dict(simpleLibsType, decodeSingleBoc(encodeLibraries(NO_LIBRARIES))).entries()
  assert.deepEqual(
    entries.map(([hash, { root }]) => root.hasHash(hash)),
    [false],
  )
})

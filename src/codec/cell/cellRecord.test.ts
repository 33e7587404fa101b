import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CellArena } from './CellArena.ts'
import { failCell, readCellRecord, settleLevels } from './decodeBoc.ts'
import { BocError } from './errors.ts'

/** An arena over these bytes with room for three cells. */
const arenaOf = (...bytes: number[]): CellArena => new CellArena(Uint8Array.from(bytes), 3, 3, 12)

test('a record is read into the columns of its cell', () => {
  const arena = arenaOf(0xaa, 0x02, 0x03, 0xc0, 0xd8, 0x00, 0x01, 0x00, 0x02, 0xbb)
  assert.equal(readCellRecord(arena, 0, 1, 9, 2, 4), 9)
  assert.deepEqual(
    [arena.d1[0], arena.bitLength[0], arena.dataStart[0], arena.refStart[0], [...arena.refs.subarray(4, 6)]],
    [2, 12, 3, 4, [1, 2]],
  )
})

test('the completion bit tells how many bits there are', () => {
  const lengths = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x81, 0xc0].map((last) => {
    const arena = arenaOf(0, 1, last)
    readCellRecord(arena, 0, 0, 3, 1, 0)
    return arena.bitLength[0]
  })
  assert.deepEqual(lengths, [7, 6, 5, 4, 3, 2, 1, 7, 1])
  const longest = arenaOf(0, 255, ...new Array<number>(128).fill(1))
  readCellRecord(longest, 0, 0, 130, 1, 0)
  assert.equal(longest.bitLength[0], 1023)
})

test('stored hashes are stepped over, as many as the mask has bits and one', () => {
  for (let mask = 0; mask < 8; mask++) {
    const count = mask.toString(2).replaceAll('0', '').length + 1
    const arena = arenaOf(16 | (mask << 5), 2, ...new Array<number>(34 * count).fill(0), 0x77)
    assert.equal(readCellRecord(arena, 0, 0, 3 + 34 * count, 1, 0), 3 + 34 * count)
    assert.equal(arena.dataStart[0], 2 + 34 * count)
  }
})

test('nothing is read beyond the end', () => {
  assert.throws(() => readCellRecord(arenaOf(0, 0), 0, 1, 2, 1, 0), BocError)
  assert.throws(() => readCellRecord(arenaOf(0, 2, 1), 0, 0, 2, 1, 0), BocError)
  assert.throws(() => readCellRecord(arenaOf(1, 0, 1), 0, 0, 2, 1, 0), BocError)
  assert.equal(readCellRecord(arenaOf(1, 0, 1), 0, 0, 3, 1, 0), 3)
})

const settled = (lenient: boolean, ...records: number[][]): { arena: CellArena; stated: boolean } => {
  const bytes = records.flat()
  const arena = new CellArena(Uint8Array.from(bytes), records.length, records.length, 4 * records.length)
  let at = 0
  for (const i of records.keys()) at = readCellRecord(arena, i, at, bytes.length, 1, 4 * i)
  return { arena, stated: settleLevels(arena, lenient) }
}

const zeros = (count: number): number[] => new Array<number>(count).fill(0)
const branch = (mask: number): number[] => [8 | (mask << 5), 72, 1, mask, ...zeros(34)]

test('depths are worked out from the last cell to the first', () => {
  const { arena, stated } = settled(false, [2, 0, 1, 3], [1, 0, 2], [1, 0, 3], [0, 0])
  assert.deepEqual([...arena.topDepth], [3, 2, 1, 0])
  assert.equal(stated, false)
})

test('masks must be those of the content, or are put right', () => {
  const { arena } = settled(false, [2 | (6 << 5), 0, 1, 2], branch(2), branch(4))
  assert.deepEqual(
    [0, 1, 2].map((i) => arena.levelMask(i)),
    [6, 2, 4],
  )
  assert.throws(
    () => settled(false, [2, 0, 1, 2], branch(2), branch(4)),
    new BocError('Cell 0 of the bag is not acceptable: its level mask is 0, its content gives 6.'),
  )
  const wrongBranch = [8 | (5 << 5), ...branch(2).slice(1)]
  const { arena: lenient } = settled(true, [1, 0, 1], wrongBranch)
  assert.deepEqual(
    [0, 1].map((i) => lenient.levelMask(i)),
    [2, 2],
  )
})

test('it is known whether any cell states a hash', () => {
  assert.equal(settled(false, [16, 0, ...zeros(34)]).stated, true)
  assert.equal(settled(false, [9, 70, 3, ...zeros(34), 1], [0, 0]).stated, true)
  assert.equal(settled(false, branch(1)).stated, false)
  assert.equal(settled(false, [8, 66, 2, ...zeros(32)]).stated, false)
})

test('the sentence about a bad cell names it', () => {
  assert.throws(() => failCell(7, 'why'), new BocError('Cell 7 of the bag is not acceptable: why.'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromBits, fromCell, ordinary, type ReferenceCell, toCell } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { Cell } from './Cell.ts'
import type { CellWriter } from './CellWriter.ts'
import { buildDict, type DictEntry, deleteFromDict, setInDict } from './dictBuild.ts'
import { CellError } from './errors.ts'

const entry = (key: string): DictEntry => ({ key: fromBits(key), write: writeKey(key) })
const writeKey =
  (key: string) =>
  (w: CellWriter): void =>
    void w.writeUint(Number.parseInt(key, 2), 5)
const noExtra = (): void => undefined
const leaf = (label: string, key: string): ReferenceCell => ordinary(`${label}${key.padStart(5, '0')}`)

test('nothing makes no cell, one entry makes a leaf', () => {
  assert.equal(buildDict([], 3, noExtra), undefined)
  assert.deepEqual(fromCell(buildDict([entry('101')], 3, noExtra)!), leaf('10' + '11' + '101', '101'))
})

test('entries are parted at the first bit where they differ', () => {
  const root = buildDict(['000', '001', '100'].map(entry), 3, noExtra)!
  assert.deepEqual(
    fromCell(root),
    ordinary('00', [ordinary('0100', [leaf('00', '000'), leaf('00', '001')]), leaf('110' + '10', '100')]),
  )
})

test('entries that do not ascend are refused', () => {
  for (const keys of [
    ['001', '000'],
    ['001', '001'],
    ['000', '010', '001'],
  ]) {
    assert.throws(
      () => buildDict(keys.map(entry), 3, noExtra),
      new CellError(
        `Dictionary entries must ascend without doubles; entry ${keys.length - 1} does not follow the one before it.`,
      ),
    )
  }
})

test('the writer of forks gets both sides and the key bits that are left below', () => {
  const seen: [number, number, number][] = []
  buildDict(['000', '001', '100'].map(entry), 3, (_w, left, right, bits) => {
    seen.push([left.bits, right.bits, bits])
  })
  assert.deepEqual(seen, [
    [7, 7, 0],
    [4, 10, 2],
  ])
})

test('every dictionary of three-bit keys: each set and delete gives the cells of the result', () => {
  const all = Array.from({ length: 8 }, (_, k) => k.toString(2).padStart(3, '0'))
  const build = (keys: readonly string[]): string | undefined => {
    const root = buildDict(keys.map(entry), 3, noExtra)
    return root === undefined ? undefined : toHex(root.hash())
  }
  for (let set = 0; set < 256; set++) {
    const keys = all.filter((_, k) => (set & (1 << k)) !== 0)
    const root = buildDict(keys.map(entry), 3, noExtra)
    for (const key of all) {
      const added = setInDict(root, 3, fromBits(key), writeKey(key), noExtra)
      assert.equal(toHex(added.hash()), build([...new Set([...keys, key])].sort()))
      const removed = deleteFromDict(root, 3, fromBits(key), noExtra)
      if (!keys.includes(key)) assert.equal(removed, root)
      assert.equal(removed instanceof Cell ? toHex(removed.hash()) : undefined, build(keys.filter((k) => k !== key)))
    }
  }
})

test('what lies beside the path is shared, not copied', () => {
  const root = buildDict(['000', '001', '100', '101'].map(entry), 3, noExtra)!
  const changed = setInDict(root, 3, fromBits('000'), writeKey('111'), noExtra)
  assert.deepEqual([changed.ref(1).arena === root.ref(1).arena, changed.ref(1).index], [true, root.ref(1).index])
})

test('a broken node on the path is refused', () => {
  const noChildren = toCell(ordinary('00'))
  const key = fromBits('000')
  assert.throws(() => setInDict(noChildren, 3, key, writeKey('000'), noExtra), CellError)
  assert.throws(() => deleteFromDict(noChildren, 3, key, noExtra), CellError)
})

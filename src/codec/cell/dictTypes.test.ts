import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../../primitives/hex.ts'
import { refTo } from '../tlb/record.ts'
import { openCell } from './CellReader.ts'
import { CellWriter, emptyCell } from './CellWriter.ts'
import {
  bytesKey,
  cellValue,
  hashKey,
  int32Key,
  type KeyCodec,
  presenceValue,
  uint64Key,
  uintKey,
  uintValue,
} from './dictTypes.ts'
import { CellError } from './errors.ts'

const spelled = <K>(codec: KeyCodec<K>, key: K, hex: string): void => {
  const bytes = codec.encode(key)
  assert.equal(toHex(bytes), hex)
  assert.deepEqual(codec.decode(bytes), key)
}

test('unsigned keys are left-aligned', () => {
  spelled(uintKey(1), 1, '80')
  spelled(uintKey(5), 0b10101, 'a8')
  spelled(uintKey(8), 255, 'ff')
  spelled(uintKey(9), 257, '8080')
  spelled(uintKey(15), 1, '0002')
  spelled(uintKey(16), 0x1234, '1234')
  spelled(uintKey(32), 0xfedcba98, 'fedcba98')
  spelled(uintKey(48), 0xffffffffffff, 'ffffffffffff')
  spelled(uintKey(47), 0x7fffffffffff, 'fffffffffffe')
})

test('unsigned keys that do not fit are refused', () => {
  for (const key of [-1, 32, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(
      () => uintKey(5).encode(key),
      new CellError(`A dictionary key is an unsigned integer of 5 bits, but got ${key}.`),
    )
  }
})

test('signed keys are in two’s complement', () => {
  spelled(int32Key, 0, '00000000')
  spelled(int32Key, -1, 'ffffffff')
  spelled(int32Key, 2 ** 31 - 1, '7fffffff')
  spelled(int32Key, -(2 ** 31), '80000000')
  for (const key of [2 ** 31, -(2 ** 31) - 1, 1.5]) {
    assert.throws(
      () => int32Key.encode(key),
      new CellError(`A dictionary key is a signed integer of 32 bits, but got ${key}.`),
    )
  }
})

test('keys of 64 bits', () => {
  spelled(uint64Key, 0n, '0000000000000000')
  spelled(uint64Key, 2n ** 64n - 1n, 'ffffffffffffffff')
  spelled(uint64Key, 0x123456789abcdef0n, '123456789abcdef0')
  for (const key of [-1n, 2n ** 64n]) {
    assert.throws(
      () => uint64Key.encode(key),
      new CellError(`A dictionary key is an unsigned integer of 64 bits, but got ${key}.`),
    )
  }
  const inside = Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 0, 5, 9).subarray(1, 9)
  assert.equal(uint64Key.decode(inside), 5n)
})

test('keys that are bytes are handed out as copies', () => {
  const key = Uint8Array.of(1, 2, 3)
  const decoded = bytesKey(3).decode(key)
  assert.deepEqual(decoded, key)
  assert.notEqual(decoded.buffer, key.buffer)
  assert.equal(hashKey.bits, 256)
  assert.throws(() => hashKey.encode(key), new CellError('A dictionary key has 32 bytes, but got 3.'))
})

test('values', () => {
  const w = new CellWriter()
  cellValue.write(w, emptyCell)
  presenceValue.write(w, true)
  uintValue(12).write(w, 0xabc)
  refTo('A dictionary value', uintValue(8)).write(w, 7)
  const cell = w.toCell()
  assert.deepEqual([cell.bits, cell.refCount], [12, 2])
  const r = openCell(cell)
  assert.ok(cellValue.read(r).equals(emptyCell))
  assert.equal(presenceValue.read(r), true)
  assert.equal(uintValue(12).read(r), 0xabc)
  assert.equal(refTo('A dictionary value', uintValue(8)).read(r), 7)
  r.expectEnd('The values')
})

test('a value in a cell of its own fills that cell', () => {
  const cell = new CellWriter().writeRef(new CellWriter().writeUint(7, 9).toCell()).toCell()
  assert.throws(
    () => refTo('A dictionary value', uintValue(8)).read(openCell(cell)),
    new CellError('A dictionary value should fill its cell, but 1 bits and 0 references are left.'),
  )
})

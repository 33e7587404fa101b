import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentMap } from './RecentMap.ts'

test('keeps what was used last, and says what it drops', () => {
  const dropped: number[] = []
  const map = new RecentMap<number>(2, (value) => dropped.push(value))
  map.set('a', 1)
  map.set('b', 2)
  assert.equal(map.find('a'), 1)
  map.set('c', 3)
  assert.deepEqual([map.find('a'), map.find('b'), map.find('c')], [1, undefined, 3])
  assert.deepEqual(dropped, [2])
})

test('setting a key again replaces its value and drops nothing', () => {
  const dropped: number[] = []
  const map = new RecentMap<number>(2, (value) => dropped.push(value))
  for (const value of [1, 2, 3]) map.set('a', value)
  map.set('b', 4)
  assert.deepEqual([map.find('a'), map.find('b'), dropped], [3, 4, []])
})

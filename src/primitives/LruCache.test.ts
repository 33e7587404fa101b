import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LruCache } from './LruCache.ts'

const findAll = (cache: LruCache<number>, keys: string): (number | undefined)[] =>
  [...keys].map((key) => cache.find(key))

describe('LruCache', () => {
  it('drops the oldest that was not used when it is full', () => {
    const cache = new LruCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    assert.equal(cache.find('a'), 1)
    cache.set('c', 3, 40)
    assert.deepEqual(findAll(cache, 'abc'), [1, undefined, 3])
    assert.equal(cache.size, 80)
  })

  it('passes over what was used, and drops it later where it was not used again', () => {
    const cache = new LruCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    cache.find('a')
    for (const [key, value] of Object.entries({ c: 3, d: 4, e: 5 })) cache.set(key, value, 40)
    assert.deepEqual(findAll(cache, 'abcde'), [undefined, undefined, undefined, 4, 5])
  })

  it('takes in what is new also where all the rest was used', () => {
    const cache = new LruCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    findAll(cache, 'ab')
    cache.set('c', 3, 40)
    assert.deepEqual(findAll(cache, 'abc'), [undefined, 2, 3])
    assert.equal(cache.size, 80)
  })

  it('does not keep what is larger than itself, and counts a replaced value once', () => {
    const cache = new LruCache<number>(100)
    cache.set('a', 1, 101)
    assert.equal(cache.find('a'), undefined)
    cache.set('b', 1, 60)
    cache.set('b', 2, 70)
    assert.equal(cache.find('b'), 2)
    assert.equal(cache.size, 70)
    cache.set('b', 3, 101)
    assert.equal(cache.find('b'), undefined)
    assert.equal(cache.size, 0)
  })

  it('counts values where no size is stated, and drops one at a time when it is full', () => {
    const dropped: number[] = []
    const cache = new LruCache<number, number>(3, (value) => dropped.push(value))
    for (let k = 0; k < 3; k++) cache.set(k, k)
    assert.deepEqual([cache.size, dropped], [3, []])
    for (let k = 3; k < 1000; k++) {
      cache.set(k, k)
      assert.deepEqual([cache.size, dropped.length], [3, k - 2])
      assert.deepEqual([cache.find(k - 3), cache.find(k)], [undefined, k])
    }
  })

  it('says what it drops for room, and nothing of what is replaced, deleted or cleared', () => {
    const dropped: number[] = []
    const cache = new LruCache<number>(2, (value) => dropped.push(value))
    for (const value of [1, 2, 3]) cache.set('a', value)
    cache.set('b', 4)
    cache.find('a')
    cache.set('c', 5)
    assert.deepEqual([findAll(cache, 'abc'), dropped], [[3, undefined, 5], [4]])
    cache.delete('a')
    cache.delete('nothing')
    assert.deepEqual([cache.find('a'), cache.size], [undefined, 1])
    cache.clear()
    assert.deepEqual([cache.size, dropped], [0, [4]])
  })

  it('finds a key that is looked at all the time as fast as any other, whatever else there is', () => {
    const cache = new LruCache<number>(100_000)
    for (let k = 0; k < 30_000; k++) cache.set(`key ${k}`, k, 1)
    const start = performance.now()
    for (let k = 0; k < 100_000; k++) cache.find('key 7')
    assert.ok(performance.now() - start < 2000)
  })
})

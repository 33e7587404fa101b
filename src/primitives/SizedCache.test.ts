import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SizedCache } from './SizedCache.ts'

const findAll = (cache: SizedCache<number>, keys: string): (number | undefined)[] =>
  [...keys].map((key) => cache.find(key))

describe('SizedCache', () => {
  it('drops the oldest that was not used when it is full', () => {
    const cache = new SizedCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    assert.equal(cache.find('a'), 1)
    cache.set('c', 3, 40)
    assert.deepEqual(findAll(cache, 'abc'), [1, undefined, 3])
    assert.equal(cache.bytes, 80)
  })

  it('passes over what was used, and drops it later where it was not used again', () => {
    const cache = new SizedCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    cache.find('a')
    for (const [key, value] of Object.entries({ c: 3, d: 4, e: 5 })) cache.set(key, value, 40)
    assert.deepEqual(findAll(cache, 'abcde'), [undefined, undefined, undefined, 4, 5])
  })

  it('takes in what is new also where all the rest was used', () => {
    const cache = new SizedCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    findAll(cache, 'ab')
    cache.set('c', 3, 40)
    assert.deepEqual(findAll(cache, 'abc'), [undefined, 2, 3])
    assert.equal(cache.bytes, 80)
  })

  it('does not keep what is larger than itself, and counts a replaced value once', () => {
    const cache = new SizedCache<number>(100)
    cache.set('a', 1, 101)
    assert.equal(cache.find('a'), undefined)
    cache.set('b', 1, 60)
    cache.set('b', 2, 70)
    assert.equal(cache.find('b'), 2)
    assert.equal(cache.bytes, 70)
    cache.set('b', 3, 101)
    assert.equal(cache.find('b'), undefined)
    assert.equal(cache.bytes, 0)
  })

  it('finds a key that is looked at all the time as fast as any other, whatever else there is', () => {
    const cache = new SizedCache<number>(100_000)
    for (let k = 0; k < 30_000; k++) cache.set(`key ${k}`, k, 1)
    const start = performance.now()
    for (let k = 0; k < 100_000; k++) cache.find('key 7')
    assert.ok(performance.now() - start < 2000)
  })
})

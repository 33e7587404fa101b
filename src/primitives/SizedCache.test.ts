import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SizedCache } from './SizedCache.ts'

describe('SizedCache', () => {
  it('drops what was not used for longest when it is full', () => {
    const cache = new SizedCache<number>(100)
    cache.set('a', 1, 40)
    cache.set('b', 2, 40)
    assert.equal(cache.find('a'), 1)
    cache.set('c', 3, 40)
    assert.deepEqual([cache.find('a'), cache.find('b'), cache.find('c')], [1, undefined, 3])
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
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteRing } from './ByteRing.ts'

test('what is found is what was added last under its key, and only the oldest are missing', () => {
  const [size, maxEntry] = [10_000, 1500]
  const ring = new ByteRing<number>(size, maxEntry)
  const added: { readonly key: string; readonly byte: number; readonly length: number; readonly number: number }[] = []
  for (let number = 0; number < 6000; number++) {
    // Some keys come again, some entries are empty, and some are too long.
    const key = `key ${(number * 7919) % 4001}`
    const [byte, length] = [number % 251, (number * 104_729) % 1600]
    const at = ring.add(key, length, number)
    assert.equal(at === undefined, length > maxEntry)
    for (let k = added.length - 1; k >= 0; k--) if (added[k]!.key === key) added.splice(k, 1)
    if (at === undefined) {
      assert.equal(ring.find(key), undefined)
      continue
    }
    ring.bytes.fill(byte, at, at + length)
    added.push({ key, byte, length, number })
    let kept = 0
    let isMissing = false
    for (const each of added.slice(-100).toReversed()) {
      const found = ring.find(each.key)
      isMissing ||= found === undefined
      assert.equal(found === undefined, isMissing, 'an older one is kept while a newer one is dropped')
      if (found === undefined) continue
      assert.equal(found.facts, each.number)
      assert.equal(found.end - found.at, each.length)
      assert.ok(ring.bytes.subarray(found.at, found.end).every((value) => value === each.byte))
      kept += each.length
    }
    assert.ok(kept <= size)
    if (number > 500) assert.ok(kept > size - 3 * maxEntry || !isMissing)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as shards from './shard.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const bits = fc.string({ unit: fc.constantFrom('0', '1'), maxLength: 60 })
const fromBits = (prefix: string): bigint => BigInt(`0b${`${prefix}1`.padEnd(64, '0')}`)

test('shard arithmetic agrees with the same on strings of bits', (t) => {
  t.diagnostic(`seed ${seed}`)
  const account = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  // Half of the pairs share a prefix; two random ones hardly ever would.
  const pair = fc
    .tuple(bits, bits, fc.boolean())
    .map(([a, b, joined]) => [a, joined ? (a + b).slice(0, 60) : b] as const)
  fc.assert(
    fc.property(pair, account, ([a, b], prefix) => {
      const shard = fromBits(a)
      const other = fromBits(b)
      assert.ok(shards.isValidShard(shard))
      assert.equal(shards.shardPrefixLength(shard), a.length)
      assert.equal(shards.shardPrefix(shard), a === '' ? 0n : BigInt(`0b${a.padEnd(64, '0')}`))
      assert.equal(shards.findShardOfPrefix(shards.shardPrefix(shard), a.length), shard)
      assert.equal(shards.findShardParent(shard), a === '' ? undefined : fromBits(a.slice(0, -1)))
      assert.deepEqual(shards.shardChildren(shard), [fromBits(`${a}0`), fromBits(`${a}1`)])
      assert.equal(shards.isShardAncestor(shard, other), b.startsWith(a))
      assert.equal(shards.isShardAncestor(other, shard), a.startsWith(b))
      const inside = BigInt(`0b${(a + prefix.toString(2).padStart(64, '0')).slice(0, 64)}`)
      assert.ok(shards.shardContains(shard, inside))
      assert.equal(shards.shardContains(shard, prefix), prefix.toString(2).padStart(64, '0').startsWith(a))
    }),
    { seed, numRuns: 2000 },
  )
})

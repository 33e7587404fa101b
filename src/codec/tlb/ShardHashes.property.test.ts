import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { amount } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { shardChildren, shardContains, wholeShard } from '../../primitives/shard.ts'
import {
  buildShardHashes,
  findShard,
  findShardOfAccount,
  listShards,
  type ShardDescr,
  type ShardLeaf,
} from './ShardHashes.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const arbitraryU64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const arbitraryU32 = fc.nat(0xffff_ffff)
// Greater ones do not fit into the cell of the old layout, which is why there is a new one.
const arbitraryAmount = fc.bigInt({ min: 0n, max: 2n ** 24n - 1n }).map((grams) => amount(grams))
const arbitraryHash = fc.uint8Array({ minLength: 32, maxLength: 32 })

const arbitraryDescr: fc.Arbitrary<ShardDescr> = fc.record({
  feesInRef: fc.boolean(),
  seqno: arbitraryU32,
  regMcSeqno: arbitraryU32,
  startLt: arbitraryU64,
  endLt: arbitraryU64,
  rootHash: arbitraryHash,
  fileHash: arbitraryHash,
  beforeSplit: fc.boolean(),
  beforeMerge: fc.boolean(),
  wantSplit: fc.boolean(),
  wantMerge: fc.boolean(),
  nxCcUpdated: fc.boolean(),
  nextCatchainSeqno: arbitraryU32,
  nextValidatorShard: arbitraryU64,
  minRefMcSeqno: arbitraryU32,
  genUtime: arbitraryU32,
  splitMergeAt: fc.oneof(
    fc.constant({ kind: 'none' as const }),
    fc.record({
      kind: fc.constantFrom('split' as const, 'merge' as const),
      utime: arbitraryU32,
      interval: arbitraryU32,
    }),
  ),
  feesCollected: arbitraryAmount,
  fundsCreated: arbitraryAmount,
})

/** A workchain that was split again and again: each number picks the shard to split next. */
const arbitraryShards = fc.array(fc.nat(1000), { maxLength: 12 }).map((picks) => {
  const shards = [wholeShard]
  for (const pick of picks) {
    const at = pick % shards.length
    shards.splice(at, 1, ...shardChildren(shards[at]!))
  }
  return shards
})

test('shards of any splits are read as they were written, and found by account and by shard', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 1, maxLength: 3 }),
      arbitraryShards,
      fc.array(arbitraryDescr, { minLength: 1, maxLength: 4 }),
      arbitraryU64,
      (workchains, shards, descrs, accountPrefix) => {
        const sorted = workchains.sort((a, b) => (a >>> 0) - (b >>> 0))
        const leaves = sorted.flatMap((workchain) =>
          shards.map((shard, k) => ({ workchain, shard, descr: descrs[k % descrs.length]! })),
        )
        const hashes = buildShardHashes(leaves)
        assert.deepEqual(toPlain(listShards(hashes)), toPlain(leaves))
        for (const leaf of leaves) assert.deepEqual(toPlain(findShard(hashes, leaf)), toPlain(leaf))
        for (const workchain of workchains) {
          const covers = (leaf: ShardLeaf) => leaf.workchain === workchain && shardContains(leaf.shard, accountPrefix)
          const found = findShardOfAccount(hashes, workchain, accountPrefix)
          assert.deepEqual(toPlain(found), toPlain(leaves.find(covers)))
        }
      },
    ),
    { seed, numRuns: 200 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BlockId } from '../../primitives/BlockId.ts'
import { findShardParent, isShardAncestor, shardChildren, wholeShard } from '../../primitives/shard.ts'
import { findShardSlice, type SliceSearch } from './findShardSlice.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

const place = (shard: bigint, seqno: number): BlockId => ({ workchain: 0, shard, seqno })

type Content = { readonly id: number; readonly blocks: readonly BlockId[] }

const searchIn = (contents: readonly Content[]): SliceSearch & { asked: number } => {
  const slices = contents.map(({ id }) => ({ id, packs: [] }))
  const search = {
    asked: 0,
    findSliceUpTo: async (id: number) => slices.findLast((slice) => slice.id <= id),
    findSliceAfter: async (id: number) => slices.find((slice) => slice.id > id),
    findSeqnoRange: async ({ id }: { id: number }, { shard }: BlockId) => {
      search.asked++
      const seqnos = contents
        .find((content) => content.id === id)!
        .blocks.filter((block) => isShardAncestor(block.shard, shard) || isShardAncestor(shard, block.shard))
        .map(({ seqno }) => seqno)
      return seqnos.length === 0 ? undefined : ([Math.min(...seqnos), Math.max(...seqnos)] as const)
    },
  }
  return search
}

/** Slices of a chain in which shards split, merge and go on; a slice may hold nothing at all. */
const makeSlices = (steps: readonly number[]): Content[] => {
  let tops = [place(wholeShard, 0)]
  let id = 0
  return steps.map((step, k) => {
    const blocks: BlockId[] = []
    const add = (shard: bigint, seqno: number): BlockId => {
      const block = place(shard, seqno)
      blocks.push(block)
      return block
    }
    if (step === 1 && tops.length < 16) {
      tops = tops.flatMap((top) => shardChildren(top.shard).map((shard) => add(shard, top.seqno + 1)))
    } else if (step === 2 && tops.length > 1) {
      tops = tops.flatMap((top, n) => {
        const right = tops[n + 1]!
        return n % 2 === 1 ? [] : [add(findShardParent(top.shard)!, Math.max(top.seqno, right.seqno) + 1)]
      })
    }
    if (step > 2) tops = tops.map((top, n) => (n % step === 0 ? add(top.shard, top.seqno + 1) : top))
    if (step > 3) tops = tops.map((top) => add(top.shard, top.seqno + 1))
    id += k % 7 === 3 ? 37 : 100
    return { id, blocks }
  })
}

test('every block is found in its slice, by looking into few of them', async (t) => {
  let asked = 0
  let found = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }), async (steps) => {
      const contents = makeSlices(steps)
      const search = searchIn(contents)
      for (const { id, blocks } of contents) {
        for (const block of blocks) {
          assert.equal((await findShardSlice(search, block))?.id, id)
          found++
        }
      }
      asked += search.asked
    }),
    { seed, numRuns: 100 },
  )
  assert.ok(asked / found < 8, `${asked / found} slices for each block`)
  t.diagnostic(`seed ${seed}: ${found} blocks, ${(asked / found).toFixed(1)} slices looked into for each`)
})

test('what is in no slice is not found', async () => {
  const contents = makeSlices([4, 4, 0, 0, 4, 1, 4, 2, 5])
  const search = searchIn(contents)
  assert.equal(await findShardSlice(search, place(wholeShard, 1000)), undefined)
  assert.equal(await findShardSlice(search, place(wholeShard, 0)), undefined)
  assert.equal(await findShardSlice(searchIn([]), place(wholeShard, 1)), undefined)
  assert.equal(await findShardSlice(searchIn([{ id: 5, blocks: [] }]), place(wholeShard, 1)), undefined)
})

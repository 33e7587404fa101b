import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { sha256 } from '../../primitives/hash.ts'
import { shardChildren, shardContains, wholeShard } from '../../primitives/shard.ts'
import { BlockIndex } from './BlockIndex.ts'
import type { StoredBlock } from './blockRow.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const halves = shardChildren(wholeShard)

const idOf = (workchain: number, shard: bigint, seqno: number): BlockIdExt => {
  const rootHash = sha256(new TextEncoder().encode(`${workchain}:${shard}:${seqno}`))
  return { workchain, shard, seqno, rootHash, fileHash: sha256(rootHash) }
}

/** What happens to the one shard, or two, in a step: nothing, a block in each, a split or a merge. */
const turns = fc.array(fc.constantFrom('rest', 'go', 'go', 'split', 'merge'), { minLength: 1, maxLength: 60 })

/** A chain that splits and merges, as a list of steps. */
const makeSteps = (list: readonly string[]): StoredBlock[][] => {
  let tops = [idOf(0, wholeShard, 0)]
  let master = idOf(masterchain, wholeShard, 0)
  return list.map((turn, k) => {
    const masterSeqno = k + 1
    const next = (
      shard: bigint,
      prev: readonly BlockIdExt[],
      own = idOf(0, shard, Math.max(...prev.map(({ seqno }) => seqno)) + 1),
    ) => describe(own, prev, masterSeqno)
    const blocks: StoredBlock[] =
      turn === 'rest'
        ? []
        : turn === 'split' && tops.length === 1
          ? halves.map((shard) => next(shard, tops))
          : turn === 'merge' && tops.length === 2
            ? [next(wholeShard, tops)]
            : tops.map((top) => next(top.shard, [top]))
    if (blocks.length > 0) tops = blocks.map(({ id }) => id)
    const own = describe(idOf(masterchain, wholeShard, masterSeqno), [master], masterSeqno)
    master = own.id
    return [...blocks, own]
  })
}

const describe = (id: BlockIdExt, prev: readonly BlockIdExt[], masterSeqno: number): StoredBlock => ({
  id,
  genUtime: 1_000 + 3 * id.seqno,
  startLt: 2n ** 40n + BigInt(id.seqno) * 100n,
  endLt: 2n ** 40n + BigInt(id.seqno) * 100n + 7n,
  isKeyBlock: id.workchain === masterchain && id.seqno % 7 === 3,
  prevKeyBlockSeqno: 2 ** 32 - 1 - id.seqno,
  prev,
  masterSeqno,
})

const expectIndex = (index: BlockIndex, steps: readonly (readonly StoredBlock[])[]): void => {
  const all = steps.flat()
  assert.equal(index.count, all.length)
  assert.equal(index.steps, steps.length)
  assert.deepEqual(
    index.keyBlockSeqnos,
    all.filter(({ isKeyBlock }) => isKeyBlock).map(({ id }) => id.seqno),
  )
  for (const [k, blocks] of steps.entries()) assert.deepEqual(index.listIncluded(k + 1), blocks.slice(0, -1))
  assert.deepEqual(index.listIncluded(steps.length + 1), [])
  for (const [number, block] of all.entries()) {
    assert.equal(index.findNumber(block.id), number)
    assert.deepEqual(index.get(number), block)
    assert.equal(index.find({ ...block.id, fileHash: block.id.rootHash }), undefined)
  }
  for (const workchain of [masterchain, 0]) {
    for (const prefix of [wholeShard, ...halves, 1n, 2n ** 64n - 1n]) {
      const held = all.filter(({ id }) => id.workchain === workchain && shardContains(id.shard, prefix))
      const first = (isIt: (block: StoredBlock) => boolean) =>
        held.filter(isIt).sort((a, b) => a.id.seqno - b.id.seqno)[0]
      for (let seqno = 0; seqno <= steps.length + 1; seqno++) {
        const utime = 1_000 + 3 * seqno - 1
        const lt = 2n ** 40n + BigInt(seqno) * 100n + 6n
        assert.deepEqual(
          index.findByUtime(workchain, prefix, utime),
          first(({ genUtime }) => genUtime >= utime),
        )
        assert.deepEqual(
          index.findByLt(workchain, prefix, lt),
          first(({ endLt }) => endLt >= lt),
        )
        assert.deepEqual(
          index.findBySeqno(workchain, prefix, seqno),
          first(({ id }) => id.seqno === seqno),
        )
      }
    }
  }
}

test('blocks are found as in a plain list, also after the chain was taken back', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(turns, turns, fc.nat(1000), (list, others, cut) => {
      const index = new BlockIndex()
      const steps = makeSteps(list)
      for (const block of steps.flat()) index.add(block)
      expectIndex(index, steps)
      const left = cut % (steps.length + 1)
      index.cutTo(left)
      expectIndex(index, steps.slice(0, left))
      // The same moves up to the cut lead to the same blocks.
      const again = makeSteps([...list.slice(0, left), ...others])
      for (const block of again.slice(left).flat()) index.add(block)
      expectIndex(index, again)
    }),
    { seed, numRuns: 25 },
  )
})

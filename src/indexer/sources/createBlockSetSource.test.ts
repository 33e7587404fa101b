import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSampleBlock, makeSampleChain, type SampleStep, zeroStateOf } from '../../../test/support/sampleChain.ts'
import { BlockNotFoundError, NodeUnavailableError } from '../../chain/errors.ts'
import type { BlockSource } from '../../chain/ports.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { RawBlockSet } from '../blockSets.ts'
import { type BlockSetSourceOptions, createBlockSetSource } from './createBlockSetSource.ts'

const { signal } = new AbortController()

/** An honest source over a chain, which counts what it is asked. */
const sourceOf = (steps: readonly SampleStep[]) => {
  const blocks = new Map(
    steps.flatMap(({ masterchain: master, shardBlocks }) =>
      [master, ...shardBlocks].map((block) => [formatBlockIdExt(block.id), block.bytes] as const),
    ),
  )
  const asked: string[] = []
  const source: BlockSource = {
    getHead: async () => steps.at(-1)!.masterchain.id,
    getMasterchainBlockId: async (seqno) => {
      asked.push(`id ${seqno}`)
      const step = steps[seqno - 1]
      if (step === undefined) throw new BlockNotFoundError({ workchain: masterchain, shard: wholeShard, seqno })
      return step.masterchain.id
    },
    getRawBlock: async (id) => {
      asked.push(`${id.workchain}:${id.seqno}`)
      const bytes = blocks.get(formatBlockIdExt(id))
      if (bytes === undefined) throw new BlockNotFoundError(id)
      return bytes
    },
    async *watchHeads() {
      for (const { masterchain: master } of steps) yield master.id
    },
  }
  return { source, asked, blocks }
}

const PLAN = '1201s213m20ss3m1'
const steps = makeSampleChain(PLAN)

const listIds = ({ masterchain: master, shards }: RawBlockSet): string[] =>
  [master, ...shards].map(({ id }) => formatBlockIdExt(id))

const expectedIds = ({ masterchain: master, shardBlocks }: SampleStep): string[] =>
  [master, ...shardBlocks].map(({ id }) => formatBlockIdExt(id))

test('block sets have the blocks that were made for them, however they are asked for', async () => {
  const ascending = steps.map((_, k) => k + 1)
  for (const order of [ascending, ascending.toReversed(), [7, 3, 12, 4, 1]]) {
    for (const parallel of [1, 3, 50]) {
      const blockSets = createBlockSetSource(sourceOf(steps).source, { parallel })
      const fetched = await Promise.all(order.map((seqno) => blockSets.fetchBlockSet(seqno, signal)))
      for (const [k, blockSet] of fetched.entries()) {
        assert.equal(blockSet.seqno, order[k])
        assert.deepEqual(listIds(blockSet).sort(), expectedIds(steps[blockSet.seqno - 1]!).sort())
      }
    }
  }
})

test('following the head reads every block once and asks for no ids', async () => {
  const { source, asked } = sourceOf(steps)
  const blockSets = createBlockSetSource(source)
  for await (const { seqno } of blockSets.watchHeads(signal)) await blockSets.fetchBlockSet(seqno, signal)
  assert.equal(
    asked.length,
    steps.reduce((sum, { shardBlocks }) => sum + 1 + shardBlocks.length, 0),
  )
  assert.equal(new Set(asked).size, new Set(asked.filter((each) => !each.startsWith('id'))).size)
})

test('no more blocks are asked for at once than allowed', async () => {
  const { source } = sourceOf(steps)
  let running = 0
  let most = 0
  const counting: BlockSource = {
    ...source,
    getRawBlock: async (id) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running--
      return source.getRawBlock(id)
    },
  }
  const blockSets = createBlockSetSource(counting, { parallel: 3 })
  await Promise.all(steps.map((_, k) => blockSets.fetchBlockSet(k + 1, signal)))
  assert.equal(most, 3)
})

type Lie = {
  readonly code: string
  readonly seqno: number
  readonly lie: (honest: BlockSource) => Partial<BlockSource>
}

const at = (seqno: number): SampleStep => steps[seqno - 1]!
const isShard = ({ workchain }: BlockIdExt): boolean => workchain !== masterchain

/** Another block at the place of masterchain block 6, which follows the right one. */
const twin = makeSampleBlock({
  workchain: masterchain,
  shard: wholeShard,
  previous: [at(5).masterchain.id],
  tops: at(6)
    .shardBlocks.slice(-2)
    .map(({ id }) => id),
  seed: 9,
})

/** One that forgets a shard that was there. */
const forgetful = makeSampleBlock({
  workchain: masterchain,
  shard: wholeShard,
  previous: [at(4).masterchain.id],
  tops: [makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)], seed: 3 }).id],
})

const lies: Record<string, Lie> = {
  'another block than the one asked for': {
    code: 'source_answer_invalid',
    seqno: 6,
    lie: () => ({ getRawBlock: async () => at(3).masterchain.bytes }),
  },
  'another shard block': {
    code: 'source_answer_invalid',
    seqno: 7,
    lie: (honest) => ({
      getRawBlock: (id) => honest.getRawBlock(isShard(id) && id.seqno > 2 ? at(2).shardBlocks[0]!.id : id),
    }),
  },
  'the same block over and over': {
    code: 'source_answer_invalid',
    seqno: 6,
    lie: (honest) => ({ getMasterchainBlockId: () => honest.getMasterchainBlockId(5) }),
  },
  'a part of a block': {
    code: 'source_answer_invalid',
    seqno: 6,
    lie: (honest) => ({ getRawBlock: async (id) => (await honest.getRawBlock(id)).slice(0, -1) }),
  },
  'nothing at all': {
    code: 'source_answer_invalid',
    seqno: 6,
    lie: () => ({ getRawBlock: async () => new Uint8Array() }),
  },
  'an id with another root hash': {
    code: 'source_answer_invalid',
    seqno: 6,
    lie: (honest) => ({
      getMasterchainBlockId: async (seqno) => ({
        ...(await honest.getMasterchainBlockId(seqno)),
        rootHash: new Uint8Array(32).fill(1),
      }),
      getRawBlock: async () => at(6).masterchain.bytes,
    }),
  },
  'an id without hashes': {
    code: 'source_answer_invalid',
    seqno: 6,
    lie: (honest) => ({
      getMasterchainBlockId: async (seqno) => ({
        ...(await honest.getMasterchainBlockId(seqno)),
        fileHash: new Uint8Array(),
      }),
    }),
  },
  'no shard blocks': {
    code: 'unit_unavailable',
    seqno: 6,
    lie: (honest) => ({
      getRawBlock: async (id) => {
        if (isShard(id)) throw new BlockNotFoundError(id)
        return honest.getRawBlock(id)
      },
    }),
  },
  'no block before it': {
    code: 'unit_unavailable',
    seqno: 6,
    lie: (honest) => ({
      getRawBlock: async (id) => {
        if (!isShard(id) && id.seqno === 5) throw new BlockNotFoundError(id)
        return honest.getRawBlock(id)
      },
    }),
  },
  'no answer': { code: 'source_timeout', seqno: 6, lie: () => ({ getRawBlock: () => new Promise(() => undefined) }) },
  'no id': {
    code: 'source_timeout',
    seqno: 6,
    lie: () => ({ getMasterchainBlockId: () => new Promise(() => undefined) }),
  },
  'a failure of its own': {
    code: 'node_unavailable',
    seqno: 6,
    lie: () => ({
      getRawBlock: () => {
        throw new NodeUnavailableError('Nobody is there.')
      },
    }),
  },
  'a chain that forgets a shard': {
    code: 'source_answer_invalid',
    seqno: 5,
    lie: (honest) => ({
      getMasterchainBlockId: async () => forgetful.id,
      getRawBlock: async (id) => {
        if (formatBlockIdExt(id) === formatBlockIdExt(forgetful.id)) return forgetful.bytes
        if (id.seqno === 1 && isShard(id))
          return makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)], seed: 3 }).bytes
        return honest.getRawBlock(id)
      },
    }),
  },
}

for (const [name, { code, seqno, lie }] of Object.entries(lies)) {
  test(`a source that gives ${name} is refused, and asked anew`, async () => {
    const { source } = sourceOf(steps)
    let isLying = true
    const lying = { ...source, ...lie(source) }
    const switching: BlockSource = {
      ...source,
      getMasterchainBlockId: (each, s) => (isLying ? lying : source).getMasterchainBlockId(each, s),
      getRawBlock: (id, s) => (isLying ? lying : source).getRawBlock(id, s),
    }
    const options: BlockSetSourceOptions = code === 'source_timeout' ? { timeoutMs: 20 } : {}
    const blockSets = createBlockSetSource(switching, options)
    await assert.rejects(blockSets.fetchBlockSet(seqno, signal), (error) => {
      assert.ok(error instanceof CodedError, String(error))
      assert.equal(error.code, code, error.message)
      assert.equal(error.retryable, true)
      return true
    })
    isLying = false
    assert.deepEqual(listIds(await blockSets.fetchBlockSet(seqno, signal)).sort(), expectedIds(at(seqno)).sort())
  })
}

test('a block that does not follow the one that was there is refused once, then what was there is asked for anew', async () => {
  const { source } = sourceOf(steps)
  let isLying = true
  const blockSets = createBlockSetSource({
    ...source,
    getMasterchainBlockId: async (seqno) => (isLying && seqno === 6 ? twin.id : source.getMasterchainBlockId(seqno)),
    getRawBlock: async (id) =>
      formatBlockIdExt(id) === formatBlockIdExt(twin.id) ? twin.bytes : source.getRawBlock(id),
  })
  assert.equal(listIds(await blockSets.fetchBlockSet(6, signal))[0], formatBlockIdExt(twin.id))
  isLying = false
  await assert.rejects(blockSets.fetchBlockSet(7, signal), { code: 'source_answer_invalid', retryable: true })
  assert.deepEqual(listIds(await blockSets.fetchBlockSet(7, signal)).sort(), expectedIds(at(7)).sort())
  assert.deepEqual(listIds(await blockSets.fetchBlockSet(6, signal)).sort(), expectedIds(at(6)).sort())
})

test('heads that are repeated are left out, and one that goes back is refused', async () => {
  const { source } = sourceOf(steps)
  const heads = (...seqnos: number[]): BlockSource => ({
    ...source,
    async *watchHeads() {
      for (const seqno of seqnos) yield at(seqno).masterchain.id
    },
  })
  const watch = async (from: BlockSource): Promise<number[]> => {
    const seen: number[] = []
    try {
      for await (const { seqno } of createBlockSetSource(from).watchHeads(signal)) seen.push(seqno)
    } catch (error) {
      assert.ok(error instanceof CodedError && error.retryable && error.code === 'source_answer_invalid')
      seen.push(-1)
    }
    return seen
  }
  assert.deepEqual(await watch(heads(1, 2, 2, 2, 5)), [1, 2, 5])
  assert.deepEqual(await watch(heads(1, 4, 3, 5)), [1, 4, -1])
})

test('a fetch that is no longer wanted ends with the reason', async () => {
  const { source } = sourceOf(steps)
  const controller = new AbortController()
  const blockSets = createBlockSetSource({ ...source, getRawBlock: () => new Promise(() => undefined) })
  const fetching = blockSets.fetchBlockSet(6, controller.signal)
  const reason = new Error('no longer wanted')
  setTimeout(() => controller.abort(reason), 5)
  await assert.rejects(fetching, reason)
})

test('one caller that gives up does not take another along', async () => {
  const { source } = sourceOf(steps)
  const controller = new AbortController()
  let calls = 0
  const blockSets = createBlockSetSource({
    ...source,
    getRawBlock: (id, asking) => {
      if (isShard(id) || id.seqno !== 5 || ++calls > 1) return source.getRawBlock(id)
      return new Promise((_, reject) => asking?.addEventListener('abort', () => reject(asking.reason)))
    },
  })
  const first = blockSets.fetchBlockSet(6, controller.signal)
  const second = blockSets.fetchBlockSet(6, signal)
  setTimeout(() => controller.abort(new Error('no longer wanted')), 10)
  await assert.rejects(first, /no longer wanted/)
  assert.deepEqual(listIds(await second).sort(), expectedIds(at(6)).sort())
})

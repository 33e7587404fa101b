import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFixture, readFixtureJson } from '../../test/support/fixtures.ts'
import { makeSampleBlock, makeSampleChain, zeroStateOf } from '../../test/support/sampleChain.ts'
import { filled } from '../../test/support/sampleMessages.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { openBlock, openBlockExtra } from '../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo, prevRefCell } from '../codec/tlb/BlockInfo.ts'
import { openMcBlockExtra } from '../codec/tlb/McBlockExtra.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../primitives/BlockId.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { formatShard, parseShard, shardChildren, wholeShard } from '../primitives/shard.ts'
import { BlockNotFoundError, NodeAnswerError } from './errors.ts'
import { listNewShardBlocks, listPreviousBlocks, listShardTops } from './shardBlocks.ts'

const [left, right] = shardChildren(wholeShard)

/** An id whose hashes follow from a number. */
const at = (shard: bigint, seqno: number, twin = 0, workchain = 0): BlockIdExt => ({
  workchain,
  shard,
  seqno,
  rootHash: filled(seqno + 100 * twin),
  fileHash: filled(seqno + 100 * twin + 1),
})

const show = (ids: readonly BlockIdExt[]): string[] =>
  ids.map((id) => `${formatBlockId(id)} ${toHex(id.rootHash).slice(0, 2)}`)

const graph = (edges: readonly (readonly [BlockIdExt, readonly BlockIdExt[]])[]) => {
  const previous = new Map(edges.map(([id, before]) => [show([id])[0], before]))
  return (id: BlockIdExt): readonly BlockIdExt[] => {
    const found = previous.get(show([id])[0])
    if (found === undefined) throw new BlockNotFoundError(id)
    return found
  }
}

test('all blocks of a shard since the one included before are new', async () => {
  const previous = graph([5, 6, 7].map((seqno) => [at(wholeShard, seqno), [at(wholeShard, seqno - 1)]]))
  assert.deepEqual(
    show(await listNewShardBlocks([at(wholeShard, 4)], [at(wholeShard, 7)], previous)),
    show([5, 6, 7].map((seqno) => at(wholeShard, seqno))),
  )
  assert.deepEqual(await listNewShardBlocks([at(wholeShard, 7)], [at(wholeShard, 7)], previous), [])
})

test('a split in the middle of the walk is passed once', async () => {
  const previous = graph([
    [at(wholeShard, 5), [at(wholeShard, 4)]],
    [at(left, 6), [at(wholeShard, 5)]],
    [at(right, 6), [at(wholeShard, 5)]],
    [at(left, 7), [at(left, 6)]],
  ])
  assert.deepEqual(
    show(await listNewShardBlocks([at(wholeShard, 4)], [at(left, 7), at(right, 6)], previous)),
    show([at(wholeShard, 5), at(left, 6), at(right, 6), at(left, 7)]),
  )
})

test('after a merge both halves are followed', async () => {
  const previous = graph([
    [at(wholeShard, 9), [at(left, 8), at(right, 5)]],
    [at(left, 8), [at(left, 7)]],
  ])
  assert.deepEqual(
    show(await listNewShardBlocks([at(left, 7), at(right, 5)], [at(wholeShard, 9)], previous)),
    show([at(left, 8), at(wholeShard, 9)]),
  )
})

test('a zero state is no block, and a new workchain begins with one', async () => {
  const previous = graph([[at(wholeShard, 1, 0, 3), [at(wholeShard, 0, 0, 3)]]])
  assert.deepEqual(await listNewShardBlocks([], [at(wholeShard, 0)], previous), [])
  assert.deepEqual(
    show(await listNewShardBlocks([at(wholeShard, 0)], [at(wholeShard, 0), at(wholeShard, 1, 0, 3)], previous)),
    show([at(wholeShard, 1, 0, 3)]),
  )
})

test('a dropped block at the same place is not taken for the one that was included', async () => {
  const previous = graph([
    [at(wholeShard, 6), [at(wholeShard, 5)]],
    [at(wholeShard, 5), [at(wholeShard, 4)]],
  ])
  // What was included before is the twin, so that the walk must go on and finds nothing.
  await assert.rejects(
    listNewShardBlocks([at(wholeShard, 5, 1)], [at(wholeShard, 6)], previous),
    (error) => error instanceof BlockNotFoundError && error.blockId.seqno === 4,
  )
})

test('a walk that never meets what was included before ends with an error', async () => {
  let asked = 0
  const previous = (id: BlockIdExt): BlockIdExt[] => {
    asked++
    return [{ ...id, seqno: id.seqno - 1 }]
  }
  await assert.rejects(listNewShardBlocks([at(wholeShard, 3)], [at(wholeShard, 1_000_000)], previous), NodeAnswerError)
  assert.equal(asked, 64)
})

const infoOf = (bytes: Uint8Array): BlockInfo => openBlockInfo(openBlock(decodeSingleBoc(bytes)).info)

test('the blocks before one are of its shard, of its parent after a split, and of both halves after a merge', () => {
  const one = makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)] })
  const two = makeSampleBlock({ workchain: 0, shard: left, previous: [one.id] })
  const three = makeSampleBlock({ workchain: 0, shard: right, previous: [one.id] })
  const four = makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [two.id, three.id] })
  assert.deepEqual(listPreviousBlocks(infoOf(one.bytes)), [zeroStateOf(0)])
  assert.deepEqual(listPreviousBlocks(infoOf(two.bytes)), [one.id])
  assert.deepEqual(listPreviousBlocks(infoOf(three.bytes)), [one.id])
  assert.deepEqual(listPreviousBlocks(infoOf(four.bytes)), [two.id, three.id])
  // An id that is kept must not keep the whole block.
  assert.equal(listPreviousBlocks(infoOf(four.bytes))[0]?.rootHash.buffer.byteLength, 32)
})

test('a header that contradicts itself is refused', () => {
  const info = infoOf(makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)] }).bytes)
  const ref = { endLt: 1n, seqno: 7, rootHash: filled(1), fileHash: filled(2) }
  const cases: readonly [string, BlockInfo][] = [
    ['a split of nothing', { ...info, afterSplit: true }],
    ['split and merged', { ...info, afterSplit: true, afterMerge: true, prevRef: prevRefCell([ref, ref]), seqno: 8 }],
    ['a gap', { ...info, prevRef: prevRefCell([ref]), seqno: 9 }],
  ]
  for (const [name, broken] of cases) assert.throws(() => listPreviousBlocks(broken), NodeAnswerError, name)
})

/** What each masterchain block includes, by the walk over these blocks. */
const walkChain = async (
  masterBlocks: readonly Uint8Array[],
  getBlock: (id: BlockIdExt) => Uint8Array,
): Promise<string[][]> => {
  let tops: BlockIdExt[] = []
  const included: string[][] = []
  for (const bytes of masterBlocks) {
    const extra = openMcBlockExtra(openBlockExtra(openBlock(decodeSingleBoc(bytes)).extra).custom!)
    const next = listShardTops(extra.shardHashes)
    included.push(show(await listNewShardBlocks(tops, next, (id) => listPreviousBlocks(infoOf(getBlock(id))))))
    tops = next
  }
  return included
}

test('a made-up chain with splits and merges is walked step by step', async () => {
  const steps = makeSampleChain('0123s21s12m0m311s')
  const blocks = new Map(steps.flatMap(({ shardBlocks }) => shardBlocks.map(({ id, bytes }) => [show([id])[0], bytes])))
  const included = await walkChain(
    steps.map(({ masterchain: { bytes } }) => bytes),
    (id) => blocks.get(show([id])[0])!,
  )
  assert.deepEqual(
    included.map((ids) => ids.sort()),
    steps.map(({ shardBlocks }) => show(shardBlocks.map(({ id }) => id)).sort()),
  )
})

type RecordedBlock = { workchain: number; shard: string; seqno: number; root_hash: string; masterchain_seqno: number }

test('recorded masterchain blocks include the blocks that the record says', async (t) => {
  const { blocks } = readFixtureJson<{ blocks: RecordedBlock[] }>('localnet/blocks/index.json')
  const expected: string[][] = Array.from({ length: 400 }, () => [])
  for (const { workchain, shard, seqno, root_hash, masterchain_seqno } of blocks) {
    if (workchain === masterchain) continue
    const id = { workchain, shard: parseShard(shard), seqno, rootHash: fromHex(root_hash), fileHash: filled(0) }
    expected[masterchain_seqno - 1]!.push(...show([id]))
  }
  const read = ({ workchain, shard, seqno }: Pick<BlockIdExt, 'workchain' | 'shard' | 'seqno'>): Uint8Array =>
    readFixture(`localnet/blocks/${workchain}_${formatShard(shard)}_${seqno}.boc`)
  const included = await walkChain(
    expected.map((_, k) => read({ workchain: masterchain, shard: wholeShard, seqno: k + 1 })),
    read,
  )
  assert.deepEqual(
    included.map((ids) => ids.sort()),
    expected.map((ids) => ids.sort()),
  )
  t.diagnostic(`${included.flat().length} shard blocks of 400 masterchain blocks`)
})

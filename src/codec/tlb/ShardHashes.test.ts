import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell } from '@ton/core'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { amount, filled } from '../../../test/support/sampleMessages.ts'
import { toPlain } from '../../../test/support/toPlain.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Cell } from '../cell/Cell.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { Dict } from '../cell/Dict.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { recordVisited } from '../cell/HashIndex.ts'
import { buildMerkleProof, unwrapMerkleProof } from '../cell/merkle.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  buildShardHashes,
  type FutureSplitMerge,
  findShard,
  findShardOfAccount,
  listShards,
  readShardDescr,
  readShardHashes,
  type ShardDescr,
  type ShardHashes,
  type ShardLeaf,
  shardHashesType,
  writeShardDescr,
  writeShardHashes,
} from './ShardHashes.ts'

const descr = (seqno: number): ShardDescr => ({
  feesInRef: true,
  seqno,
  regMcSeqno: 10,
  startLt: 1n,
  endLt: 2n,
  rootHash: filled(seqno),
  fileHash: filled(seqno + 1),
  beforeSplit: false,
  beforeMerge: false,
  wantSplit: false,
  wantMerge: false,
  nxCcUpdated: false,
  nextCatchainSeqno: 0,
  nextValidatorShard: 0x8000_0000_0000_0000n,
  minRefMcSeqno: 9,
  genUtime: 1_700_000_000,
  splitMergeAt: { kind: 'none' },
  feesCollected: amount(1n),
  fundsCreated: amount(0n),
})

const leaf = (workchain: number, shard: bigint, seqno: number): ShardLeaf => ({ workchain, shard, descr: descr(seqno) })

/** Workchain 0 in shards of the prefixes 00, 01 and 1; workchain 5 whole; workchain -7 in two halves. */
const shards = [
  leaf(0, 0x2000_0000_0000_0000n, 1),
  leaf(0, 0x6000_0000_0000_0000n, 2),
  leaf(0, 0xc000_0000_0000_0000n, 3),
  leaf(5, 0x8000_0000_0000_0000n, 4),
  leaf(-7, 0x4000_0000_0000_0000n, 5),
  leaf(-7, 0xc000_0000_0000_0000n, 6),
]
const hashes = buildShardHashes(shards)

const seqnoOf = (found: ShardLeaf | undefined): number | undefined => found?.descr.seqno

test('shards are listed by workchain, negative ones last, and from left to right', () => {
  const read = readWhole(writeWhole(writeShardHashes, hashes), readShardHashes, 'ShardHashes')
  assert.deepEqual(listShards(read), shards)
  assert.deepEqual(listShards(new Dict(shardHashesType)), [])
})

test('the order in which shards are given does not matter', () => {
  const other = buildShardHashes([...shards].reverse())
  assert.ok(writeWhole(writeShardHashes, other).equals(writeWhole(writeShardHashes, hashes)))
})

test('an account is in the shard whose prefix its address starts with', () => {
  const find = (workchain: number, prefix: bigint) => seqnoOf(findShardOfAccount(hashes, workchain, prefix))
  assert.deepEqual(
    [0n, 0x3fff_ffff_ffff_ffffn, 0x4000_0000_0000_0000n, 0x7fff_ffff_ffff_ffffn, 1n << 63n, (1n << 64n) - 1n].map(
      (prefix) => find(0, prefix),
    ),
    [1, 1, 2, 2, 3, 3],
  )
  assert.deepEqual([find(5, 0n), find(-7, 0n), find(-7, (1n << 64n) - 1n), find(1, 0n)], [4, 5, 6, undefined])
})

test('a shard is found by itself or by one that came out of it, not by one that has been split', () => {
  const find = (shard: bigint) => findShard(hashes, { workchain: 0, shard })
  for (const each of shards.slice(0, 3)) assert.deepEqual(find(each.shard), each)
  assert.deepEqual(find(0x1000_0000_0000_0000n), shards[0])
  assert.deepEqual(find(0xe000_0000_0000_0008n), shards[2])
  assert.equal(find(0x4000_0000_0000_0000n), undefined)
  assert.equal(find(0x8000_0000_0000_0000n), undefined)
})

test('only the path to a shard is entered', () => {
  const root = writeWhole(writeShardHashes, hashes)
  const open = (): ShardHashes => readWhole(root, readShardHashes, 'ShardHashes')
  const visited = recordVisited(() => findShard(open(), { workchain: 0, shard: 0x6000_0000_0000_0000n }))
  recordVisited(() => findShard(open(), { workchain: 0, shard: 0x8000_0000_0000_0000n }), visited)
  const proven = readWhole(
    unwrapMerkleProof(buildMerkleProof(root, visited), root.hash()),
    readShardHashes,
    'ShardHashes',
  )
  assert.equal(seqnoOf(findShardOfAccount(proven, 0, 0x5000_0000_0000_0000n)), 2)
  assert.equal(findShard(proven, { workchain: 0, shard: 0x8000_0000_0000_0000n }), undefined)
  assert.throws(() => findShardOfAccount(proven, 0, 0n), PrunedBranchError)
  assert.throws(() => listShards(proven), PrunedBranchError)
})

test('shards that leave a gap or overlap are not written', () => {
  for (const part of [
    [shards[0]!, shards[2]!],
    [shards[0]!, shards[1]!],
    [...shards, leaf(0, 0x8000_0000_0000_0000n, 7)],
    [...shards, leaf(0, 0xe000_0000_0000_0000n, 7)],
  ]) {
    assert.throws(() => buildShardHashes(part), CellError)
  }
})

test('a small cell that claims endlessly many shards is refused', () => {
  const whole = hashes.find(5)!
  const double = (tree: Cell, times: number): Cell =>
    times === 0 ? tree : double(new CellWriter().writeBit(true).writeRef(tree).writeRef(tree).toCell(), times - 1)
  assert.throws(() => listShards(Dict.of(shardHashesType, [[0, double(whole, 40)]])), CellError)
  const large = double(whole, 10)
  const workchains = Array.from({ length: 20 }, (_, workchain) => [workchain, large] as const)
  assert.equal(listShards(Dict.of(shardHashesType, workchains.slice(0, 2))).length, 2 * 1024)
  assert.throws(() => listShards(Dict.of(shardHashesType, workchains)), CellError)
})

test('leftover bits behind a shard are refused', () => {
  const tree = hashes.find(5)!
  const longer = new CellWriter().writeBit(true).writeRef(tree).writeRef(tree).writeBit(false).toCell()
  const broken = Dict.of(shardHashesType, [[0, longer]])
  assert.throws(() => listShards(broken), CellError)
})

const sample: ShardDescr = {
  feesInRef: true,
  seqno: 97,
  regMcSeqno: 66,
  startLt: 99_000_000n,
  endLt: 99_000_001n,
  rootHash: filled(0xaa),
  fileHash: filled(0xbb),
  beforeSplit: false,
  beforeMerge: true,
  wantSplit: false,
  wantMerge: true,
  nxCcUpdated: false,
  nextCatchainSeqno: 1,
  nextValidatorShard: 0x4000_0000_0000_0000n,
  minRefMcSeqno: 0xffff_ffff,
  genUtime: 1_794_711_935,
  splitMergeAt: { kind: 'none' },
  feesCollected: amount(500_000_000n),
  fundsCreated: amount(250_000_000n),
}

const coreHead = (tag: number, flags = '01010', reserved = 0): Builder => {
  const b = beginCell().storeUint(tag, 4).storeUint(97, 32).storeUint(66, 32)
  b.storeUint(99_000_000, 64).storeUint(99_000_001, 64)
  b.storeBuffer(Buffer.alloc(32, 0xaa)).storeBuffer(Buffer.alloc(32, 0xbb))
  for (const flag of flags) b.storeBit(flag === '1')
  b.storeUint(reserved, 3).storeUint(1, 32).storeUint(0x4000_0000_0000_0000n, 64)
  return b.storeUint(0xffff_ffff, 32).storeUint(1_794_711_935, 32)
}
const coreAmounts = beginCell().storeCoins(500_000_000n).storeBit(0).storeCoins(250_000_000n).storeBit(0)

const read = (core: Builder): ShardDescr => readWhole(fromCoreCell(core.endCell()), readShardDescr, 'A ShardDescr')

const check = (value: ShardDescr, core: Builder): void => {
  assert.equal(toHex(writeWhole(writeShardDescr, value).hash()), core.endCell().hash().toString('hex'))
  assert.deepEqual(toPlain(read(core)), toPlain(value))
}

test('both layouts of a shard are those of the schema', () => {
  check(sample, coreHead(0xa).storeBit(0).storeRef(coreAmounts))
  check({ ...sample, feesInRef: false }, coreHead(0xb).storeBit(0).storeBuilder(coreAmounts))
})

test('each flag has its own bit', () => {
  const flags = ['beforeSplit', 'beforeMerge', 'wantSplit', 'wantMerge', 'nxCcUpdated'] as const
  const none: ShardDescr = { ...sample, beforeMerge: false, wantMerge: false }
  flags.forEach((flag, k) => {
    const core = coreHead(
      0xa,
      '0'
        .repeat(k)
        .padEnd(k + 1, '1')
        .padEnd(5, '0'),
    )
      .storeBit(0)
      .storeRef(coreAmounts)
    check({ ...none, [flag]: true }, core)
  })
})

test('a planned split or merge names its window', () => {
  const at = { utime: 1_794_711_956, interval: 20 }
  const core = (tag: number): Builder =>
    coreHead(0xa).storeUint(tag, 2).storeUint(at.utime, 32).storeUint(at.interval, 32).storeRef(coreAmounts)
  const plan = (kind: 'split' | 'merge'): FutureSplitMerge => ({ kind, ...at })
  check({ ...sample, splitMergeAt: plan('split') }, core(0b10))
  check({ ...sample, splitMergeAt: plan('merge') }, core(0b11))
})

test('other tags, reserved flags and leftovers are refused', () => {
  assert.throws(
    () => read(coreHead(0xc).storeBit(0).storeRef(coreAmounts)),
    new CellError('A ShardDescr starts with #a or #b, but got #c.'),
  )
  assert.throws(() => read(coreHead(0xa, '00000', 1).storeBit(0).storeRef(coreAmounts)), CellError)
  const longer = beginCell().storeBuilder(coreAmounts).storeBit(0)
  assert.throws(() => read(coreHead(0xa).storeBit(0).storeRef(longer)), CellError)
  assert.throws(() => read(coreHead(0xb).storeBit(0).storeBuilder(longer)), CellError)
})

test('amounts that do not fit beside the rest of the old layout are an error, not cut', () => {
  const large: ShardDescr = { ...sample, feesCollected: amount(2n ** 120n - 1n), fundsCreated: amount(2n ** 120n - 1n) }
  assert.deepEqual(
    toPlain(readWhole(writeWhole(writeShardDescr, large), readShardDescr, 'A ShardDescr')),
    toPlain(large),
  )
  assert.throws(() => writeWhole(writeShardDescr, { ...large, feesInRef: false }), CellError)
})

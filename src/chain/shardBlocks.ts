import { type BlockInfo, type ExtBlkRef, openPrevRef } from '../codec/tlb/BlockInfo.ts'
import type { McStateHistory } from '../codec/tlb/McStateExtra.ts'
import { listShards, type ShardHashes } from '../codec/tlb/ShardHashes.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../primitives/BlockId.ts'
import { toHex } from '../primitives/hex.ts'
import { findShardParent, shardChildren, wholeShard } from '../primitives/shard.ts'
import { NodeAnswerError } from './errors.ts'
import type { PreviousBlocks } from './ports.ts'

/** Nodes register at most eight blocks of a shard at once. A walk that goes on much longer has missed where it should end. */
const MAX_CHAIN = 64

/** The newest block of every shard, as a masterchain block names them. One with seqno 0 is a zero state, not a block. */
export const listShardTops = (hashes: ShardHashes): BlockIdExt[] =>
  listShards(hashes).map(({ workchain, shard, descr }) => idOf(workchain, shard, descr))

/**
 * The block before the one with this header: of the same shard, of its parent after a split; after a merge, the last blocks of
 * both halves, left one first.
 */
export const listPreviousBlocks = (info: BlockInfo): BlockIdExt[] => {
  const { workchain, seqno, afterMerge, afterSplit } = info
  const refs = openPrevRef(info)
  const shards = listPreviousShards(info)
  if (shards === undefined) {
    throw new NodeAnswerError(
      `Block ${formatBlockId(info)} says after_split = ${afterSplit} and after_merge = ${afterMerge}, which its shard cannot be.`,
    )
  }
  const newest = Math.max(...refs.map((ref) => ref.seqno))
  if (newest + 1 !== seqno) {
    throw new NodeAnswerError(`Block ${formatBlockId(info)} should follow seqno ${seqno - 1}, it names ${newest}.`)
  }
  return refs.map((ref, k) => idOf(workchain, shards[k]!, ref))
}

type HashedBlock = { readonly seqno: number; readonly rootHash: Uint8Array; readonly fileHash: Uint8Array }

// The hashes are copied: those read from cells are parts of the whole block, which nobody wants to keep for them.
const idOf = (workchain: number, shard: bigint, { seqno, rootHash, fileHash }: HashedBlock): BlockIdExt => ({
  workchain,
  shard,
  seqno,
  rootHash: rootHash.slice(),
  fileHash: fileHash.slice(),
})

const listPreviousShards = ({ shard, afterMerge, afterSplit }: BlockInfo): readonly bigint[] | undefined => {
  if (afterMerge) return afterSplit ? undefined : shardChildren(shard)
  if (!afterSplit) return [shard]
  const parent = findShardParent(shard)
  return parent === undefined ? undefined : [parent]
}

/**
 * The shard blocks that a masterchain block is the first to include, from the newest blocks of all shards before it and at it
 * (none before the first block of the masterchain). They come by workchain, seqno and shard, so a block always comes after
 * those it follows.
 *
 * A masterchain block may include several blocks of a shard, and both halves of one that was split or merged: from each new top
 * the walk goes back along `getPreviousBlocks` (see {@link listPreviousBlocks}) to what was included already. It asks for as
 * many blocks at once as there are shards.
 */
export const listNewShardBlocks = async (
  previousTops: readonly BlockIdExt[],
  tops: readonly BlockIdExt[],
  getPreviousBlocks: (id: BlockIdExt) => readonly BlockIdExt[] | Promise<readonly BlockIdExt[]>,
): Promise<BlockIdExt[]> => {
  const seen = new Set(previousTops.map(keyOf))
  const found: BlockIdExt[] = []
  const takeNew = (ids: readonly BlockIdExt[]): BlockIdExt[] => {
    const taken = ids.filter((id) => {
      const key = keyOf(id)
      if (id.seqno === 0 || seen.has(key)) return false
      seen.add(key)
      return true
    })
    for (const id of taken) found.push(id)
    return taken
  }
  let newest = takeNew(tops)
  for (let length = 0; newest.length > 0; length++) {
    if (length === MAX_CHAIN) {
      throw new NodeAnswerError(
        `Block ${formatBlockId(newest[0]!)}, ${MAX_CHAIN} blocks behind its newest, is still not one included before.`,
      )
    }
    newest = takeNew((await Promise.all(newest.map(getPreviousBlocks))).flat())
  }
  return found.sort(compareIds)
}

// Two blocks may have the same shard and seqno, one of them orphaned: only the hash tells them apart.
const keyOf = ({ workchain, shard, seqno, rootHash }: BlockIdExt): string =>
  `${workchain}:${shard}:${seqno}:${toHex(rootHash)}`

const compareIds = (a: BlockIdExt, b: BlockIdExt): number => {
  if (a.workchain !== b.workchain) return a.workchain - b.workchain
  if (a.seqno !== b.seqno) return a.seqno - b.seqno
  return a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0
}

const MAX_BLOCKS = 16
/** The global version from which on code sees every hundredth block, too. */
const HUNDREDS_SINCE = 9

/**
 * The masterchain blocks that code may ask for in a run after the block `id`, which is the newest of them, by the state after
 * it. `undefined` where one is not on record: code is then told nothing.
 */
export const readPreviousBlocks = (
  id: BlockIdExt,
  { prevBlocks, afterKeyBlock, lastKeyBlock }: McStateHistory,
  globalVersion: number,
): PreviousBlocks | undefined => {
  const find = (seqno: number): BlockIdExt | undefined => {
    if (seqno === id.seqno) return id
    const found = prevBlocks.find(seqno)
    return found && toBlockId(found.block)
  }
  const last = countDown(id.seqno, 1, find)
  const lastHundreds = globalVersion < HUNDREDS_SINCE ? [] : countDown(id.seqno - (id.seqno % 100), 100, find)
  const keyBlock = afterKeyBlock ? id : lastKeyBlock && toBlockId(lastKeyBlock)
  return last && lastHundreds && keyBlock && { last, keyBlock, lastHundreds }
}

const countDown = (
  from: number,
  step: number,
  find: (seqno: number) => BlockIdExt | undefined,
): readonly BlockIdExt[] | undefined => {
  const blocks: BlockIdExt[] = []
  for (let seqno = from; seqno >= 0 && blocks.length < MAX_BLOCKS; seqno -= step) {
    const block = find(seqno)
    if (block === undefined) return undefined
    blocks.push(block)
  }
  return blocks
}

const toBlockId = ({ seqno, rootHash, fileHash }: ExtBlkRef): BlockIdExt => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: rootHash.slice(),
  fileHash: fileHash.slice(),
})

import type pg from 'pg'
import { type BlockId, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { fromSignedShard } from '../../primitives/shard.ts'
import type { EdgeBlock } from '../../store/writer/indexState.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { type BatchPosition, BrokenChainError } from './indexState.ts'

type Hashes = ReadonlyMap<string, Uint8Array>

/**
 * Checks that every shard chain continues through a batch and into adjacent ranges, block by block and hash by hash. Returns the
 * blocks that the resulting range follows.
 */
export const checkContinuity = async (
  client: pg.ClientBase,
  { blockSets }: Pick<IndexBatch, 'blockSets'>,
  { below, above }: BatchPosition,
): Promise<readonly EdgeBlock[]> => {
  const inBatch = hashesOf(blockSets)
  const before = listBefore(blockSets, inBatch)
  const beforeAbove = checkAbove(above?.lowerEdge ?? [], blockSets.at(-1), inBatch)
  const wanted = [...before, ...beforeAbove]
  if (below === undefined) return uniqueBlocks(wanted)
  const stored = await readHashes(client, wanted)
  const missing = wanted.filter((block) => {
    const hash = stored.get(formatBlockId(block))
    if (hash !== undefined) checkHash(block, hash)
    return hash === undefined
  })
  await checkTops(client, below.lastSeqno, missing)
  return uniqueBlocks([...below.lowerEdge, ...missing])
}

const hashesOf = (blockSets: readonly DecodedBlockSet[]): Hashes => {
  const hashes = new Map<string, Uint8Array>()
  for (const { blocks } of blockSets) {
    for (const block of blocks) hashes.set(placeOf(block), block.root_hash)
  }
  return hashes
}

/** The blocks outside the batch that its blocks follow. A zero state is not a block. */
const listBefore = (blockSets: readonly DecodedBlockSet[], inBatch: Hashes): EdgeBlock[] => {
  const outside: EdgeBlock[] = []
  for (const { seqno, blocks, previousBlocks } of blockSets) {
    if (!blocks.some((block) => block.workchain === masterchain && block.seqno === seqno)) {
      throw new BrokenChainError(`Masterchain block ${seqno} is not among its own blocks.`)
    }
    if (previousBlocks.length !== blocks.length) {
      throw new BrokenChainError(
        `Of ${blocks.length} blocks at masterchain block ${seqno}, ${previousBlocks.length} name their previous blocks.`,
      )
    }
    for (const previous of previousBlocks.flat()) {
      const hash = inBatch.get(formatBlockId(previous))
      if (hash !== undefined) checkHash(previous, hash)
      else if (previous.seqno > 0) outside.push(previous)
    }
  }
  return outside
}

/**
 * Blocks that the range above follows are in the batch, or were included before and are still the newest of their shard at its
 * end. Returns the latter.
 */
const checkAbove = (edge: readonly EdgeBlock[], last: DecodedBlockSet | undefined, inBatch: Hashes): EdgeBlock[] => {
  const tops = new Set(last?.shardTops.map(placeOf))
  return edge.filter((block) => {
    const hash = inBatch.get(formatBlockId(block))
    if (hash !== undefined) checkHash(block, hash)
    else if (!tops.has(formatBlockId(block))) throw missingBlock(block)
    return hash === undefined
  })
}

/** Without duplicates, in a fixed order. Two hashes for one block mean that one is of another chain. */
const uniqueBlocks = (blocks: readonly EdgeBlock[]): readonly EdgeBlock[] => {
  const unique = new Map<string, EdgeBlock>()
  for (const block of blocks) {
    const other = unique.get(formatBlockId(block))
    if (other !== undefined) checkHash(block, other.rootHash)
    unique.set(formatBlockId(block), block)
  }
  return [...unique.values()].sort(
    (a, b) => a.workchain - b.workchain || a.seqno - b.seqno || Number(a.shard - b.shard),
  )
}

/** Missing blocks were included before the range below, and must still be the newest of their shard at its end. */
const checkTops = async (client: pg.ClientBase, seqno: number, missing: readonly EdgeBlock[]): Promise<void> => {
  if (missing.length === 0) return
  const { rows } = await client.query<{ workchain: number; shard: bigint; seqno: number }>(
    'SELECT workchain, shard, seqno FROM shard_tops WHERE mc_seqno = $1',
    [seqno],
  )
  const tops = new Set(rows.map(placeOf))
  for (const block of missing) if (!tops.has(formatBlockId(block))) throw missingBlock(block)
}

/** A block's key, from its columns. */
const placeOf = ({ workchain, shard, seqno }: BlockId): string =>
  formatBlockId({ workchain, shard: fromSignedShard(shard), seqno })

/** Hashes of these blocks, and of others with the same seqnos. */
const readHashes = async (client: pg.ClientBase, blocks: readonly BlockId[]): Promise<Hashes> => {
  const { rows } = await client.query<{ workchain: number; shard: bigint; seqno: number; root_hash: Uint8Array }>(
    'SELECT workchain, shard, seqno, root_hash FROM blocks WHERE seqno = ANY ($1::int[])',
    [blocks.map(({ seqno }) => seqno)],
  )
  return new Map(rows.map((row) => [placeOf(row), row.root_hash]))
}

const checkHash = (block: EdgeBlock, hash: Uint8Array): void => {
  if (bytesEqual(block.rootHash, hash)) return
  throw new BrokenChainError(
    `The chain is broken at block ${formatBlockId(block)}: the next block names ${toHex(block.rootHash)}, indexed is ${toHex(hash)}.`,
  )
}

const missingBlock = (block: EdgeBlock): BrokenChainError =>
  new BrokenChainError(
    `The chain is broken: block ${formatBlockId(block)} is missing, although an indexed block follows it.`,
  )

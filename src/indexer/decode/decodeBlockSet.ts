import { createHash } from 'node:crypto'
import { type BlockIdExt, masterchain as masterchainNumber } from '../../primitives/BlockId.ts'
import { toSignedShard } from '../../primitives/shard.ts'
import { encodeHeaderBits } from '../../store/schema/codes.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import { tables } from '../../store/schema/tables.ts'
import { RowEncoder } from '../../store/writer/copyRows.ts'
import type { DecodedBlockSet, EncodedRows, RawBlockSet } from '../blockSets.ts'
import { BlockSetBuilder } from './BlockSetBuilder.ts'
import {
  type BlockParts,
  BlockUndecodableError,
  compareTransactions,
  type FoundTransaction,
  findTransactions,
  naming,
  openBlockParts,
  type WatchedAccounts,
} from './findTransactions.ts'
import { openAccounts, type PackedAccounts, packTouchedAccounts } from './PackedAccounts.ts'
import { ByteArena } from './RowBuilder.ts'

/** Unsigned 32-bit numbers are stored as signed ones with the same bits. */
const toBlockRow = (
  { id, globalId, info, previous, extra }: BlockParts,
  mcSeqno: number,
  txCount: number,
): CopyRow<typeof tables.blocks> => ({
  shard: toSignedShard(id.shard),
  start_lt: BigInt.asIntN(64, info.startLt),
  end_lt: BigInt.asIntN(64, info.endLt),
  workchain: id.workchain,
  seqno: id.seqno | 0,
  mc_seqno: mcSeqno,
  gen_utime: info.genUtime | 0,
  tx_count: txCount,
  global_id: globalId,
  version: info.version | 0,
  header_bits: encodeHeaderBits({ ...info, vertSeqnoIncr: info.prevVertRef !== undefined }),
  flags: info.genSoftware === undefined ? 0 : 1,
  validator_list_hash_short: info.genValidatorListHashShort | 0,
  gen_catchain_seqno: info.genCatchainSeqno | 0,
  min_ref_mc_seqno: info.minRefMcSeqno | 0,
  prev_key_block_seqno: info.prevKeyBlockSeqno | 0,
  vert_seqno: info.vertSeqno | 0,
  master_ref_seqno: (info.masterRef?.seqno ?? 0) | 0,
  prev_seqnos: previous.map(({ seqno }) => seqno | 0),
  // Copies: bytes read from cells are views of the block.
  root_hash: id.rootHash.slice(),
  file_hash: id.fileHash.slice(),
  rand_seed: extra.randSeed.slice(),
  created_by: extra.createdBy.slice(),
})

const toShardTopRow = (
  { workchain, shard, seqno }: BlockIdExt,
  mcSeqno: number,
): CopyRow<typeof tables.shard_tops> => ({ shard: toSignedShard(shard), mc_seqno: mcSeqno, workchain, seqno })

const blocks = new RowEncoder(tables.blocks)
const shardTops = new RowEncoder(tables.shard_tops)

type Encoded = { readonly rows: Pick<EncodedRows, 'bytes'> }

/** Input of the digest: rows from decoding, or read back from the database. */
export type DigestedRows = Pick<DecodedBlockSet, 'blocks' | 'shardTops'> & {
  readonly transactions: Encoded
  readonly messages: Encoded
}

/**
 * Digest of the rows as written, with zero trace ids: transactions by lt, workchain and account, messages in the order of their
 * senders; blocks and shard tops in any order.
 */
export const digestRows = ({
  blocks: blockRows,
  shardTops: topRows,
  transactions,
  messages,
}: DigestedRows): Uint8Array => {
  for (const row of blockRows.toSorted(comparePlaces)) blocks.add(row)
  for (const row of topRows.toSorted(comparePlaces)) shardTops.add(row)
  const digest = createHash('sha256')
    .update(blocks.take())
    .update(shardTops.take())
    .update(transactions.rows.bytes)
    .update(messages.rows.bytes)
    .digest()
  return new Uint8Array(digest)
}

type Place = { readonly workchain: number; readonly shard: bigint; readonly seqno: number }

const comparePlaces = (a: Place, b: Place): number =>
  a.workchain - b.workchain || a.seqno - b.seqno || Number(a.shard - b.shard)

export type DecodeOptions = {
  /**
   * The global version in force (config parameter 8): from 12 on, messages have extra flags instead of the IHR fee. Defaults to
   * the software version of the masterchain block: networks activate a version soon after their software has it, and the fee was
   * zero on all of them.
   */
  readonly globalVersion?: number | undefined
  /** If given, stores only transactions of these accounts, with their messages. Blocks are always stored. */
  readonly watched?: WatchedAccounts | undefined
  /**
   * Computes the hash of every transaction. Otherwise it is taken from the block, from the next transaction of the account or the
   * state after it, which cannot be forged in a block with a valid hash.
   */
  readonly hashesAnew?: boolean
}

const EXTRA_FLAGS_SINCE = 12

/** A block set for transfer between threads. */
export type PackedBlockSet = Omit<DecodedBlockSet, 'accounts'> & { readonly accounts: PackedAccounts }

export const unpackBlockSet = (blockSet: PackedBlockSet): DecodedBlockSet => ({
  ...blockSet,
  accounts: openAccounts(blockSet.accounts),
})

/** Decodes a block set. The bytes must have been checked against their ids. */
export const decodeBlockSet = (blockSet: RawBlockSet, options: DecodeOptions = {}): DecodedBlockSet =>
  unpackBlockSet(decodePacked(blockSet, options))

/** The same, for transfer to another thread. */
export const decodePacked = (
  blockSet: RawBlockSet,
  { globalVersion, watched, hashesAnew = false }: DecodeOptions,
): PackedBlockSet => {
  const { seqno, masterchain, shards, tops } = blockSet
  const blocks: BlockParts[] = []
  const found: FoundTransaction[] = []
  const blockRows = [masterchain, ...shards].map((raw) =>
    naming(
      () => raw.id,
      () => {
        const block = openBlockParts(raw)
        const count = findTransactions(block, found, watched)
        blocks.push(block)
        return toBlockRow(block, seqno, count)
      },
    ),
  )
  found.sort(compareTransactions)
  const { info, id } = blocks[0]!
  if (id.workchain !== masterchainNumber) throw new BlockUndecodableError(id, 'it is not one of the masterchain.')
  const version = globalVersion ?? info.genSoftware?.version ?? 0
  const arena = new ByteArena()
  const facts = { seqno, hasExtraFlags: version >= EXTRA_FLAGS_SINCE, hashesAnew, watched }
  const rows = buildRows(found, new BlockSetBuilder(facts, found.length, arena))
  const shardTops = tops.map((top) => toShardTopRow(top, seqno))
  return {
    seqno,
    genUtime: info.genUtime,
    rootHash: masterchain.id.rootHash.slice(),
    isKeyBlock: info.keyBlock,
    blocks: blockRows,
    previousBlocks: blocks.map(({ previous }) => previous),
    shardTops,
    ...rows,
    accounts: packTouchedAccounts(found, rows.transactions.hashes),
    digest: digestRows({ blocks: blockRows, shardTops, ...rows }),
  }
}

const buildRows = (
  found: readonly FoundTransaction[],
  builder: BlockSetBuilder,
): ReturnType<BlockSetBuilder['take']> => {
  let k = 0
  const addAll = (): void => {
    while (k < found.length) builder.add(found[k++]!)
  }
  // One call for all: the block is looked up only on failure.
  naming(() => found[k - 1]!.block.id, addAll)
  return builder.take()
}

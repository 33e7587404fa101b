import { createHash } from 'node:crypto'
import { type BlockIdExt, masterchain as masterchainNumber } from '../../primitives/BlockId.ts'
import { toSignedShard } from '../../primitives/shard.ts'
import { encodeHeaderBits } from '../../store/schema/codes.ts'
import type { CopyRow } from '../../store/schema/columns.ts'
import { tables } from '../../store/schema/tables.ts'
import { RowEncoder } from '../../store/writer/copyRows.ts'
import type { DecodedUnit, EncodedRows, RawUnit } from '../blockSets.ts'
import { UnitBuilder } from './BlockSetBuilder.ts'
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
import { ByteShelf } from './RowBuilder.ts'

/** Numbers of 32 bits are kept as the signed ones with the same bits. */
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
  // Copies: what is read from cells is a part of the block.
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

/** What the digest of a unit is made of: as decoding has it, or as it was read back from the database. */
export type DigestedRows = Pick<DecodedUnit, 'blocks' | 'shardTops'> & {
  readonly transactions: Encoded
  readonly messages: Encoded
}

/**
 * Over the rows as they are written, with zeros for their trace ids: those of transactions by lt, workchain and account, of
 * messages in the order of their senders; blocks and shard tops may come in any order.
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
   * The global version in force (parameter 8 of the configuration): from 12 on, messages have extra flags where they had the fee
   * for instant routing. Where it is not given, that of the software which made the masterchain block stands for it: networks
   * take a version into force soon after their software has it, and the fee was zero on all of them.
   */
  readonly globalVersion?: number | undefined
  /** Where it is given, only their transactions are kept, with the messages they sent or received. Blocks are kept in any case. */
  readonly watched?: WatchedAccounts | undefined
  /**
   * Makes the hash of every transaction. Otherwise it is taken from where the block itself states it, in the next transaction of the
   * account or in the state after it: nobody can change that in a block whose own hash is right.
   */
  readonly hashesAnew?: boolean
}

const EXTRA_FLAGS_SINCE = 12

/** A unit as it crosses threads. */
export type PackedUnit = Omit<DecodedUnit, 'accounts'> & { readonly accounts: PackedAccounts }

export const openUnit = (unit: PackedUnit): DecodedUnit => ({ ...unit, accounts: openAccounts(unit.accounts) })

/** All that the blocks of a unit tell by themselves. The bytes must have been checked against their ids. */
export const decodeUnit = (unit: RawUnit, options: DecodeOptions = {}): DecodedUnit =>
  openUnit(decodePacked(unit, options))

/** The same, to be handed to another thread. */
export const decodePacked = (
  unit: RawUnit,
  { globalVersion, watched, hashesAnew = false }: DecodeOptions,
): PackedUnit => {
  const { seqno, masterchain, shards, tops } = unit
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
  const shelf = new ByteShelf()
  const facts = { seqno, hasExtraFlags: version >= EXTRA_FLAGS_SINCE, hashesAnew, watched }
  const rows = buildRows(found, new UnitBuilder(facts, found.length, shelf))
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

const buildRows = (found: readonly FoundTransaction[], builder: UnitBuilder): ReturnType<UnitBuilder['take']> => {
  let k = 0
  const addAll = (): void => {
    while (k < found.length) builder.add(found[k++]!)
  }
  // One call for all of them: the block is looked up only for the one that fails.
  naming(() => found[k - 1]!.block.id, addAll)
  return builder.take()
}

import { addCurrency, type CurrencyCollection, ZERO_CURRENCY } from '../../codec/tlb/CurrencyCollection.ts'
import type { WorkchainDescr } from '../../codec/tlb/config/workchains.ts'
import { NO_SPLIT_MERGE, type ShardDescr, type ShardLeaf } from '../../codec/tlb/ShardHashes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { MadeShardBlock } from './collateShard.ts'

/** How the masterchain knows a new workchain: by its first state. */
export const newWorkchainLeaf = (
  workchain: number,
  { zerostateRootHash, zerostateFileHash }: WorkchainDescr,
  mcSeqno: number,
): ShardLeaf => ({
  workchain,
  shard: wholeShard,
  descr: {
    feesInRef: false,
    seqno: 0,
    regMcSeqno: mcSeqno,
    startLt: 0n,
    endLt: 0n,
    rootHash: zerostateRootHash,
    fileHash: zerostateFileHash,
    beforeSplit: false,
    beforeMerge: false,
    wantSplit: false,
    wantMerge: false,
    nxCcUpdated: false,
    nextCatchainSeqno: 0,
    nextValidatorShard: wholeShard,
    minRefMcSeqno: 0xffff_ffff,
    genUtime: 0,
    splitMergeAt: NO_SPLIT_MERGE,
    feesCollected: ZERO_CURRENCY,
    fundsCreated: ZERO_CURRENCY,
  },
})

/** How the masterchain knows the newest block of a shard; plans for the shard are kept if it is the same shard as before. */
export const registerBlock = (
  { block, flow }: MadeShardBlock,
  before: ShardLeaf | undefined,
  mcSeqno: number,
): ShardLeaf => {
  const { id, info } = block
  const descr: ShardDescr = {
    feesInRef: true,
    seqno: id.seqno,
    regMcSeqno: mcSeqno,
    startLt: info.startLt,
    endLt: info.endLt,
    rootHash: id.rootHash,
    fileHash: id.fileHash,
    beforeSplit: info.beforeSplit,
    beforeMerge: false,
    wantSplit: info.wantSplit,
    wantMerge: info.wantMerge,
    nxCcUpdated: false,
    nextCatchainSeqno: info.genCatchainSeqno,
    nextValidatorShard: id.shard,
    minRefMcSeqno: info.minRefMcSeqno,
    genUtime: info.genUtime,
    splitMergeAt: before?.descr.splitMergeAt ?? NO_SPLIT_MERGE,
    feesCollected: flow.feesCollected,
    fundsCreated: flow.created,
  }
  return { workchain: id.workchain, shard: id.shard, descr }
}

/** The catchain number after a masterchain block in which those of all shards grew. */
export const bumpCatchain = ({ descr, ...place }: ShardLeaf): ShardLeaf => ({
  ...place,
  descr: { ...descr, nextCatchainSeqno: descr.nextCatchainSeqno + 1 },
})

/** All money that shard blocks minted or burned by hand: no real network does so outside of the masterchain. */
export const mintedByShards = (
  blocks: readonly MadeShardBlock[],
): { minted: CurrencyCollection; burned: CurrencyCollection } => ({
  minted: blocks.reduce((sum, { flow }) => addCurrency(sum, flow.minted), ZERO_CURRENCY),
  burned: blocks.reduce((sum, { flow }) => addCurrency(sum, flow.burned ?? ZERO_CURRENCY), ZERO_CURRENCY),
})

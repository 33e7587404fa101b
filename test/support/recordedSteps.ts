import { type ChainStore, type CheckedBlock, checkBlock, type MasterStep } from '../../src/devnet/store/ChainStore.ts'
import { type BlockId, masterchain } from '../../src/primitives/BlockId.ts'
import { formatShard, wholeShard } from '../../src/primitives/shard.ts'
import { readFixture } from './fixtures.ts'

/** Masterchain blocks of the local network that are there as files of their own. */
export const RECORDED_STEPS = 400

export const readRecordedBlock = ({ workchain, shard, seqno }: BlockId): CheckedBlock =>
  checkBlock(readFixture(`localnet/blocks/${workchain}_${formatShard(shard)}_${seqno}.boc`))

/** The step that follows the head of a store on the recorded local network; only its own blocks are read. */
export const readNextStep = async (store: ChainStore): Promise<MasterStep> => {
  const seqno = (store.head?.id.seqno ?? 0) + 1
  const master = readRecordedBlock({ workchain: masterchain, shard: wholeShard, seqno })
  const shardBlocks = await store.listIncluded(master, readRecordedBlock)
  // Only its length matters: nobody reads it here.
  return { master, shardBlocks, signatures: undefined, proof: master.bytes.subarray(0, 500) }
}

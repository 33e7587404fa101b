import { BLOCK_BOC, encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore, checkBlock, checkZeroState } from '../../src/devnet/store/ChainStore.ts'
import { formatBlockId } from '../../src/primitives/BlockId.ts'
import { replayInto } from './localnetStore.ts'
import type { ProvableBlock, ProvableChain } from './ProvableChain.ts'

const bytesOf = ({ root }: ProvableBlock): Uint8Array => encodeBoc([root], BLOCK_BOC)

/** A made-up chain in a store; `keep` as the store takes it. */
export const storeProvableChain = async (chain: ProvableChain, keep = 0): Promise<ChainStore> => {
  const zeroStates = [chain.zerostate, chain.shardZerostate].map((state) => checkZeroState(bytesOf(state)))
  const store = new ChainStore(zeroStates, createMemoryFiles(), { keep })
  const blocks = [...chain.masterchain, ...chain.shard].map((block) => checkBlock(bytesOf(block), block.id))
  await replayInto(store, new Map(blocks.map((block) => [formatBlockId(block.id), block])))
  return store
}

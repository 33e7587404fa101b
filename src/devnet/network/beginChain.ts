import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { NetworkParts } from './createControls.ts'
import { StepFailedError } from './errors.ts'

/** A parameter without a meaning to anyone. Networks keep such ones under negative numbers. */
const HARMLESS_PARAM = -999
const MAX_BLOCKS = 40

/**
 * Makes the first blocks until there is a key block, which light clients begin to trust at, and as many shards as wanted. A
 * network that was interrupted in this goes on with it.
 */
export const beginChain = async (
  { store, pool, producer, configEditor }: NetworkParts,
  shards: number,
): Promise<BlockIdExt> => {
  const isDone = (): boolean => {
    const keyBlocks = store.keyBlockSeqnos.length
    // After a second change of the configuration there are as many shards as somebody asked for since.
    return keyBlocks > 1 || (keyBlocks === 1 && countShards(store) >= shards)
  }
  for (let blocks = 0; !isDone(); blocks++) {
    if (blocks === MAX_BLOCKS)
      throw new StepFailedError(`The network did not come to life within ${MAX_BLOCKS} blocks.`)
    // A change of the configuration is what makes a block a key block.
    if (store.keyBlockSeqnos.length === 0 && pool.size === 0) configEditor.submit(HARMLESS_PARAM, nameCell())
    await producer.makeBlock()
  }
  return store.findMaster(store.keyBlockSeqnos[0]!)!.id
}

const countShards = ({ shardTops }: ChainStore): number => shardTops.filter(({ workchain }) => workchain === 0).length

const nameCell = () => new CellWriter().writeBytes(new TextEncoder().encode('chaincenter')).toCell()

import { readFile } from 'node:fs/promises'
import type { BlockSource } from '../../chain/ports.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import type { CheckedBlock } from '../../devnet/store/ChainStore.ts'
import { openStateFolder, type StateFolder, type StateFolderOptions } from '../../devnet/store/openStateFolder.ts'
import type { StepSource } from '../../devnet/store/startStates.ts'
import type { RawBlock } from '../../indexer/blockSets.ts'
import type { BlockSetSource } from '../../indexer/ports.ts'
import { checkRawBlock, checkRootHash } from '../../indexer/sources/checkRawBlock.ts'
import { masterchain } from '../../primitives/BlockId.ts'

export type KeptStatesOptions = Omit<StateFolderOptions, 'start' | 'blocks'> & {
  /** Files with the states to begin with. */
  readonly stateFiles: readonly string[]
  readonly source: BlockSource
  readonly blockSets: BlockSetSource
}

/** Opens the states that are kept in a folder, made from the blocks of a source. */
export const openKeptStates = async (
  folder: string,
  { stateFiles, source, blockSets, ...options }: KeptStatesOptions,
): Promise<StateFolder> => {
  const start = await Promise.all(stateFiles.map(async (path) => new Uint8Array(await readFile(path))))
  return openStateFolder(folder, { ...options, start, blocks: stepsOf(source, blockSets) })
}

const stepsOf = (source: BlockSource, blockSets: BlockSetSource): StepSource => ({
  getStep: async (seqno, signal) => {
    const blockSet = await blockSets.fetchBlockSet(seqno, signal)
    return { master: open(blockSet.masterchain), shardBlocks: blockSet.shards.map(open) }
  },
  getBlock: async (id, signal) => {
    const bytes = await source.getRawBlock(id, signal)
    checkRawBlock(id, bytes)
    if (id.workchain === masterchain) checkRootHash(id, bytes)
    return open({ id, bytes })
  },
})

/** Opens a block that was checked before. */
const open = ({ id, bytes }: RawBlock): CheckedBlock => {
  const root = decodeSingleBoc(bytes, { trusted: true })
  return { id, bytes, root, info: openBlockInfo(openBlock(root).info) }
}

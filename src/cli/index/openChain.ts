import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { BlockSource } from '../../chain/ports.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { openBlock } from '../../codec/tlb/Block.ts'
import { openBlockInfo, openPrevRef } from '../../codec/tlb/BlockInfo.ts'
import type { CheckedBlock } from '../../devnet/store/ChainStore.ts'
import { openStateFolder, type StateFolder, type StateFolderOptions } from '../../devnet/store/openStateFolder.ts'
import type { StepSource } from '../../devnet/store/StateHistory.ts'
import type { RawBlock } from '../../indexer/blockSets.ts'
import type { BlockSetSource, ChainStates } from '../../indexer/ports.ts'
import { createLiveStates, createLocalStates } from '../../indexer/sources/accountStates.ts'
import { checkRawBlock, checkRootHash } from '../../indexer/sources/checkRawBlock.ts'
import { createBlockSetSource, type RootCheck } from '../../indexer/sources/createBlockSetSource.ts'
import { ArchiveFolder } from '../../node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../node/archive/createArchiveSource.ts'
import { createLiveChain } from '../../node/createLiveChain.ts'
import type { ProvenNode } from '../../node/ProvenNode.ts'
import type { NodePool } from '../../node/pool/NodePool.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import type { CommandContext } from '../Command.ts'
import { readNetwork } from '../compose.ts'
import { NetworkSettingsError } from '../errors.ts'
import { openNamedNode } from '../serve/openNode.ts'

export type LocalStatesOptions = Omit<StateFolderOptions, 'start' | 'blocks'> & {
  /** Files with the states to begin with. */
  readonly stateFiles: readonly string[]
  readonly source: BlockSource
  readonly blockSets: BlockSetSource
}

/** Opens the states that are kept in a folder, made from the blocks of a source. */
export const openLocalStates = async (
  folder: string,
  { stateFiles, source, blockSets, ...options }: LocalStatesOptions,
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

/** A chain to index, as the settings name it. */
export type IndexedChain = {
  readonly blockSets: BlockSetSource
  /** `undefined` without a source of states: then only the states in blocks are known. */
  readonly states: ChainStates | undefined
  /** Root hash of the zero state of the masterchain, which tells networks apart. */
  readonly zeroState: Uint8Array
  /** In which order its blocks are to be had: states that are made from blocks are made upwards. */
  readonly order: 'newestFirst' | 'ascending'
  /** The servers that it comes from; `undefined` where it comes from files. */
  readonly pool?: NodePool
}

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

export const openChain = (context: Context, checkRoot: RootCheck): Promise<IndexedChain> =>
  context.config.archive === undefined
    ? openLiveChain(context, checkRoot)
    : openArchive(context, checkRoot, context.config.archive)

const openLiveChain = async (context: Context, checkRoot: RootCheck): Promise<IndexedChain> => {
  const { node, zeroState } = await openNamedNode(context)
  return openChainOfNode(context, checkRoot, node, zeroState.rootHash)
}

/** The chain of a node that others use, too, unless the settings say that its packages are to be read. */
export const openChainOfNode = async (
  context: Context,
  checkRoot: RootCheck,
  node: ProvenNode,
  zeroState: Uint8Array,
): Promise<IndexedChain> => {
  if (context.config.archive !== undefined) return openArchive(context, checkRoot, context.config.archive)
  const blockSets = createBlockSetSource(node, { checkRoot })
  const kept = await openStates(context, node, blockSets)
  return {
    blockSets,
    states: kept ?? createLiveStates(createLiveChain(node), blockSets),
    zeroState,
    order: kept === undefined ? 'newestFirst' : 'ascending',
    pool: node.pool,
  }
}

const openArchive = async (context: Context, checkRoot: RootCheck, archive: string): Promise<IndexedChain> => {
  const { logger, shutdown, workingDir } = context
  const folder = new ArchiveFolder({ location: resolve(workingDir, archive), fileHashOnly: true, logger })
  const source = createArchiveSource(folder)
  const blockSets = createBlockSetSource(source, { checkRoot, ownBytes: true, checksFileHash: true })
  const states = await openStates(context, source, blockSets)
  return {
    blockSets,
    states,
    zeroState: await findZeroState(context, source, shutdown.signal),
    order: states === undefined ? 'newestFirst' : 'ascending',
  }
}

const openStates = async (
  { config, logger, shutdown, workingDir }: Context,
  source: BlockSource,
  blockSets: BlockSetSource,
): Promise<ChainStates | undefined> => {
  if (config.stateFiles.length === 0) return undefined
  const stateFiles = config.stateFiles.map((path) => resolve(workingDir, path))
  const folder = join(resolve(workingDir, config.dataDir), 'states')
  const kept = await openLocalStates(folder, { stateFiles, source, blockSets, logger })
  shutdown.add('states', () => kept.close())
  return createLocalStates(kept)
}

/** What the global configuration says or, without it, the block that follows the zero state. */
const findZeroState = async (context: Context, source: BlockSource, signal: AbortSignal): Promise<Uint8Array> => {
  const { config } = context
  if (config.globalConfig !== undefined || config.network !== 'custom') {
    const { origin } = await readNetwork(context)
    if (origin !== undefined) return origin.zeroState.rootHash
  }
  try {
    const bytes = await source.getRawBlock(await source.getMasterchainBlockId(1, signal), signal)
    const info = openBlockInfo(openBlock(decodeSingleBoc(bytes)).info)
    return openPrevRef(info)[0]!.rootHash.slice()
  } catch (cause) {
    throw new NetworkSettingsError(
      'The archive does not begin with the first block of its network, so it takes the global configuration to tell which one it is.',
      { cause },
    )
  }
}

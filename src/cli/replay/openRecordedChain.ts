import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlockNotFoundError } from '../../chain/errors.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import type { RecordedChain } from '../../devnet/replay/loadChain.ts'
import { checkBlock, checkZeroState, type ZeroState } from '../../devnet/store/ChainStore.ts'
import { ChainDataError } from '../../devnet/store/errors.ts'
import { ArchiveFolder } from '../../node/archive/ArchiveFolder.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { RecordedFilesError, untar } from './untar.ts'

/** What of a folder may be part of a chain, by the ending of its name. */
export type RecordedFiles = {
  readonly bags: readonly string[]
  readonly packs: readonly string[]
  readonly archives: readonly string[]
}

const MAX_FILES = 1_000_000

/** AccountStages through folders, however deep. */
const findRecordedFiles = async (folders: readonly string[]): Promise<RecordedFiles> => {
  const paths: string[] = []
  for (const folder of folders) {
    try {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) paths.push(join(entry.parentPath, entry.name))
        if (paths.length > MAX_FILES)
          throw new RecordedFilesError(`There are more than ${MAX_FILES} files in ${folder}.`)
      }
    } catch (cause) {
      if (cause instanceof RecordedFilesError) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new RecordedFilesError(`The folder ${folder} cannot be read: ${reason}.`, { cause })
    }
  }
  const ending = (...endings: string[]) => paths.filter((path) => endings.some((each) => path.endsWith(each))).sort()
  return { bags: ending('.boc'), packs: ending('.pack'), archives: ending('.tar.gz', '.tgz') }
}

const BLOCK_TAG = 0x11ef55aa
const STATE_TAG = 0x9023afe2

/** All that folders hold of one chain, to be closed after use. */
export type RecordedFolder = {
  readonly chain: RecordedChain
  readonly zeroStates: readonly ZeroState[]
  readonly counts: { readonly blockFiles: number; readonly packs: number }
  close(): Promise<void>
}

/**
 * Opens folders with block files, first states and archive packages, also inside `.tar.gz` files (which are unpacked into a
 * temporary folder). A block is taken from wherever it is found; ids decide, not names.
 */
export const openRecordedChain = async (
  folders: readonly string[],
  logger: Logger,
  signal: AbortSignal,
): Promise<RecordedFolder> => {
  const { bags, packs, archives } = await findRecordedFiles(folders)
  const temporary = archives.length === 0 ? undefined : await mkdtemp(join(tmpdir(), 'chaincenter-replay-'))
  const close = async (): Promise<void> => {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
  }
  try {
    const unpacked: string[] = []
    for (const archive of archives) {
      signal.throwIfAborted()
      logger.info('unpacking archive', { file: archive })
      const isPack = (path: string): boolean => /(^|\/)archive\.[^/]*\.pack$/.test(path)
      unpacked.push(...(await untar(archive, temporary!, isPack)))
    }
    const allPacks = [...packs.filter((path) => !/(^|[\\/])(temp|key)\.archive\.[^\\/]*$/.test(path)), ...unpacked]
    const files = await indexBags(bags, signal)
    if (files.zeroStates.length === 0) {
      throw new RecordedFilesError(
        `No first state of a chain is in ${folders.join(', ')}: a replay begins at the zerostates.`,
      )
    }
    const archive = allPacks.length === 0 ? undefined : new ArchiveFolder({ location: allPacks, logger })
    return {
      chain: joinSources(files, archive),
      zeroStates: files.zeroStates,
      counts: { blockFiles: files.blocks.size, packs: allPacks.length },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type BagIndex = {
  readonly zeroStates: ZeroState[]
  /** Path of each block file by the id of its block. */
  readonly blocks: Map<string, string>
  readonly masters: Map<number, BlockIdExt>
}

/** Reads each bag once to see what it is. Others than blocks and first states are no part of the chain and passed over. */
const indexBags = async (paths: readonly string[], signal: AbortSignal): Promise<BagIndex> => {
  const index: BagIndex = { zeroStates: [], blocks: new Map(), masters: new Map() }
  for (const path of paths) {
    signal.throwIfAborted()
    const bytes = new Uint8Array(await readFile(path))
    const tag = findTag(bytes)
    if (tag === STATE_TAG) {
      const state = findZeroState(bytes)
      if (state !== undefined) addZeroState(index.zeroStates, state, path)
    } else if (tag === BLOCK_TAG) {
      const { id } = checkBlock(bytes)
      index.blocks.set(formatBlockIdExt(id), path)
      if (id.workchain === masterchain) index.masters.set(id.seqno, id)
    }
  }
  return index
}

const addZeroState = (states: ZeroState[], state: ZeroState, path: string): void => {
  const other = states.find(({ id }) => id.workchain === state.id.workchain)
  if (other === undefined) states.push(state)
  else if (formatBlockIdExt(other.id) !== formatBlockIdExt(state.id)) {
    throw new RecordedFilesError(
      `${path} is another first state of workchain ${state.id.workchain} than the one found before: these are two networks.`,
    )
  }
}

const findTag = (bytes: Uint8Array): number | undefined => {
  try {
    const r = openCell(decodeSingleBoc(bytes, { trusted: true }))
    return r.remainingBits >= 32 ? r.readUint(32) : undefined
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** States of later blocks are no beginning: only those with seqno 0 are. */
const findZeroState = (bytes: Uint8Array): ZeroState | undefined => {
  try {
    return checkZeroState(bytes)
  } catch (error) {
    if (error instanceof ChainDataError) return undefined
    throw error
  }
}

const joinSources = ({ blocks, masters }: BagIndex, archive: ArchiveFolder | undefined): RecordedChain => ({
  findMaster: async (seqno) => {
    const filed = masters.get(seqno)
    if (filed !== undefined || archive === undefined) return filed
    const archived = await archive.findMasterchainBlock(seqno)
    return archived?.seqno === seqno ? archived : undefined
  },
  findBlock: async (id) => {
    const path = blocks.get(formatBlockIdExt(id))
    if (path !== undefined) return new Uint8Array(await readFile(path))
    try {
      return await archive?.getBlock(id)
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    }
  },
  findProof: async (id) => {
    const proof = await archive?.findProof(id)
    return proof?.kind === 'proof' ? proof.bytes : undefined
  },
})

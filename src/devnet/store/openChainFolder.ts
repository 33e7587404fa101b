import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../../observe/Logger.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { ChainLog } from './ChainLog.ts'
import { ChainStore, checkZeroState, type ZeroState } from './ChainStore.ts'
import { Checkpointer, restoreStates } from './Checkpointer.ts'
import { listCheckpoints, removeCheckpoint, removeUnfinishedCheckpoints } from './checkpointFiles.ts'
import { ChainDataError } from './errors.ts'
import { reasonOf } from './fileWrites.ts'
import { LoggedFiles, logPath } from './LoggedFiles.ts'
import { lockFolder } from './lockFolder.ts'
import { packagesFolder } from './packPaths.ts'

export type ChainFolderOptions = {
  /**
   * The first states of a new chain. An existing chain must have the same ones; a function is called only for a new
   * chain.
   */
  readonly zeroStates?: readonly ZeroState[] | (() => readonly ZeroState[] | Promise<readonly ZeroState[]>) | undefined
  /** For how many masterchain blocks back states are kept in memory, also after a start; 0 keeps all. */
  readonly keep: number
  /** The oldest of them are dropped while all have added more cells than this. */
  readonly keepCells?: number | undefined
  /** How many masterchain blocks more than those whose states are kept a start may have to apply: so often states are written down. */
  readonly checkpointEvery?: number
  /** Waits for the disk with every step, so that not even a machine that loses its power loses one. */
  readonly sync?: boolean
  readonly logger?: Logger
  /** Called after each masterchain block that had to be applied again, with the seqno of the last. */
  readonly onProgress?: (masterSeqno: number, last: number) => void
}

export type ChainFolder = {
  readonly store: ChainStore
  /** Whether the chain began just now. */
  readonly isNew: boolean
  /** Writes the states down, so that the next start is quick, and gives the folder free. */
  close(): Promise<void>
}

/** Opens the chain that lives in a folder, or begins one there. Whatever an earlier process left unfinished is taken away. */
export const openChainFolder = async (folder: string, options: ChainFolderOptions): Promise<ChainFolder> => {
  try {
    mkdirSync(folder, { recursive: true })
    const unlock = lockFolder(folder)
    try {
      return await openLocked(folder, options, unlock)
    } catch (error) {
      unlock()
      throw error
    }
  } catch (cause) {
    if (cause instanceof CodedError || (cause as NodeJS.ErrnoException).syscall === undefined) throw cause
    throw new ChainDataError(`The chain in ${folder} cannot be opened: ${reasonOf(cause)}.`, { cause })
  }
}

const openLocked = async (folder: string, options: ChainFolderOptions, unlock: () => void): Promise<ChainFolder> => {
  const {
    zeroStates: given,
    keep,
    keepCells,
    checkpointEvery = 500,
    sync = true,
    logger,
    onProgress = () => undefined,
  } = options
  const isNew = !existsSync(logPath(folder))
  if (isNew) await beginChain(folder, given, sync)
  const files = new LoggedFiles(folder, sync)
  try {
    const zeroStates = readZeroStates(folder, files.log.zeroStates)
    if (Array.isArray(given)) expectSameStates(folder, given, zeroStates)
    const { index, repair } = files
    if (repair.hadTornRecord || repair.lostSteps > 0 || repair.cutPackages > 0)
      logger?.info('incomplete block set truncated', { ...repair })
    removeUnfinishedCheckpoints(folder)
    for (const seqno of listCheckpoints(folder)) if (seqno > index.steps) removeCheckpoint(folder, seqno)
    const states = await restoreStates({
      folder,
      index,
      files,
      zeroStates,
      keep,
      keepCells,
      checkpointEvery,
      logger,
      onProgress,
    })
    const store = new ChainStore(zeroStates, files, { keep }, { index, states })
    const checkpointer = new Checkpointer(store, { folder, every: checkpointEvery, keep, isSynced: sync, logger })
    store.watch(checkpointer)
    const close = async (): Promise<void> => {
      await checkpointer.finish()
      files.close()
      unlock()
    }
    let closing: Promise<void> | undefined
    return {
      store,
      isNew,
      close: () => {
        closing ??= close()
        return closing
      },
    }
  } catch (error) {
    files.close()
    throw error
  }
}

/** The first states, then the log: a folder has a chain from the moment the log is there. */
const beginChain = async (folder: string, given: ChainFolderOptions['zeroStates'], sync: boolean): Promise<void> => {
  if (holdsPackages(folder)) {
    throw new ChainDataError(
      `The folder ${folder} holds archive packages but no chain.log: it is no chain of this program, and none is begun in it.`,
    )
  }
  const zeroStates = typeof given === 'function' ? await given() : given
  if (zeroStates === undefined) throw new ChainDataError(`Expected a chain in ${folder}, but the folder has none.`)
  for (const { id, bytes } of zeroStates) {
    const path = zeroStatePath(folder, id.workchain)
    writeFileSync(`${path}.new`, bytes, { flush: sync })
    renameSync(`${path}.new`, path)
  }
  ChainLog.create(
    logPath(folder),
    zeroStates.map(({ id }) => id),
    sync,
  )
}

const holdsPackages = (folder: string): boolean => {
  const packages = packagesFolder(folder)
  return (
    existsSync(packages) && readdirSync(packages, { recursive: true }).some((name) => String(name).endsWith('.pack'))
  )
}

/** The names that those who begin a network give these files. */
const zeroStatePath = (folder: string, workchain: number): string =>
  join(folder, workchain === masterchain ? 'zerostate.boc' : `basestate${workchain}.boc`)

const readZeroStates = (folder: string, ids: readonly BlockIdExt[]): ZeroState[] =>
  ids.map((id) => {
    const path = zeroStatePath(folder, id.workchain)
    const state = checkZeroState(new Uint8Array(readFileSync(path)))
    if (formatBlockIdExt(state.id) === formatBlockIdExt(id)) return state
    throw new ChainDataError(`The file ${path} is not the state that the chain in ${folder} began with.`)
  })

const expectSameStates = (folder: string, given: readonly ZeroState[], found: readonly ZeroState[]): void => {
  const list = (states: readonly ZeroState[]): string[] => states.map(({ id }) => formatBlockIdExt(id)).sort()
  const wanted = list(given)
  const there = list(found)
  if (wanted.length === there.length && wanted.every((id, k) => id === there[k])) return
  throw new ChainDataError(
    `The folder ${folder} holds another chain: it began with ${there.join(' and ')}, expected was ${wanted.join(' and ')}.`,
  )
}

import type { Logger } from '../../observe/Logger.ts'
import { ChainStore, type ZeroState } from '../store/ChainStore.ts'
import { createMemoryFiles } from '../store/memoryFiles.ts'
import { openChainFolder } from '../store/openChainFolder.ts'

export type StoreOptions = {
  /** Where the chain is kept; `undefined` keeps it in memory. */
  readonly folder: string | undefined
  /** Called where there is no chain yet. */
  readonly createFirstStates: () => Promise<readonly ZeroState[]>
  readonly keepStates: number
  readonly logger: Logger
}

export type OpenedStore = { readonly store: ChainStore; close(): Promise<void> }

const PROGRESS_MS = 2000

export const openNetworkStore = async (options: StoreOptions): Promise<OpenedStore> => {
  const { folder, createFirstStates, keepStates: keep, logger } = options
  if (folder === undefined) {
    const store = new ChainStore(await createFirstStates(), createMemoryFiles(), { keep })
    return { store, close: async () => undefined }
  }
  let told = performance.now()
  return openChainFolder(folder, {
    zeroStates: createFirstStates,
    keep,
    logger,
    onProgress: (seqno, last) => {
      if (performance.now() - told < PROGRESS_MS) return
      told = performance.now()
      logger.info('reading the chain', { seqno, last })
    },
  })
}

import { openRecordedChain } from '../../src/cli/replay/openRecordedChain.ts'
import { loadChain } from '../../src/devnet/replay/loadChain.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { fixturePath } from './fixtures.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/** The folders of each recorded chain: 470 masterchain blocks of the local network, 99 of the main network. */
export const recordedFolders = {
  localnet: ['localnet'],
  mainnet: ['mainnet/archives/mainnet', 'mainnet/states/mainnet'],
} as const

/** The first blocks of the main network, all states kept. */
export const loadMainnetStore = async (): Promise<ChainStore> => {
  const afters: (() => unknown)[] = []
  const { store, growTo } = await openGrowingChain({ after: (close) => void afters.push(close) }, 'mainnet')
  await growTo(Number.POSITIVE_INFINITY)
  for (const close of afters) await close()
  return store
}

/** A recorded chain as it was at any of its masterchain blocks: a store that grows when it is told to. */
export const openGrowingChain = async (
  t: { after(close: () => unknown): void },
  name: keyof typeof recordedFolders,
) => {
  const { signal } = new AbortController()
  const folders = recordedFolders[name].map((folder) => fixturePath(folder))
  const { chain, zeroStates, close } = await openRecordedChain(folders, logger, signal)
  t.after(close)
  const store = new ChainStore(zeroStates, createMemoryFiles(), { keep: 0 })
  const growTo = async (last: number): Promise<void> => {
    const findMaster = async (seqno: number) => (seqno > last ? undefined : chain.findMaster(seqno))
    await loadChain(store, { ...chain, findMaster }, { signal, onProgress: () => undefined })
  }
  return { store, growTo }
}

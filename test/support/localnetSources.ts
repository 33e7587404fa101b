import { cpSync } from 'node:fs'
import type { TestContext } from 'node:test'
import type { BlockSource } from '../../src/chain/ports.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import type { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { ArchiveFolder } from '../../src/node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../src/node/archive/createArchiveSource.ts'
import type { ProvenNode } from '../../src/node/ProvenNode.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import type { BlockIdExt } from '../../src/primitives/BlockId.ts'
import { fixturePath } from './fixtures.ts'
import { listenForTest } from './listenStore.ts'
import { loadLocalnetStore } from './localnetStore.ts'
import { tempFolder } from './tempFolder.ts'

/** The folder with the packages of the recorded node, only to be read; they go on to masterchain block 470. */
export const localnetPackages = (): string => fixturePath('localnet/node-db')

/** A copy of that folder for tests that change it. */
export const copyLocalnetPackages = (t: TestContext): string => {
  const folder = tempFolder(t)
  cpSync(localnetPackages(), folder, { recursive: true })
  return folder
}

/** The blocks in a folder of packages, by default those of the recorded node. */
export const openPackages = (folder = localnetPackages()): BlockSource =>
  createArchiveSource(new ArchiveFolder({ location: folder, fileHashOnly: true }))

/** Who tidies up in the end: a test, or whoever else. */
type Cleanup = { after(ending: () => unknown): void }

/** A chain behind a liteserver, every answer proven beginning with the anchor. */
export const openStoreNode = async (t: Cleanup, store: ChainStore, anchor: BlockIdExt): Promise<ProvenNode> => {
  const server = await listenForTest(t, store)
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  t.after(() => shutdown.close('no longer needed'))
  const { zeroState } = store
  const options = { servers: [server], zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000 } as const
  return openNode({ ...options, logger }, shutdown)
}

/** The recorded network behind a liteserver. Its head is masterchain block 400. */
export const openLocalnetNode = async (t: Cleanup): Promise<ProvenNode> => {
  const store = await loadLocalnetStore()
  return openStoreNode(t, store, store.zeroState)
}

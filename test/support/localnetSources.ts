import type { TestContext } from 'node:test'
import type { BlockSource } from '../../src/chain/ports.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { ArchiveFolder } from '../../src/node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../src/node/archive/createArchiveSource.ts'
import type { ProvenNode } from '../../src/node/ProvenNode.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { readFixture } from './fixtures.ts'
import { listenForTest } from './listenStore.ts'
import { loadLocalnetStore } from './localnetStore.ts'
import { tempFolder } from './tempFolder.ts'
import { extractTar } from './untar.ts'

/** The packages of the recorded node in a folder; they go on to masterchain block 470. */
export const unpackLocalnet = (t: TestContext): string => {
  const folder = tempFolder(t)
  extractTar(readFixture('localnet/node-db/node-db.tar.gz'), folder, (path) => path.endsWith('.pack'))
  return folder
}

/** The blocks in a folder of packages, by default those of the recorded node. */
export const openPackages = (t: TestContext, folder = unpackLocalnet(t)): BlockSource =>
  createArchiveSource(new ArchiveFolder({ location: folder, fileHashOnly: true }))

/** The recorded network behind a liteserver, every answer proven. Its head is masterchain block 400. */
export const openLocalnetNode = async (t: TestContext): Promise<ProvenNode> => {
  const store = await loadLocalnetStore()
  const server = await listenForTest(t, store)
  const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  t.after(() => shutdown.close('no longer needed'))
  const { zeroState } = store
  const options = { servers: [server], zeroState, anchor: zeroState, proofs: 'full', queryTimeoutMs: 10_000 } as const
  return openNode({ ...options, logger }, shutdown)
}

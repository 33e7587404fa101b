import { openDatabaseAt } from '../../src/cli/database/openDatabase.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { type OpenedPending, openPending } from '../../src/cli/serve/openPending.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import type { ProvenNode } from '../../src/node/ProvenNode.ts'
import type { Logger } from '../../src/observe/Logger.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { createPending, type PendingOptions } from '../../src/pending/createPending.ts'
import { MemoryPendingStore } from '../../src/pending/MemoryPendingStore.ts'
import { PendingChanges } from '../../src/pending/PendingChanges.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import type { PendingNetwork } from './pendingNetwork.ts'
import { createFaultLogger } from './serviceLog.ts'
import { type Cleanup, tempFolder } from './tempFolder.ts'

export type OwnParts = {
  readonly node: ProvenNode
  readonly vm: OwnedVirtualMachine
  readonly database: Database
  readonly logger: Logger
  readonly logLines: string[]
  /** Pending emulation of its own, over the same network and index, as another process has it. */
  openPending(redisUrl?: string): OpenedPending
  /** The same, where messages are given up after a while. */
  openShort(unstartedMs: number): { readonly changes: PendingChanges; readonly onSent: OpenedPending['onSent'] }
}

/** What pending emulation needs, over a running network and its index. */
export const openOwnParts = async (
  t: Cleanup,
  { network }: Pick<PendingNetwork, 'network'>,
  databaseUrl: string,
): Promise<OwnParts> => {
  const logLines: string[] = []
  const logger = createFaultLogger(logLines)
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  t.after(() => shutdown.close('no longer needed'))
  const { liteServers, zeroState, anchor } = await readGlobalConfig(network.globalConfig.path)
  const trust = { zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000, freshMs: 20 } as const
  const node = await openNode({ servers: liteServers, ...trust, logger }, shutdown)
  const vm = await createVirtualMachine({ logger, workers: 1 })
  shutdown.add('virtual machine', () => vm.close())
  const location = { url: databaseUrl, readerUrls: [], folder: tempFolder(t) }
  const database = await openDatabaseAt(location, logger, shutdown)
  return {
    node,
    vm,
    database,
    logger,
    logLines,
    openPending: (redisUrl) => {
      const pending = openPending({ node, vm, zeroState: zeroState.rootHash, redisUrl, logger }, shutdown)
      pending.begin(Promise.resolve(database))
      return pending
    },
    openShort: (unstartedMs) => {
      const changes = new PendingChanges(logger)
      const classify: PendingOptions['classify'] = async () => []
      const chain = createLiveChain(node)
      const store = new MemoryPendingStore()
      const pending = createPending({ chain, vm, database, classify, store, changes, unstartedMs, logger })
      shutdown.add('pending', () => pending.close())
      return { changes, onSent: pending.onSent }
    },
  }
}

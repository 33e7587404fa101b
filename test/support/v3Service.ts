import { setTimeout as delay } from 'node:timers/promises'
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import type { HttpLimits } from '../../src/api/core/limits.ts'
import { type RunningNetwork, type StartOptions, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { startIndexer } from '../../src/cli/index/startIndexer.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { createV2Proxy, openV2 } from '../../src/cli/serve/openV2.ts'
import { openV3 } from '../../src/cli/serve/openV3.ts'
import { dnsZones } from '../../src/contracts/dns/domainItems.ts'
import type { BodyDecoder } from '../../src/contracts/layouts/createBodyDecoder.ts'
import { decodeBlockSet } from '../../src/indexer/decode/decodeBlockSet.ts'
import { createLiveStates } from '../../src/indexer/sources/accountStates.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { createLiveChain } from '../../src/node/createLiveChain.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import { Metrics } from '../../src/observe/Metrics.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { noPendingTraces, type PendingTraces } from '../../src/store/reader/pending.ts'
import { createFaultLogger, testCallTimeoutMs } from './serviceLog.ts'
import { shareMachine } from './testNetwork.ts'

/** Who tidies up in the end: a test, or whoever else. */
type Cleanup = { after(ending: () => unknown): void }

export type V3ServiceOptions = {
  readonly decoder?: BodyDecoder
  readonly pending?: PendingTraces
  readonly limits?: Partial<HttpLimits>
  readonly testOnly?: boolean
  readonly checkResults?: boolean
  /** 0: every transaction is read and written anew. */
  readonly textCacheBytes?: number
  /** Answers long requests on a thread of their own, which ends after a time without any. */
  readonly slowLane?: { readonly idleMs?: number }
}

export type V3Service = {
  /** Without a slash at its end; below it are /api/v3 and /ton/api/v3. */
  readonly url: string
  /** What went wrong inside: one JSON object a line. */
  readonly logLines: string[]
}

/** The indexed interface over a database that has been filled by whomever. */
export const serveV3 = async (t: Cleanup, database: Database, options: V3ServiceOptions = {}): Promise<V3Service> => {
  const { decoder, pending = noPendingTraces, limits = {}, testOnly = false, checkResults = true } = options
  const logLines: string[] = []
  const logger = createFaultLogger(logLines)
  const settings = { testOnly }
  const v3 = await openV3({
    database,
    ...(decoder !== undefined && { decoder }),
    pending,
    live: undefined,
    dialect: 'chain',
    settings,
    checkResults,
    ...(options.textCacheBytes !== undefined && { textCacheBytes: options.textCacheBytes }),
    ...(options.slowLane && {
      slowLane: { ...options.slowLane, logger, shutdown: { add: (_name, close) => t.after(close) } },
    }),
  })
  const server = await createHttpServer({
    mounts: v3.mounts,
    logger,
    host: '127.0.0.1',
    port: 0,
    limits: { callTimeoutMs: testCallTimeoutMs, ...limits },
  })
  t.after(() => server.close())
  return { url: server.url, logLines }
}

export type V3NetworkService = V3Service & {
  readonly network: RunningNetwork
  /** Waits until the index has every block of the network. */
  catchUp(): Promise<void>
  /** Makes blocks, and waits until they are indexed. */
  mine(blocks?: number): Promise<void>
}

/** An embedded network, an indexer that follows it, and both interfaces over them. Blocks are made when told to. */
export const startV3Network = async (
  t: Cleanup,
  database: Database,
  options: V3ServiceOptions & {
    readonly network?: StartOptions
    readonly classify?: boolean
    readonly partitionWidth?: number
  } = {},
): Promise<V3NetworkService> => {
  const { decoder, pending = noPendingTraces, limits = {}, testOnly = false, checkResults = true } = options
  const network = await startNetwork({ seed: 'chaincenter', mining: { mode: 'manual' }, ...options.network })
  t.after(() => network.close())
  await network.controls.mine(2)
  const logLines: string[] = []
  const logger = createFaultLogger(logLines)
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  t.after(() => shutdown.close('no longer needed'))
  const { liteServers: servers, zeroState, anchor } = await readGlobalConfig(network.globalConfig.path)
  const node = await openNode(
    { servers, zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000, freshMs: 20, logger },
    shutdown,
  )
  const vm = await shareMachine()
  const blockSets = createBlockSetSource(node)
  const states = createLiveStates(createLiveChain(node), blockSets)
  const indexer = startIndexer({
    chain: { blockSets, states, zeroState: zeroState.rootHash, order: 'newestFirst' },
    database,
    vm,
    decode: async (blockSet) => decodeBlockSet(blockSet),
    dnsZones: dnsZones.main,
    from: 1,
    to: undefined,
    classify: options.classify ?? true,
    ...(options.partitionWidth !== undefined && { partitionWidth: options.partitionWidth }),
    logger,
    metrics: new Metrics(),
    signal: shutdown.signal,
  })
  shutdown.add('indexer', () => indexer.done)
  const v2 = openV2({ node, vm, dialect: 'chain', checkResults })
  const live = createV2Proxy(v2.mounts[0]!)
  const v3 = await openV3({
    database,
    ...(decoder !== undefined && { decoder }),
    pending,
    live,
    dialect: 'chain',
    settings: { testOnly },
    checkResults,
  })
  const mounts = [...v2.mounts, ...v3.mounts]
  const server = await createHttpServer({
    mounts,
    logger,
    host: '127.0.0.1',
    port: 0,
    limits: { callTimeoutMs: testCallTimeoutMs, ...limits },
  })
  shutdown.add('HTTP', () => server.close())
  const catchUp = async (): Promise<void> => {
    const { seqno } = network.controls.getStatus().head
    const isThere = (): boolean => {
      const ranges = indexer.progress?.ranges ?? []
      return ranges.length === 1 && ranges[0]!.first === 1 && ranges[0]!.last >= seqno
    }
    for (let tries = 0; !isThere(); tries++) {
      if (tries > 3000) throw new Error(`Block ${seqno} was not indexed in time: ${logLines.join('\n')}`)
      await delay(20)
    }
  }
  const mine = async (blocks = 1): Promise<void> => {
    await network.controls.mine(blocks)
    await catchUp()
  }
  await catchUp()
  return { url: server.url, logLines, network, catchUp, mine }
}

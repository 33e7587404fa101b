import { setTimeout as delay } from 'node:timers/promises'
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import type { Dialect } from '../../src/api/core/Interface.ts'
import type { HttpLimits } from '../../src/api/core/limits.ts'
import { type RunningNetwork, type StartOptions, startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { openV2 } from '../../src/cli/serve/openV2.ts'
import { type GlobalConfig, readGlobalConfig } from '../../src/node/globalConfig.ts'
import type { ProvenNode } from '../../src/node/ProvenNode.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { createVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { createFaultLogger, testCallTimeoutMs } from './serviceLog.ts'

export type V2ServiceOptions = {
  readonly dialect?: Dialect
  readonly limits?: Partial<HttpLimits>
  readonly cacheBytes?: number
  /** False: no response and no reading is reused. */
  readonly responseCache?: boolean
  /** Holds results against our own schemas. On unless a measurement does not want it. */
  readonly checkResults?: boolean
}

export type V2Service = {
  /** Without a slash at its end; below it are /api/v2 and /ton/api/v2. */
  readonly url: string
  readonly node: ProvenNode
  /** What went wrong inside: one JSON object a line. */
  readonly logLines: string[]
  close(): Promise<void>
}

/** The v2 interface over HTTP for the network of a global configuration. */
export const serveV2 = async (
  { liteServers, zeroState, anchor }: GlobalConfig,
  { dialect = 'chain', limits = {}, cacheBytes, responseCache = true, checkResults = true }: V2ServiceOptions = {},
): Promise<V2Service> => {
  const logLines: string[] = []
  const logger = createFaultLogger(logLines)
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  const close = async (): Promise<void> => void (await shutdown.close('no longer needed'))
  try {
    const network = { servers: liteServers, zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000 } as const
    // A test does not want to wait for blocks that it has made itself.
    const node = await openNode({ ...network, freshMs: 20, reuseReads: responseCache, logger }, shutdown)
    const vm = await createVirtualMachine({ logger, workers: 1 })
    shutdown.add('virtual machine', () => vm.close())
    const cache = { responseCache, ...(cacheBytes !== undefined && { cacheBytes }) }
    const { mounts } = openV2({ node, vm, dialect, checkResults, ...cache })
    const server = await createHttpServer({
      mounts,
      logger,
      host: '127.0.0.1',
      port: 0,
      limits: { callTimeoutMs: testCallTimeoutMs, ...limits },
    })
    shutdown.add('HTTP', () => server.close())
    return { url: server.url, node, logLines, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The embedded network, and v2 over it. */
export type V2NetworkService = V2Service & {
  readonly network: RunningNetwork
  /** Makes blocks, and waits until the service has seen them. */
  mine(blocks?: number): Promise<void>
  /** Waits until the service has seen the newest block of the network. */
  catchUp(): Promise<void>
}

/** Starts an embedded network that makes blocks when told to (`network.controls.mine`), and v2 over it. */
export const startV2Network = async (
  options: V2ServiceOptions & { readonly network?: StartOptions } = {},
): Promise<V2NetworkService> => {
  const network = await startNetwork({ seed: 'chaincenter', mining: { mode: 'manual' }, ...options.network })
  try {
    await network.controls.mine(2)
    const service = await serveV2(await readGlobalConfig(network.globalConfig.path), options)
    const close = async (): Promise<void> => {
      await service.close()
      await network.close()
    }
    const catchUp = (): Promise<void> => seeHead(service.node, network.controls.getStatus().head.seqno)
    const mine = async (blocks = 1): Promise<void> => {
      await network.controls.mine(blocks)
      await catchUp()
    }
    return { ...service, network, mine, catchUp, close }
  } catch (error) {
    await network.close()
    throw error
  }
}

const seeHead = async (node: ProvenNode, seqno: number): Promise<void> => {
  for (let tries = 0; tries < 500; tries++) {
    const head = await node.getHead()
    if (head.seqno >= seqno) return
    await delay(20)
  }
  throw new Error(`The service has not seen block ${seqno} in time.`)
}

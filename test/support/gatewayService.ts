import type { TestContext } from 'node:test'
import { createHttpServer } from '../../src/api/core/createHttpServer.ts'
import type { Mount } from '../../src/api/core/Mount.ts'
import { startNetwork } from '../../src/cli/dev/startNetwork.ts'
import { guardPrivate } from '../../src/cli/operations/operatorAccess.ts'
import { openGateway } from '../../src/cli/serve/openGateway.ts'
import { openNode } from '../../src/cli/serve/openNode.ts'
import { openV2 } from '../../src/cli/serve/openV2.ts'
import { openV3 } from '../../src/cli/serve/openV3.ts'
import { createPlans } from '../../src/gateway/plans.ts'
import { readGlobalConfig } from '../../src/node/globalConfig.ts'
import type { ProvenNode } from '../../src/node/ProvenNode.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { createShutdown } from '../../src/observe/Shutdown.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { connectDatabase } from '../../src/store/connect/connectDatabase.ts'
import { createVirtualMachine, type OwnedVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'
import { silentLogger } from './databaseServer.ts'

/** A network to ask. */
export type GatewayNetwork = {
  readonly node: ProvenNode
  /** Root hash, in base64. */
  readonly zeroState: string
  readonly vm: OwnedVirtualMachine
  close(): Promise<void>
}

export const startGatewayNetwork = async (seed = 'chaincenter'): Promise<GatewayNetwork> => {
  const network = await startNetwork({ seed, mining: { mode: 'manual' } })
  await network.controls.mine(2)
  const shutdown = createShutdown({ logger: silentLogger, timeoutMs: 20_000 })
  const { liteServers: servers, zeroState, anchor } = await readGlobalConfig(network.globalConfig.path)
  const options = { servers, zeroState, anchor, proofs: 'full', queryTimeoutMs: 10_000 } as const
  const node = await openNode({ ...options, logger: silentLogger }, shutdown)
  const vm = await createVirtualMachine({ logger: silentLogger, workers: 1 })
  shutdown.add('virtual machine', () => vm.close())
  const close = async (): Promise<void> => {
    await shutdown.close('no longer needed')
    await network.close()
  }
  return { node, zeroState: toBase64(zeroState.rootHash), vm, close }
}

export type GatewayServiceOptions = Partial<Omit<Parameters<typeof openGateway>[0], 'secret'>> & {
  readonly databaseUrl?: string
  readonly pools?: ReadonlyMap<string, ProvenNode>
  readonly secret: string
}

export type GatewayService = {
  /** Without a slash at its end. */
  readonly url: string
  /** Everything that was logged. */
  readonly logLines: string[]
  close(): Promise<void>
}

/** Both interfaces over a network with keys and limits before them, as an operator would have them. */
export const serveGateway = async (
  t: TestContext,
  { node, vm }: GatewayNetwork,
  { databaseUrl, secret, pools = new Map(), ...options }: GatewayServiceOptions,
): Promise<GatewayService> => {
  const logLines: string[] = []
  const write = (line: string): void => void logLines.push(line)
  const logger = createLogger({ level: 'debug', format: 'json', colours: false, write })
  const shutdown = createShutdown({ logger, timeoutMs: 20_000 })
  const close = async (): Promise<void> => void (await shutdown.close('no longer needed'))
  t.after(close)
  const database =
    databaseUrl === undefined ? undefined : await connectDatabase({ url: databaseUrl, logger, signal: shutdown.signal })
  if (database !== undefined) shutdown.add('database', () => database.close())
  const mounts: Mount[] = [...openV2({ node, vm, dialect: 'chain', pools }).mounts]
  if (database !== undefined) {
    const settings = { testOnly: false }
    const v3 = await openV3({ database, live: undefined, dialect: 'chain', settings })
    mounts.push(...v3.mounts)
  }
  const gateway = await openGateway(
    {
      network: 'custom',
      anonymous: { v2: { perSecond: 1, burst: 1 }, v3: { perSecond: 5, burst: 20 } },
      isLocalFree: false,
      plans: createPlans(),
      trustedProxies: [],
      redisUrl: undefined,
      selfServiceKeys: undefined,
      ...options,
      secret: { given: secret, folder: '' },
    },
    { zeroState: undefined, database: database && Promise.resolve(database), logger },
    shutdown,
  )
  await gateway.ready
  const { gate, onAnswered } = gateway
  const routes = [...gateway.routes, ...guardPrivate(gateway.operatorRoutes, [])]
  const server = await createHttpServer({
    mounts,
    routes,
    accessControl: gate,
    onAnswered,
    logger,
    host: '127.0.0.1',
    port: 0,
  })
  shutdown.add('HTTP', () => server.close())
  return { url: server.url, logLines, close }
}

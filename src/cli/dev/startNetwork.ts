import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { LiteFace } from '../../devnet/face/LiteFace.ts'
import { type FaceServer, listenFace } from '../../devnet/face/listenFace.ts'
import { createNetwork, type Network } from '../../devnet/network/createNetwork.ts'
import type { Mining, NetworkControls } from '../../devnet/network/NetworkControls.ts'
import { runDemo } from '../../devnet/network/runDemo.ts'
import { formatGlobalConfig } from '../../devnet/replay/formatGlobalConfig.ts'
import { createLogger, type Logger } from '../../observe/Logger.ts'
import { createShutdown, type Shutdown } from '../../observe/Shutdown.ts'
import { formatFriendlyAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { loadServerKey } from '../loadServerKey.ts'
import type { HttpOptions, IndexPlan, ServedNetwork } from './serveNetwork.ts'

export type StartOptions = {
  /** The folder in which the network is kept, and gone on with. Without one it is in memory and leaves nothing behind. */
  readonly folder?: string | undefined
  /** All keys, accounts and random numbers come from it. */
  readonly seed?: string | undefined
  /** Shards of the basechain: 1, 2, 4, 8 or 16. */
  readonly shards?: number | undefined
  /**
   * The second at which the network begins. Its clock is then moved by blocks and by hand only: with the same seed and the
   * same messages all hashes are the same.
   */
  readonly startTime?: number | undefined
  /** A block every second unless told otherwise. */
  readonly mining?: Mining | undefined
  /** For how many masterchain blocks back states are kept; 0 keeps all. */
  readonly keepStates?: number | undefined
  /** Deploys a jetton, a collection, a name, a multisig and a vesting wallet, and keeps gentle traffic among them. */
  readonly demo?: boolean | undefined
  /** Where the liteserver listens: a free port of this machine unless told otherwise. */
  readonly liteserver?: { readonly host?: string; readonly port?: number } | undefined
  /** Serves the interfaces and the controls over HTTP, too; the controls to programs on this machine only, or to who names `controlsToken`. */
  readonly http?: HttpOptions | undefined
  /** With `http`: keeps an index of the network and serves the indexed interface over it. */
  readonly index?: NetworkIndexOptions | undefined
  /** Silent unless given. */
  readonly logger?: Logger | undefined
}

export type NetworkIndexOptions = {
  /** Of a server of your own; without it, the one that comes with the program keeps its data in the folder. */
  readonly databaseUrl?: string | undefined
  readonly readerUrls?: readonly string[]
  readonly readerLagMs?: number
  /** Of a Redis server by which what is pending is shared with other processes. */
  readonly redisUrl?: string | undefined
  /** What bodies mean, where more is known of it than by default. */
  readonly decoder?: BodyDecoder
  /** Empties an index that was of another embedded network. */
  readonly reset?: boolean
}

/** An account with money in it. */
export type FundedAccount = {
  readonly name: string
  readonly address: string
  readonly mnemonic: string
  readonly walletType: string
}

export interface RunningNetwork {
  /** Where HTTP is served, without a slash at its end; `undefined` where it is not. */
  readonly url: string | undefined
  /** Of the operations listener, where there is one. */
  readonly operations: string | undefined
  /** Resolves when the network is being indexed, and rejects where it cannot be; `undefined` where it is not to be. */
  readonly indexed: Promise<unknown> | undefined
  /** Everything that can be done to the network. */
  readonly controls: NetworkControls
  /** `key` is in base64, as in global configurations. */
  readonly liteserver: { readonly host: string; readonly port: number; readonly key: string }
  /** By which clients find the network and begin to trust it. */
  readonly globalConfig: { readonly path: string; readonly content: unknown }
  readonly accounts: readonly FundedAccount[]
  close(): Promise<void>
}

const MINING: Mining = { mode: 'interval', intervalMs: 1000, emptyBlocks: true }
const KEEP_STATES = 1000
const CLOSE_TIMEOUT_MS = 20_000

const silent = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

/** Where in a data folder the network is. */
export const networkFolder = (folder: string): string => join(folder, 'network')

/** Starts an embedded network with its liteserver, in this process: for test suites, and for the command `dev`. */
export const startNetwork = async (options: StartOptions = {}): Promise<RunningNetwork> => {
  const { logger = silent } = options
  const shutdown = createShutdown({ logger, timeoutMs: CLOSE_TIMEOUT_MS })
  try {
    return await open(options, logger, shutdown)
  } catch (error) {
    await shutdown.close('the network could not be started')
    throw error
  }
}

const open = async (options: StartOptions, logger: Logger, shutdown: Shutdown): Promise<RunningNetwork> => {
  const { folder, seed, shards, startTime, mining = MINING, keepStates = KEEP_STATES } = options
  const home = await openFolder(folder, shutdown)
  const plan = options.index && planIndex(options.index, home, logger, shutdown)
  const vm = await createVirtualMachine({ logger, startNow: true })
  shutdown.add('virtual machine', () => vm.close())
  const kept = folder === undefined ? undefined : networkFolder(home)
  const network = await createNetwork({ vm, logger, folder: kept, seed, shards, startTime, mining, keepStates })
  shutdown.add('network', () => network.close())
  const server = await listenFace({
    ...options.liteserver,
    face: new LiteFace(network.face, { logger }),
    key: await loadServerKey(home),
    logger,
  })
  shutdown.add('liteserver', () => server.close())
  const globalConfig = await writeGlobalConfig(home, network, server)
  const served = options.http && (await serveHttp(options.http, network, server, logger, shutdown, plan))
  if (options.demo === true) startDemo(network, logger, shutdown)
  return {
    url: served?.url,
    operations: served?.operations,
    indexed: served?.indexed,
    globalConfig,
    ...describe(network, server),
    close: () => close(shutdown),
  }
}

const openFolder = async (folder: string | undefined, shutdown: Shutdown): Promise<string> => {
  if (folder !== undefined) {
    const path = resolve(folder)
    await mkdir(path, { recursive: true })
    return path
  }
  const path = await mkdtemp(join(tmpdir(), 'chaincenter-'))
  shutdown.add('temporary folder', () => rm(path, { recursive: true, force: true }))
  return path
}

const writeGlobalConfig = async (folder: string, { store, initBlock }: Network, server: FaceServer) => {
  const path = join(folder, 'global.config.json')
  const text = formatGlobalConfig(server, store.zeroState, initBlock)
  await writeFile(path, text)
  return { path, content: JSON.parse(text) as unknown }
}

const serveHttp = async (
  http: HttpOptions,
  network: Network,
  server: FaceServer,
  logger: Logger,
  shutdown: Shutdown,
  plan: IndexPlan | undefined,
): Promise<ServedNetwork> => {
  // It takes longer to load than all the rest together, and the network is not to wait for it.
  const { serveNetwork } = await import('./serveNetwork.ts')
  return serveNetwork(network, server, http, logger, shutdown, plan)
}

/** The database is opened beside everything else. */
const planIndex = (
  { databaseUrl, readerUrls = [], readerLagMs, reset = false, decoder, redisUrl }: NetworkIndexOptions,
  home: string,
  logger: Logger,
  shutdown: Shutdown,
): IndexPlan => {
  const opening = import('../database/openDatabase.ts').then(({ openDatabaseAt, databaseFolder }) =>
    openDatabaseAt({ url: databaseUrl, readerUrls, readerLagMs, folder: databaseFolder(home) }, logger, shutdown),
  )
  // Whoever uses it says what is wrong with it.
  opening.catch(() => undefined)
  return { opening, reset, decoder, redisUrl }
}

const startDemo = (network: Network, logger: Logger, shutdown: Shutdown): void => {
  const controller = new AbortController()
  const demo = runDemo(network, { logger, signal: controller.signal })
  shutdown.add('demonstration', () => {
    controller.abort()
    return demo
  })
}

const describe = ({ controls, accounts }: Network, { host, port, publicKey }: FaceServer) => ({
  controls,
  liteserver: { host, port, key: toBase64(publicKey) },
  accounts: accounts.map(({ name, mnemonic, wallet }) => ({
    name,
    address: formatFriendlyAddress(wallet.address, { bounceable: false }),
    mnemonic: mnemonic.join(' '),
    walletType: wallet.kind,
  })),
})

const close = async (shutdown: Shutdown): Promise<void> => {
  await shutdown.close('the network is no longer needed')
}

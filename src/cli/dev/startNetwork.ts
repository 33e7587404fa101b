import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Client, createClient } from '../../client/createClient.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import type { AccountOverride, InjectedMessage } from '../../devnet/collate/StepRequest.ts'
import { Liteserver } from '../../devnet/liteserver/Liteserver.ts'
import { type LiteserverListener, listenLiteserver } from '../../devnet/liteserver/listenLiteserver.ts'
import { createNetwork, type Network, type NetworkOptions } from '../../devnet/network/createNetwork.ts'
import type { Mining, NetworkControls, Sent } from '../../devnet/network/NetworkControls.ts'
import { formatGlobalConfig } from '../../devnet/replay/formatGlobalConfig.ts'
import { createLogger, type Logger } from '../../observe/Logger.ts'
import { createShutdown, type Shutdown } from '../../observe/Shutdown.ts'
import { formatFriendlyAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { type AddressLike, toAddress } from '../../testing/core.ts'
import { createTestKit, type TestKit } from '../../testing/createTestKit.ts'
import { createVirtualMachine } from '../../tvm/createVirtualMachine.ts'
import { loadServerKey } from '../secrets.ts'
import { networkFolder } from '../start/prepareNetwork.ts'
import { hiddenSteps, type StartSteps } from '../start/steps.ts'
import { listenLazily } from './listenLazily.ts'
import { factsOf, type NetworkFacts } from './NetworkSource.ts'
import type { HttpOptions, IndexPlan, ServedNetwork } from './serveNetwork.ts'

export type { AddressLike, CellLike } from '../../testing/core.ts'
export type { OpenedContract, TestKit } from '../../testing/createTestKit.ts'
export type { TestWallet, WalletOptions } from '../../testing/wallets.ts'

export type StartOptions = {
  /** Folder of the network, which resumes from it. Without one the network is in memory only. */
  readonly folder?: string | undefined
  /** Seed of all keys, accounts and random numbers. */
  readonly seed?: string | undefined
  /** Shards of the basechain: 1, 2, 4, 8 or 16. */
  readonly shards?: number | undefined
  /**
   * Unix time at which the network starts. Its clock then advances with blocks and controls only: the same seed and the
   * same messages give the same hashes.
   */
  readonly startTime?: number | undefined
  /**
   * Forks another network: `main`, `test`, the URL or path of a global configuration, or a liteserver (host:port:key). Accounts and
   * libraries are fetched when first used. Default block: the newest.
   */
  readonly fork?: string | { readonly network: string; readonly block?: number | undefined } | undefined
  /** Block production; default: a block every second. */
  readonly mining?: Mining | undefined
  /** Number of recent masterchain blocks whose states are kept; 0 is all. Default: 1000, fewer (at least 64) while many transactions change them. */
  readonly keepStates?: number | undefined
  /** Deploys a jetton, an NFT collection, a DNS name, a multisig and a vesting wallet, with light traffic. */
  readonly demo?: boolean | undefined
  /** Listen address of the liteserver; default: a free port on loopback. */
  readonly liteserver?: { readonly host?: string; readonly port?: number; readonly socket?: Server } | undefined
  /**
   * Serves the APIs and the controls over HTTP; the controls need `controlsToken`, or accept programs on this machine only. By
   * default on a free port of loopback, where the service is started by the first connection; `false` opens no port.
   */
  readonly http?: HttpOptions | false | undefined
  /** Indexes the network and serves v3 over HTTP. */
  readonly index?: NetworkIndexOptions | undefined
  /** Records which instructions of opened contracts run, for `coverage()`. Every transaction is then run twice. */
  readonly coverage?: boolean | undefined
  /** Default: no logs. */
  readonly logger?: Logger | undefined
  /** Told of the steps of the start. */
  readonly steps?: Pick<StartSteps, 'run'> | undefined
  /** Serves HTTP from another process instead of this one. */
  readonly serveSplit?: ServeSplit | undefined
}

/** Indexes a network in this process and serves it over HTTP from another one, where that is possible. */
export type ServeSplit = (parts: {
  readonly network: Network
  readonly facts: NetworkFacts
  readonly plan: IndexPlan | undefined
  readonly logger: Logger
  readonly shutdown: Shutdown
}) => Promise<ServedNetwork | undefined>

export type NetworkIndexOptions = {
  /** URL of an external PostgreSQL; default: the embedded one, with its data in the folder. */
  readonly databaseUrl?: string | undefined
  readonly readerUrls?: readonly string[]
  readonly readerLagMs?: number
  /** URL of a Redis server through which processes share pending traces. */
  readonly redisUrl?: string | undefined
  /** Decoder of message bodies; default: the built-in layouts. */
  readonly decoder?: BodyDecoder
  /** Clears the index of another embedded network. */
  readonly reset?: boolean
}

/** A funded account. */
export type FundedAccount = {
  readonly name: string
  readonly address: string
  readonly mnemonic: string
  readonly walletType: string
}

/** The controls of a network, with addresses in any form. */
export type AnyControls = Omit<NetworkControls, 'faucet' | 'setAccount' | 'impersonate'> & {
  /** Sends coins from the faucet with a regular message in the next block. */
  faucet(address: AddressLike, amount: bigint): Promise<Sent>
  /** Overrides an account in a block that is produced at once; done when it resolves. */
  setAccount(change: Omit<AccountOverride, 'address'> & { readonly address: AddressLike }): Promise<void>
  /** Sends an internal message from any address. It has arrived when this resolves. */
  impersonate(
    message: Omit<InjectedMessage, 'source' | 'destination'> & {
      readonly source: AddressLike
      readonly destination: AddressLike
    },
  ): Promise<Sent>
}

export interface RunningNetwork extends TestKit {
  /** Base URL of HTTP without a trailing slash; `undefined` if `http` is false. */
  readonly url: string | undefined
  /** A typed client of that URL. */
  readonly client: Client
  /** URL of the operations listener, if there is one. */
  readonly operations: string | undefined
  /** Resolves when the indexer is running, rejects if it cannot start; `undefined` without an index. */
  readonly indexed: Promise<unknown> | undefined
  /** Controls of the network. */
  readonly controls: AnyControls
  /** `key` is base64, as in global configurations. */
  readonly liteserver: { readonly host: string; readonly port: number; readonly key: string }
  /** Global configuration for clients. */
  readonly globalConfig: { readonly path: string; readonly content: unknown }
  readonly accounts: readonly FundedAccount[]
  /** The forked network and the block it was forked at; `undefined` if it is not a fork. */
  readonly fork: { readonly network: string; readonly seqno: number } | undefined
  close(): Promise<void>
}

const MINING: Mining = { mode: 'interval', intervalMs: 1000, emptyBlocks: true }
const KEEP_STATES = 1000
/** Without a number of states by the user: about 6 MiB, as a busy network makes in its last hundred blocks. */
const KEEP_CELLS = 60_000
const CLOSE_TIMEOUT_MS = 20_000
/** After a start, the machine has time for what may be needed later. */
const SETTLE_MS = 5000

const silent = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

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
  const { folder, seed, shards, startTime, mining = MINING, keepStates, steps = hiddenSteps } = options
  const home = await openFolder(folder, shutdown)
  const plan = options.index && planIndex(options.index, home, logger, shutdown, steps)
  // A network that makes blocks by itself has its threads ready soon; tests rarely need them.
  const vm = await createVirtualMachine({ logger, startAfterMs: mining.mode === 'manual' ? undefined : SETTLE_MS })
  shutdown.add('virtual machine', () => vm.close())
  const kept = folder === undefined ? undefined : networkFolder(home)
  const creating = createNetwork({
    vm,
    logger,
    folder: kept,
    seed,
    shards,
    startTime,
    mining,
    ...(keepStates === undefined ? { keepStates: KEEP_STATES, keepCells: KEEP_CELLS } : { keepStates }),
    fork: await forkOf(options.fork),
    openForkSource: async (name) => (await loadForks()).openForkSource(name, { folder: home, logger, shutdown }),
  }).then(async (network) => {
    shutdown.add('network', () => network.close())
    await makeFirstBlock(network)
    return network
  })
  const network = await steps.run('network', creating)
  const server = await listenLiteserver({
    ...options.liteserver,
    liteserver: new Liteserver(network.liteserver, { logger }),
    key: await loadServerKey(home),
    logger,
  })
  shutdown.add('liteserver', () => server.close())
  const globalConfig = await writeGlobalConfig(home, network, server)
  const serve = (http: HttpOptions): Promise<ServedNetwork> =>
    serveHttp(http, { network, server, logger, shutdown, plan, hasDemo: options.demo === true }, options.serveSplit)
  const served = await steps.run('interfaces', openHttp(options, serve, logger, shutdown))
  if (options.demo === true) startDemo(network, logger, shutdown)
  return {
    url: served?.url,
    operations: served?.operations,
    indexed: served?.indexed,
    globalConfig,
    ...describe(network, server),
    ...createTestKit(network, { coverage: options.coverage }),
    get client() {
      return openClient(served?.url)
    },
    close: () => close(shutdown),
  }
}

/** Accounts cannot be read before the first basechain block, which could take long with manual mining. */
const makeFirstBlock = async ({ controls }: Network): Promise<void> => {
  if (controls.getStatus().shards.every(({ seqno }) => seqno === 0)) await controls.mine(1)
}

type Serve = (http: HttpOptions) => Promise<ServedNetwork>

const openHttp = async (
  { http, index }: StartOptions,
  serve: Serve,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Partial<ServedNetwork> | undefined> => {
  if (http === false) return undefined
  if (http !== undefined || index !== undefined) return serve(http ?? {})
  const listener = await listenLazily(async () => {
    shutdown.signal.throwIfAborted()
    return new URL((await serve({})).url)
  }, logger)
  shutdown.add('http port', () => listener.close())
  return { url: listener.url }
}

const openClient = (url: string | undefined): Client => {
  if (url !== undefined) return createClient({ url })
  throw new TypeError('The network has no client without HTTP: leave out `http: false`.')
}

const forkOf = async (fork: StartOptions['fork']): Promise<NetworkOptions['fork']> => {
  if (fork === undefined) return undefined
  const { network, block } = typeof fork === 'string' ? { network: fork } : fork
  return { name: (await loadForks()).normalizeForkName(network, process.cwd()), block }
}

/** Loaded for forks only: it brings the liteserver client. */
const loadForks = () => import('./openForkSource.ts')

const openFolder = async (folder: string | undefined, shutdown: Shutdown): Promise<string> => {
  if (folder !== undefined) {
    const path = resolve(folder)
    await mkdir(path, { recursive: true })
    return path
  }
  const path = await mkdtemp(join(tmpdir(), 'chaincenter-'))
  // A process may also end without closing its network.
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  shutdown.add('temporary folder', async () => {
    process.off('exit', remove)
    await rm(path, { recursive: true, force: true })
  })
  return path
}

const writeGlobalConfig = async (folder: string, { store, initBlock }: Network, server: LiteserverListener) => {
  const path = join(folder, 'global.config.json')
  const text = formatGlobalConfig(server, store.zeroState, initBlock)
  await writeFile(path, text)
  return { path, content: JSON.parse(text) as unknown }
}

type ServedParts = {
  readonly network: Network
  readonly server: LiteserverListener
  readonly logger: Logger
  readonly shutdown: Shutdown
  readonly plan: IndexPlan | undefined
  readonly hasDemo: boolean
}

const serveHttp = async (
  http: HttpOptions,
  { network, server, logger, shutdown, plan, hasDemo }: ServedParts,
  serveSplit: ServeSplit | undefined,
): Promise<ServedNetwork> => {
  const facts = await factsOf(network, server, hasDemo)
  const served = await serveSplit?.({ network, facts, plan, logger, shutdown })
  if (served !== undefined) return served
  // Loaded in the background: it takes longer than everything else.
  const { serveNetwork, sourceOf } = await import('./serveNetwork.ts')
  return serveNetwork(sourceOf(network, facts), http, logger, shutdown, plan)
}

/** Opens the database in the background. */
const planIndex = (
  { databaseUrl, readerUrls = [], readerLagMs, reset = false, decoder, redisUrl }: NetworkIndexOptions,
  home: string,
  logger: Logger,
  shutdown: Shutdown,
  steps: Pick<StartSteps, 'run'>,
): IndexPlan => {
  const opening = import('../database/openDatabase.ts').then(({ openDatabaseAt, databaseFolder }) =>
    openDatabaseAt({ url: databaseUrl, readerUrls, readerLagMs, folder: databaseFolder(home) }, logger, shutdown),
  )
  // The failure is reported by the code that uses it.
  steps.run('PostgreSQL', opening).catch(() => undefined)
  return { opening, reset, decoder, redisUrl, steps }
}

const startDemo = (network: Network, logger: Logger, shutdown: Shutdown): void => {
  const controller = new AbortController()
  const demo = import('../../devnet/network/runDemo.ts').then(({ runDemo }) =>
    runDemo(network, { logger, signal: controller.signal }),
  )
  shutdown.add('demo', () => {
    controller.abort()
    return demo
  })
}

const describe = ({ controls, accounts, fork }: Network, { host, port, publicKey }: LiteserverListener) => ({
  controls: acceptAddresses(controls),
  fork: fork && { network: fork.name, seqno: fork.point.block.seqno },
  liteserver: { host, port, key: toBase64(publicKey) },
  accounts: accounts.map(({ name, mnemonic, wallet }) => ({
    name,
    address: formatFriendlyAddress(wallet.address, { bounceable: false }),
    mnemonic: mnemonic.join(' '),
    walletType: wallet.kind,
  })),
})

const acceptAddresses = (controls: NetworkControls): AnyControls => ({
  ...controls,
  faucet: async (address, amount) => controls.faucet(toAddress(address), amount),
  setAccount: async (change) => controls.setAccount({ ...change, address: toAddress(change.address) }),
  impersonate: async (message) => {
    const [source, destination] = [toAddress(message.source), toAddress(message.destination)]
    return controls.impersonate({ ...message, source, destination })
  },
})

const close = async (shutdown: Shutdown): Promise<void> => {
  await shutdown.close('the network is no longer needed')
}

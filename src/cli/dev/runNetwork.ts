import { join, resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { ForkUnavailableError } from '../../devnet/fork/ForkSource.ts'
import { removeNetwork } from '../../devnet/network/createNetwork.ts'
import { NetworkFolderError } from '../../devnet/network/errors.ts'
import type { Mining } from '../../devnet/network/NetworkControls.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { CodedError } from '../../primitives/errors.ts'
import { formatLiteServer } from '../../primitives/LiteServerAddress.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { operatorAccessOf } from '../operations/operatorAccess.ts'
import { loadControlsToken } from '../secrets.ts'
import { dataFolder, gatewayOptions } from '../serve/openGateway.ts'
import { normalizeForkName } from './openForkSource.ts'
import { networkFolder, type RunningNetwork, type StartOptions, startNetwork } from './startNetwork.ts'

/** Runs the embedded network until shutdown. */
export const runNetwork = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown, show, workingDir } = context
  const folder = config.ephemeral ? undefined : resolve(workingDir, config.dataDir)
  if (config.reset && folder !== undefined) await removeNetwork(networkFolder(folder))
  const token = await loadControlsToken(config, folder)
  const network = await start({
    folder,
    seed: config.seed,
    shards: config.shards === undefined ? undefined : Number(config.shards),
    startTime: config.startTime,
    fork: forkOf(config, workingDir),
    mining: miningOf(config),
    keepStates: config.keepStates,
    demo: config.demo,
    liteserver: { host: config.liteserverHost, port: config.liteserverPort },
    ...(config.index && {
      index: {
        databaseUrl: config.databaseUrl?.reveal(),
        readerUrls: config.databaseReaders.map((reader) => reader.reveal()),
        readerLagMs: config.databaseReaderLag,
        redisUrl: config.redisUrl?.reveal(),
        reset: config.reset,
        ...(config.layouts !== undefined && {
          decoder: (await import('../serve/openV3.ts')).openDecoder(context),
        }),
      },
    }),
    http: {
      host: config.host,
      port: config.port,
      controlsToken: token?.text,
      operator: operatorAccessOf(config, { isEmbedded: true }),
      dialect: config.dialect,
      maxIndexLagMs: config.readyIndexLag,
      drain: { delayMs: config.drainDelay, timeoutMs: config.drainTimeout },
      sourceFolder: folder && join(folder, 'sources'),
      gateway: gatewayOptions(config, { folder: secretFolder(config, workingDir), isEmbedded: true }),
      streaming: config,
      ...(config.webhooks && {
        webhooks: {
          settings: config,
          secret: { given: config.keysSecret?.reveal(), folder: secretFolder(config, workingDir) },
        },
      }),
    },
    logger,
  })
  shutdown.add('network', () => network.close())
  if (shutdown.signal.aborted) return
  const noIndex = await whyNotIndexed(network, context)
  if (shutdown.signal.aborted) return
  show(describeNetwork(network, { folder, noIndex, madeToken: token?.isMade ? token.text : undefined }))
  await untilAborted(shutdown.signal)
}

export type NetworkFacts = {
  readonly folder: string | undefined
  /** Why the index is unavailable, if it was requested. */
  readonly noIndex: string | undefined
  /** The generated token of the controls. */
  readonly madeToken: string | undefined
}

/** Start-up output: text for people, JSON for programs. */
const describeNetwork = (network: RunningNetwork, { folder, noIndex, madeToken }: NetworkFacts) => {
  const { url, operations, indexed, liteserver, globalConfig, accounts, fork } = network
  const hasIndex = indexed !== undefined && noIndex === undefined
  const server = formatLiteServer({ ...liteserver, publicKey: fromBase64(liteserver.key) })
  const { mining } = network.controls.getStatus()
  const text = [
    'The network is running.',
    '',
    ...(url === undefined ? [] : describeHttp(url, hasIndex)),
    ...(madeToken === undefined ? [] : [`  token          ${madeToken}`]),
    ...(operations === undefined ? [] : [`  metrics        ${operations}/metrics`]),
    ...(noIndex === undefined ? [] : [`  indexed (v3)   not served: ${noIndex}`]),
    `  liteserver     ${liteserver.host}:${liteserver.port}`,
    `  key            ${liteserver.key}`,
    `  global config  ${globalConfig.path}`,
    `  blocks         ${describeMining(mining)}`,
    `  stored in      ${folder ?? 'memory only'}`,
    ...(fork === undefined ? [] : [`  fork of        ${fork.network} at block ${fork.seqno}`]),
    '',
    'Funded accounts. Their mnemonics are public: use them on this network only.',
    '',
    ...accounts.flatMap(({ name, address, walletType, mnemonic }) => [
      `  ${name.padEnd(6)} ${walletType.padEnd(11)} ${address}`,
      `         ${mnemonic}`,
    ]),
    '',
    ...(url === undefined
      ? []
      : [`Try: chaincenter call getAddressBalance address=${accounts[0]?.address} --url ${url}`]),
    `     chaincenter lite getMasterchainInfo --liteserver ${server}`,
    'Press Ctrl-C to stop.',
  ].join('\n')
  const value = {
    ...(url !== undefined && { url, v2: `${url}/api/v2`, v2Ton: `${url}/ton/api/v2` }),
    ...(url !== undefined && hasIndex && { v3: `${url}/api/v3`, v3Ton: `${url}/ton/api/v3` }),
    ...(operations !== undefined && { operations }),
    ...(madeToken !== undefined && { controlsToken: madeToken }),
    liteserver,
    globalConfig: globalConfig.path,
    ...(fork !== undefined && { fork }),
    accounts: accounts.map(({ address, mnemonic, walletType }) => ({ address, mnemonic, walletType })),
  }
  return { text, value }
}

const describeHttp = (url: string, hasIndex: boolean): string[] => [
  `  explorer       ${url}`,
  `  reference      ${url}/docs`,
  `  live (v2)      ${url}/api/v2`,
  ...(hasIndex ? [`  indexed (v3)   ${url}/api/v3`] : []),
  `  for clients    ${url}/ton/api/v2/jsonRPC`,
  `  controls       ${url}/dev`,
]

const describeMining = (mining: ReturnType<RunningNetwork['controls']['getStatus']>['mining']): string => {
  if (mining.mode === 'instant') return 'as soon as a message comes'
  if (mining.mode === 'manual') return 'only when told to'
  return `one every ${mining.intervalMs / 1000} s${mining.emptyBlocks ? '' : ', where there is something to put into it'}`
}

/** A network in memory leaves nothing behind; an external database keeps its API keys. */
const secretFolder = (config: Config, workingDir: string): string | undefined =>
  config.ephemeral && config.databaseUrl === undefined ? undefined : dataFolder(config, workingDir)

const start = async (options: StartOptions): Promise<RunningNetwork> => {
  try {
    return await startNetwork(options)
  } catch (error) {
    if (error instanceof NetworkFolderError) {
      const advice = 'Leave that setting out, use another folder (--data-dir), or begin a new network with --reset.'
      throw new UsageError(error.message, advice)
    }
    if (error instanceof ForkUnavailableError) {
      throw new UsageError(error.message, 'Check --fork and the connection; old blocks need an archival liteserver.')
    }
    if (error instanceof CodedError && error.code === 'listen_failed') {
      throw new UsageError(error.message, 'Set another address with --host and --port, or with --operations-address.')
    }
    throw error
  }
}

/** Why the index is unavailable: the rest of the service works without it. */
const whyNotIndexed = async (
  { indexed }: RunningNetwork,
  { logger, shutdown }: CommandContext,
): Promise<string | undefined> => {
  try {
    await indexed
    return undefined
  } catch (error) {
    if (shutdown.signal.aborted) return undefined
    if (!(error instanceof CodedError)) throw error
    logger.error('index unavailable', { error })
    return error.message
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))

const forkOf = ({ fork, forkBlock }: Config, workingDir: string): StartOptions['fork'] => {
  if (fork !== undefined) return { network: normalizeForkName(fork, workingDir), block: forkBlock }
  if (forkBlock === undefined) return undefined
  throw new UsageError(
    '--fork-block needs --fork.',
    'Name the network to fork: main, test, a global configuration or a liteserver.',
  )
}

const miningOf = ({ mining: mode, blockInterval: intervalMs, emptyBlocks }: Config): Mining =>
  mode === 'interval' ? { mode, intervalMs, emptyBlocks } : { mode }

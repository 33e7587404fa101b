import { resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { NetworkFolderError } from '../../devnet/network/errors.ts'
import type { Mining } from '../../devnet/network/NetworkControls.ts'
import { removeNetwork } from '../../devnet/network/removeNetwork.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { operatorAccessOf } from '../operations/operatorAccess.ts'
import { dataFolder, gatewayOptions } from '../serve/gatewayOptions.ts'
import { loadControlsToken } from './controlsToken.ts'
import { describeNetwork } from './describeNetwork.ts'
import { networkFolder, type RunningNetwork, type StartOptions, startNetwork } from './startNetwork.ts'

/** Runs the embedded network as the settings say, until the process is told to stop. */
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
          decoder: (await import('../serve/openDecoder.ts')).openDecoder(context),
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
      gateway: gatewayOptions(config, { folder: secretFolder(config, workingDir), isEmbedded: true }),
    },
    logger,
  })
  shutdown.add('network', () => network.close())
  if (shutdown.signal.aborted) return
  await makeFirstBlock(network)
  const noIndex = await whyNotIndexed(network, context)
  if (shutdown.signal.aborted) return
  show(describeNetwork(network, { folder, noIndex, madeToken: token?.isMade ? token.text : undefined }))
  await untilAborted(shutdown.signal)
}

/** Nothing is left behind of a network that is kept in memory; but a database of one's own stays, and its keys with it. */
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
    if (error instanceof CodedError && error.code === 'listen_failed') {
      throw new UsageError(error.message, 'Choose another one with --host and --port, or with --operations-address.')
    }
    throw error
  }
}

/** Before the basechain has a block no account can be asked for; where blocks are made on demand that could be a long time. */
const makeFirstBlock = async ({ controls }: RunningNetwork): Promise<void> => {
  if (controls.getStatus().shards.every(({ seqno }) => seqno === 0)) await controls.mine(1)
}

/** Why there is no index, where there was to be one: the rest of the service does not depend on it. */
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
    logger.error('the network is not indexed', { error })
    return error.message
  }
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))

const miningOf = ({ mining: mode, blockInterval: intervalMs, emptyBlocks }: Config): Mining =>
  mode === 'interval' ? { mode, intervalMs, emptyBlocks } : { mode }

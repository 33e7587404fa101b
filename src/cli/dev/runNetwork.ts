import type { Config } from '../../config/settings.ts'
import { ForkUnavailableError } from '../../devnet/fork/ForkSource.ts'
import { removeNetwork } from '../../devnet/network/createNetwork.ts'
import { NetworkFolderError } from '../../devnet/network/errors.ts'
import type { Mining } from '../../devnet/network/NetworkControls.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { loadControlsToken } from '../secrets.ts'
import { prepareAnswering } from '../start/answering/prepareAnswering.ts'
import { networkFolder, type PreparedNetwork } from '../start/prepareNetwork.ts'
import { describeNetwork } from './describeNetwork.ts'
import { httpOptionsOf } from './httpOptions.ts'
import { normalizeForkName } from './openForkSource.ts'
import { type RunningNetwork, type StartOptions, startNetwork } from './startNetwork.ts'

/** Runs the embedded network until shutdown. `isSplit` answers HTTP from a process of its own. */
export const runNetwork = async (
  context: CommandContext,
  { folder, http, liteserver }: PreparedNetwork,
  isSplit: boolean,
): Promise<void> => {
  const { config, beside, given, logger, shutdown, show, steps, program, workingDir } = context
  if (config.reset && folder !== undefined) await removeNetwork(networkFolder(folder))
  const token = await loadControlsToken(config, folder)
  const httpOptions = httpOptionsOf(config, { folder, workingDir, controlsToken: token?.text, beside })
  const serveSplit = isSplit ? prepareAnswering(context, { folder, http, controlsToken: token?.text }) : undefined
  const network = await start({
    folder,
    seed: config.seed,
    shards: config.shards === undefined ? undefined : Number(config.shards),
    startTime: config.startTime,
    fork: forkOf(config, workingDir),
    mining: miningOf(config),
    keepStates: config.keepStates,
    demo: config.demo,
    liteserver,
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
    http: { ...httpOptions, host: http.host, port: http.port, sockets: [http.socket], front: http.front },
    serveSplit,
    logger,
    steps,
  })
  shutdown.add('network', () => network.close())
  if (shutdown.signal.aborted) return
  const noIndex = await whyNotIndexed(network, context)
  if (shutdown.signal.aborted) return
  const isAtDefaultPort = !given.has('port') && config.host === '127.0.0.1' && beside === undefined
  const madeToken = token?.isMade ? token.text : undefined
  show(describeNetwork(network, { folder, noIndex, madeToken, program, workingDir, isAtDefaultPort }))
  await untilAborted(shutdown.signal)
}

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
      throw new UsageError(error.message, 'Set another address with --operations-address.')
    }
    throw error
  }
}

/**
 * Waits for the index. Where the system cannot run the bundled PostgreSQL, the rest of the service works without it; any other failure is
 * one of the settings, and ends the start.
 */
const whyNotIndexed = async (
  { indexed }: RunningNetwork,
  { logger, shutdown }: CommandContext,
): Promise<string | undefined> => {
  try {
    await indexed
    return undefined
  } catch (error) {
    if (shutdown.signal.aborted) return undefined
    if (!(error instanceof CodedError) || error.code !== 'embedded_database') throw error
    logger.error('index unavailable', { reason: error.message })
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

const miningOf = ({
  mining: mode,
  blockInterval: intervalMs,
  emptyBlocks,
  commitDelay: commitDelayMs,
}: Config): Mining => (mode === 'interval' ? { mode, intervalMs, emptyBlocks, commitDelayMs } : { mode, commitDelayMs })

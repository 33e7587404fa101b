import { resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { NetworkFolderError } from '../../devnet/network/errors.ts'
import type { Mining } from '../../devnet/network/NetworkControls.ts'
import { removeNetwork } from '../../devnet/network/removeNetwork.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { describeNetwork } from './describeNetwork.ts'
import { networkFolder, type RunningNetwork, type StartOptions, startNetwork } from './startNetwork.ts'

/** Runs the embedded network as the settings say, until the process is told to stop. */
export const runNetwork = async (context: CommandContext): Promise<void> => {
  const { config, logger, shutdown, show, workingDir } = context
  const folder = config.ephemeral ? undefined : resolve(workingDir, config.dataDir)
  if (config.reset && folder !== undefined) await removeNetwork(networkFolder(folder))
  const network = await start({
    folder,
    seed: config.seed,
    shards: config.shards === undefined ? undefined : Number(config.shards),
    startTime: config.startTime,
    mining: miningOf(config),
    keepStates: config.keepStates,
    liteserver: { host: config.liteserverHost, port: config.liteserverPort },
    logger,
  })
  shutdown.add('network', () => network.close())
  show(describeNetwork(network, folder))
  await new Promise<void>((done) => shutdown.signal.addEventListener('abort', () => done(), { once: true }))
}

const start = async (options: StartOptions): Promise<RunningNetwork> => {
  try {
    return await startNetwork(options)
  } catch (error) {
    if (!(error instanceof NetworkFolderError)) throw error
    throw new UsageError(
      error.message,
      'Leave that setting out, use another folder (--data-dir), or begin a new network with --reset.',
    )
  }
}

const miningOf = ({ mining: mode, blockInterval: intervalMs, emptyBlocks }: Config): Mining =>
  mode === 'interval' ? { mode, intervalMs, emptyBlocks } : { mode }

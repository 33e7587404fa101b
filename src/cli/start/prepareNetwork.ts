import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../config/settings.ts'
import { findFolderOwner } from '../../devnet/store/lockFolder.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { describeProcess } from './processes.ts'
import type { ReservedPort } from './ReservedPort.ts'
import { reservePort, reservePortOrFree, startingAnswer } from './reservePort.ts'

/** What an embedded network needs before anything of it is loaded. */
export type PreparedNetwork = {
  /** The data folder; `undefined` stores nothing. */
  readonly folder: string | undefined
  readonly http: ReservedPort
  readonly liteserver: ReservedPort
}

/** Folder of the network inside a data folder. */
export const networkFolder = (folder: string): string => join(folder, 'network')

/** Takes what another process may have: refuses within a moment rather than after the start. */
export const prepareNetwork = async (context: CommandContext): Promise<PreparedNetwork> => {
  const { config, shutdown, workingDir } = context
  const folder = config.ephemeral ? undefined : resolve(workingDir, config.dataDir)
  if (folder !== undefined) refuseUsedFolder(folder)
  const http = await reserveHttpPort(context)
  const liteserver = await reserveLiteserverPort(config)
  shutdown.add('liteserver port', liteserver.release)
  if (config.reset && folder !== undefined) await confirmReset(networkFolder(folder), context)
  return { folder, http, liteserver }
}

/** The port of HTTP, until shutdown. */
export const reserveHttpPort = async ({
  config: { host, port },
  http: given,
  shutdown,
}: CommandContext): Promise<ReservedPort> => {
  const http = given ?? (await reservePort({ host, port, flag: '--port', answer: startingAnswer }))
  shutdown.add('http port', http.release)
  return http
}

const refuseUsedFolder = (folder: string): void => {
  const owner = findFolderOwner(networkFolder(folder))
  if (owner === undefined) return
  throw new UsageError(
    `The data folder ${folder} is in use by ${describeProcess(owner)}.`,
    `Stop that process (Ctrl-C in its terminal, or kill ${owner}), or start a second network with --data-dir and --port.`,
  )
}

/** Beside the port of HTTP, so that a saved global configuration stays valid, and several networks do not meet. */
const LITESERVER_OFFSET = 2000

/** The configured port of the liteserver, or the default one; a free port if that is in use. */
export const reserveLiteserverPort = ({
  liteserverHost: host,
  liteserverPort,
  port: httpPort,
}: Pick<Config, 'liteserverHost' | 'liteserverPort' | 'port'>): Promise<ReservedPort> => {
  const flag = '--liteserver-port'
  if (liteserverPort !== undefined) return reservePort({ host, port: liteserverPort, flag })
  const port = httpPort === 0 || httpPort + LITESERVER_OFFSET > 65_535 ? 0 : httpPort + LITESERVER_OFFSET
  return reservePortOrFree({ host, port, flag })
}

/** Says what --reset removes and, at a terminal, asks. */
const confirmReset = async (network: string, { config, ask, logger }: CommandContext): Promise<void> => {
  const bytes = measureFolder(network)
  if (bytes === undefined) return
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`
  if (ask === undefined || config.yes) {
    logger.warn('removing the network and its index (--reset)', { folder: network, size })
    return
  }
  const answer = await ask(
    `--reset removes the network in ${network} (${size}) with all its blocks and accounts, and its index.\nAPI keys and webhooks stay. Remove it? [y/N] `,
  )
  if (/^y(es)?$/i.test(answer.trim())) return
  throw new UsageError('Nothing was removed.', 'Start without --reset to resume the network, or add --yes to confirm.')
}

/** Bytes of all files in a folder; `undefined` if there is none. */
const measureFolder = (folder: string): number | undefined => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  } catch {
    return undefined
  }
}

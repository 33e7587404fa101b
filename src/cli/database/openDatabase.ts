import { join, resolve } from 'node:path'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { connectDatabase, type DatabaseOptions } from '../../store/connect/connectDatabase.ts'
import type { Database } from '../../store/connect/Database.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import type { CommandContext } from '../Command.ts'

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

export type DatabaseTimes = Pick<DatabaseOptions, 'writeTimeoutMs'>

export type DatabasePlace = {
  /** Of a server; without it, the one that comes with the program is started. */
  readonly url: string | undefined
  readonly readerUrls: readonly string[]
  readonly readerLagMs?: number | undefined
  /** Where that keeps its data. */
  readonly folder: string
}

/** The database that the settings name or, without any, the embedded one, started for it. Both are closed with everything else. */
export const openDatabase = ({ logger, shutdown, ...context }: Context, times: DatabaseTimes = {}): Promise<Database> =>
  openDatabaseAt(databasePlace(context), logger, shutdown, times)

const databasePlace = ({ config, workingDir }: Pick<Context, 'config' | 'workingDir'>): DatabasePlace => ({
  url: config.databaseUrl?.reveal(),
  readerUrls: config.databaseReaders.map((reader) => reader.reveal()),
  readerLagMs: config.databaseReaderLag,
  folder: databaseFolder(resolve(workingDir, config.dataDir)),
})

/** Where in a data folder the embedded server keeps its data. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres')

export const openDatabaseAt = async (
  { url, readerUrls, readerLagMs, folder }: DatabasePlace,
  logger: Logger,
  shutdown: Shutdown,
  times: DatabaseTimes = {},
): Promise<Database> => {
  const database = await connectDatabase({
    url: url ?? (await startOwnServer(folder, logger, shutdown)),
    readerUrls,
    ...(readerLagMs !== undefined && { readerLagMs }),
    logger,
    signal: shutdown.signal,
    ...times,
  })
  shutdown.add('database', () => database.close())
  return database
}

const startOwnServer = async (folder: string, logger: Logger, shutdown: Shutdown): Promise<string> => {
  const server = await startEmbeddedServer({ folder, logger, signal: shutdown.signal, keepRunning: true })
  shutdown.add('database server', () => server.stop())
  return server.url
}

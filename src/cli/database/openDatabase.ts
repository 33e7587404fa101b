import { join, resolve } from 'node:path'
import { connectDatabase, type DatabaseOptions } from '../../store/connect/connectDatabase.ts'
import type { Database } from '../../store/connect/Database.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import type { CommandContext } from '../Command.ts'

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

export type DatabaseTimes = Pick<DatabaseOptions, 'writeTimeoutMs'>

/** The database that the settings name or, without any, the embedded one, started for it. Both are closed with everything else. */
export const openDatabase = async (context: Context, times: DatabaseTimes = {}): Promise<Database> => {
  const { config, logger, shutdown } = context
  const url = config.databaseUrl?.reveal() ?? (await startOwnServer(context))
  const database = await connectDatabase({
    url,
    readerUrls: config.databaseReaders.map((reader) => reader.reveal()),
    logger,
    signal: shutdown.signal,
    ...times,
  })
  shutdown.add('database', () => database.close())
  return database
}

const startOwnServer = async ({ config, logger, shutdown, workingDir }: Context): Promise<string> => {
  const folder = join(resolve(workingDir, config.dataDir), 'postgres')
  const server = await startEmbeddedServer({ folder, logger, signal: shutdown.signal, keepRunning: true })
  shutdown.add('database server', () => server.stop())
  return server.url
}

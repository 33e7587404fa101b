import { join, resolve } from 'node:path'
import { withRetries } from '../../indexer/sources/withRetries.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Shutdown } from '../../observe/Shutdown.ts'
import { connectDatabase, type DatabaseOptions } from '../../store/connect/connectDatabase.ts'
import type { Database, DatabaseSource, DatabaseStats } from '../../store/connect/Database.ts'
import { endClient } from '../../store/connect/openClient.ts'
import { distributeTables } from '../../store/distributed/distributeTables.ts'
import { startEmbeddedServer } from '../../store/embedded/startEmbeddedServer.ts'
import { DatabaseUnavailableError, toDatabaseError } from '../../store/errors.ts'
import { migrateDatabase } from '../../store/migrate/migrateDatabase.ts'
import type { CommandContext } from '../Command.ts'

type Context = Pick<CommandContext, 'config' | 'logger' | 'shutdown' | 'workingDir'>

export type DatabaseTimes = Pick<DatabaseOptions, 'writeTimeoutMs' | 'writeConnections'>

export type DatabaseLocation = {
  /** URL of an external server; without it, the embedded PostgreSQL is started. */
  readonly url: string | undefined
  readonly readerUrls: readonly string[]
  readonly readerLagMs?: number | undefined
  /** Data folder of the embedded PostgreSQL. */
  readonly folder: string
}

/** Opens the configured database, or starts the embedded one. Both are closed at shutdown. */
export const openDatabase = ({ logger, shutdown, ...context }: Context, times: DatabaseTimes = {}): Promise<Database> =>
  openDatabaseAt(databaseLocation(context), logger, shutdown, times)

const databaseLocation = ({ config, workingDir }: Pick<Context, 'config' | 'workingDir'>): DatabaseLocation => ({
  url: config.databaseUrl?.reveal(),
  readerUrls: config.databaseReaders.map((reader) => reader.reveal()),
  readerLagMs: config.databaseReaderLag,
  folder: databaseFolder(resolve(workingDir, config.dataDir)),
})

/** Folder of the embedded PostgreSQL inside a data folder. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres')

export const openDatabaseAt = async (
  { url, readerUrls, readerLagMs, folder }: DatabaseLocation,
  logger: Logger,
  shutdown: Shutdown,
  times: DatabaseTimes = {},
): Promise<Database> => {
  const database = await connectDatabase({
    url: url ?? (await startOwnServer(folder, logger, shutdown)),
    isEmbedded: url === undefined,
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

const TRIES = 20
const BACKOFF = { firstMs: 250, maxMs: 3000 }

/** Runs the migrations; retries while the server is restarting. */
export const migrate = (database: Database, logger: Logger, signal: AbortSignal): Promise<void> =>
  withRetries(() => migrateOnce(database, logger, signal), {
    signal,
    maxTries: TRIES,
    backoff: BACKOFF,
    onRetry: (error) => logger.warn('migration failed, retrying', { error }),
  })

const migrateOnce = async (database: Database, logger: Logger, signal: AbortSignal): Promise<void> => {
  const client = await database.openConnection('migrate')
  try {
    await migrateDatabase(client, { logger, signal })
    // Tables that a migration has added.
    if (database.isDistributed) await distributeTables(client, { signal })
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

const noStats: DatabaseStats = {
  connections: [],
  servers: [],
  seenReads: { known: 0, waited: 0, writer: 0, refused: 0 },
}

/** Stands for a database that is being opened: until then, reads fail with a retryable error. */
export const deferredDatabase = (
  opening: Promise<Database>,
): Pick<Database, 'reader' | 'readerAt' | 'stats'> & { readonly source: DatabaseSource | undefined } => {
  let opened: Database | undefined
  let isRefused = false
  opening.then(
    (database) => {
      opened = database
    },
    // The failure is reported by the code that awaits the opening.
    () => {
      isRefused = true
    },
  )
  const expectOpened = (): Database => {
    if (opened !== undefined) return opened
    throw new DatabaseUnavailableError(
      isRefused ? 'The index could not be opened.' : 'The index is being opened. Try again in a moment.',
    )
  }
  return {
    reader: () => expectOpened().reader(),
    readerAt: async (seqno, options) => expectOpened().readerAt(seqno, options),
    stats: () => opened?.stats() ?? noStats,
    get source() {
      return opened?.source
    },
  }
}

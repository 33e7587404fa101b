import { withRetries } from '../../indexer/sources/withRetries.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import { endClient } from '../../store/connect/openClient.ts'
import { toDatabaseError } from '../../store/errors.ts'
import { migrateDatabase } from '../../store/migrate/migrateDatabase.ts'

const TRIES = 20
const BACKOFF = { firstMs: 250, maxMs: 3000 }

/** Brings the tables up to date. A server that was just there may go away again for a moment. */
export const migrate = (database: Database, logger: Logger, signal: AbortSignal): Promise<void> =>
  withRetries(() => migrateOnce(database, logger, signal), {
    signal,
    maxTries: TRIES,
    backoff: BACKOFF,
    onRetry: (error) => logger.warn('the database cannot be brought up to date, it is tried again', { error }),
  })

const migrateOnce = async (database: Database, logger: Logger, signal: AbortSignal): Promise<void> => {
  const client = await database.openConnection('migrate')
  try {
    await migrateDatabase(client, { logger, signal })
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

import type { Shutdown } from '../../observe/Shutdown.ts'
import type { Database } from '../../store/connect/Database.ts'
import { checkUpToDate, listMigrations, readApplied } from '../../store/migrate/migrateDatabase.ts'
import { type CoveredRange, findIndexState, type IndexState, readRanges } from '../../store/writer/indexState.ts'
import type { Lease } from '../../store/writer/lease.ts'
import type { CommandContext } from '../Command.ts'
import { acquireIndexerLease } from '../index/standby.ts'
import { type DatabaseTimes, openDatabase } from './openDatabase.ts'

/** An index opened by a maintenance command. */
export type OpenIndex = {
  readonly database: Database
  /** `undefined` if nothing was ever indexed. */
  readonly state: IndexState | undefined
  readonly ranges: readonly CoveredRange[]
}

/** Opens the configured database; its schema must be up to date. */
export const openIndex = async (context: CommandContext, times?: DatabaseTimes): Promise<OpenIndex> => {
  const database = await openDatabase(context, times)
  return database.transaction(async (client) => {
    checkUpToDate(await readApplied(client), listMigrations())
    return { database, state: await findIndexState(client), ranges: await readRanges(client) }
  })
}

/** At shutdown, waits for the work to finish before its resources are closed. */
export const letFinish = async <T>(shutdown: Shutdown, name: string, work: Promise<T>): Promise<T> => {
  const ended = work.then(
    () => undefined,
    () => undefined,
  )
  const forget = shutdown.add(name, () => ended)
  try {
    return await work
  } finally {
    forget()
  }
}

// An indexer that was just stopped needs a moment to release the lease.
const WAIT_MS = 2000

/** Takes the leader lease; fails with the name of the holder instead of waiting. */
export const takeLease = (
  { logger, shutdown }: CommandContext,
  database: Pick<Database, 'openConnection'>,
): Promise<Lease> => acquireIndexerLease(database, { logger, signal: shutdown.signal, waitMs: WAIT_MS })

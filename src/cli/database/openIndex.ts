import type { Database } from '../../store/connect/Database.ts'
import { checkUpToDate, listMigrations, readApplied } from '../../store/migrate/migrateDatabase.ts'
import { type CoveredRange, findIndexState, type IndexState, readRanges } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { type DatabaseTimes, openDatabase } from './openDatabase.ts'

/** An index that is looked at, or changed, beside or instead of the indexer. */
export type OpenIndex = {
  readonly database: Database
  /** `undefined` where nothing was ever indexed. */
  readonly state: IndexState | undefined
  readonly ranges: readonly CoveredRange[]
}

/** Opens the database of the settings, which must have all tables. */
export const openIndex = async (context: CommandContext, times?: DatabaseTimes): Promise<OpenIndex> => {
  const database = await openDatabase(context, times)
  return database.transaction(async (client) => {
    checkUpToDate(await readApplied(client), listMigrations())
    return { database, state: await findIndexState(client), ranges: await readRanges(client) }
  })
}

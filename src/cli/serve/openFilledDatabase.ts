import { setTimeout as delay } from 'node:timers/promises'
import { bytesEqual } from '../../primitives/bytes.ts'
import type { Database } from '../../store/connect/Database.ts'
import { checkApplied, checkUpToDate, listMigrations, readApplied } from '../../store/migrate/migrateDatabase.ts'
import { findIndexState } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { openDatabase } from '../database/openDatabase.ts'
import { ForeignIndexError } from '../errors.ts'

const WAIT_MS = 60_000
const LOOK_MS = 1000

/**
 * The database that somebody else fills. It is left as it is: its tables must be those that this version knows, which is waited for a
 * while where they are about to be made, and it must be of the network.
 */
export const openFilledDatabase = async (
  context: CommandContext,
  zeroState: Uint8Array | undefined,
): Promise<Database> => {
  const { logger, shutdown } = context
  const database = await openDatabase(context)
  const migrations = listMigrations()
  const begun = performance.now()
  for (;;) {
    const applied = await database.transaction(readApplied)
    checkApplied(applied, migrations)
    if (applied.length === migrations.length) break
    if (performance.now() - begun > WAIT_MS) checkUpToDate(applied, migrations)
    logger.info('the tables are not up to date, which is waited for', {
      applied: applied.length,
      of: migrations.length,
    })
    await delay(LOOK_MS, undefined, { signal: shutdown.signal })
  }
  const known = await database.transaction(findIndexState)
  if (zeroState !== undefined && known !== undefined && !bytesEqual(known.zeroState, zeroState)) {
    throw new ForeignIndexError()
  }
  return database
}

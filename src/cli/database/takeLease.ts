import type { Database } from '../../store/connect/Database.ts'
import type { Lease } from '../../store/writer/lease.ts'
import type { CommandContext } from '../Command.ts'
import { acquireIndexerLease } from '../index/indexerLease.ts'

// One that was just stopped needs a moment to let go.
const WAIT_MS = 2000

/** The right to write. An indexer that has it is named, and not waited for. */
export const takeLease = (
  { logger, shutdown }: CommandContext,
  database: Pick<Database, 'openConnection'>,
): Promise<Lease> => acquireIndexerLease(database, { logger, signal: shutdown.signal, waitMs: WAIT_MS })

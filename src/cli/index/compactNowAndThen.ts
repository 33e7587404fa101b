import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../observe/Logger.ts'
import type { Database } from '../../store/connect/Database.ts'
import { compactIndexes, packPartitions } from '../../store/maintenance/compactIndexes.ts'

type CompactedDatabase = Pick<Database, 'openConnection' | 'isDistributed'>

export type CompactionSetup = {
  /** Whether history is being filled. */
  readonly hasHistoryWork: () => boolean
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly everyMs?: number
}

const EVERY_MS = 600_000
// A leader that steps down is not to wait for a server that hangs.
const GRACE_MS = 1000

/**
 * Compacts indexes beside the indexer, from time to time: those of a partition once, when it is complete, and loosely filled ones once
 * a backfill is over. While an index grows, a rebuild would not last. A backfill that is over between two looks was a small one.
 */
export const compactNowAndThen = (
  database: CompactedDatabase,
  { hasHistoryWork, signal, logger, everyMs = EVERY_MS }: CompactionSetup,
): { readonly stop: () => Promise<void> } => {
  const ending = new AbortController()
  const either = AbortSignal.any([signal, ending.signal])
  let wasFilling = false
  let running: Promise<void> | undefined
  const compact = async (): Promise<void> => {
    const tables = await packPartitions(database, 'complete', either)
    if (tables > 0) logger.info('partitions compacted', { tables })
    if (hasHistoryWork()) {
      wasFilling = true
    } else if (wasFilling) {
      await compactLoose(database, either, logger)
      wasFilling = false
    }
  }
  const timer = setInterval(() => {
    running ??= compact()
      .catch((error: unknown) => {
        if (!either.aborted) warnOfCompaction(logger, error)
      })
      .finally(() => {
        running = undefined
      })
  }, everyMs)
  return {
    stop: async () => {
      clearInterval(timer)
      ending.abort()
      await Promise.race([running, delay(GRACE_MS, undefined, { ref: false })])
    },
  }
}

/** Compacts what is loosely filled; on a cluster, which does not tell, all partitions that are not compacted yet. */
export const compactLoose = async (database: CompactedDatabase, signal: AbortSignal, logger: Logger): Promise<void> => {
  if (database.isDistributed) {
    await packPartitions(database, 'present', signal)
    return
  }
  await compactIndexes(database, { signal, onIndex: (compacted) => logger.info('index compacted', compacted) })
}

export const warnOfCompaction = (logger: Logger, error: unknown): void =>
  logger.warn('index compaction failed, retrying later', { error })

import { hostname } from 'node:os'
import type { DecodedBlockSet, RawBlockSet } from '../../indexer/blockSets.ts'
import type { AccountStages } from '../../indexer/pipeline/IndexStore.ts'
import { abortable } from '../../indexer/pipeline/queues.ts'
import type { BlockSetSource } from '../../indexer/ports.ts'
import type { Logger } from '../../observe/Logger.ts'
import { pause } from '../../primitives/scheduling.ts'
import type { Database } from '../../store/connect/Database.ts'
import { endHungWriters } from '../../store/writer/indexState.ts'
import { acquireLease, type Lease, type LeaseOptions } from '../../store/writer/lease.ts'

export type StandbyParts = {
  readonly source: BlockSetSource
  readonly decode: (blockSet: RawBlockSet, signal: AbortSignal) => Promise<DecodedBlockSet>
  /** The stages that look at accounts; `undefined` where looking means to make states from blocks, which is left to the leader. */
  readonly looks: AccountStages | undefined
  readonly logger: Logger
  /** How often a block is prepared. */
  readonly everyMs?: number
}

const EVERY_MS = 10_000

/**
 * Keeps a standby ready to lead: it prepares the newest block now and then as the leader does, and writes nothing. Threads are
 * started, servers are connected and the chain is proven up to the head before leadership comes, not after it.
 */
export const warmStandby = async (parts: StandbyParts, signal: AbortSignal): Promise<void> => {
  const { logger, everyMs = EVERY_MS } = parts
  let isReady = false
  while (!signal.aborted) {
    try {
      const seqno = await prepareNewest(parts, signal)
      if (!isReady) logger.info('standby in sync', { seqno })
      isReady = true
    } catch (error) {
      if (!signal.aborted) logger.debug('standby cache warm-up failed', { error })
    }
    await pause(everyMs, signal).catch(() => undefined)
  }
}

const prepareNewest = async ({ source, decode, looks }: StandbyParts, signal: AbortSignal): Promise<number> => {
  const { seqno } = await abortable(source.getHead(signal), signal)
  const blockSet = await decode(await abortable(source.fetchBlockSet(seqno, signal), signal), signal)
  if (looks === undefined) return seqno
  const resolved = await abortable(looks.resolver.resolve([blockSet], signal), signal)
  await abortable(looks.inspect([blockSet], resolved, signal), signal)
  return seqno
}

/** The right to write to the index, for one process at a time. */
export const acquireIndexerLease = (
  database: Pick<Database, 'openConnection'>,
  options: Omit<LeaseOptions, 'name' | 'holder'>,
): Promise<Lease> =>
  acquireLease(database, {
    name: 'indexer',
    holder: `${hostname()}, process ${process.pid}`,
    beforeTaking: endHungWriters,
    ...options,
  })

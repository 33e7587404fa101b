import { abortable } from '../../indexer/pipeline/queues.ts'
import type { BlockSetSource } from '../../indexer/ports.ts'
import { compareWithChain, IndexAheadError } from '../../indexer/verify/compareWithChain.ts'
import type { Logger } from '../../observe/Logger.ts'
import { pause } from '../../primitives/scheduling.ts'
import { clientReader, type Database, type Reader } from '../../store/connect/Database.ts'

/** A node may be a moment behind the one that the index was made from. */
const BEHIND_MS = 5000
/** A source may not answer, or not have the blocks of an old index any more. */
const FAILING_MS = 10_000
const PAUSE_MS = 250

/**
 * Compares the index with the chain before anything is added to it. Throws an `IndexAheadError` where it has blocks that the chain
 * does not have. A source that cannot tell is no reason to stop: every block is checked against the one before it when it is written.
 */
export const expectAgreement = async (
  database: Pick<Database, 'transaction'>,
  source: Pick<BlockSetSource, 'getHead' | 'getBlockId'>,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> => {
  const reader: Reader = { read: (query) => database.transaction((client) => clientReader(client).read(query)) }
  const start = performance.now()
  for (;;) {
    const waitedMs = performance.now() - start
    try {
      const found = await abortable(compareWithChain(reader, source, signal), signal)
      if (found === undefined) return
      if (found.isOtherChain || waitedMs > BEHIND_MS) throw new IndexAheadError(found)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof IndexAheadError) throw error
      if (waitedMs > FAILING_MS) return logger.warn('index not compared with its chain', { error })
    }
    await pause(PAUSE_MS, signal)
  }
}

import type { OnFault } from '../../actions/classifyTrace.ts'
import type { Logger } from '../../observe/Logger.ts'
import type { ClassifyCommitted } from '../commit/commitBatch.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { classifyWaiting } from './classifyBlocks.ts'

/** More than this may take so long that nobody at the head wants to wait for it. */
const MAX_TRANSACTIONS = 500
const MAX_BLOCKS = 8

/**
 * Classifies the traces that a batch at the head has finished, in the transaction that adds it: they are seen together with what happened
 * in them. Where that does not work, or is too much, it is left to the classifier, for which they wait on the list.
 */
export const createClassifyAtOnce =
  ({ logger, onFault }: { readonly logger: Logger; readonly onFault: OnFault }): ClassifyCommitted =>
  async (client, { units, linked }) => {
    const seqnos = new Set(linked.finished.map(({ endSeqno }) => endSeqno))
    if (seqnos.size === 0 || seqnos.size > MAX_BLOCKS || countTransactions(linked) > MAX_TRANSACTIONS) return
    await client.query('SAVEPOINT classify')
    try {
      const added = new Set(units.map(({ seqno }) => seqno))
      await classifyWaiting(client, { maxBlocks: seqnos.size, onFault, added })
    } catch (error) {
      // A connection that is lost fails here, too.
      await client.query('ROLLBACK TO SAVEPOINT classify')
      logger.warn('traces could not be classified at once', { error })
    }
    await client.query('RELEASE SAVEPOINT classify')
  }

const countTransactions = ({ finished }: IndexBatch['linked']): number =>
  finished.reduce((sum, { transactions }) => sum + transactions, 0)

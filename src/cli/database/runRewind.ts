import { Classifier } from '../../indexer/classify/Classifier.ts'
import { LeaseHeldError } from '../../store/errors.ts'
import { rewindIndex } from '../../store/maintenance/rewindIndex.ts'
import { addUnclassifiedRange } from '../../store/writer/actions.ts'
import { readRanges } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { expectRange, UsageError } from '../errors.ts'
import { letFinish, type OpenIndex, openIndex, takeLease } from './openIndex.ts'

const MAX_SEQNO = 2 ** 31 - 1
// A rewind is one transaction of any length.
const NO_LIMIT = 0

/** Deletes everything indexed above a masterchain block. */
export const runRewind = async (context: CommandContext, words: readonly string[]): Promise<void> => {
  const seqno = readSeqno(words)
  const index = await openIndex(context, { writeTimeoutMs: NO_LIMIT })
  await letFinish(context.shutdown, 'rewinding', rewind(context, index, seqno))
}

const rewind = async (context: CommandContext, { database, ranges }: OpenIndex, seqno: number): Promise<void> => {
  const { logger, show } = context
  const above = ranges
    .filter(({ lastSeqno }) => lastSeqno > seqno)
    .map(({ firstSeqno, lastSeqno }) => ({ first: Math.max(firstSeqno, seqno + 1), last: lastSeqno }))
  if (above.length > 0) {
    const lease = await takeLease(context, database)
    try {
      logger.info('rewinding index', { seqno })
      await rewindIndex(database, seqno, lease)
    } finally {
      await lease.release()
    }
  }
  const left = (await database.transaction(readRanges)).map(({ firstSeqno, lastSeqno }) => ({
    first: firstSeqno,
    last: lastSeqno,
  }))
  show({
    text: [
      above.length === 0
        ? `There is nothing above masterchain block ${seqno}.`
        : `Masterchain blocks ${formatRanges(above)} are taken back.`,
      left.length === 0 ? 'No block is covered now.' : `Covered are ${formatRanges(left)}.`,
    ].join('\n'),
    value: { seqno, takenBack: above, ranges: left },
  })
}

const formatRanges = (ranges: readonly { readonly first: number; readonly last: number }[]): string =>
  ranges.map(({ first, last }) => `${first} to ${last}`).join(', ')

const readSeqno = ([word]: readonly string[]): number => {
  const seqno = word !== undefined && /^\d{1,10}$/.test(word) ? Number(word) : undefined
  if (seqno !== undefined && seqno <= MAX_SEQNO) return seqno
  const came = word === undefined ? 'got none' : `got ${JSON.stringify(word)}`
  throw new UsageError(
    `Expected the seqno of a masterchain block for rewind, but ${came}.`,
    'Usage: chaincenter db rewind 1000',
  )
}

/** Classifies the traces that ended in a range of blocks again, without indexing the blocks. */
export const runReclassify = async (context: CommandContext): Promise<void> => {
  expectRange(context.config)
  const { database } = await openIndex(context)
  const { from, to = MAX_SEQNO } = context.config
  const blocks = await database.transaction((client) => addUnclassifiedRange(client, from, to))
  const work = async (): Promise<void> => {
    const classifier = await classify(context, database)
    context.show({
      text:
        classifier === undefined
          ? `${blocks} blocks are on the list. The indexer that is at work classifies them.`
          : `${classifier.traces} traces of ${blocks} blocks are classified: ${classifier.actions} actions.`,
      value: { blocks, traces: classifier?.traces, actions: classifier?.actions },
    })
  }
  await letFinish(context.shutdown, 'classifying', work())
}

/** `undefined` if a running indexer does the work. */
const classify = async (
  context: CommandContext,
  database: Awaited<ReturnType<typeof openIndex>>['database'],
): Promise<Classifier | undefined> => {
  const { logger, shutdown } = context
  const lease = await takeLease(context, database).catch((error: unknown) => {
    if (error instanceof LeaseHeldError) return undefined
    throw error
  })
  if (lease === undefined) return undefined
  try {
    const classifier = new Classifier({ database, lease, logger, untilDone: true })
    await classifier.run(shutdown.signal)
    return classifier
  } finally {
    await lease.release()
  }
}

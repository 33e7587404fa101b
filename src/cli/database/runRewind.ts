import { rewindIndex } from '../../store/maintenance/rewindIndex.ts'
import { readRanges } from '../../store/writer/indexState.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { letFinish } from './letFinish.ts'
import { type OpenIndex, openIndex } from './openIndex.ts'
import { takeLease } from './takeLease.ts'

const MAX_SEQNO = 2 ** 31 - 1
// It is one transaction, however much it takes back.
const NO_LIMIT = 0

/** Takes back all that was indexed above a masterchain block. */
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
      logger.info('going back', { seqno })
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
  const came = word === undefined ? 'nothing came' : `${JSON.stringify(word)} came`
  throw new UsageError(
    `rewind takes the seqno of the masterchain block to go back to, and ${came}.`,
    'Use it like this: chaincenter db rewind 1000',
  )
}

import { findMessageEnds } from '../../../store/reader/messageEnds.ts'
import { findFinished, type PendingQuestion, type PendingTrace } from '../../../store/reader/pending.ts'
import { keyText } from '../../../store/reader/TransactionRecord.ts'
import type { V3Context } from '../V3Context.ts'

/**
 * The traces that the index does not show yet, or the actions of which it does not, those with the largest logical time first. The index is asked after them, so one that is
 * finished meanwhile is in the one answer or in the other, and in none twice.
 */
export const readPending = async (
  context: V3Context,
  question: PendingQuestion,
  shown: 'traces' | 'actions',
): Promise<PendingTrace[]> => {
  const found = await context.pending.find(question)
  const finished = await findFinishedOf(context, found, shown)
  return found
    .filter((trace) => !finished.has(trace))
    .map((trace) => ({ trace, lt: lastLt(trace) }))
    .sort((a, b) => (a.lt === b.lt ? 0 : a.lt > b.lt ? -1 : 1))
    .map(({ trace }) => trace)
}

const lastLt = ({ transactions }: PendingTrace): bigint =>
  transactions.reduce((most, { lt }) => (lt > most ? lt : most), 0n)

const findFinishedOf = async (
  { lists }: V3Context,
  traces: readonly PendingTrace[],
  shown: 'traces' | 'actions',
): Promise<ReadonlySet<PendingTrace>> => {
  if (traces.length === 0) return new Set()
  // One that is still foreseen here may have begun there.
  const foreseen = traces.filter(({ traceId }) => traceId === undefined)
  const hashes = foreseen.flatMap(({ externalHash, externalHashNorm }) => [externalHash, externalHashNorm])
  const ends = hashes.length === 0 ? [] : await findMessageEnds(lists, hashes)
  const ids = traces.flatMap(({ traceId }) => (traceId === undefined ? [] : [traceId]))
  const known = await findFinished(lists, [...ids, ...ends.map(({ traceId }) => traceId)])
  // The index lists traces that are finished, but actions only when it is said which.
  const listed = shown === 'traces' ? known : known.filter(({ isClassified }) => isClassified)
  const finished = new Set(listed.map(({ traceId }) => keyText(traceId)))
  const began = new Map(ends.map(({ messageHash, traceId }) => [keyText(messageHash), traceId]))
  return new Set(
    traces.filter(({ traceId, externalHash, externalHashNorm }) => {
      const id = traceId ?? began.get(keyText(externalHash)) ?? began.get(keyText(externalHashNorm))
      return id !== undefined && finished.has(keyText(id))
    }),
  )
}

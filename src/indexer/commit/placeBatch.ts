import type { CoveredRange } from '../../store/ranges/coveredRanges.ts'
import type { IndexBatch } from '../IndexBatch.ts'
import { BatchOutOfPlaceError, StaleIndexError } from './errors.ts'

/** Where a batch goes: right above a covered range, right below one, or away from all of them. */
export type Side = 'above' | 'below' | 'new'

export type BatchPlace = {
  readonly firstSeqno: number
  readonly lastSeqno: number
  /** The ranges that it touches. Where there are both, they become one. */
  readonly below: CoveredRange | undefined
  readonly above: CoveredRange | undefined
}

/** The ranges that consecutive units touch. They must not be covered already, and lie where they are said to. */
export const placeBatch = (
  { units }: Pick<IndexBatch, 'units'>,
  ranges: readonly CoveredRange[],
  side: Side,
  retainedFrom: number,
): BatchPlace => {
  const firstSeqno = units[0]?.seqno
  if (firstSeqno === undefined) throw new BatchOutOfPlaceError('A batch without blocks has no place.')
  units.forEach(({ seqno }, k) => {
    if (seqno === firstSeqno + k) return
    throw new BatchOutOfPlaceError(`Masterchain block ${firstSeqno + k} was expected in a batch, but ${seqno} came.`)
  })
  const lastSeqno = firstSeqno + units.length - 1
  const what = `Masterchain blocks ${firstSeqno} to ${lastSeqno}`
  if (firstSeqno < retainedFrom) {
    throw new BatchOutOfPlaceError(`${what} are below ${retainedFrom}, from which on blocks are kept.`)
  }
  const covered = ranges.find((range) => range.firstSeqno <= lastSeqno && range.lastSeqno >= firstSeqno)
  if (covered !== undefined) {
    throw new BatchOutOfPlaceError(`${what} are partly there: ${covered.firstSeqno} to ${covered.lastSeqno} are.`)
  }
  const below = ranges.find((range) => range.lastSeqno === firstSeqno - 1)
  const above = ranges.find((range) => range.firstSeqno === lastSeqno + 1)
  const isThere = {
    above: below !== undefined,
    below: above !== undefined,
    new: below === undefined && above === undefined,
  }
  if (!isThere[side]) {
    const there = ranges.map((range) => `${range.firstSeqno} to ${range.lastSeqno}`).join(', ') || 'nothing'
    throw new BatchOutOfPlaceError(`${what} were to be indexed as ${expectation[side]}, but there is ${there}.`)
  }
  return { firstSeqno, lastSeqno, below, above }
}

const expectation: Readonly<Record<Side, string>> = {
  above: 'those right above a range',
  below: 'those right below a range',
  new: 'those that touch no range',
}

/**
 * Checks that the ranges are still those that a batch was linked with. Where a write was lost with its server, or a range was cut by
 * somebody else, messages would be taken for received or under way that are not.
 */
export const expectNeighbours = ({ neighbours }: Pick<IndexBatch, 'neighbours'>, place: BatchPlace): void => {
  if (neighbours === undefined) return
  for (const side of ['below', 'above'] as const) {
    const linked = neighbours[side]
    const found = place[side]
    if (linked?.first === found?.firstSeqno && linked?.last === found?.lastSeqno) continue
    const expected = linked === undefined ? 'nothing' : `${linked.first} to ${linked.last}`
    const there = found === undefined ? 'nothing' : `${found.firstSeqno} to ${found.lastSeqno}`
    throw new StaleIndexError(
      `Masterchain blocks ${place.firstSeqno} to ${place.lastSeqno} were linked with ${expected} ${side} them, but there is ${there}.`,
    )
  }
}

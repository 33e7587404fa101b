import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import {
  type CoveredRange,
  createIndexState,
  findIndexState,
  type IndexState,
  readRanges,
} from '../../store/writer/indexState.ts'
import type { IndexBatch } from '../IndexBatch.ts'

type CommitErrorCode = 'batch_out_of_place' | 'chain_broken' | 'index_state_stale' | 'other_accounts' | 'other_network'

/** What was to be written does not go with what is there. Nothing of it was written. */
abstract class CommitError extends CodedError {
  abstract override readonly code: CommitErrorCode
}

/** A batch does not lie where it was said to, or blocks of it are there already. */
export class BatchOutOfPlaceError extends CommitError {
  readonly code = 'batch_out_of_place'
}

/** A block does not follow the one before it. */
export class BrokenChainError extends CommitError {
  readonly code = 'chain_broken'
}

/** The rows are not those that the batch was made for. Whoever made it has to load the state of the index anew. */
export class StaleIndexError extends CommitError {
  readonly code = 'index_state_stale'
}

/** The database is an index of something else. */
export class OtherNetworkError extends CommitError {
  readonly code = 'other_network'
}

/** The database holds other accounts than those that are to be watched. */
export class OtherAccountsError extends CommitError {
  readonly code = 'other_accounts'
}

export type LoadOptions = {
  /** Hash of the network's zero state: what tells it from all others. */
  readonly zeroState: Uint8Array
  /** For a database that is not in use yet; a partition cannot be made wider or narrower afterwards. */
  readonly partitionWidth: number
  /** `undefined` where all accounts are kept. */
  readonly watchedAccounts: readonly Uint8Array[] | undefined
}

export type LoadedIndex = {
  readonly state: IndexState
  /** The lowest first. */
  readonly ranges: readonly CoveredRange[]
}

/** How far the index is. A database that was not in use yet is taken; one that is an index of something else is refused. */
export const loadIndexState = (
  database: Pick<Database, 'transaction'>,
  { zeroState, partitionWidth, watchedAccounts }: LoadOptions,
): Promise<LoadedIndex> =>
  database.transaction(async (client) => {
    await createIndexState(client, { zeroState, partitionWidth, watchedAccounts, retainedFrom: 0 })
    const state = (await findIndexState(client))!
    checkNetwork(state, zeroState)
    checkAccounts(state, watchedAccounts)
    return { state, ranges: await readRanges(client) }
  })

/** Refuses a source that is of another network than the index. */
export const checkNetwork = (state: Pick<IndexState, 'zeroState'>, zeroState: Uint8Array): void => {
  if (bytesEqual(state.zeroState, zeroState)) return
  throw new OtherNetworkError(
    `The database is an index of the network whose zero state is ${toHex(state.zeroState)}, and the source is of ${toHex(zeroState)}. Name another database with --database-url or another folder with --data-dir, or drop this database if its network is no more.`,
  )
}

const checkAccounts = (state: IndexState, watched: readonly Uint8Array[] | undefined): void => {
  if (sortedText(state.watchedAccounts) === sortedText(watched)) return
  const count = (accounts: readonly Uint8Array[] | undefined): string =>
    accounts === undefined ? 'all accounts' : accounts.length === 1 ? 'one account' : `${accounts.length} accounts`
  throw new OtherAccountsError(
    `The database holds ${count(state.watchedAccounts)}, which are not the ${count(watched)} to be watched. An index cannot change that: name the same accounts, or another database.`,
  )
}

const sortedText = (accounts: readonly Uint8Array[] | undefined): string | undefined =>
  accounts && [...accounts].sort(compareBytes).map(toHex).join()

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

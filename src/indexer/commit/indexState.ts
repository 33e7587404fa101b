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

/** A batch does not fit the index. Nothing of it was written. */
abstract class CommitError extends CodedError {
  abstract override readonly code: CommitErrorCode
}

/** A batch is not where it should be, or blocks of it are indexed already. */
export class BatchPositionError extends CommitError {
  readonly code = 'batch_out_of_place'
}

/** A block does not follow the one before it. */
export class BrokenChainError extends CommitError {
  readonly code = 'chain_broken'
}

/** The index is not the one that the batch was made for. The caller has to reload the index state. */
export class StaleIndexError extends CommitError {
  readonly code = 'index_state_stale'
}

/** The database is an index of another network. */
export class OtherNetworkError extends CommitError {
  readonly code = 'other_network'
}

/** The database is an index of other accounts than those to be watched. */
export class OtherAccountsError extends CommitError {
  readonly code = 'other_accounts'
}

export type LoadOptions = {
  /** Hash of the zero state, which identifies the network. */
  readonly zeroState: Uint8Array
  /** For a new index; partitions cannot be resized afterwards. */
  readonly partitionWidth: number
  /** `undefined` if all accounts are indexed. */
  readonly watchedAccounts: readonly Uint8Array[] | undefined
}

export type LoadedIndex = {
  readonly state: IndexState
  /** The lowest first. */
  readonly ranges: readonly CoveredRange[]
}

/** Loads the index state. Initialises an unused database; refuses an index of something else. */
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

/** Refuses a source of another network. */
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

/** Position of a batch: directly above a covered range, directly below one, or apart from all. */
export type Side = 'above' | 'below' | 'new'

export type BatchPosition = {
  readonly firstSeqno: number
  readonly lastSeqno: number
  /** The adjacent ranges. With both, they become one. */
  readonly below: CoveredRange | undefined
  readonly above: CoveredRange | undefined
}

/** Finds the ranges adjacent to consecutive block sets. They must not be covered yet and be where the caller says. */
export const locateBatch = (
  { blockSets }: Pick<IndexBatch, 'blockSets'>,
  ranges: readonly CoveredRange[],
  side: Side,
  retainedFrom: number,
): BatchPosition => {
  const firstSeqno = blockSets[0]?.seqno
  if (firstSeqno === undefined) throw new BatchPositionError('The batch is empty.')
  blockSets.forEach(({ seqno }, k) => {
    if (seqno === firstSeqno + k) return
    throw new BatchPositionError(`Expected masterchain block ${firstSeqno + k} in the batch, but got ${seqno}.`)
  })
  const lastSeqno = firstSeqno + blockSets.length - 1
  const what = `Masterchain blocks ${firstSeqno} to ${lastSeqno}`
  if (firstSeqno < retainedFrom) {
    throw new BatchPositionError(`${what} are below the retained history, which starts at ${retainedFrom}.`)
  }
  const covered = ranges.find((range) => range.firstSeqno <= lastSeqno && range.lastSeqno >= firstSeqno)
  if (covered !== undefined) {
    throw new BatchPositionError(`${what} are partly indexed: ${covered.firstSeqno} to ${covered.lastSeqno}.`)
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
    throw new BatchPositionError(`${what} were to be indexed as ${expectation[side]}, but there is ${there}.`)
  }
  return { firstSeqno, lastSeqno, below, above }
}

const expectation: Readonly<Record<Side, string>> = {
  above: 'those right above a range',
  below: 'those right below a range',
  new: 'those that touch no range',
}

/**
 * Checks that the adjacent ranges are those that a batch was linked with. If a write was lost with its server, or a range was cut
 * by another process, messages would wrongly count as received or pending.
 */
export const expectNeighbours = ({ neighbours }: Pick<IndexBatch, 'neighbours'>, position: BatchPosition): void => {
  if (neighbours === undefined) return
  for (const side of ['below', 'above'] as const) {
    const linked = neighbours[side]
    const found = position[side]
    if (linked?.first === found?.firstSeqno && linked?.last === found?.lastSeqno) continue
    const expected = linked === undefined ? 'nothing' : `${linked.first} to ${linked.last}`
    const there = found === undefined ? 'nothing' : `${found.firstSeqno} to ${found.lastSeqno}`
    throw new StaleIndexError(
      `Masterchain blocks ${position.firstSeqno} to ${position.lastSeqno} were linked with ${expected} ${side} them, found ${there}.`,
    )
  }
}

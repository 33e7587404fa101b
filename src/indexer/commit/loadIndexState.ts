import { bytesEqual, compareBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { type CoveredRange, readRanges } from '../../store/ranges/coveredRanges.ts'
import { createIndexState, findIndexState, type IndexState } from '../../store/writer/indexState.ts'
import { OtherAccountsError, OtherNetworkError } from './errors.ts'

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

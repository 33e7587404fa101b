import type { Database } from '../../store/connect/Database.ts'
import { findIndexState } from '../../store/writer/indexState.ts'
import type { DecodedUnit } from '../DecodedUnit.ts'
import { decodeUnit } from '../decode/decodeUnit.ts'
import { WatchedAccounts } from '../decode/WatchedAccounts.ts'
import type { UnitSource } from '../ports.ts'

/**
 * Reads units from a source as the index in a database has them: where it holds only some accounts, with theirs alone. No hash of
 * a transaction is taken on trust.
 */
export const createUnitReader = async (
  database: Pick<Database, 'transaction'>,
  source: Pick<UnitSource, 'fetchUnit'>,
): Promise<(seqno: number, signal: AbortSignal) => Promise<DecodedUnit>> => {
  const state = await database.transaction(findIndexState)
  const watched = state?.watchedAccounts && new WatchedAccounts(state.watchedAccounts)
  return async (seqno, signal) => decodeUnit(await source.fetchUnit(seqno, signal), { watched, hashesAnew: true })
}

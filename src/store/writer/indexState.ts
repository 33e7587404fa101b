import type pg from 'pg'

/** What a database is an index of. */
export type IndexState = {
  readonly zeroState: Uint8Array
  readonly partitionWidth: number
  /** Blocks below it were indexed once and dropped since. */
  readonly retainedFrom: number
  /** `undefined` where all accounts are kept. */
  readonly watchedAccounts: readonly Uint8Array[] | undefined
}

/** `undefined` where nothing was ever indexed. */
export const findIndexState = async (client: pg.ClientBase): Promise<IndexState | undefined> => {
  const { rows } = await client.query<{
    zero_state: Uint8Array
    partition_width: number
    retained_from: number
    watched_accounts: Uint8Array[] | null
  }>('SELECT zero_state, partition_width, retained_from, watched_accounts FROM index_state')
  const row = rows[0]
  return (
    row && {
      zeroState: row.zero_state,
      partitionWidth: row.partition_width,
      retainedFrom: row.retained_from,
      watchedAccounts: row.watched_accounts ?? undefined,
    }
  )
}

/** Of several who begin at once the first decides. */
export const createIndexState = async (client: pg.ClientBase, state: IndexState): Promise<void> => {
  await client.query(
    `INSERT INTO index_state (zero_state, partition_width, retained_from, watched_accounts)
     VALUES ($1, $2, $3, $4::bytea[]) ON CONFLICT DO NOTHING`,
    [state.zeroState, state.partitionWidth, state.retainedFrom, state.watchedAccounts],
  )
}

import type pg from 'pg'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { getI32BE, getU32BE, getU64BE, putU32BE, putU64BE } from '../../primitives/bytes.ts'

/** What the database is an index of. */
export type IndexState = {
  readonly zeroState: Uint8Array
  readonly partitionWidth: number
  /** Blocks below were indexed and dropped by retention. */
  readonly retainedFrom: number
  /** `undefined` if all accounts are indexed. */
  readonly watchedAccounts: readonly Uint8Array[] | undefined
}

/** `undefined` if nothing was ever indexed. */
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

/** If several processes start at once, the first decides. */
export const createIndexState = async (client: pg.ClientBase, state: IndexState): Promise<void> => {
  await client.query(
    `INSERT INTO index_state (zero_state, partition_width, retained_from, watched_accounts)
     VALUES ($1, $2, $3, $4::bytea[]) ON CONFLICT DO NOTHING`,
    [state.zeroState, state.partitionWidth, state.retainedFrom, state.watchedAccounts],
  )
}

// An arbitrary unique lock number: "indexing" as bytes.
const LOCK_KEY = 0x696e_6465_7869_6e67n

/** Serialises changes of the index. Held until the end of the transaction. */
export const lockIndex = async (client: pg.ClientBase): Promise<void> => {
  await client.query(lockIndexStatement)
}

/** The statement of {@link lockIndex}, to be sent together with others. */
export const lockIndexStatement = `SELECT pg_advisory_xact_lock(${LOCK_KEY})`

// "writings".
const WRITER_KEY = 0x7772_6974_696e_6773n

/**
 * Marks a transaction that holds rows for the index before its turn. A shared lock: it blocks nobody, and lets a hung writer be
 * found.
 */
export const markWriterStatement = `SELECT pg_advisory_xact_lock_shared(${WRITER_KEY})`

const HUNG_SECONDS = 5

/**
 * Terminates idle transactions that lock the index or hold rows for it. Only a leader writes, and it has lost its leadership when
 * another process calls this: it was stopped or disconnected. Otherwise the next leader would wait for minutes until the server
 * notices.
 */
export const endHungWriters = async (client: pg.ClientBase): Promise<void> => {
  await client.query(
    `SELECT pg_terminate_backend(a.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
       AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND ((l.classid::bigint << 32) | l.objid::bigint) = ANY ($1::bigint[])
       AND a.wait_event = 'ClientRead' AND a.xact_start < clock_timestamp() - make_interval(secs => $2)`,
    [[LOCK_KEY, WRITER_KEY], HUNG_SECONDS],
  )
}

/** A block outside a range that blocks of the range follow. */
export type EdgeBlock = Omit<BlockIdExt, 'fileHash'>

const EDGE_BYTES = 48

/** Workchain, shard, seqno and root hash, as stored. */
const encodeEdgeBlock = ({ workchain, shard, seqno, rootHash }: EdgeBlock): Uint8Array => {
  const bytes = new Uint8Array(EDGE_BYTES)
  putU32BE(bytes, 0, workchain)
  putU64BE(bytes, 4, shard)
  putU32BE(bytes, 12, seqno)
  bytes.set(rootHash, 16)
  return bytes
}

const decodeEdgeBlock = (bytes: Uint8Array): EdgeBlock => ({
  workchain: getI32BE(bytes, 0),
  shard: getU64BE(bytes, 4),
  seqno: getU32BE(bytes, 12),
  rootHash: bytes.slice(16),
})

/** Consecutive masterchain blocks that are completely indexed. */
export type CoveredRange = {
  readonly firstSeqno: number
  readonly lastSeqno: number
  readonly lowerEdge: readonly EdgeBlock[]
}

/** All ranges, lowest first. No two of them touch. */
export const readRanges = async (client: pg.ClientBase): Promise<readonly CoveredRange[]> => {
  const { rows } = await client.query<{ first_seqno: number; last_seqno: number; lower_edge: Uint8Array[] }>(
    'SELECT first_seqno, last_seqno, lower_edge FROM covered_ranges ORDER BY first_seqno',
  )
  return rows.map(({ first_seqno, last_seqno, lower_edge }) => ({
    firstSeqno: first_seqno,
    lastSeqno: last_seqno,
    lowerEdge: lower_edge.map(decodeEdgeBlock),
  }))
}

/** Replaces all ranges that lie within a range. */
export const writeRange = async (
  client: pg.ClientBase,
  { firstSeqno, lastSeqno, lowerEdge }: CoveredRange,
): Promise<void> => {
  await client.query('DELETE FROM covered_ranges WHERE first_seqno BETWEEN $1 AND $2', [firstSeqno, lastSeqno])
  await client.query('INSERT INTO covered_ranges (first_seqno, last_seqno, lower_edge) VALUES ($1, $2, $3::bytea[])', [
    firstSeqno,
    lastSeqno,
    lowerEdge.map(encodeEdgeBlock),
  ])
}

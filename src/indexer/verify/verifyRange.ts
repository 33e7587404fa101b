import type pg from 'pg'
import { NodeAnswerError } from '../../chain/errors.ts'
import { PackedCellError, unpackCell } from '../../codec/stored/packCell.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { hashKey } from '../../store/schema/codes.ts'
import { idParts, isAnyId } from '../../store/schema/idParts.ts'
import type { PartitionMap } from '../../store/schema/PartitionMap.ts'
import { tables } from '../../store/schema/tables.ts'
import { RowEncoder } from '../../store/writer/copyRows.ts'
import { findIndexState, readRanges } from '../../store/writer/indexState.ts'
import { readPartitionMap } from '../../store/writer/partitions.ts'
import type { DecodedBlockSet } from '../blockSets.ts'
import { decodeBlockSet, digestRows } from '../decode/decodeBlockSet.ts'
import { WatchedAccounts } from '../decode/findTransactions.ts'
import type { BlockSetSource } from '../ports.ts'
import { SourceAnswerError } from '../sources/checkRawBlock.ts'
import { readStoredRows, type StoredRows } from './storedRows.ts'

const transactions = new RowEncoder(tables.transactions)
const messages = new RowEncoder(tables.unreceived_messages)
const NO_TRACE_ID = new Uint8Array(32)

/**
 * The digest of the stored rows of a masterchain block: equal to that of `indexed_blocks` unless something was changed or lost.
 */
const digestStored = (rows: StoredRows): Uint8Array => {
  for (const row of rows.transactions) transactions.add({ ...row, large: inOrder(row.large), trace_id: NO_TRACE_ID })
  for (const row of rows.messages) messages.add({ ...row, large: inOrder(row.large), trace_id: NO_TRACE_ID })
  return digestRows({
    blocks: rows.blocks,
    shardTops: rows.shardTops,
    transactions: { rows: { bytes: transactions.take() } },
    messages: { rows: { bytes: messages.take() } },
  })
}

// jsonb sorts its keys; decoding writes them in column order.
const LARGE_COLUMNS = ['total_fees', 'balance', 'in_value', 'in_fwd_fee', 'in_ihr_fee', 'value', 'fwd_fee', 'ihr_fee']

const inOrder = (large: StoredRows['transactions'][number]['large']): Record<string, string> | null => {
  if (large === null) return null
  const given = large as Record<string, string>
  return Object.fromEntries(LARGE_COLUMNS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}

/** A fault in the rows of a masterchain block. */
export type Fault =
  /** The block is covered, but its indexed_blocks row is missing. */
  | 'block_missing'
  /** The rows differ from those written. */
  | 'rows_changed'
  /** The rows are as written, but differ from the source. */
  | 'source_differs'
  /** The block is damaged in the source. */
  | 'source_damaged'
  /** A transaction cannot be found by its hash. */
  | 'lookup_missing'
  /** A body or an initial state is missing or does not match its hash. */
  | 'content_missing'
  /** A message is stored both as received and unreceived. */
  | 'message_doubled'

export type Finding = {
  readonly seqno: number
  readonly fault: Fault
  /** More detail, such as the damaged file. */
  readonly detail?: string
}

export type VerifyOptions = {
  readonly firstSeqno: number
  readonly lastSeqno: number
  /** Reads block sets of the source: see createBlockSetReader. Without it, only the database is checked. */
  readonly fetchBlockSet?:
    | ((seqno: number, signal: AbortSignal) => Promise<Pick<DecodedBlockSet, 'digest'>>)
    | undefined
  readonly signal: AbortSignal
  readonly onFinding: (finding: Finding) => void
  /** Called after each step with the last verified block. */
  readonly onProgress?: (seqno: number) => void
}

export type Verified = { readonly blocks: number; readonly transactions: number; readonly findings: number }

const STEP = 32

/** Verifies every covered block in a range: whether its rows are complete and unchanged. Writes continue meanwhile. */
export const verifyRange = async (
  database: Pick<Database, 'transaction'>,
  { firstSeqno, lastSeqno, fetchBlockSet, signal, onFinding, onProgress }: VerifyOptions,
): Promise<Verified> => {
  const total = { blocks: 0, transactions: 0, findings: 0 }
  for (let at = firstSeqno; at <= lastSeqno; at += STEP) {
    signal.throwIfAborted()
    const end = Math.min(at + STEP - 1, lastSeqno)
    const checked = await database.transaction((client) => checkStep(client, at, end))
    for (const { seqno, transactions, digest, faults } of checked) {
      total.blocks++
      total.transactions += transactions
      const all: Finding[] = faults.map((fault) => ({ seqno, fault }))
      if (fetchBlockSet !== undefined && digest !== undefined && !faults.includes('rows_changed')) {
        all.push(...(await compareWithSource(seqno, digest, fetchBlockSet, signal)))
      }
      total.findings += all.length
      for (const finding of all) onFinding(finding)
    }
    onProgress?.(end)
  }
  return total
}

const compareWithSource = async (
  seqno: number,
  digest: Uint8Array,
  fetchBlockSet: NonNullable<VerifyOptions['fetchBlockSet']>,
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  try {
    return bytesEqual((await fetchBlockSet(seqno, signal)).digest, digest) ? [] : [{ seqno, fault: 'source_differs' }]
  } catch (error) {
    if (!(error instanceof NodeAnswerError || error instanceof SourceAnswerError)) throw error
    return [{ seqno, fault: 'source_damaged', detail: error.message }]
  }
}

type CheckedBlock = {
  readonly seqno: number
  readonly transactions: number
  readonly digest: Uint8Array | undefined
  readonly faults: readonly Fault[]
}

const checkStep = async (client: pg.ClientBase, first: number, last: number): Promise<readonly CheckedBlock[]> => {
  // All queries see one snapshot.
  await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(
    'SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off; SET LOCAL enable_seqscan TO off',
  )
  const ranges = await readRanges(client)
  const state = await findIndexState(client)
  if (state === undefined || !ranges.some((range) => range.firstSeqno <= last && range.lastSeqno >= first)) return []
  const blockSets = await readStoredRows(client, first, last)
  const digests = await readDigests(client, first, last)
  const lookups = await readLookups(client, blockSets)
  const partitions = await readPartitionMap(client)
  const contents = await readContents(client, blockSets, partitions)
  return blockSets.flatMap((blockSet) => {
    const range = ranges.find(
      ({ firstSeqno, lastSeqno }) => firstSeqno <= blockSet.seqno && lastSeqno >= blockSet.seqno,
    )
    if (range === undefined) return []
    const digest = digests.get(blockSet.seqno)
    const faults: Fault[] = []
    if (digest === undefined) faults.push('block_missing')
    else if (!bytesEqual(digestStored(blockSet), digest)) faults.push('rows_changed')
    if (blockSet.transactions.some((row) => !lookups.has(lookupOf(row)))) faults.push('lookup_missing')
    const place = partitions.find(blockSet.seqno)?.start
    if (contentsOf(blockSet).some((hash) => !contents.has(`${place} ${toHex(hash)}`))) faults.push('content_missing')
    // A message sent and received in different ranges is stored twice until they meet.
    const isInRange = (seqno: number): boolean => seqno >= range.firstSeqno && seqno <= range.lastSeqno
    if (blockSet.doubled.some(isInRange)) faults.push('message_doubled')
    return [{ seqno: blockSet.seqno, transactions: blockSet.transactions.length, digest, faults }]
  })
}

const readDigests = async (
  client: pg.ClientBase,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, Uint8Array>> => {
  const { rows } = await client.query<{ mc_seqno: number; digest: Uint8Array }>(
    'SELECT mc_seqno, digest FROM indexed_blocks WHERE mc_seqno BETWEEN $1 AND $2',
    [first, last],
  )
  return new Map(rows.map(({ mc_seqno, digest }) => [mc_seqno, digest]))
}

const lookupOf = ({ hash, lt, mc_seqno }: StoredRows['transactions'][number]): string =>
  `${hashKey(hash)} ${lt} ${mc_seqno}`

const readLookups = async (client: pg.ClientBase, blockSets: readonly StoredRows[]): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ hash_key: bigint; lt: bigint; mc_seqno: number }>(
    'SELECT hash_key, lt, mc_seqno FROM transaction_lookup WHERE hash_key = ANY ($1::bigint[])',
    [blockSets.flatMap(({ transactions }) => transactions.map(({ hash }) => hashKey(hash)))],
  )
  return new Set(rows.map(({ hash_key, lt, mc_seqno }) => `${hash_key} ${lt} ${mc_seqno}`))
}

/** The contents that the partition of a block set must have: those of its received and sent messages. */
const contentsOf = ({ transactions, messages }: StoredRows): readonly Uint8Array[] =>
  [
    ...transactions.flatMap((row) => [row.in_body_hash, row.in_init_hash]),
    ...messages.flatMap((row) => [row.body_hash, row.init_hash]),
  ].filter((hash) => hash !== null)

const readContents = async (
  client: pg.ClientBase,
  blockSets: readonly StoredRows[],
  partitions: PartitionMap,
): Promise<ReadonlySet<string>> => {
  const hashes = blockSets.flatMap(contentsOf)
  const { rows } = await client.query<{ mc_seqno: number; hash: Uint8Array; content: Uint8Array }>(
    `SELECT mc_seqno, hash, content FROM message_contents WHERE ${isAnyId('hash', '$1', '$3')} AND mc_seqno = ANY ($2::int[])`,
    [hashes, [...new Set(blockSets.map(({ seqno }) => partitions.find(seqno)?.start ?? seqno))], idParts(hashes)],
  )
  const sound = rows.filter(({ hash, content }) => isContentOf(hash, content))
  return new Set(sound.map(({ mc_seqno, hash }) => `${mc_seqno} ${toHex(hash)}`))
}

const isContentOf = (hash: Uint8Array, content: Uint8Array): boolean => {
  try {
    return bytesEqual(unpackCell(content).hash(), hash)
  } catch (error) {
    if (error instanceof PackedCellError) return false
    throw error
  }
}

/**
 * Reads block sets from a source for comparison with an index: only the watched accounts, and with computed transaction hashes.
 */
export const createBlockSetReader = async (
  database: Pick<Database, 'transaction'>,
  source: Pick<BlockSetSource, 'fetchBlockSet'>,
): Promise<(seqno: number, signal: AbortSignal) => Promise<DecodedBlockSet>> => {
  const state = await database.transaction(findIndexState)
  const watched = state?.watchedAccounts && new WatchedAccounts(state.watchedAccounts)
  return async (seqno, signal) =>
    decodeBlockSet(await source.fetchBlockSet(seqno, signal), { watched, hashesAnew: true })
}

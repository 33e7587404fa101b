import type pg from 'pg'
import { NodeAnswerError } from '../../chain/errors.ts'
import { PackedCellError, unpackCell } from '../../codec/stored/packCell.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../../store/connect/Database.ts'
import { hashKey } from '../../store/schema/codes.ts'
import { partitionStart, tables } from '../../store/schema/tables.ts'
import { RowEncoder } from '../../store/writer/copyRows.ts'
import { findIndexState, readRanges } from '../../store/writer/indexState.ts'
import type { DecodedUnit } from '../blockSets.ts'
import { decodeUnit, digestRows } from '../decode/decodeBlockSet.ts'
import { WatchedAccounts } from '../decode/findTransactions.ts'
import type { UnitSource } from '../ports.ts'
import { SourceAnswerError } from '../sources/checkRawBlock.ts'
import { readUnitRows, type UnitRows } from './storedRows.ts'

const transactions = new RowEncoder(tables.transactions)
const messages = new RowEncoder(tables.unreceived_messages)
const NO_TRACE_ID = new Uint8Array(32)

/** The digest of what the database has of a masterchain block: that of `indexed_blocks` where nothing was changed or lost. */
const digestStored = (rows: UnitRows): Uint8Array => {
  for (const row of rows.transactions) transactions.add({ ...row, large: inOrder(row.large), trace_id: NO_TRACE_ID })
  for (const row of rows.messages) messages.add({ ...row, large: inOrder(row.large), trace_id: NO_TRACE_ID })
  return digestRows({
    blocks: rows.blocks,
    shardTops: rows.shardTops,
    transactions: { rows: { bytes: transactions.take() } },
    messages: { rows: { bytes: messages.take() } },
  })
}

// The database keeps the names in an order of its own; decoding writes them in the order of the columns.
const LARGE_COLUMNS = ['total_fees', 'balance', 'in_value', 'in_fwd_fee', 'in_ihr_fee', 'value', 'fwd_fee', 'ihr_fee']

const inOrder = (large: UnitRows['transactions'][number]['large']): Record<string, string> | null => {
  if (large === null) return null
  const given = large as Record<string, string>
  return Object.fromEntries(LARGE_COLUMNS.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))
}

/** What is wrong with the rows of a masterchain block. */
export type Fault =
  /** The block counts as covered, but nothing says that it was indexed. */
  | 'block_missing'
  /** The rows are not those that were written. */
  | 'rows_changed'
  /** The rows are those that were written, but not those that the source has. */
  | 'source_differs'
  /** What the source has of the block is damaged. */
  | 'source_damaged'
  /** A transaction cannot be found by its hash. */
  | 'lookup_missing'
  /** A body or an initial state is missing, or not what its hash says. */
  | 'content_missing'
  /** A message counts as received and as not. */
  | 'message_doubled'

export type Finding = {
  readonly seqno: number
  readonly fault: Fault
  /** What is known besides, such as the file that is damaged. */
  readonly detail?: string
}

export type VerifyOptions = {
  readonly firstSeqno: number
  readonly lastSeqno: number
  /** What the source has: see createUnitReader. Without it, the database is held against itself. */
  readonly fetchUnit?: ((seqno: number, signal: AbortSignal) => Promise<Pick<DecodedUnit, 'digest'>>) | undefined
  readonly signal: AbortSignal
  readonly onFinding: (finding: Finding) => void
  /** After each step, with the last block that was looked at. */
  readonly onProgress?: (seqno: number) => void
}

export type Verified = { readonly blocks: number; readonly transactions: number; readonly findings: number }

const STEP = 32

/** Looks at every covered block between two: whether its rows are all there and what they were. Others may write meanwhile. */
export const verifyRange = async (
  database: Pick<Database, 'transaction'>,
  { firstSeqno, lastSeqno, fetchUnit, signal, onFinding, onProgress }: VerifyOptions,
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
      if (fetchUnit !== undefined && digest !== undefined && !faults.includes('rows_changed')) {
        all.push(...(await compareWithSource(seqno, digest, fetchUnit, signal)))
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
  fetchUnit: NonNullable<VerifyOptions['fetchUnit']>,
  signal: AbortSignal,
): Promise<readonly Finding[]> => {
  try {
    return bytesEqual((await fetchUnit(seqno, signal)).digest, digest) ? [] : [{ seqno, fault: 'source_differs' }]
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
  // All that is asked is of one moment.
  await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await client.query(
    'SET LOCAL enable_hashjoin TO off; SET LOCAL enable_mergejoin TO off; SET LOCAL enable_seqscan TO off',
  )
  const ranges = await readRanges(client)
  const state = await findIndexState(client)
  if (state === undefined || !ranges.some((range) => range.firstSeqno <= last && range.lastSeqno >= first)) return []
  const units = await readUnitRows(client, first, last)
  const digests = await readDigests(client, first, last)
  const lookups = await readLookups(client, units)
  const contents = await readContents(client, units, state.partitionWidth)
  return units.flatMap((unit) => {
    const range = ranges.find(({ firstSeqno, lastSeqno }) => firstSeqno <= unit.seqno && lastSeqno >= unit.seqno)
    if (range === undefined) return []
    const digest = digests.get(unit.seqno)
    const faults: Fault[] = []
    if (digest === undefined) faults.push('block_missing')
    else if (!bytesEqual(digestStored(unit), digest)) faults.push('rows_changed')
    if (unit.transactions.some((row) => !lookups.has(lookupOf(row)))) faults.push('lookup_missing')
    const place = partitionStart(unit.seqno, state.partitionWidth)
    if (contentsOf(unit).some((hash) => !contents.has(`${place} ${toHex(hash)}`))) faults.push('content_missing')
    // One that was sent in another range than it was received in is kept twice until they meet.
    const isInRange = (seqno: number): boolean => seqno >= range.firstSeqno && seqno <= range.lastSeqno
    if (unit.doubled.some(isInRange)) faults.push('message_doubled')
    return [{ seqno: unit.seqno, transactions: unit.transactions.length, digest, faults }]
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

const lookupOf = ({ hash, lt, mc_seqno }: UnitRows['transactions'][number]): string =>
  `${hashKey(hash)} ${lt} ${mc_seqno}`

const readLookups = async (client: pg.ClientBase, units: readonly UnitRows[]): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ hash_key: bigint; lt: bigint; mc_seqno: number }>(
    'SELECT hash_key, lt, mc_seqno FROM transaction_lookup WHERE hash_key = ANY ($1::bigint[])',
    [units.flatMap(({ transactions }) => transactions.map(({ hash }) => hashKey(hash)))],
  )
  return new Set(rows.map(({ hash_key, lt, mc_seqno }) => `${hash_key} ${lt} ${mc_seqno}`))
}

/** The contents that the partition of a unit must have: of what its transactions received and sent. */
const contentsOf = ({ transactions, messages }: UnitRows): readonly Uint8Array[] =>
  [
    ...transactions.flatMap((row) => [row.in_body_hash, row.in_init_hash]),
    ...messages.flatMap((row) => [row.body_hash, row.init_hash]),
  ].filter((hash) => hash !== null)

const readContents = async (
  client: pg.ClientBase,
  units: readonly UnitRows[],
  width: number,
): Promise<ReadonlySet<string>> => {
  const { rows } = await client.query<{ mc_seqno: number; hash: Uint8Array; content: Uint8Array }>(
    'SELECT mc_seqno, hash, content FROM message_contents WHERE hash = ANY ($1::bytea[]) AND mc_seqno = ANY ($2::int[])',
    [units.flatMap(contentsOf), [...new Set(units.map(({ seqno }) => partitionStart(seqno, width)))]],
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

import { join } from 'node:path'
import type pg from 'pg'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { Database } from '../connect/Database.ts'
import { endClient } from '../connect/openClient.ts'
import { toDatabaseError } from '../errors.ts'
import { listMigrations } from '../migrate/migrateDatabase.ts'
import { STORED_MESSAGE_KIND } from '../schema/codes.ts'
import { partitionedTables, partitionName } from '../schema/tables.ts'
import { copyChunks, RowEncoder } from '../writer/copyRows.ts'
import { findIndexState, lockIndex, readRanges } from '../writer/indexState.ts'
import type { Lease } from '../writer/lease.ts'
import { readPartitionMap } from '../writer/partitions.ts'
import { type ArchivedTable, archivedColumns, archivedTable } from './columns.ts'
import { ArchiveError, findDamage, listManifests, type Manifest, partitionFolder, type TableEntry } from './manifest.ts'
import { type ArchivedRow, type ParquetLibrary, readParquet } from './parquet.ts'
import { fixOutput, readFingerprint, rowsOf, type Span } from './tableRows.ts'

export type ImportedRows = { readonly start: number; readonly table: string; readonly rows: number }

export type ImportOptions = {
  readonly folder: string
  readonly parquet: ParquetLibrary
  readonly lease: Pick<Lease, 'guard'>
  readonly signal: AbortSignal
  /** Some rows of a table are read. */
  readonly onRows?: (rows: ImportedRows) => void
}

export type Imported = {
  readonly partitions: number
  readonly rows: number
  /** The lowest block of the index now. */
  readonly first: number | undefined
}

/**
 * Imports the partitions of an archive that adjoin the lowest block of the index, the newest first. Each appears whole or not at all: its
 * tables are filled apart, compared with the manifest, and then attached in one transaction.
 */
export const importPartitions = async (
  database: Pick<Database, 'openConnection'>,
  options: ImportOptions,
): Promise<Imported> => {
  const manifests = listManifests(options.folder)
  const client = await database.openConnection('import')
  try {
    await fixOutput(client)
    let rows = 0
    let partitions = 0
    for (const manifest of manifests) {
      const { isNext, first } = await placePartition(client, manifest)
      if (!isNext) continue
      await checkFiles(manifest, options)
      try {
        await fillTables(client, manifest, options)
        await attach(client, manifest, options)
      } catch (error) {
        await dropDetached(client, manifest).catch(() => undefined)
        throw error
      }
      partitions++
      rows += manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      if (first === manifest.first) break
    }
    const [range] = await readRanges(client)
    if (partitions === 0 && manifests.every(({ end }) => end !== range?.firstSeqno)) {
      const what = manifests.map(({ start, end }) => `${start} to ${end - 1}`).join(', ')
      throw new ArchiveError(
        `Nothing in ${options.folder} (${what === '' ? 'it is empty' : what}) ends below block ${range?.firstSeqno}, where the index begins.`,
      )
    }
    return { partitions, rows, first: range?.firstSeqno }
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

/** Whether a partition is the next one below the index. Refuses one of another index. */
const placePartition = async (
  client: pg.ClientBase,
  { end, zeroState, schema }: Manifest,
): Promise<{ readonly isNext: boolean; readonly first: number | undefined }> => {
  const state = await findIndexState(client)
  const [range] = await readRanges(client)
  if (state === undefined || range === undefined) {
    throw new ArchiveError(
      'Nothing is indexed yet: an archive holds history, and not the state of accounts. Index the newest blocks first.',
    )
  }
  if (toHex(state.zeroState) !== zeroState) throw new ArchiveError('The archive is of another network than the index.')
  const known = listMigrations().length
  if (schema !== known) {
    throw new ArchiveError(
      `The archive is of migration ${schema}, and the database of ${known}. Import it with the version that exported it, then migrate.`,
    )
  }
  return { isNext: range.firstSeqno === end, first: range.firstSeqno }
}

/** All files must be those that were written, before any row is. */
const checkFiles = async ({ start, tables }: Manifest, { folder, signal }: ImportOptions): Promise<void> => {
  for (const { files } of tables) {
    for (const file of files) {
      signal.throwIfAborted()
      const damage = await findDamage(partitionFolder(folder, start), file)
      if (damage !== undefined) throw new ArchiveError(damage)
    }
  }
}

const entryOf = ({ tables, start }: Manifest, table: ArchivedTable): TableEntry => {
  const entry = tables.find((each) => each.table === table)
  if (entry === undefined) throw new ArchiveError(`The archive of the partition ${start} has no table ${table}.`)
  return entry
}

const fillTables = async (client: pg.Client, manifest: Manifest, options: ImportOptions): Promise<void> => {
  await dropDetached(client, manifest)
  for (const table of partitionedTables) {
    const name = partitionName(table, manifest.start)
    await client.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`)
    await fillTable(client, table, name, manifest, options)
    await client.query(`ANALYZE ${name}`)
  }
}

const fillTable = async (
  client: pg.Client,
  table: ArchivedTable,
  into: string,
  manifest: Manifest,
  { folder, parquet, signal, onRows }: ImportOptions,
): Promise<void> => {
  const entry = entryOf(manifest, table)
  const columns = archivedColumns(table).map(({ name }) => name)
  for (const { name } of entry.files) {
    const rows = readParquet(parquet, join(partitionFolder(folder, manifest.start), name))
    const onTaken = (count: number): void => onRows?.({ start: manifest.start, table, rows: count })
    await copyChunks(client, into, columns, encode(table, rows, signal, onTaken))
  }
  const found = await readFingerprint(client, into === table ? rowsOf(table, manifest) : into)
  if (into !== 'open_traces' && (found.rows !== entry.rows || found.fingerprint !== entry.fingerprint)) {
    throw new ArchiveError(
      `${table}: ${found.rows} rows were imported, and they are not the ${entry.rows} rows that were exported.`,
    )
  }
}

const encode = async function* (
  table: ArchivedTable,
  groups: AsyncIterable<readonly ArchivedRow[]>,
  signal: AbortSignal,
  onTaken: (rows: number) => void = () => {},
): AsyncGenerator<Uint8Array> {
  const encoder = new RowEncoder(archivedTable(table))
  for await (const rows of groups) {
    signal.throwIfAborted()
    for (const row of rows) encoder.add(row as never)
    if (encoder.rows > 0) yield encoder.take()
    onTaken(rows.length)
  }
}

/** What an interrupted import has left: tables that are no partitions. */
const dropDetached = async (client: pg.ClientBase, { start, end }: Span): Promise<void> => {
  const below = (await readPartitionMap(client)).below(end - 1)
  if (below !== undefined && below.end > start) {
    throw new ArchiveError(
      `The index has a partition of the masterchain blocks ${below.start} to ${below.end - 1} already, which those of the archive from ${start} to ${end - 1} overlap.`,
    )
  }
  for (const table of partitionedTables) await client.query(`DROP TABLE IF EXISTS ${partitionName(table, start)}`)
}

/** Makes the filled tables part of the index. */
const attach = async (client: pg.Client, manifest: Manifest, options: ImportOptions): Promise<void> => {
  const { start, end, first, lowerEdge, retainedFrom } = manifest
  await client.query('BEGIN')
  try {
    await lockIndex(client)
    if (!(await placePartition(client, manifest)).isNext) throw new ArchiveError('The index was changed meanwhile.')
    await client.query('DELETE FROM transaction_lookup WHERE mc_seqno >= $1 AND mc_seqno < $2', [start, end])
    await fillTable(client, 'transaction_lookup', 'transaction_lookup', manifest, options)
    for (const table of partitionedTables) {
      const name = partitionName(table, start)
      await client.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM (${start}) TO (${end})`)
    }
    // Messages that were received since the export.
    await client.query(
      `DELETE FROM unreceived_messages u USING transactions t
       WHERE u.mc_seqno >= $1 AND u.mc_seqno < $2 AND t.in_hash = u.hash AND t.mc_seqno >= $2`,
      [start, end],
    )
    await restoreTraces(client, manifest, options)
    // Only the lowest partition of the index had blocks below it that were still to come.
    const isLowest = first >= start
    await client.query('UPDATE covered_ranges SET first_seqno = $1, lower_edge = $2::bytea[] WHERE first_seqno = $3', [
      isLowest ? first : start,
      isLowest ? lowerEdge.map(fromHex) : [],
      end,
    ])
    await client.query('UPDATE index_state SET retained_from = $1', [isLowest ? retainedFrom : start])
    await options.lease.guard(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Open traces that were deleted with the partition, unless one of their messages was received since. */
const restoreTraces = async (client: pg.Client, manifest: Manifest, options: ImportOptions): Promise<void> => {
  if (!manifest.tables.some(({ table }) => table === 'open_traces')) return
  await client.query('CREATE TEMPORARY TABLE exported_traces (LIKE open_traces) ON COMMIT DROP')
  const { files } = entryOf(manifest, 'open_traces')
  const columns = archivedColumns('open_traces').map(({ name }) => name)
  for (const { name } of files) {
    const rows = readParquet(options.parquet, join(partitionFolder(options.folder, manifest.start), name))
    await copyChunks(client, 'exported_traces', columns, encode('open_traces', rows, options.signal))
  }
  await client.query(
    `INSERT INTO open_traces SELECT e.* FROM exported_traces e
     WHERE e.mc_seqno_start < $1 AND (e.mc_seqno_end < $1 OR e.pending > 0)
       AND e.pending = (SELECT count(*) FROM unreceived_messages u WHERE u.trace_id = e.trace_id AND u.bits & 7 = $2)
     ON CONFLICT DO NOTHING`,
    [manifest.end, STORED_MESSAGE_KIND.internal],
  )
}

import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { toHex } from '../../primitives/hex.ts'
import type { Database } from '../connect/Database.ts'
import { endClient } from '../connect/openClient.ts'
import { toDatabaseError } from '../errors.ts'
import { listMigrations } from '../migrate/migrateDatabase.ts'
import { lowestKept } from '../schema/PartitionMap.ts'
import { findIndexState, readRanges } from '../writer/indexState.ts'
import { readPartitionMap } from '../writer/partitions.ts'
import { type ArchivedTable, archivedColumns, rowBytes } from './columns.ts'
import {
  ArchiveError,
  type FileEntry,
  findDamage,
  findManifest,
  hashFile,
  type Manifest,
  partitionFolder,
  type TableEntry,
  writeManifest,
} from './manifest.ts'
import { type ArchivedRow, type ParquetLibrary, readParquet, writeParquet } from './parquet.ts'
import { archivedTables, fixOutput, readFingerprint, readGroups, rowsOf, type Span } from './tableRows.ts'

export type ExportStep = {
  readonly start: number
  readonly table: string
  readonly rows: number
  readonly isNew: boolean
}

export type OnRows = (rows: { readonly start: number; readonly table: string; readonly rows: number }) => void

export type ExportOptions = {
  readonly folder: string
  /** History below this masterchain block is exported, by whole partitions. */
  readonly before: number
  readonly parquet: ParquetLibrary
  readonly signal: AbortSignal
  /** A table is done. */
  readonly onStep?: (step: ExportStep) => void
  /** Some rows of a table are written. */
  readonly onRows?: OnRows
  /** Open traces are exported, too: they are deleted with the partitions. */
  readonly withOpenTraces?: boolean
}

export type Exported = {
  readonly partitions: number
  readonly rows: number
  readonly bytes: number
  /** The first block that was not exported. */
  readonly end: number
}

/** Rows of a file: its table of contents is in memory while it is written. */
const FILE_ROWS = 500_000

/**
 * Exports the partitions below a block to Parquet files, each with a manifest. Files that are there and have the rows that the database has
 * are kept, so an interrupted export goes on where it was. Every file is read back and compared before it counts.
 */
export const exportPartitions = async (
  database: Pick<Database, 'openConnection'>,
  options: ExportOptions,
): Promise<Exported> => {
  const client = await database.openConnection('export')
  try {
    await fixOutput(client)
    const base = await readBase(client, options.before)
    let rows = 0
    let bytes = 0
    for (const span of base.spans) {
      const manifest = await exportPartition(client, { ...base.common, ...span }, options)
      rows += manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      bytes += manifest.tables.flatMap(({ files }) => files).reduce((sum, file) => sum + file.bytes, 0)
    }
    return { partitions: base.spans.length, rows, bytes, end: base.end }
  } catch (error) {
    throw toDatabaseError(error)
  } finally {
    await endClient(client)
  }
}

type Common = Pick<Manifest, 'format' | 'zeroState' | 'schema' | 'first' | 'lowerEdge' | 'retainedFrom'>

/** What is exported of an index: its lowest partitions, without gaps. */
const readBase = async (client: pg.ClientBase, before: number) => {
  const state = await findIndexState(client)
  const [range, next] = await readRanges(client)
  if (state === undefined || range === undefined) throw new ArchiveError('Nothing is indexed yet.')
  const partitions = await readPartitionMap(client)
  const end = lowestKept(partitions, before)
  if (range.lastSeqno < end || (next !== undefined && next.firstSeqno < end)) {
    throw new ArchiveError(
      `The index has gaps below masterchain block ${end}: only complete history is exported. "chaincenter db status" shows what is covered.`,
    )
  }
  const { rows } = await client.query<{ edge: Uint8Array[] }>(
    'SELECT lower_edge AS edge FROM covered_ranges WHERE first_seqno = $1',
    [range.firstSeqno],
  )
  const common: Common = {
    format: 'chaincenter-archive-1',
    zeroState: toHex(state.zeroState),
    schema: listMigrations().length,
    first: range.firstSeqno,
    lowerEdge: rows[0]!.edge.map(toHex),
    retainedFrom: state.retainedFrom,
  }
  return { common, end, spans: [...partitions.spans()].filter(({ start }) => start < end) }
}

const exportPartition = async (
  client: pg.ClientBase,
  span: Common & Span,
  options: ExportOptions,
): Promise<Manifest> => {
  const folder = partitionFolder(options.folder, span.start)
  mkdirSync(folder, { recursive: true })
  const known = findManifest(folder)
  if (known !== undefined && (known.zeroState !== span.zeroState || known.end !== span.end)) {
    throw new ArchiveError(`${folder} is of another index. Choose another folder.`)
  }
  const kept = known?.schema === span.schema ? known.tables : []
  let manifest: Manifest = { ...span, isComplete: false, tables: [] }
  const tables = options.withOpenTraces === true ? [...archivedTables, 'open_traces' as const] : archivedTables
  // Until all is done, nobody takes it for whole.
  writeManifest(folder, { ...manifest, tables: [...kept] })
  // One snapshot for all tables, while an indexer may go on.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    for (const table of tables) {
      const entry = await exportTable(client, table, folder, span, kept, options)
      manifest = { ...manifest, tables: [...manifest.tables, entry] }
      // What is done is known to the next run.
      writeManifest(folder, { ...manifest, tables: [...manifest.tables, ...later(kept, manifest.tables)] })
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
  manifest = { ...manifest, isComplete: true }
  writeManifest(folder, manifest)
  return manifest
}

const later = (kept: readonly TableEntry[], done: readonly TableEntry[]): readonly TableEntry[] =>
  kept.filter(({ table }) => !done.some((each) => each.table === table))

const exportTable = async (
  client: pg.ClientBase,
  table: ArchivedTable,
  folder: string,
  span: Span,
  kept: readonly TableEntry[],
  { parquet, signal, onStep, onRows }: ExportOptions,
): Promise<TableEntry> => {
  signal.throwIfAborted()
  const from = rowsOf(table, span)
  const now = await readFingerprint(client, from)
  const before = kept.find((each) => each.table === table)
  if (before?.rows === now.rows && before.fingerprint === now.fingerprint && (await isWhole(folder, before))) {
    onStep?.({ start: span.start, table, rows: now.rows, isNew: false })
    return before
  }
  const columns = archivedColumns(table)
  const groups = new GroupQueue(readGroups(client, table, from, signal), (rows) =>
    onRows?.({ start: span.start, table, rows }),
  )
  const files: FileEntry[] = []
  while (await groups.hasMore()) {
    const name = `${table}.${files.length}.parquet`
    files.push(await writeFile(parquet, join(folder, name), name, columns, groups))
  }
  onStep?.({ start: span.start, table, rows: now.rows, isNew: true })
  return { table, ...now, files }
}

const isWhole = async (folder: string, { files }: TableEntry): Promise<boolean> => {
  for (const file of files) if ((await findDamage(folder, file)) !== undefined) return false
  return true
}

/** Writes one file and reads it back; what is not whole is removed. */
const writeFile = async (
  parquet: ParquetLibrary,
  path: string,
  name: string,
  columns: ReturnType<typeof archivedColumns>,
  groups: GroupQueue,
): Promise<FileEntry> => {
  const part = `${path}.part`
  const digest = (): { add(row: ArchivedRow): void; end(): string } => {
    const hash = createHash('sha256')
    return { add: (row) => void hash.update(`${rowBytes(columns, row)}\n`), end: () => hash.digest('hex') }
  }
  try {
    const given = digest()
    await writeParquet(parquet, part, columns, groups.take(FILE_ROWS, given.add))
    const found = digest()
    for await (const rows of readParquet(parquet, part)) for (const row of rows) found.add(row)
    if (found.end() !== given.end()) throw new ArchiveError(`${part} does not have the rows that were written to it.`)
    const entry = { name, bytes: statSync(part).size, sha256: await hashFile(part) }
    renameSync(part, path)
    return entry
  } finally {
    rmSync(part, { force: true })
  }
}

/** Groups of rows for one file after the other. */
class GroupQueue {
  readonly #groups: AsyncGenerator<readonly ArchivedRow[]>
  readonly #onTaken: (rows: number) => void
  #next: readonly ArchivedRow[] | undefined

  constructor(groups: AsyncGenerator<readonly ArchivedRow[]>, onTaken: (rows: number) => void) {
    this.#groups = groups
    this.#onTaken = onTaken
  }

  async hasMore(): Promise<boolean> {
    if (this.#next === undefined) {
      const { done, value } = await this.#groups.next()
      this.#next = done === true ? undefined : value
    }
    return this.#next !== undefined
  }

  async *take(rows: number, onRow: (row: ArchivedRow) => void): AsyncGenerator<readonly ArchivedRow[]> {
    for (let taken = 0; taken < rows && (await this.hasMore()); ) {
      const group = this.#next!
      this.#next = undefined
      taken += group.length
      for (const row of group) onRow(row)
      yield group
      this.#onTaken(group.length)
    }
  }
}

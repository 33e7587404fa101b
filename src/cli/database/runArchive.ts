import { resolve } from 'node:path'
import { exportPartitions } from '../../store/archive/exportPartitions.ts'
import { type ImportedRows, importPartitions } from '../../store/archive/importPartitions.ts'
import { ArchiveError } from '../../store/archive/manifest.ts'
import { moveTablespace } from '../../store/archive/moveTablespace.ts'
import { loadParquet } from '../../store/archive/parquet.ts'
import type { Database } from '../../store/connect/Database.ts'
import { clearLookups, dropBefore } from '../../store/maintenance/retention.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { drawProgress, formatBytes } from '../progress.ts'
import { letFinish, openIndex, takeLease } from './openIndex.ts'

// Copying a partition takes as long as it takes.
const NO_LIMIT = { writeTimeoutMs: 0 }

/** Exports old partitions to Parquet files, and drops them if told to. */
export const runExport = async (context: CommandContext): Promise<void> => {
  const folder = readFolder(context)
  const parquet = await loadParquet()
  const { database } = await openCold(context)
  const before = await readBefore(context, database)
  const { drop } = context.config
  const work = async (): Promise<void> => {
    const lease = drop ? await takeLease(context, database) : undefined
    const progress = showSteps(context, 'exporting')
    try {
      if (drop) await expectClassified(database, before)
      const { signal } = context.shutdown
      const exported = await exportPartitions(database, {
        folder,
        before,
        parquet,
        signal,
        onRows: progress.note,
        // What an earlier export has written counts, too.
        onStep: (step) => {
          if (!step.isNew) progress.note(step)
        },
        withOpenTraces: drop,
      })
      const dropped = lease && (await dropBefore(database, before, lease))
      if (dropped !== undefined) await clearLookups(database, dropped.retainedFrom, signal)
      progress.stop()
      const { partitions, rows, bytes, end } = exported
      context.show({
        text: [
          `${partitions} partitions below masterchain block ${end} are exported to ${folder}: ${rows} rows, ${formatBytes(bytes)}.`,
          ...(dropped === undefined ? [] : [`They are dropped: the index begins with block ${dropped.retainedFrom}.`]),
        ].join('\n'),
        value: { folder, partitions, rows, bytes, end, retainedFrom: dropped?.retainedFrom },
      })
    } finally {
      progress.stop()
      await lease?.release()
    }
  }
  await letFinish(context.shutdown, 'exporting', work())
}

/** Imports exported partitions that adjoin the index. */
export const runImport = async (context: CommandContext): Promise<void> => {
  const folder = readFolder(context)
  const parquet = await loadParquet()
  const { database } = await openCold(context)
  const work = async (): Promise<void> => {
    const lease = await takeLease(context, database)
    const progress = showSteps(context, 'importing')
    try {
      const { signal } = context.shutdown
      const imported = await importPartitions(database, { folder, parquet, lease, signal, onRows: progress.note })
      progress.stop()
      const { partitions, rows, first } = imported
      context.show({
        text: `${partitions} partitions of ${folder} are imported: ${rows} rows. The index begins with block ${first}.`,
        value: { folder, partitions, rows, first },
      })
    } finally {
      progress.stop()
      await lease.release()
    }
  }
  await letFinish(context.shutdown, 'importing', work())
}

/** Moves old partitions to another tablespace. */
export const runMove = async (context: CommandContext): Promise<void> => {
  const { tablespace } = context.config
  if (tablespace === undefined) {
    throw new UsageError('move needs --tablespace.', 'Usage: chaincenter db move --before 60000000 --tablespace cold')
  }
  const { database } = await openCold(context)
  const before = await readBefore(context, database)
  const { logger, shutdown, show } = context
  const work = async (): Promise<void> => {
    const onStep = (step: { readonly table: string; readonly bytes: number }): void => logger.info('moved', step)
    const { signal } = shutdown
    const { tables, bytes } = await moveTablespace(database, { tablespace, before, signal, onStep })
    show({
      text: `${tables} tables with their indexes are moved to the tablespace ${tablespace}: ${formatBytes(bytes)}.`,
      value: { tablespace, tables, bytes },
    })
  }
  await letFinish(shutdown, 'moving', work())
}

/** Partitions of a cluster are on its workers. */
const openCold = async (context: CommandContext): ReturnType<typeof openIndex> => {
  const index = await openIndex(context, NO_LIMIT)
  if (index.database.isDistributed) {
    throw new ArchiveError('Cold history is not supported on a Citus cluster: the partitions are on its workers.')
  }
  return index
}

const readFolder = ({ config, workingDir }: CommandContext): string => {
  if (config.folder === undefined) {
    throw new UsageError(
      'export and import need --folder.',
      'Usage: chaincenter db export --before 60000000 --folder cold',
    )
  }
  return resolve(workingDir, config.folder)
}

/** A masterchain block, or the first block of a day. */
const readBefore = async ({ config }: CommandContext, database: Database): Promise<number> => {
  const text = config.before ?? ''
  if (/^[0-9]{1,10}$/.test(text)) return Number(text)
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  if (Number.isNaN(time)) {
    throw new UsageError(
      `Expected a masterchain block or a date for --before, but got ${text === '' ? 'none' : JSON.stringify(text)}.`,
      'Examples: --before 60000000, --before 2026-01-31',
    )
  }
  return database.transaction(async (client) => {
    const { rows } = await client.query<{ seqno: number | null }>(
      'SELECT min(mc_seqno) AS seqno FROM indexed_blocks WHERE gen_utime >= $1::bigint',
      [time / 1000],
    )
    const seqno = rows[0]?.seqno
    if (seqno == null) throw new ArchiveError(`The index has no block of ${text} or later.`)
    return seqno
  })
}

/** Blocks whose actions are still to be found would be dropped without them. */
const expectClassified = (database: Database, before: number): Promise<void> =>
  database.transaction(async (client) => {
    const { rows } = await client.query<{ count: bigint }>(
      'SELECT count(*) AS count FROM unclassified_blocks WHERE mc_seqno < $1',
      [before],
    )
    if (rows[0]!.count === 0n) return
    throw new ArchiveError(
      `${rows[0]!.count} blocks below ${before} are not classified yet. Let the indexer finish, or run: chaincenter db reclassify --to ${before}`,
    )
  })

/** Shows which table is being copied. */
const showSteps = ({ logger, config }: CommandContext, what: string) => {
  let rows = 0
  let last: ImportedRows | undefined
  let isTold = true
  const drawn = config.json
    ? undefined
    : drawProgress({
        line: () => (last === undefined ? what : `${what} partition ${last.start}: ${last.table}, ${rows} rows so far`),
        log: () => {
          if (!isTold) logger.info(what, { start: last?.start, table: last?.table, rows })
          isTold = true
        },
      })
  let isOver = false
  return {
    note: ({ start, table, rows: count }: ImportedRows): void => {
      last = { start, table, rows: count }
      rows += count
      isTold = false
    },
    stop: () => {
      if (!isOver) drawn?.stop()
      isOver = true
    },
  }
}

import { type DistributionStep, distributeTables } from '../../store/distributed/distributeTables.ts'
import { type DatabaseStatus, type IndexStatus, readStatus, type TableStatus } from '../../store/maintenance/status.ts'
import { listMigrations, migrateDatabase } from '../../store/migrate/migrateDatabase.ts'
import type { CommandContext } from '../Command.ts'
import { UsageError } from '../errors.ts'
import { formatBytes } from '../progress.ts'
import { openDatabase } from './openDatabase.ts'
import { takeLease } from './openIndex.ts'
import { runExport, runImport, runMove } from './runArchive.ts'
import { runCompact } from './runCompact.ts'
import { runRepair } from './runRepair.ts'
import { runReclassify, runRewind } from './runRewind.ts'
import { runVerify } from './runVerify.ts'

/** Runs the action of `db`. */
export const runDb = async (
  context: CommandContext,
  [word = '', ...rest]: readonly string[],
): Promise<number | void> => {
  const action = actions.get(word)
  if (action === undefined) {
    const advice = `The actions are: ${[...actions.keys()].join(', ')}.`
    throw new UsageError(`Unknown db action ${JSON.stringify(word)}.`, advice)
  }
  if (rest.length > 0 && action !== runRewind) {
    throw new UsageError(`${word} takes no argument, but got ${JSON.stringify(rest[0])}.`, 'Remove the argument.')
  }
  return action(context, rest)
}

/** Text output of `db status`. */
const formatStatus = ({
  serverVersion,
  database,
  bytes,
  cluster,
  connections,
  tables,
  index,
  migrations,
}: DatabaseStatus): string => {
  const { applied, known, last } = migrations
  const missing = known - applied
  return [
    `PostgreSQL ${serverVersion}, database ${database}, ${formatBytes(bytes)}, connections: ${connections}`,
    ...(cluster === undefined
      ? []
      : [
          `distributed over ${cluster.nodes} nodes${cluster.unreachable === 0 ? '' : `; ${cluster.unreachable} of them cannot be reached, and are not counted`}`,
        ]),
    `migrations: ${applied} of ${known}${last === undefined ? '' : `, the last is ${last}`}`,
    ...(missing > 0 ? ['Run "chaincenter db migrate" to bring it up to date.'] : []),
    ...(index === undefined ? [] : ['', ...formatIndex(index)]),
    ...(tables.length === 0 ? ['There are no tables.'] : ['', ...formatTables(tables)]),
  ].join('\n')
}

const formatTables = (tables: readonly TableStatus[]): string[] => {
  const rows = [
    ['table', 'rows', 'bytes', 'of it indexes', 'partitions'],
    ...tables.map(({ name, rows, bytes, indexBytes, partitions }) => [
      name,
      String(Math.round(rows)),
      formatBytes(bytes),
      formatBytes(indexBytes),
      partitions === 0 ? '' : String(partitions),
    ]),
  ]
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)))
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join('  ')
      .trimEnd(),
  )
}

const formatIndex = (index: IndexStatus): string[] => {
  const { ranges, retainedFrom, watchedAccounts, blocks, transactions, bytesPerTransaction, newest, rate } = index
  const covered = ranges.map(({ firstSeqno, lastSeqno }) => `${firstSeqno} to ${lastSeqno}`).join(', ')
  return [
    `masterchain blocks: ${covered === '' ? 'none yet' : covered}`,
    ...(retainedFrom > 0 ? [`kept from: ${retainedFrom}; those before were dropped, whole partitions at a time`] : []),
    ...(watchedAccounts === undefined ? [] : [`watched accounts: ${watchedAccounts}`]),
    `transactions: ${transactions} in ${blocks} blocks${bytesPerTransaction === undefined ? '' : `, ${Math.round(bytesPerTransaction)} B each with all that belongs to them`}`,
    ...(newest === undefined ? [] : [`newest block: ${newest.seqno}, ${formatSeconds(newest.lagSeconds)} ago`]),
    ...(rate?.bytesPerDay === undefined
      ? []
      : [`rate: ${Math.round(rate.transactionsPerDay)} transactions a day, ${formatBytes(rate.bytesPerDay)} a day`]),
  ]
}

const formatSeconds = (seconds: number): string => {
  if (seconds < 120) return `${seconds.toFixed(1)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`
}

type Action = (context: CommandContext, words: readonly string[]) => Promise<number | void>

const migrate: Action = async (context) => {
  const { config, logger, shutdown, show } = context
  const database = await openDatabase(context)
  const client = await database.openConnection('migrate')
  try {
    const applied = await migrateDatabase(client, { logger, signal: shutdown.signal })
    // Tables that a migration has added to a cluster are distributed, too.
    const onStep = (step: DistributionStep): void => logger.info('distributing', step)
    const distribute = async (): Promise<readonly string[]> => {
      // An indexer that does not know of the cluster would not write the copies that only a cluster has.
      const lease = await takeLease(context, database)
      return distributeTables(client, { onStep, signal: lease.signal }).finally(() => lease.release())
    }
    const { isDistributed } = database
    const distributed = isDistributed
      ? await distributeTables(client, { onStep })
      : config.distribute
        ? await distribute()
        : []
    const total = listMigrations().length
    const lines = applied.map(({ number, name }) => `applied ${String(number).padStart(4, '0')} ${name}`)
    const spread = distributed.map((table) => `distributed ${table}`)
    show({
      text: [
        ...lines,
        ...spread,
        `The database is up to date: ${total} ${total === 1 ? 'migration' : 'migrations'}.`,
      ].join('\n'),
      value: { applied: applied.map(({ number, name }) => ({ number, name })), distributed, total },
    })
  } finally {
    await client.end()
  }
}

const status: Action = async (context) => {
  const database = await openDatabase(context)
  const client = await database.openConnection('status')
  try {
    const value = await readStatus(client)
    context.show({ text: formatStatus(value), value })
  } finally {
    await client.end()
  }
}

const actions: ReadonlyMap<string, Action> = new Map([
  ['migrate', migrate],
  ['status', status],
  ['verify', runVerify],
  ['repair', runRepair],
  ['reclassify', runReclassify],
  ['rewind', runRewind],
  ['export', runExport],
  ['import', runImport],
  ['move', runMove],
  ['compact', runCompact],
])

import type { DatabaseStatus, IndexStatus, TableStatus } from '../../store/maintenance/status.ts'

/** What `db status` shows a person. */
export const formatStatus = ({
  serverVersion,
  database,
  bytes,
  connections,
  tables,
  index,
  migrations,
}: DatabaseStatus): string => {
  const { applied, known, last } = migrations
  const missing = known - applied
  return [
    `PostgreSQL ${serverVersion}, database ${database}, ${formatBytes(bytes)}, connections: ${connections}`,
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
  const {
    ranges,
    retainedFrom,
    partitionWidth,
    watchedAccounts,
    blocks,
    transactions,
    bytesPerTransaction,
    newest,
    rate,
  } = index
  const covered = ranges.map(({ firstSeqno, lastSeqno }) => `${firstSeqno} to ${lastSeqno}`).join(', ')
  return [
    `masterchain blocks: ${covered === '' ? 'none yet' : covered}`,
    ...(retainedFrom > 0 ? [`kept from: ${retainedFrom}; those before were dropped, ${partitionWidth} at a time`] : []),
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

const units = ['B', 'kB', 'MB', 'GB', 'TB']

const formatBytes = (bytes: number): string => {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return step === 0 ? `${Math.round(bytes)} B` : `${(bytes / 1000 ** step).toFixed(1)} ${units[step]}`
}

import type { Metrics, Reading } from '../../observe/Metrics.ts'
import type { ConnectionStats, Database } from '../../store/connect/Database.ts'

/** How connections and servers of the database stand, and how far the index is. */
export const measureDatabase = (metrics: Metrics, database: Pick<Database, 'stats'>): void => {
  const each = (read: (stats: ConnectionStats) => number) => (): Reading[] =>
    database.stats().connections.map((stats) => ({
      value: read(stats),
      labels: { server: stats.server, for: stats.name },
    }))
  const name = (what: string): string => `chaincenter_database_${what}`
  metrics.reading(
    'gauge',
    name('connections'),
    'Open connections to the database.',
    each(({ open }) => open),
  )
  metrics.reading(
    'gauge',
    name('busy_connections'),
    'Those that are in use.',
    each(({ busy }) => busy),
  )
  metrics.reading(
    'gauge',
    name('waiting'),
    'Questions that wait for a connection.',
    each(({ waiting }) => waiting),
  )
  metrics.reading('gauge', name('server_up'), '1 where a server can be read from.', () =>
    database.stats().servers.map(({ server, isUsable }) => ({
      value: isUsable ? 1 : 0,
      labels: { server },
    })),
  )
  metrics.reading('gauge', 'chaincenter_index_head_seqno', 'The newest masterchain block in the index.', () =>
    database
      .stats()
      .servers.flatMap(({ server, head }) => (head === undefined ? [] : [{ value: head.seqno, labels: { server } }])),
  )
  metrics.reading('gauge', 'chaincenter_index_lag_seconds', 'How old that block is.', () =>
    database
      .stats()
      .servers.flatMap(({ server, head }) =>
        head === undefined ? [] : [{ value: Math.max(0, Date.now() / 1000 - head.utime), labels: { server } }],
      ),
  )
}

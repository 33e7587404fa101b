import type { Metrics, Reading } from '../../observe/Metrics.ts'
import type { ConnectionFigures, Database } from '../../store/connect/Database.ts'

/** How connections and servers of the database stand, and how far the index is. */
export const measureDatabase = (metrics: Metrics, database: Pick<Database, 'figures'>): void => {
  const each = (read: (figures: ConnectionFigures) => number) => (): Reading[] =>
    database.figures().connections.map((figures) => ({
      value: read(figures),
      labels: { server: figures.server, for: figures.name },
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
    database.figures().servers.map(({ server, isUsable }) => ({
      value: isUsable ? 1 : 0,
      labels: { server },
    })),
  )
  metrics.reading('gauge', 'chaincenter_index_head_seqno', 'The newest masterchain block in the index.', () =>
    database
      .figures()
      .servers.flatMap(({ server, head }) => (head === undefined ? [] : [{ value: head.seqno, labels: { server } }])),
  )
  metrics.reading('gauge', 'chaincenter_index_lag_seconds', 'How old that block is.', () =>
    database
      .figures()
      .servers.flatMap(({ server, head }) =>
        head === undefined ? [] : [{ value: Math.max(0, Date.now() / 1000 - head.utime), labels: { server } }],
      ),
  )
}

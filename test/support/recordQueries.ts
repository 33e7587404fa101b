import type { CompiledQuery } from 'kysely'
import type { Database, Reader } from '../../src/store/connect/Database.ts'

export type RecordedQuery = { readonly by: 'keyedReads' | 'listReads'; readonly query: CompiledQuery<unknown> }

export type QueryRecord = {
  /** Reads as the given one does. */
  readonly database: Database
  /** What was asked since the last time. */
  take(): RecordedQuery[]
}

/** Keeps every question that a database is asked by its readers. */
export const recordQueries = (database: Database): QueryRecord => {
  let recorded: RecordedQuery[] = []
  const record = (by: RecordedQuery['by'], reader: Reader): Reader => ({
    read: (query, timeoutMs) => {
      recorded.push({ by, query })
      return reader.read(query, timeoutMs)
    },
  })
  return {
    database: {
      ...database,
      reader: () => {
        const server = database.reader()
        return {
          ...server,
          keyedReads: record('keyedReads', server.keyedReads),
          listReads: record('listReads', server.listReads),
        }
      },
    },
    take: () => {
      const taken = recorded
      recorded = []
      return taken
    },
  }
}

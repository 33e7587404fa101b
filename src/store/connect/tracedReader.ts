import type { CompiledQuery } from 'kysely'
import { runChildSpan, type SpanAttributes, type Tracer } from '../../observe/Tracer.ts'
import type { Reader } from './Database.ts'
import { parseEndpoint } from './openClient.ts'

/** A reader whose queries are spans of the request that they are for. */
export const traceReads = (reader: Reader, tracer: Tracer, url: string): Reader => {
  const server = describeServer(url)
  return {
    read: <Row>(query: CompiledQuery<Row>, timeoutMs?: number): Promise<Row[]> =>
      runChildSpan(tracer, nameQuery(query.sql), { kind: 'client', attributes: server }, async (span) => {
        // Values are parameters, so the text tells nothing of the caller.
        span?.set({ 'db.query.text': query.sql, 'db.operation.name': 'SELECT' })
        const rows = await reader.read(query, timeoutMs)
        span?.set({ 'db.response.returned_rows': rows.length })
        return rows
      }),
  }
}

/** Attributes of every span about a server. */
const describeServer = (url: string): SpanAttributes => {
  const { host, port, database } = parseEndpoint(url)
  return {
    'db.system.name': 'postgresql',
    'db.namespace': database,
    'server.address': host,
    'server.port': Number(port),
  }
}

const nameQuery = (sql: string): string => {
  const [, table] = /\bfrom "?(\w+)/i.exec(sql) ?? []
  return table === undefined ? 'SELECT' : `SELECT ${table}`
}

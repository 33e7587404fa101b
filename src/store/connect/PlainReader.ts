import type { CompiledQuery } from 'kysely'
import { DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Reader.ts'
import { type BoundStatement, toStatement } from './toStatement.ts'
import type { WireConnection } from './wire/WireConnection.ts'
import type { WirePool } from './wire/WirePool.ts'

/** For lists: each question has a connection for itself while it lasts, so a slow one holds up nobody. */
export const createPlainReader = (pool: WirePool): Reader => {
  const ask = <Row>(statement: BoundStatement, timeoutMs: number | undefined): Promise<Row[]> =>
    pool.use((connection) =>
      timeoutMs === undefined
        ? connection.ask<Row>(statement.text, statement.values)
        : askWithin<Row>(connection, timeoutMs, statement),
    )
  return {
    read: async <Row>(query: CompiledQuery<Row>, timeoutMs?: number): Promise<Row[]> => {
      const statement = toStatement(query)
      try {
        return await ask<Row>(statement, timeoutMs)
      } catch (error) {
        if (!(error instanceof DatabaseUnavailableError) || pool.isClosed) throw error
        return ask<Row>(statement, timeoutMs)
      }
    },
  }
}

/** A limit of a transaction ends with it, so the next question on the connection has its own again. */
const askWithin = async <Row>(
  connection: WireConnection,
  timeoutMs: number,
  { text, values }: BoundStatement,
): Promise<Row[]> => {
  await connection.run(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`)
  try {
    return await connection.ask<Row>(text, values)
  } finally {
    // After a failure that is the same as undoing it. Where even this fails the connection is lost, as whoever asks next will see.
    await connection.run('COMMIT').catch(() => undefined)
  }
}

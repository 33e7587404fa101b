import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Reader.ts'
import { StatementNames } from './StatementNames.ts'
import { toDatabaseError } from './toDatabaseError.ts'
import { toStatement } from './toStatement.ts'

/** The plan of one takes some hundred kilobytes where tables have many parts, and every connection has its own. */
const MAX_STATEMENTS = 100

/** For lists: each question has a connection for itself while it lasts, so a slow one holds up nobody. */
export const createPlainReader = (pool: pg.Pool): Reader => {
  const names = new StatementNames(MAX_STATEMENTS)
  const ask = async <Row>(query: CompiledQuery<Row>, timeoutMs: number | undefined): Promise<Row[]> => {
    const statement = toStatement(query, names)
    try {
      if (timeoutMs !== undefined) return await askWithin<Row>(pool, timeoutMs, statement)
      const { rows } = await pool.query<Row & pg.QueryResultRow>(statement)
      return rows
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
  return {
    read: (query, timeoutMs) =>
      ask(query, timeoutMs).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailableError)) throw error
        return ask(query, timeoutMs)
      }),
  }
}

/** A limit of a transaction ends with it, so the next question on the connection has its own again. */
const askWithin = async <Row>(pool: pg.Pool, timeoutMs: number, statement: pg.QueryConfig): Promise<Row[]> => {
  const client = await pool.connect()
  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`)
    const { rows } = await client.query<Row & pg.QueryResultRow>(statement)
    await client.query('COMMIT')
    client.release()
    return rows
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

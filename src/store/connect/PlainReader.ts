import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailableError } from '../errors.ts'
import type { Reader } from './Reader.ts'
import { toDatabaseError } from './toDatabaseError.ts'

/** For lists: each question has a connection for itself while it lasts, so a slow one holds up nobody. */
export const createPlainReader = (pool: pg.Pool): Reader => {
  const ask = async <Row>({ sql, parameters }: CompiledQuery<Row>): Promise<Row[]> => {
    try {
      const { rows } = await pool.query<Row & pg.QueryResultRow>(sql, [...parameters])
      return rows
    } catch (error) {
      throw toDatabaseError(error)
    }
  }
  return {
    read: (query) =>
      ask(query).catch((error: unknown) => {
        if (!(error instanceof DatabaseUnavailableError)) throw error
        return ask(query)
      }),
  }
}

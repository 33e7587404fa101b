import pg from 'pg'
import { toDatabaseError } from '../connect/toDatabaseError.ts'
import { type Chunks, CopyIn } from './CopyIn.ts'

/**
 * Sends encoded rows to a table and returns how many the database took: all, or none and an error. Where the chunks end with an
 * error of their own, the database is told to forget what came, and the error is passed on.
 */
export const copyChunks = async (
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  chunks: Chunks,
): Promise<number> => {
  const names = columns.map((name) => pg.escapeIdentifier(name)).join(', ')
  const statement = `COPY ${pg.escapeIdentifier(table)} (${names}) FROM STDIN (FORMAT binary)`
  const copy = new CopyIn(statement, chunks)
  client.query(copy)
  try {
    return await copy.done
  } catch (error) {
    throw toDatabaseError(error)
  }
}

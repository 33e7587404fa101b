import type pg from 'pg'
import type { Reader } from './Reader.ts'

/** Asks within a transaction: what is read is what the transaction sees. */
export const clientReader = (client: pg.ClientBase): Reader => ({
  read: async <Row>({ sql, parameters }: { readonly sql: string; readonly parameters: readonly unknown[] }) => {
    const { rows } = await client.query<Row & pg.QueryResultRow>(sql, [...parameters])
    return rows
  },
})

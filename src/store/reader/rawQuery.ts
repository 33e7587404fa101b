import { CompiledQuery } from 'kysely'

/** A query whose text is always the same: nothing has to be put together each time that it is asked. */
export const rawQuery = <Row>(sql: string, parameters: readonly unknown[]): CompiledQuery<Row> =>
  CompiledQuery.raw(sql, [...parameters])

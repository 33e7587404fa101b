import type { CompiledQuery } from 'kysely'

/** Answers questions. A question that failed because the connection was lost is asked once more. */
export interface Reader {
  read<Row>(query: CompiledQuery<Row>): Promise<Row[]>
}

import { type RawBuilder, sql } from 'kysely'

/** What holds for rows whose column has one of these values, however many: they are one parameter, so the statement stays the same. */
export const isAnyOf = (
  column: string,
  values: readonly (Uint8Array | bigint | number | string)[],
): RawBuilder<boolean> => sql<boolean>`${sql.ref(column)} = any(${sql.val(values)})`

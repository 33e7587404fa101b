import type { CompiledQuery } from 'kysely'
import type { QueryConfig } from 'pg'
import type { StatementNames } from './StatementNames.ts'

/**
 * A question as it is prepared. To plan one over all the parts of a divided table takes longer than to answer it, so it is planned once,
 * for any values. But how many rows are wanted decides how they are best found, so that stays in its text.
 */
export const toStatement = ({ sql, parameters }: CompiledQuery<unknown>, names: StatementNames): QueryConfig => {
  const values: unknown[] = []
  const text = sql.replace(/(\blimit |\boffset )?\$([0-9]+)/g, (_whole, word: string | undefined, number: string) => {
    const value = parameters[Number(number) - 1]
    if (word !== undefined && Number.isSafeInteger(value)) return `${word}${value}`
    values.push(value)
    return `${word ?? ''}$${values.length}`
  })
  const name = names.find(text)
  return name === undefined ? { text, values } : { name, text, values }
}

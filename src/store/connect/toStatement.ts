import type { CompiledQuery } from 'kysely'
import { LruCache } from '../../primitives/LruCache.ts'

/** A statement as it is prepared, and its values. */
export type BoundStatement = { readonly text: string; readonly values: readonly unknown[] }

/** A text, and the places of the parameters that are its values. */
type Written = { readonly text: string; readonly given: readonly number[] }

/** A query in pieces: between two of them is the number of a value, or a number that is written out. */
type Template = {
  readonly pieces: readonly string[]
  /** For each gap the place of its parameter, and whether it says how many rows are wanted. */
  readonly gaps: readonly { readonly at: number; readonly isCount: boolean }[]
  /** What becomes of it where the counts are these. */
  readonly texts: LruCache<Written>
}

/** Queries whose pieces are remembered, and texts of one of them. */
const MAX_TEMPLATES = 2000
const MAX_TEXTS = 200

const templates = new LruCache<Template>(MAX_TEMPLATES)

/**
 * A question as it is prepared. To plan one over all the parts of a divided table takes longer than to answer it, so it is planned once,
 * for any values. But how many rows are wanted decides how they are best found, so that stays in its text.
 */
export const toStatement = ({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): BoundStatement => {
  const template = findTemplate(sql)
  const { gaps, texts } = template
  let counts = ''
  for (const { at, isCount } of gaps) if (isCount) counts += `${isWhole(parameters[at]) ? parameters[at] : '?'} `
  let written = texts.find(counts)
  if (written === undefined) {
    written = write(template, parameters)
    texts.set(counts, written)
  }
  return { text: written.text, values: written.given.map((at) => parameters[at]) }
}

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value)

const findTemplate = (sql: string): Template => {
  const known = templates.find(sql)
  if (known !== undefined) return known
  const pieces: string[] = []
  const gaps: { at: number; isCount: boolean }[] = []
  let end = 0
  for (const match of sql.matchAll(/(\blimit |\boffset )?\$([0-9]+)/g)) {
    const [whole, word = '', number] = match
    pieces.push(sql.slice(end, match.index) + word)
    gaps.push({ at: Number(number) - 1, isCount: word !== '' })
    end = match.index + whole.length
  }
  const template = { pieces: [...pieces, sql.slice(end)], gaps, texts: new LruCache<Written>(MAX_TEXTS) }
  templates.set(sql, template)
  return template
}

const write = ({ pieces, gaps }: Template, parameters: readonly unknown[]): Written => {
  const given: number[] = []
  const numberOf = (at: number): string => {
    if (!given.includes(at)) given.push(at)
    return `$${given.indexOf(at) + 1}`
  }
  const filled = gaps.map(
    ({ at, isCount }, k) => `${pieces[k]}${isCount && isWhole(parameters[at]) ? parameters[at] : numberOf(at)}`,
  )
  return { text: filled.join('') + pieces.at(-1), given }
}

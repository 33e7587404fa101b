import { toHex } from '../../primitives/hex.ts'
import { idPart } from '../schema/idParts.ts'
import type { RowJoin } from './rowJoins.ts'
import { cutSelect, splitOutside } from './sqlText.ts'

type Row = Readonly<Record<string, unknown>>

/** A condition between a column of the table and one of the rows. */
type Comparison = { readonly own: string; readonly by: '=' | '>=' | '<='; readonly column: string }

/** A condition that the indexed part of a column (see idPart) is that of the row; the columns are compared as well. */
type PartEquality = { readonly own: string; readonly column: string }

/** A column of the result: all columns of the table, one of them, or one of the row. */
type Shown = { readonly of: 'table' | 'row'; readonly column: string }

/**
 * Lists with at most one row each, as one select without a join, which takes the coordinator a third of the time: the table's rows with
 * any of the keys. They are matched with the rows here.
 */
export type MatchedList = {
  readonly table: string
  readonly name: string
  /** The columns of the table to select; `*` for all. */
  readonly columns: readonly string[]
  readonly comparisons: readonly Comparison[]
  readonly parts: readonly PartEquality[]
  /** The conditions that the rows have no part in. */
  readonly others: readonly string[]
  readonly shown: readonly Shown[]
  readonly isSingle: boolean
}

/** Conditions on a table that at most one of its rows fulfils. A lookup may have more, and its list has no limit. */
const UNIQUE = [
  { table: 'transactions', columns: ['account', 'lt'] },
  { table: 'message_contents', columns: ['hash', 'mc_seqno'] },
  { table: 'transaction_lookup', columns: ['hash_key'] },
] as const

/** `undefined` if a list may have more rows, or is of another form. */
export const readMatchedList = ({ selected, alias, list, name, on, tail }: RowJoin): MatchedList | undefined => {
  const pieces = on === undefined && tail === '' ? cutSelect(list) : undefined
  const table = pieces && /^(\w+) as (\w+)$/.exec(pieces.from)
  if (!pieces || !table || table[2] !== name) return undefined
  const unique = UNIQUE.find((each) => each.table === table[1])
  const where = /^where ([\s\S]+?)(\s+limit 1)?$/.exec(pieces.tail)
  if (unique === undefined || where === null || /\b(?:order by|limit|offset|or)\b/.test(where[1]!)) return undefined
  const isSingle = where[2] !== undefined
  if (isSingle === (unique.table === 'transaction_lookup')) return undefined
  const columns = columnsOf(pieces.selected, name)
  const shown = columns && readShown(selected, alias, name)
  const conditions = splitOutside(where[1]!, /\band\b/).map((each) => each.trim())
  const comparisons = conditions.flatMap((each) => readComparison(each, alias, name) ?? [])
  const parts = conditions.flatMap((each) => readPart(each, alias, name) ?? [])
  const others = conditions.filter((each) => !(readComparison(each, alias, name) ?? readPart(each, alias, name)))
  const equal = comparisons.filter(({ by }) => by === '=').map(({ own }) => own)
  if (!columns || !shown || others.some((each) => new RegExp(`\\b${alias}\\.`).test(each))) return undefined
  if (!unique.columns.every((column) => equal.includes(column))) return undefined
  return { table: unique.table, name, columns, comparisons, parts, others, shown, isSingle }
}

const columnsOf = (selected: string, name: string): string[] | undefined => {
  if (selected === '*') return ['*']
  const found = selected.split(',').map((each) => new RegExp(`^${name}\\.(\\w+)$`).exec(each.trim())?.[1])
  return found.every((each) => each !== undefined) ? found : undefined
}

const readShown = (selected: string, alias: string, name: string): Shown[] | undefined => {
  const shown: Shown[] = []
  for (const each of splitOutside(selected, /,/)) {
    const [, owner, column] = /^(\w+)\.(\w+|\*)$/.exec(each.trim()) ?? []
    if (column === undefined || (owner !== name && (owner !== alias || column === '*'))) return undefined
    shown.push({ of: owner === name ? 'table' : 'row', column })
  }
  return shown
}

const readComparison = (condition: string, alias: string, name: string): Comparison | undefined => {
  const [, own, by, column] = new RegExp(`^${name}\\.(\\w+) (=|>=|<=) ${alias}\\.(\\w+)$`).exec(condition) ?? []
  return column === undefined ? undefined : { own: own!, by: by as Comparison['by'], column }
}

const readPart = (condition: string, alias: string, name: string): PartEquality | undefined => {
  const [, own, column] = /^substring\((\w+\.\w+) .*\(\w+\.(\w+) /.exec(condition) ?? []
  const isPart = own !== undefined && condition === `${idPart(own)} = ${idPart(`${alias}.${column}`)}`
  return isPart && own.startsWith(`${name}.`) ? { own, column: column! } : undefined
}

/** Rows at a time, and keys that an index may be asked for: every pair of two lists. */
const MAX_ROWS = 256
const MAX_KEYS = 600

export const isShort = ({ comparisons }: MatchedList, rows: readonly Row[]): boolean => {
  if (rows.length > MAX_ROWS) return false
  const counts = comparisons
    .filter(({ by }) => by === '=')
    .map(({ column }) => new Set(rows.map((row) => textOf(row[column]))).size)
  return counts.reduce((product, count) => product * count, 1) <= MAX_KEYS
}

/** Marks columns that are selected only to compare them. */
const COMPARED = 'compared_'

/** `listOf` writes the array of a column of the rows, or of its indexed part. */
export const selectMatched = (
  { table, name, columns, comparisons, parts, others }: MatchedList,
  listOf: (column: string, isPart?: boolean) => string,
): string => {
  const also = columns.includes('*')
    ? []
    : [...new Set(comparisons.map(({ own }) => own))].map((own) => `${name}.${own} as ${COMPARED}${own}`)
  const conditions = comparisons
    .filter(({ by }) => by === '=')
    .map(({ own, column }) => `${name}.${own} = any(${listOf(column)})`)
  const indexed = parts.map(({ own, column }) => `${idPart(own)} = any(${listOf(column, true)})`)
  return `select ${[...columns.map((column) => `${name}.${column}`), ...also].join(', ')} from ${table} as ${name} where ${[...conditions, ...indexed, ...others].join(' and ')}`
}

/** The result of the lists, in the order of the rows. */
export const matchRows = (matched: MatchedList, rows: readonly Row[], found: readonly Row[]): Row[] => {
  const { columns, comparisons, isSingle } = matched
  const mark = columns.includes('*') ? '' : COMPARED
  const equal = comparisons.filter(({ by }) => by === '=')
  const ranges = comparisons.filter(({ by }) => by !== '=')
  const byKey = new Map<string, Row[]>()
  for (const row of found) {
    const key = equal.map(({ own }) => textOf(row[`${mark}${own}`])).join(' ')
    const others = byKey.get(key)
    if (others === undefined) byKey.set(key, [row])
    else others.push(row)
  }
  return rows.flatMap((row) => {
    const candidates = byKey.get(equal.map(({ column }) => textOf(row[column])).join(' ')) ?? []
    const own = candidates.filter((each) =>
      ranges.every((range) => isWithin(each[`${mark}${range.own}`], range.by, row[range.column])),
    )
    return (isSingle ? own.slice(0, 1) : own).map((each) => show(matched, row, each))
  })
}

const show = ({ columns, shown }: MatchedList, row: Row, found: Row): Row => {
  const result: Record<string, unknown> = {}
  for (const { of, column } of shown) {
    if (of === 'row') result[column] = row[column]
    else if (column !== '*') result[column] = found[column]
    else if (columns.includes('*')) Object.assign(result, found)
    else for (const each of columns) result[each] = found[each]
  }
  return result
}

const textOf = (value: unknown): string => (value instanceof Uint8Array ? toHex(value) : String(value))

const isWithin = (value: unknown, by: Comparison['by'], bound: unknown): boolean =>
  by === '>=' ? BigInt(value as number) >= BigInt(bound as number) : BigInt(value as number) <= BigInt(bound as number)

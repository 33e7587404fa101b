import { closeOf, columnsOf, cutSelect, findOutside, splitOutside } from './sqlText.ts'

/** Rows given as parallel arrays. */
export type UnnestedRows = {
  readonly parameters: readonly number[]
  readonly columns: readonly string[]
  readonly types: readonly string[]
  /** The name of the column with the row's number. */
  readonly place: string | undefined
}

/** A select that reads a list for each of some rows: `from rows cross join lateral (list)`. */
export type RowJoin = {
  readonly selected: string
  /** Parallel arrays, or a query. */
  readonly rows: UnnestedRows | string
  /** The alias of the rows, and of the list. */
  readonly alias: string
  readonly list: string
  readonly name: string
  /** The condition of a left join. */
  readonly on: string | undefined
  readonly tail: string
}

const UNNEST = /^unnest\(((?:\$\d+::\w+\[\](?:,\s*)?)+)\)(\s+with ordinality)?\s+as\s+"?(\w+)"?\s*\(([\w\s,"]+)\)\s*/

const LATERAL = /\b(cross|inner|left) join lateral\s*(?=\()/

/** Reads `unnest(…) as alias(…)` at the start of a text. */
const readUnnest = (
  text: string,
): { readonly rows: UnnestedRows; readonly alias: string; readonly rest: string } | undefined => {
  const found = UNNEST.exec(text)
  if (found === null) return undefined
  const [whole, args, ordinality, alias, names] = found
  const given = [...args!.matchAll(/\$(\d+)::(\w+)\[\]/g)]
  const columns = names!.split(',').map((name) => name.trim().replaceAll('"', ''))
  const place = ordinality === undefined ? undefined : columns.pop()
  if (columns.length !== given.length) return undefined
  const rows = {
    parameters: given.map(([, number]) => Number(number) - 1),
    columns,
    types: given.map(([, , type]) => type!),
    place,
  }
  return { rows, alias: alias!, rest: text.slice(whole.length) }
}

/** Reads `(list) as name [on condition]`. */
const readList = (text: string): { readonly list: string; readonly name: string; readonly on: string } | undefined => {
  const end = closeOf(text, 0)
  const named = /^\s*as\s+"?(\w+)"?(?:\s+on\s+([\s\S]*))?$/.exec(text.slice(end + 1))
  if (named === null || /\bjoin\b/.test(named[2] ?? '')) return undefined
  return { list: text.slice(1, end).trim(), name: named[1]!, on: (named[2] ?? 'true').trim() }
}

/** `undefined` if the statement is of another form. */
export const readRowJoin = (sql: string): RowJoin | undefined => {
  const pieces = cutSelect(sql)
  if (pieces === undefined) return undefined
  const { selected, from } = pieces
  // OFFSET 0 only separates a query from the one around it.
  const tail = pieces.tail.replace(/(^|\s)offset 0$/, '')
  const join = findOutside(from, LATERAL)
  if (join !== undefined) {
    const found = readList(from.slice(join.index + join[0].length))
    const left = readRows(from.slice(0, join.index).trim())
    if (found === undefined || left === undefined) return undefined
    const { list, name } = found
    const on = join[1] === 'left' || found.on !== 'true' ? found.on : undefined
    return moveConditions({ selected, ...left, list, name, on, tail })
  }
  const unnested = readUnnest(from)
  const plain = unnested && /^join (\w+) as (\w+) on ([\s\S]+)$/.exec(unnested.rest)
  if (!unnested || !plain) return undefined
  const [, table, name, condition] = plain
  const list = `select * from ${table} as ${name} where ${condition}`
  return { selected, rows: unnested.rows, alias: unnested.alias, list, name: name!, on: undefined, tail }
}

const readRows = (text: string): Pick<RowJoin, 'rows' | 'alias'> | undefined => {
  const unnested = readUnnest(text)
  if (unnested !== undefined) return unnested.rest === '' ? unnested : undefined
  if (text.startsWith('(')) {
    const end = closeOf(text, 0)
    const alias = /^\s*as\s+"?(\w+)"?$/.exec(text.slice(end + 1))?.[1]
    return alias === undefined ? undefined : { rows: text.slice(1, end), alias }
  }
  const table = /^(\w+) as (\w+)$/.exec(text)
  return table === null ? undefined : { rows: `select * from ${text}`, alias: table[2]! }
}

/** Conditions on the rows alone belong to their query. */
const moveConditions = (join: RowJoin): RowJoin => {
  const { rows, tail, name } = join
  if (typeof rows !== 'string' || !tail.startsWith('where ') || columnsOf(name).test(tail)) return join
  return /\b(order by|limit|offset)\b/.test(tail) ? join : { ...join, rows: `${rows} ${tail}`, tail: '' }
}

/** The columns of the rows that a join uses. */
export const columnsIn = ({ selected, alias, list, on = '', tail }: RowJoin): string[] => {
  const text = [selected, list, on, tail].join(' ')
  return [...new Set([...text.matchAll(columnsOf(alias))].map(([, column]) => column!))]
}

/** Whether the results of single rows together are the result. */
export const isSeparable = ({ selected, tail }: RowJoin): boolean =>
  (tail === '' ||
    (tail.startsWith('where ') && findOutside(tail, /\b(?:order by|limit|offset|group by)\b/) === undefined)) &&
  !/^distinct\b|\bcount\(|\bover \(/.test(selected)

/** The first `unnest(…) … cross join lateral (…)` inside a statement: the select around it, and what is before and after. */
export const findInnerJoin = (
  sql: string,
): { readonly before: string; readonly join: RowJoin; readonly after: string } | undefined => {
  for (const { index } of sql.matchAll(/\bunnest\(\$/g)) {
    const open = enclosing(sql, index)
    const end = open < 0 ? sql.length : closeOf(sql, open)
    const join = readRowJoin(sql.slice(open + 1, end))
    if (join !== undefined && typeof join.rows !== 'string' && join.on === undefined) {
      return { before: sql.slice(0, open + 1), join, after: sql.slice(end) }
    }
  }
  return undefined
}

/** The bracket around a position; -1 if there is none. */
const enclosing = (sql: string, position: number): number => {
  let depth = 0
  for (let at = position - 1; at >= 0; at--) {
    if (sql[at] === ')') depth++
    else if (sql[at] === '(' && depth-- === 0) return at
  }
  return -1
}

/** The selected expressions, with the columns of the rows replaced; a column alone keeps its name. */
export const replaceSelected = (selected: string, alias: string, replaced: (column: string) => string): string =>
  splitOutside(selected, /,/)
    .map((each) => {
      const item = each.trim()
      const alone = new RegExp(`^"?${alias}"?\\."?(\\w+)"?$`).exec(item)
      if (alone !== null) return `${replaced(alone[1]!)} as ${alone[1]}`
      return replaceColumns(item, alias, replaced)
    })
    .join(', ')

export const replaceColumns = (text: string, alias: string, replaced: (column: string) => string): string =>
  text.replace(columnsOf(alias), (_whole, column: string) => replaced(column))

import type { RowJoin } from './rowJoins.ts'
import { columnsOf, cutSelect, splitOutside } from './sqlText.ts'

/** A join of a table with the rows, which one statement runs on all shards that have keys of them. */
export type JoinedList = {
  readonly selected: string
  /** The table, with its alias. */
  readonly from: string
  readonly on: string
  /** The columns of the table that identify a row, and those of the rows that they are compared with. */
  readonly keys: readonly { readonly own: string; readonly column: string }[]
}

/** Conditions on a table that at most one of its rows fulfils. */
const UNIQUE = [
  { table: 'transactions', columns: ['account', 'lt'] },
  { table: 'message_contents', columns: ['hash', 'mc_seqno'] },
  { table: 'transaction_lookup', columns: ['hash_key'] },
] as const

/**
 * A list with at most one row, as a join: `undefined` if it may have more, or is of another form. A lookup may have more, and its list
 * has no limit.
 */
export const readJoinedList = ({ selected, alias, list, name, on, tail }: RowJoin): JoinedList | undefined => {
  const pieces = on === undefined && tail === '' ? cutSelect(list) : undefined
  const table = pieces && /^(\w+) as (\w+)$/.exec(pieces.from)
  if (!pieces || !table || table[2] !== name) return undefined
  const unique = UNIQUE.find((each) => each.table === table[1])
  const where = /^where ([\s\S]+?)(\s+limit 1)?$/.exec(pieces.tail)
  if (unique === undefined || where === null || /\b(?:order by|limit|offset|or)\b/.test(where[1]!)) return undefined
  if ((where[2] === undefined) !== (unique.table === 'transaction_lookup')) return undefined
  const keys = unique.columns.flatMap((own) => {
    const found = new RegExp(`(?<![\\w.])${name}\\.${own} = ${alias}\\.(\\w+)`).exec(where[1]!)
    return found === null ? [] : [{ own: `${name}.${own}`, column: found[1]! }]
  })
  if (keys.length < unique.columns.length) return undefined
  const columns = pieces.selected === '*' ? `${name}.*` : pieces.selected
  if (!/^[\w.*]+(?:, [\w.]+)*$/.test(columns)) return undefined
  const shown = splitOutside(selected, /,/).map((each) => (each.trim() === `${name}.*` ? columns : each.trim()))
  const isPlain = shown.every((each) => each === columns || /^\w+\.\w+$/.test(each) || columnsOf(alias).test(each))
  return isPlain ? { selected: shown.join(', '), from: pieces.from, on: where[1]!, keys } : undefined
}

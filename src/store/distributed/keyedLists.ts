import { LruCache } from '../../primitives/LruCache.ts'
import { readOwned } from './ownedTables.ts'
import { placements, workerTables } from './placements.ts'
import type { RowJoin } from './rowJoins.ts'

/** A list that is on the shard of a row's key. */
export type KeyedList = {
  /** The column of the rows with the key. */
  readonly column: string
  readonly tables: readonly string[]
  /** The list with the condition that names the shard: the key is one of those of the statement, all of which are there. */
  list(keys: string): string
}

const TABLES = new RegExp(`\\b(?:from|join) "?(${workerTables.join('|')})"?\\b(?: as (\\w+))?`, 'g')

const lists = new LruCache<KeyedList | 'none'>(2000)

/** `undefined` if a table in the list may be read on other shards. */
export const findKeyedList = (join: RowJoin): KeyedList | undefined => {
  const text = `${join.alias} ${join.list}`
  let keyed = lists.find(text)
  if (keyed === undefined) {
    keyed = readKeyedList(join) ?? 'none'
    lists.set(text, keyed)
  }
  return keyed === 'none' ? undefined : keyed
}

const readKeyedList = ({ list, alias }: RowJoin): KeyedList | undefined => {
  // Lists inside lists are for other shards.
  if (/\blateral\b|\bunnest\(/.test(list)) return undefined
  const text = readOwned(list)
  const found = [...text.matchAll(TABLES)].map(([, table, name]) => ({ table: table!, name }))
  if (found.length === 0 || (found.length > 1 && found.some(({ name }) => name === undefined))) return undefined
  const conditions = found.map(({ table, name }) => findCondition(text, alias, table, name))
  const [first] = conditions
  if (first === undefined || conditions.some((each) => each === undefined || each.column !== first.column))
    return undefined
  return {
    column: first.column,
    tables: found.map(({ table }) => table),
    list: (keys) =>
      [...new Map(conditions.map((each) => [each!.text, each!.key]))].reduce(
        (rest, [condition, key]) => rest.replaceAll(condition, () => `${key} = any(${keys}) and ${condition}`),
        text,
      ),
  }
}

/** The condition that a table's key is that of the row: an equality, or the lower end of a range. */
const findCondition = (
  text: string,
  alias: string,
  table: string,
  name: string | undefined,
): { readonly text: string; readonly key: string; readonly column: string } | undefined => {
  const placement = placements[table as keyof typeof placements]
  if (typeof placement !== 'object') return undefined
  const key = name === undefined ? `"?${placement.by}"?` : `${name}\\.${placement.by}`
  const value = `"?${alias}"?\\."?(\\w+)"?`
  for (const form of [
    `(?<![\\w.])${key} = ${value}(?!\\w)`,
    `\\(${key}, [\\w.]+\\) >= \\(${value}(?:::bytea)?, `,
    `(?<![\\w.])${key} >= ${value}(?= and ${key} <= ${value})`,
  ]) {
    const match = new RegExp(form).exec(text)
    if (match !== null) {
      return { text: match[0], key: name === undefined ? placement.by : `${name}.${placement.by}`, column: match[1]! }
    }
  }
  return undefined
}

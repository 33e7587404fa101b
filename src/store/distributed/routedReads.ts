import type { CompiledQuery } from 'kysely'
import { LruCache } from '../../primitives/LruCache.ts'
import { idParts } from '../schema/idParts.ts'
import { findKeyedList } from './keyedLists.ts'
import { isShort, type MatchedList, matchRows, readMatchedList, selectMatched } from './matchedLists.ts'
import { readOwned } from './ownedTables.ts'
import { workerTables } from './placements.ts'
import {
  columnsIn,
  findInnerJoin,
  isSeparable,
  type RowJoin,
  readRowJoin,
  replaceColumns,
  replaceSelected,
} from './rowJoins.ts'
import type { Shards } from './Shards.ts'
import { cutSelect, findOutside, splitOutside } from './sqlText.ts'
import { placeAnywhere, placeOnShard, splitByWorker, type WorkerStatement } from './workerStatements.ts'

/** Runs a query. */
type QueryReader = { read<R>(query: CompiledQuery<R>, timeoutMs?: number): Promise<R[]> }

/** `at` is the shard that all tables of the statement have their rows on, if that is known; or it is of none of the workers alone. */
type Read = (statement: Statement, at?: number | 'any node') => Promise<Record<string, unknown>[]>
type Statement = { readonly sql: string; readonly parameters: readonly unknown[] }
type Row = Readonly<Record<string, unknown>>

const AT_ONCE = 64

export type RoutedOptions = {
  /** Statements under way at a time, for one query. */
  readonly atOnce?: number
  readonly shards?: () => Shards | undefined
  /** Reads from the workers themselves; `undefined` if the coordinator has to be asked. */
  readonly readDirectly?: (
    statements: readonly WorkerStatement[],
    ask: () => Promise<Row[]>,
  ) => Promise<Row[]> | undefined
}

/**
 * Runs our queries on a Citus cluster. Its planner refuses a list with a limit for each of some rows, the form of most of our reads
 * by many keys, unless all of it is on one shard. Here the rows are read first, and then the lists of all rows of a shard by one
 * statement; where the shards are not known, the list of each by its own. Statements of the coordinator's own tables, and all others, run as they are.
 */
export const createRoutedReader = (
  reader: QueryReader,
  { atOnce = AT_ONCE, shards: findShards, readDirectly }: RoutedOptions = {},
): QueryReader & { readonly isDistributed: true } => ({
  isDistributed: true,
  read: async <R>({ sql, parameters }: CompiledQuery<R>, timeoutMs?: number): Promise<R[]> => {
    const shards = findShards?.()
    const ask = (statement: Statement) => reader.read(toQuery(statement), timeoutMs)
    const read: Read = (statement, at) => {
      // A limit of its own is set by the coordinator.
      if (readDirectly === undefined || shards === undefined || timeoutMs !== undefined) return ask(statement)
      const statements = placeStatements(statement, at, shards)
      return (statements && readDirectly(statements, () => ask(statement))) ?? ask(statement)
    }
    return (await run({ sql, parameters }, { read, atOnce, shards })) as R[]
  },
})

const placeStatements = (
  statement: Statement,
  at: number | 'any node' | undefined,
  shards: Shards,
): readonly WorkerStatement[] | undefined => {
  if (at === undefined) return splitByWorker(statement, shards)
  const placed = at === 'any node' ? placeAnywhere(statement, shards) : placeOnShard(statement, at, shards)
  return placed && [placed]
}

/** How the statements of one query are run. */
type Run = { readonly read: Read; readonly atOnce: number; readonly shards: Shards | undefined }

const toQuery = ({ sql, parameters }: Statement): CompiledQuery<Record<string, unknown>> =>
  ({ sql, parameters }) as CompiledQuery<Record<string, unknown>>

const OF_WORKERS = new RegExp(`\\b(?:from|join) "?(?:${workerTables.join('|')})\\b`)

const run = async (statement: Statement, by: Run): Promise<Row[]> => {
  const { sql } = statement
  const { read } = by
  const parts = findParts(sql)
  if (parts.length === 0) return read(statement, 'any node')
  if (parts.length > 1) {
    const found: Row[] = []
    for (const part of parts) found.push(...(await run({ ...statement, sql: part }, by)))
    return found
  }
  const join = findJoin(sql)
  if (join === undefined) return read(compact(unfold(statement)))
  const rows = typeof join.rows === 'string' ? await run({ ...statement, sql: join.rows }, by) : unnest(join, statement)
  if (rows.length === 0 && isSeparable(join)) return []
  if (!isSeparable(join)) return read(compact(unfold(unite(join, rows, statement))))
  const matched = rows.length > 1 ? findMatched(join) : undefined
  if (matched !== undefined && isShort(matched, rows)) return readMatched(join, matched, rows, statement, by)
  return (await readByShard(join, rows, statement, by)) ?? readEach(join, rows, statement, by)
}

const joins = new LruCache<RowJoin | 'none'>(2000)

const findJoin = (sql: string): RowJoin | undefined => {
  let join = joins.find(sql)
  if (join === undefined) {
    const found = readRowJoin(sql)
    join = found === undefined ? 'none' : dropOrder(found)
    joins.set(sql, join)
  }
  return join === 'none' ? undefined : join
}

/** Rows that are in order, with at most one result each, need not be sorted again: a union of all results would be. */
const dropOrder = (join: RowJoin): RowJoin => {
  const { rows, tail, list, on } = join
  if (typeof rows !== 'string' || on !== undefined || !/^order by\b/.test(tail) || !/\blimit 1$/.test(list)) return join
  const text = rows.trim()
  const at = text.lastIndexOf(tail)
  return at > 0 && /^(?:\s+(?:limit|offset) \$?\d+)*$/.test(text.slice(at + tail.length)) ? { ...join, tail: '' } : join
}

const matchedLists = new WeakMap<RowJoin, MatchedList | 'none'>()

const findMatched = (join: RowJoin): MatchedList | undefined => {
  const matched = matchedLists.get(join) ?? readMatchedList(join) ?? 'none'
  matchedLists.set(join, matched)
  return matched === 'none' ? undefined : matched
}

const partsOfStatements = new LruCache<readonly string[]>(2000)

/** The parts of a statement; none if all of it is on the coordinator. */
const findParts = (sql: string): readonly string[] => {
  let parts = partsOfStatements.find(sql)
  if (parts === undefined) {
    parts = OF_WORKERS.test(sql) ? partsOf(sql) : []
    partsOfStatements.set(sql, parts)
  }
  return parts
}

/** The arms of a union without an order of its own, if any of them is to be read row by row. */
const partsOf = (sql: string): string[] => {
  if (!sql.includes('lateral')) return [sql]
  const parts = splitOutside(sql, /\bunion all\b/).map((part) => part.trim())
  if (parts.length === 1 || findOutside(parts.at(-1)!, /\border by\b/) !== undefined) return [sql]
  return parts.map((part) => (part.startsWith('(') && part.endsWith(')') ? part.slice(1, -1) : part))
}

/** The rows of parallel arrays. */
const unnest = ({ rows }: RowJoin, { parameters }: Statement): Row[] => {
  if (typeof rows === 'string') return []
  const lists = rows.parameters.map((at) => parameters[at] as readonly unknown[])
  return Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, k) => ({
    ...Object.fromEntries(rows.columns.map((column, c) => [column, lists[c]![k] ?? null])),
    ...(rows.place !== undefined && { [rows.place]: BigInt(k + 1) }),
  }))
}

const typeOf = ({ rows }: RowJoin, column: string, all: readonly Row[]): string => {
  if (typeof rows !== 'string') return rows.place === column ? 'bigint' : rows.types[rows.columns.indexOf(column)]!
  const value = all.find((row) => row[column] !== null)?.[column]
  if (typeof value === 'bigint') return 'bigint'
  if (typeof value === 'number') return 'integer'
  if (typeof value === 'string') return 'text'
  return value instanceof Uint8Array ? 'bytea' : ''
}

/** The statement for one row, and the columns of the row that are its values, after those of the whole. */
type RowStatement = { readonly sql: string; readonly columns: readonly string[] }

const rowStatements = new WeakMap<RowJoin, Map<string, RowStatement>>()

/** Writing it takes longer than sending it. */
const findRowStatement = (join: RowJoin, rows: readonly Row[], given: number): RowStatement => {
  const types = typeof join.rows === 'string' ? columnsIn(join).map((column) => typeOf(join, column, rows)) : []
  const key = `${given} ${types}`
  const known = rowStatements.get(join) ?? new Map<string, RowStatement>()
  rowStatements.set(join, known)
  const statement = known.get(key) ?? writeRowStatement(join, rows, given)
  known.set(key, statement)
  return statement
}

const writeRowStatement = (join: RowJoin, rows: readonly Row[], given: number): RowStatement => {
  const { selected, alias, list, name, on, tail } = join
  const columns: string[] = []
  const valueFor = (column: string): string => {
    if (!columns.includes(column)) columns.push(column)
    const type = typeOf(join, column, rows)
    return `$${given + columns.indexOf(column) + 1}${type === '' ? '' : `::${type}`}`
  }
  const inner = replaceColumns(list, alias, valueFor)
  const shown = replaceSelected(selected, alias, valueFor)
  const from =
    on === undefined
      ? `(${inner}) as ${name}`
      : `(select 1) as one left join (${inner}) as ${name} on ${replaceColumns(on, alias, valueFor)}`
  const sql =
    (on === undefined && tail === '' ? flatten(shown, inner, name) : undefined) ??
    `select ${shown} from ${from} ${replaceColumns(tail, alias, valueFor)}`
  return { sql, columns }
}

const readEach = async (
  join: RowJoin,
  rows: readonly Row[],
  { parameters }: Statement,
  { read, atOnce }: Run,
): Promise<Row[]> => {
  const { sql, columns } = findRowStatement(join, rows, parameters.length)
  const found: Row[] = []
  for (let at = 0; at < rows.length; at += atOnce) {
    const each = rows.slice(at, at + atOnce).map((row) => {
      const values = columns.map((column) => row[column])
      return read(compact(unfold({ sql, parameters: [...parameters, ...values] })))
    })
    for (const some of await Promise.all(each)) for (const row of some) found.push(row)
  }
  return found
}

/**
 * A select of all columns of a list as the list itself: the coordinator plans a statement of one table and one key in half the time.
 * `undefined` if it is of another form.
 */
const flatten = (selected: string, list: string, name: string): string | undefined => {
  const pieces = cutSelect(list)
  const table = pieces && /^"?\w+"?(?: as (\w+))?$/.exec(pieces.from)
  if (!pieces || !table || !/^(?:\*|"?[\w.]+"?(?:, "?[\w.]+"?)*)$/.test(pieces.selected)) return undefined
  const shown = splitOutside(selected, /,/).map((each) => each.trim())
  const isOwn = new RegExp(`\\b${name}\\.`)
  if (table[1] !== name && shown.some((each) => each !== `${name}.*` && isOwn.test(each))) return undefined
  const columns = shown.map((each) => (each === `${name}.*` ? pieces.selected : each))
  return `select ${columns.join(', ')} from ${pieces.from} ${pieces.tail}`
}

/** Lists with at most one row each, by one statement for all shards that have keys of them. */
const readMatched = async (
  join: RowJoin,
  matched: MatchedList,
  rows: readonly Row[],
  { parameters }: Statement,
  { read }: Run,
): Promise<Row[]> => {
  const values = [...parameters]
  const sql = selectMatched(matched, (column, isPart = false) => {
    const type = typeOf(join, column, rows)
    const list = [...new Map(rows.map((row) => [row[column], row[column]])).values()]
    return `$${values.push(isPart ? idParts(list as Uint8Array[]) : list)}${type === '' ? '' : `::${type}[]`}`
  })
  return matchRows(matched, rows, await read(compact({ sql, parameters: values })))
}

/** The lists of all rows of a shard by one statement; `undefined` where it is not known that each is on one shard. */
const readByShard = async (
  join: RowJoin,
  rows: readonly Row[],
  { parameters }: Statement,
  { read, atOnce, shards }: Run,
): Promise<Row[] | undefined> => {
  const keyed = shards && rows.length > 1 ? findKeyedList(join) : undefined
  if (keyed === undefined || !shards!.areTogether(keyed.tables)) return undefined
  const columns = columnsIn(join).map((name) => ({ name, type: typeOf(join, name, rows) }))
  if (columns.some(({ type }) => type === '')) return undefined
  const groups = new Map<number, number[]>()
  for (const [at, row] of rows.entries()) {
    const shard = shards!.find(keyed.tables[0]!, row[keyed.column])
    if (shard === undefined) return undefined
    const others = groups.get(shard)
    if (others === undefined) groups.set(shard, [at])
    else others.push(at)
  }
  const { selected, alias, name, on, tail } = join
  const given = (at: number): string => `$${parameters.length + at + 1}`
  const lists = columns.map(({ type }, at) => `${given(at)}::${type}[]`)
  const listOf = (wanted: string): string => lists[columns.findIndex((column) => column.name === wanted)]!
  const named = [...columns.map((column) => column.name), PLACE].map((column) => `"${column}"`)
  const ofRows = `unnest(${[...lists, `${given(columns.length)}::integer[]`].join(', ')}) as ${alias}(${named.join(', ')})`
  const sql = `select ${selected}, ${alias}."${PLACE}" from ${ofRows}
    ${on === undefined ? 'cross' : 'left'} join lateral (${keyed.list(listOf(keyed.column))}) as ${name}${on === undefined ? '' : ` on ${on}`} ${tail}`
  const found: Row[] = []
  const pending = [...groups]
  for (let at = 0; at < pending.length; at += atOnce) {
    const some = pending.slice(at, at + atOnce).map(([shard, places]) => {
      const values = columns.map((column) => places.map((place) => rows[place]![column.name]))
      return read(compact({ sql, parameters: [...parameters, ...values, places] }), shard)
    })
    for (const list of await Promise.all(some)) for (const row of list) found.push(row)
  }
  return found.sort((a, b) => Number(a[PLACE]) - Number(b[PLACE])).map(({ [PLACE]: _, ...row }) => row)
}

const PLACE = 'row_place'

/** One statement with the list of every row, where the result depends on all of them. */
const unite = (join: RowJoin, rows: readonly Row[], { parameters }: Statement): Statement => {
  const { selected, alias, list, name, on, tail } = join
  if (on !== undefined) throw new Error('A left join of rows cannot be united.')
  const values = [...parameters]
  const outside = new Set<string>()
  const named = (column: string): string => {
    outside.add(column)
    return `${name}."row_${column}"`
  }
  const shown = replaceSelected(selected, alias, named)
  const rest = replaceColumns(tail, alias, named)
  const lists = (rows.length === 0 ? [{} as Row] : rows).map((row) => {
    const known = new Map<string, string>()
    const valueFor = (column: string): string => {
      const type = typeOf(join, column, rows)
      const text = known.get(column) ?? `$${values.push(row[column] ?? null)}${type === '' ? '' : `::${type}`}`
      known.set(column, text)
      return text
    }
    const inner = replaceColumns(list, alias, valueFor)
    if (outside.size === 0) return `(${inner})`
    const also = [...outside].map((column) => `${valueFor(column)} as "row_${column}"`)
    return `(select each_list.*, ${also.join(', ')} from (${inner}) as each_list)`
  })
  const found = rows.length === 0 ? `select * from ${lists[0]} as none where false` : lists.join(' union all ')
  return { sql: `select ${shown} from (${found}) as ${name} ${rest}`, parameters: values }
}

/** Unites the lists of all joins inside a statement. */
const unfold = (statement: Statement): Statement => {
  if (!statement.sql.includes('unnest(')) return statement
  const inner = findInnerJoin(statement.sql)
  if (inner === undefined) return statement
  const { before, join, after } = inner
  const united = unite(join, unnest(join, statement), statement)
  return unfold({ sql: `${before}${united.sql}${after}`, parameters: united.parameters })
}

/** The ends of a range of one key, which alone name no worker. */
const RANGE = /\(((?:\w+\.)?(?:account|owner)), ([\w.]+)\) (>=|<=) \((\$\d+)(?:::bytea)?, ([$\w:'-]+)\)/
const RANGES = new RegExp(`${RANGE.source}\\s+and ${RANGE.source}`, 'g')
const OWNERS = /\b(i\.owner_address) >= (\$\d+)(?= and i\.owner_address <= )/g

/** The key once: then the coordinator need not plan the statement as if it were of several shards. */
const nameWorkers = (sql: string): string =>
  sql
    .replace(RANGES, (whole, ...found: string[]) => {
      const [column, second, by, key, bound, otherColumn, otherSecond, otherBy, otherKey, otherBound] = found
      if (column !== otherColumn || second !== otherSecond || key !== otherKey) return whole
      return `${column} = ${key} and ${second} ${by} ${bound} and ${second} ${otherBy} ${otherBound}`
    })
    .replace(OWNERS, (whole, column: string, key: string) => `${column} = ${key} and ${whole}`)

/** A statement whose values are numbered in the order of their use, and the indexes of those. */
type Compacted = { readonly sql: string; readonly used: readonly number[] }

/** By bytes: a statement with a list for each of many rows is long. */
const compacted = new LruCache<Compacted>(8 * 1024 * 1024)

/** Numbers the values that are used, and names the worker. */
const compact = ({ sql, parameters }: Statement): Statement => {
  // An address that is given twice is one value.
  const same = parameters.map((value, at) => (value instanceof Uint8Array ? parameters.indexOf(value) : at))
  const key = `${same} ${sql}`
  let found = compacted.find(key)
  if (found === undefined) {
    found = writeCompact(sql, same)
    compacted.set(key, found, 2 * (key.length + found.sql.length))
  }
  return { sql: found.sql, parameters: found.used.map((at) => parameters[at]) }
}

const writeCompact = (sql: string, same: readonly number[]): Compacted => {
  const used: number[] = []
  const numbered = sql.replace(/\$(\d+)/g, (_whole, number: string) => {
    const at = same[Number(number) - 1]!
    if (!used.includes(at)) used.push(at)
    return `$${used.indexOf(at) + 1}`
  })
  return { sql: nameWorkers(readOwned(numbered)), used }
}

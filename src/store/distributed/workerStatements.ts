import { LruCache } from '../../primitives/LruCache.ts'
import { placements } from './placements.ts'
import type { ShardPosition, Shards, WorkerNode } from './Shards.ts'
import { cutSelect, findOutside, splitOutside } from './sqlText.ts'

// Statements for the tables of single shards, on the workers themselves. The coordinator takes 0.4 to 1.2 ms to plan a statement and to
// pass it on, and a worker plans it each time; a worker's own table is read like one of plain PostgreSQL, by a plan that is prepared once.

type Statement = { readonly sql: string; readonly parameters: readonly unknown[] }

export type WorkerStatement = Statement & { readonly worker: WorkerNode }

/** A select of one table of the workers. */
type TableSelect = {
  readonly table: string
  /** The parameter with the key, or with the list of keys; `undefined` if the rows may be on any shard. */
  readonly key: { readonly at: number; readonly isList: boolean } | undefined
  /** Whether the rows of single shards together are the result. */
  readonly isSeparable: boolean
  readonly selected: string
  readonly alias: string
  readonly condition: string
  readonly rest: string
  /** By shard. */
  readonly texts: Map<string, string>
}

const selects = new LruCache<TableSelect | 'none'>(2000)

const TABLE = /\b(?:from|join)\s+(?=["(a-z_])/g
const AGGREGATE = /\b(?:distinct|over)\b|\b(?:count|sum|min|max|avg|array_agg|string_agg|bool_or|bool_and)\(/
const REST = /\b(?:group by|having|order by|limit|offset|for)\b/

const readSelect = (sql: string): TableSelect | undefined => {
  const pieces = cutSelect(sql)
  const named = pieces && /^"?(\w+)"?(?:\s+as\s+"?(\w+)"?)?$/.exec(pieces.from)
  if (!pieces || !named || !pieces.tail.startsWith('where ') || sql.match(TABLE)?.length !== 1) return undefined
  const [, table, alias = table] = named
  const placement = placements[table as keyof typeof placements]
  if (typeof placement !== 'object') return undefined
  const where = pieces.tail.slice('where '.length)
  const end = findOutside(where, REST)
  const condition = where.slice(0, end?.index).trim()
  if (findOutside(condition, /\bor\b/) !== undefined) return undefined
  const isKey = new RegExp(
    `^(?:"?${alias}"?\\.)?"?${placement.by}"? = (?:\\$(\\d+)(?:::\\w+)?|any\\(\\$(\\d+)(?:::\\w+\\[\\])?\\))$`,
  )
  const [key] = splitOutside(condition, /\band\b/).flatMap((each) => {
    const [found, one, many] = isKey.exec(each.trim()) ?? []
    return found === undefined ? [] : [{ at: Number(one ?? many) - 1, isList: one === undefined }]
  })
  const rest = end === undefined ? '' : where.slice(end.index)
  const isOnce = key === undefined || sql.match(new RegExp(`\\$${key.at + 1}(?!\\d)`, 'g'))!.length === 1
  const isSeparable = rest === '' && isOnce && !AGGREGATE.test(pieces.selected)
  return {
    table: table!,
    key,
    isSeparable,
    selected: pieces.selected,
    alias: alias!,
    condition,
    rest,
    texts: new Map(),
  }
}

const findSelect = (sql: string): TableSelect | undefined => {
  let select = selects.find(sql)
  if (select === undefined) {
    select = readSelect(sql) ?? 'none'
    selects.set(sql, select)
  }
  return select === 'none' ? undefined : select
}

/**
 * Fails, by a division, if the shard is not on its worker any more. A shard that was moved leaves its table behind for some time; the
 * worker knows of the move in the snapshot of the statement.
 */
const guardOf = (id: string, { group }: WorkerNode): string =>
  `(select 1 / count(*) from pg_dist_placement where shardid = ${id} and groupid = ${group}) = 1`

/** How a worker reports {@link guardOf}, or that the table is gone. */
export const isMoved = (error: unknown): boolean =>
  error instanceof Error && /^(22012|42P01)$/.test(String((error as { readonly code?: unknown }).code))

/** More shards are asked by the coordinator. */
const MAX_SHARDS = 16

/** The statements for the workers of a select; `undefined` if the coordinator has to run it. */
export const splitByWorker = (statement: Statement, shards: Shards): readonly WorkerStatement[] | undefined => {
  const select = findSelect(statement.sql)
  if (select === undefined) return undefined
  const keysOf = groupKeys(select, statement, shards)
  if (keysOf === undefined || (keysOf.size !== 1 && !select.isSeparable)) return undefined
  const byWorker = new Map<WorkerNode, { readonly ids: string[]; readonly keys: unknown[] }>()
  for (const [shard, keys] of keysOf) {
    const place = shards.findPlace(select.table, shard)
    if (place === undefined) return undefined
    const own = byWorker.get(place.worker)
    if (own === undefined) byWorker.set(place.worker, { ids: [place.id], keys: [...keys] })
    else {
      own.ids.push(place.id)
      own.keys.push(...keys)
    }
  }
  const { at, isList } = select.key ?? { at: 0, isList: false }
  return [...byWorker].map(([worker, { ids, keys }]) => ({
    worker,
    sql: findText(select, ids.length === 1 ? ids : shards.listOn(select.table, worker), worker),
    parameters: isList ? statement.parameters.with(at, keys) : statement.parameters,
  }))
}

/** One shard of a worker, or all of them in one statement: each finds the keys that it has. So there are few texts to prepare. */
const findText = (select: TableSelect, ids: readonly string[], worker: WorkerNode): string => {
  const name = `${worker.group} ${ids}`
  let text = select.texts.get(name)
  if (text === undefined) {
    const { selected, table, alias, condition, rest } = select
    const textOf = (id: string): string =>
      `select ${selected} from ${table}_${id} as ${alias} where ${guardOf(id, worker)} and ${condition} ${rest}`
    text = ids.map(textOf).join(' union all ')
    select.texts.set(name, text)
  }
  return text
}

/** The keys of each shard; none where the statement names one key, or none. */
const groupKeys = (
  { table, key }: TableSelect,
  { parameters }: Statement,
  shards: Shards,
): ReadonlyMap<number, readonly unknown[]> | undefined => {
  if (key === undefined) {
    const count = shards.count(table)
    return count > MAX_SHARDS ? undefined : new Map(Array.from({ length: count }, (_, shard) => [shard, []]))
  }
  const value = parameters[key.at]
  if (!key.isList) {
    const shard = shards.find(table, value)
    return shard === undefined ? undefined : new Map([[shard, []]])
  }
  const groups = new Map<number, unknown[]>()
  for (const each of value as readonly unknown[]) {
    const shard = shards.find(table, each)
    if (shard === undefined) return undefined
    const others = groups.get(shard)
    if (others === undefined) groups.set(shard, [each])
    else others.push(each)
  }
  return groups.size > MAX_SHARDS ? undefined : groups
}

const NAMED = /\b(from|join)\s+(?!lateral\b)"?([a-z_]+)"?(?:\s+as\s+"?(\w+)"?)?(?![\w(])/g

const placedTexts = new LruCache<string>(8 * 1024 * 1024)

/** The statement with the tables at their places, all of which are on one worker. */
const writePlaced = (
  { sql, parameters }: Statement,
  placeOf: (table: string) => ShardPosition | undefined,
): WorkerStatement | undefined => {
  const places = new Map([...sql.matchAll(NAMED)].map(([, , table]) => [table!, placeOf(table!)]))
  const [first] = places.values()
  if (first === undefined || [...places.values()].some((place) => place?.worker !== first.worker)) return undefined
  const key = `${first.id} ${first.worker.group} ${sql}`
  let text = placedTexts.find(key)
  if (text === undefined) {
    const placed = sql.replace(
      NAMED,
      (_, word: string, table: string, alias = table) => `${word} ${table}_${places.get(table)!.id} as ${alias}`,
    )
    text = `select * from (${placed}) as placed where ${guardOf(first.id, first.worker)}`
    placedTexts.set(key, text, 2 * (key.length + text.length))
  }
  return { worker: first.worker, sql: text, parameters }
}

/** A statement all of whose tables have their rows on one shard; `undefined` if there is another table in it. */
export const placeOnShard = (statement: Statement, shard: number, shards: Shards): WorkerStatement | undefined =>
  writePlaced(statement, (table) => shards.findPlace(table, shard))

let turn = 0

/** A statement of tables that are on every worker, for one of them in turn; `undefined` if there is another table in it. */
export const placeAnywhere = (statement: Statement, shards: Shards): WorkerStatement | undefined => {
  const { workers } = shards
  const worker = workers[turn++ % workers.length]
  if (worker === undefined || findOutside(statement.sql, /\border by\b/) !== undefined) return undefined
  return writePlaced(statement, (table) => {
    const id = shards.findCopied(table)
    return id === undefined ? undefined : { id, worker }
  })
}

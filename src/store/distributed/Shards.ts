import { hashBigint, hashBytes } from './hashValue.ts'
import { copiedTables, workerTables } from './placements.ts'

const MIN_GROUPED = 500

/** A server of the cluster with shards, as the coordinator knows it. */
export type WorkerNode = { readonly host: string; readonly port: number; readonly group: number }

/** Where a shard is: `id` is the end of the names of its tables. */
export type ShardPosition = { readonly id: string; readonly worker: WorkerNode }

type Asked = { query<Row extends object>(sql: string): Promise<{ readonly rows: Row[] }> }

/**
 * Which keys share a shard, and so a worker: statements for several of them go there as one. Shards that move to another worker stay
 * what they are; only splitting them, or another number of them, changes this.
 */
export class Shards {
  /** The least hashes of the shards of each table, in order. */
  readonly #bounds: ReadonlyMap<string, readonly number[]>

  readonly #places: ReadonlyMap<string, readonly ShardPosition[]>
  readonly #copied: ReadonlyMap<string, string>
  /** The workers with shards. */
  readonly workers: readonly WorkerNode[]

  /** `places` are those of the shards of each table, in the order of the bounds; `copied` are the ids of tables that every worker has. */
  constructor(
    bounds: ReadonlyMap<string, readonly number[]> = new Map(),
    places: ReadonlyMap<string, readonly ShardPosition[]> = new Map(),
    copied: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#bounds = bounds
    this.#places = places
    this.#copied = copied
    this.workers = [...new Set([...places.values()].flat().map(({ worker }) => worker))]
  }

  /** The ids of the shards of a table on a worker. */
  listOn(table: string, worker: WorkerNode): string[] {
    return (this.#places.get(table) ?? []).flatMap((place) => (place.worker === worker ? [place.id] : []))
  }

  /** The id of the one shard of a table that every worker has. */
  findCopied(table: string): string | undefined {
    return this.#copied.get(table)
  }

  /** How many shards a table has. */
  count(table: string): number {
    return this.#bounds.get(table)?.length ?? 0
  }

  /** Where a shard was when that was read; `undefined` if it is not on one worker alone. */
  findPlace(table: string, shard: number): ShardPosition | undefined {
    return this.#places.get(table)?.[shard]
  }

  /** The number of the shard with a key; `undefined` if it is not known. */
  find(table: string, key: unknown): number | undefined {
    const bounds = this.#bounds.get(table)
    if (bounds === undefined) return undefined
    const hash = key instanceof Uint8Array ? hashBytes(key) : typeof key === 'bigint' ? hashBigint(key) : undefined
    if (hash === undefined) return undefined
    let shard = bounds.length - 1
    while (shard > 0 && hash < bounds[shard]!) shard--
    return shard
  }

  /**
   * Many keys, by shard. A statement with keys of several shards goes to all of those with all of its keys, most of which are
   * elsewhere; with few keys that costs less than a statement for each shard.
   */
  group(table: string, keys: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
    if (keys.length < MIN_GROUPED) return [keys]
    const groups = new Map<number | undefined, Uint8Array[]>()
    for (const key of keys) {
      const shard = this.find(table, key)
      const others = groups.get(shard)
      if (others === undefined) groups.set(shard, [key])
      else others.push(key)
    }
    return [...groups.values()]
  }

  /** Whether rows with the same key are on the same shard in all of the tables. */
  areTogether(tables: readonly string[]): boolean {
    return new Set(tables.map((table) => String(this.#bounds.get(table)))).size === 1
  }

  isSame(other: Shards): boolean {
    const textOf = (shards: Shards): string => JSON.stringify([...shards.#bounds].sort())
    return textOf(this) === textOf(other)
  }

  static async read(client: Asked): Promise<Shards> {
    const { rows: found } = await client.query<{ there: boolean }>(
      `SELECT to_regclass('pg_dist_shard') IS NOT NULL AS there`,
    )
    if (!found[0]!.there) return new Shards()
    const { rows } = await client.query<ShardRow>(
      `SELECT s.logicalrelid::text AS name, s.shardid::text AS id, s.shardminvalue::int AS least,
         count(*)::int AS copies, min(p.groupid) AS "group", min(n.nodename) AS host, min(n.nodeport) AS port
       FROM pg_dist_shard s LEFT JOIN pg_dist_placement p ON p.shardid = s.shardid AND p.shardstate = 1
         LEFT JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary' AND n.isactive AND n.metadatasynced
       WHERE s.shardminvalue IS NOT NULL AND s.logicalrelid::text IN (${workerTables.map((name) => `'${name}'`).join(', ')})
       GROUP BY 1, 2, 3 ORDER BY 1, 3`,
    )
    const [bounds, places] = [new Map<string, number[]>(), new Map<string, ShardPosition[]>()]
    const workers = new Map<number, WorkerNode>()
    for (const { name, id, least, copies, group, host, port } of rows) {
      bounds.set(name, [...(bounds.get(name) ?? []), least])
      if (copies !== 1 || host === null) continue
      const worker = workers.get(group) ?? { host, port, group }
      workers.set(group, worker)
      places.set(name, [...(places.get(name) ?? []), { id, worker }])
    }
    // All shards of a table, or none: the order tells which one it is.
    for (const [name, placed] of places) if (placed.length !== bounds.get(name)!.length) places.delete(name)
    const { rows: copies } = await client.query<{ name: string; id: string }>(
      `SELECT s.logicalrelid::text AS name, s.shardid::text AS id FROM pg_dist_shard s WHERE s.shardminvalue IS NULL
         AND s.logicalrelid::text IN (${copiedTables.map((name) => `'${name}'`).join(', ')})
         AND NOT EXISTS (SELECT FROM pg_dist_node n WHERE n.shouldhaveshards AND n.noderole = 'primary' AND n.isactive AND NOT EXISTS
           (SELECT FROM pg_dist_placement p WHERE p.shardid = s.shardid AND p.groupid = n.groupid AND p.shardstate = 1))`,
    )
    return new Shards(bounds, places, new Map(copies.map(({ name, id }) => [name, id])))
  }
}

type ShardRow = {
  readonly name: string
  readonly id: string
  readonly least: number
  readonly copies: number
  readonly group: number
  readonly host: string | null
  readonly port: number
}

import { hashBigint, hashBytes } from './hashValue.ts'
import { workerTables } from './placements.ts'

const MIN_GROUPED = 500

type Asked = { query<Row extends object>(sql: string): Promise<{ readonly rows: Row[] }> }

/**
 * Which keys share a shard, and so a worker: statements for several of them go there as one. Shards that move to another worker stay
 * what they are; only splitting them, or another number of them, changes this.
 */
export class Shards {
  /** The least hashes of the shards of each table, in order. */
  readonly #bounds: ReadonlyMap<string, readonly number[]>

  constructor(bounds: ReadonlyMap<string, readonly number[]> = new Map()) {
    this.#bounds = bounds
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
    const { rows } = await client.query<{ name: string; bounds: number[] }>(
      `SELECT logicalrelid::text AS name, array_agg(shardminvalue::int ORDER BY shardminvalue::int) AS bounds FROM pg_dist_shard
       WHERE shardminvalue IS NOT NULL AND logicalrelid::text IN (${workerTables.map((name) => `'${name}'`).join(', ')})
       GROUP BY 1`,
    )
    return new Shards(new Map(rows.map(({ name, bounds }) => [name, bounds])))
  }
}

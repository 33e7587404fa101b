import type pg from 'pg'
import { placements } from './placements.ts'

/** Size of a table on the workers. */
export type NodeTable = {
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly indexBytes: number
}

export type ClusterSizes = {
  readonly nodes: number
  /** Nodes whose sizes are missing here. */
  readonly unreachable: number
  /** Of the database on all nodes. */
  readonly bytes: number
  readonly tables: ReadonlyMap<string, NodeTable>
}

const ON_NODE = `SELECT jsonb_build_object('bytes', pg_database_size(current_database()), 'tables',
    (SELECT jsonb_agg(jsonb_build_array(c.relname, greatest(c.reltuples, s.n_live_tup, 0), pg_total_relation_size(c.oid),
       pg_indexes_size(c.oid)))
     FROM pg_class c LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
     WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND c.relname ~ '_[0-9]{6,}$'))`

type OnNode = {
  readonly bytes: number
  readonly tables: readonly (readonly [name: string, rows: number, bytes: number, indexBytes: number])[] | null
}

/** Sizes over all nodes. A shard is a table with a number at its end; partitions have theirs before it. */
export const readClusterSizes = async (client: pg.ClientBase): Promise<ClusterSizes> => {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    'SELECT success, result FROM run_command_on_all_nodes($1)',
    [ON_NODE],
  )
  const nodes = rows.filter(({ success }) => success).map(({ result }) => JSON.parse(result) as OnNode)
  const tables = new Map<string, NodeTable>()
  for (const [shard, count, bytes, indexBytes] of nodes.flatMap((node) => node.tables ?? [])) {
    const name = shard.replace(/(_p[0-9]+)?_[0-9]{6,}$/, '')
    const known = tables.get(name) ?? { name, rows: 0, bytes: 0, indexBytes: 0 }
    const isCopy = placements[name as keyof typeof placements] === 'everywhere'
    tables.set(name, {
      name,
      rows: isCopy ? Math.max(known.rows, count) : known.rows + count,
      bytes: known.bytes + bytes,
      indexBytes: known.indexBytes + indexBytes,
    })
  }
  return {
    nodes: rows.length,
    unreachable: rows.length - nodes.length,
    bytes: nodes.reduce((sum, node) => sum + node.bytes, 0),
    tables,
  }
}

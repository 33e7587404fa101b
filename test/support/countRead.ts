import assert from 'node:assert/strict'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../../src/store/connect/Database.ts'

type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How many rows a statement reads from tables; it must not read any of them from end to end. */
export const countRead = async (database: Database, { sql, parameters }: CompiledQuery<unknown>): Promise<number> => {
  const plan = await database.transaction(async (client) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, [...parameters])
    return (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan
  })
  const count = (node: PlanNode): number => {
    const inner = (node.Plans ?? []).reduce((sum, each) => sum + count(each), 0)
    const table = node['Relation Name']
    if (table === undefined) return inner
    assert.notEqual(node['Node Type'], 'Seq Scan', `${table} is read from end to end by ${sql}`)
    const passedOver = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    return inner + node['Actual Loops'] * (node['Actual Rows'] + passedOver)
  }
  return count(plan)
}

import assert from 'node:assert/strict'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../../src/store/connect/Database.ts'
import { explainStatement, type PlanNode } from './explainStatement.ts'

/** How many rows a statement reads from tables; it must not read any of them from end to end. */
export const countRead = async (database: Database, query: CompiledQuery<unknown>): Promise<number> => {
  const plan = await database.transaction((client) => explainStatement(client, query, 'ANALYZE'))
  const count = (node: PlanNode): number => {
    const inner = (node.Plans ?? []).reduce((sum, each) => sum + count(each), 0)
    const table = node['Relation Name']
    if (table === undefined) return inner
    assert.notEqual(node['Node Type'], 'Seq Scan', `${table} is read from end to end by ${query.sql}`)
    const passedOver = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    return inner + node['Actual Loops']! * (node['Actual Rows']! + passedOver)
  }
  return count(plan)
}

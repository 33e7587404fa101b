import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { readerPlanning } from '../../src/store/connect/openClient.ts'
import { toStatement } from '../../src/store/connect/readers.ts'

export type PlanNode = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  /** As the planner expects. */
  readonly 'Plan Rows'?: number
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How the server goes about a statement that readers prepare: planned once for all values, as they do. */
export const explainStatement = async (
  client: pg.ClientBase,
  query: CompiledQuery<unknown>,
  options: 'ANALYZE' | 'ANALYZE OFF' = 'ANALYZE OFF',
): Promise<PlanNode> => {
  const { text, values } = toStatement(query)
  for (const [name, value] of Object.entries(readerPlanning)) await client.query(`SET ${name} = ${value}`)
  await client.query(`PREPARE explained AS ${text}`)
  try {
    const given = values.length === 0 ? '' : `(${values.map(toLiteral).join(', ')})`
    const { rows } = await client.query(`EXPLAIN (${options}, FORMAT JSON) EXECUTE explained${given}`)
    return (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan
  } finally {
    await client.query('DEALLOCATE explained')
    for (const name of Object.keys(readerPlanning)) await client.query(`RESET ${name}`)
  }
}

/** A value as the driver would send it, written out. */
const toLiteral = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : pg.escapeLiteral(toText(value))

const toText = (value: unknown): string => {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  if (!Array.isArray(value)) return String(value)
  const items = value.map((each: unknown) => `"${toText(each).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
  return `{${items.join(',')}}`
}

/** All parts of a plan. */
export const listNodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(listNodes)]

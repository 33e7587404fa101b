import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { openClient } from '../connect/openClient.ts'
import { tables } from '../schema/tables.ts'
import { distributeTables } from './distributeTables.ts'
import { placements } from './placements.ts'

const connect = async (t: TestContext) => {
  const client = await openClient({ url: await freshDatabase(t), name: 'test', statementTimeoutMs: 10_000 })
  t.after(() => client.end())
  return client
}

test('every table has its place, and every unique key holds the column it is spread by', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t)
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `SELECT c.relname AS table, array_agg(a.attname::text) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
     WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace GROUP BY c.relname, i.indexrelid`,
  )
  assert.deepEqual(Object.keys(placements).sort(), Object.keys(tables).sort())
  assert.ok(rows.length > 20)
  for (const { table, columns } of rows) {
    const placement = placements[table as keyof typeof placements]
    if (typeof placement === 'object') assert.ok(columns.includes(placement.by), table)
  }
  for (const [table, placement] of Object.entries(placements)) {
    if (typeof placement === 'object') assert.ok(placement.by in tables[table as keyof typeof tables], table)
  }
})

test('a server without the extension says what it needs', async (t) => {
  if (!haveDatabase(t)) return
  await assert.rejects(distributeTables(await connect(t)), {
    code: 'database_extension',
    // Not installed, or not in use.
    message:
      /does not have it\. Name such a server with --database-url, or leave out --distribute\.$|Run CREATE EXTENSION citus/,
  })
})

test('tables are distributed once', async (t) => {
  if (!haveDatabase(t)) return
  const client = await connect(t)
  // What the extension would do is only written down.
  await client.query(`
    CREATE TABLE pg_dist_partition (logicalrelid regclass, how text);
    CREATE TABLE pg_dist_node (groupid int, shouldhaveshards bool);
    CREATE FUNCTION create_distributed_table(name text, by text) RETURNS void LANGUAGE sql
      AS 'INSERT INTO pg_dist_partition VALUES (name::regclass, by)';
    CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql
      AS 'INSERT INTO pg_dist_partition VALUES (name::regclass, NULL)'`)
  const first = await distributeTables(client)
  const { rows } = await client.query<{ name: string; how: string | null }>(
    'SELECT logicalrelid::text AS name, how FROM pg_dist_partition',
  )
  const here = Object.values(placements).filter((placement) => placement === 'here').length
  assert.equal(first.length, Object.keys(tables).length - here)
  assert.deepEqual(
    Object.fromEntries(rows.map(({ name, how }) => [name, how === null ? 'everywhere' : { by: how }])),
    Object.fromEntries(Object.entries(placements).filter(([, placement]) => placement !== 'here')),
  )
  assert.deepEqual(await distributeTables(client), [])
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { openClient } from '../connect/openClient.ts'
import { DistributionChangedError } from '../errors.ts'
import { rawQuery } from '../reader/sql.ts'
import { tables } from '../schema/tables.ts'
import { type DistributionStep, distributeTables } from './distributeTables.ts'
import { placements, workerTables } from './placements.ts'
import { keylessTables } from './rowIdentity.ts'

const connect = async (t: TestContext, url?: string) => {
  const client = await openClient({ url: url ?? (await freshDatabase(t)), name: 'test', statementTimeoutMs: 10_000 })
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
  const keyed = new Set(rows.map(({ table }) => table))
  const keyless = workerTables.filter((table) => !keyed.has(table))
  assert.deepEqual(keyless.toSorted(), keylessTables.toSorted())
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

// What the extension would do is only written down.
const extension = `
  CREATE TABLE pg_dist_partition (logicalrelid regclass, how text);
  CREATE TABLE pg_dist_node (groupid int, shouldhaveshards bool);
  CREATE FUNCTION create_distributed_table(name text, by text) RETURNS void LANGUAGE sql
    AS 'INSERT INTO pg_dist_partition VALUES (name::regclass, by)';
  CREATE FUNCTION create_reference_table(name text) RETURNS void LANGUAGE sql
    AS 'INSERT INTO pg_dist_partition VALUES (name::regclass, NULL)'`

test('tables are distributed once, with the copies for owners, and readers notice', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const client = await connect(t, url)
  await client.query(extension)
  await client.query(
    `CREATE FUNCTION refuse() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE 'not on a cluster' USING ERRCODE = '0A000'; END $$`,
  )
  await client.query(
    `INSERT INTO nft_items SELECT 1, 1, true, k, decode(lpad(k::text, 66, '0'), 'hex'), NULL, CASE WHEN k > 1 THEN '\\x01'::bytea END,
       '\\x', '\\x', NULL FROM generate_series(1, 3) k`,
  )
  const database = await openFreshDatabase(t, { url })
  const wrong = rawQuery('select * from nowhere', [])
  await assert.rejects(database.reader().listReads.read(wrong))
  assert.equal(database.isDistributed, false)
  const steps: string[] = []
  const onStep = ({ table, copied, pieces }: DistributionStep) => void steps.push(`${table} ${copied}/${pieces}`)
  const first = await distributeTables(client, { onStep })
  assert.ok(steps.includes('transactions 1/1'))
  const items = await client.query('SELECT index FROM owned_items ORDER BY index')
  assert.deepEqual(items.rows, [{ index: 2n }, { index: 3n }])
  const columns = await client.query(
    `SELECT FROM pg_attribute WHERE attrelid = 'traces'::regclass AND attname = 'accounts'`,
  )
  assert.equal(columns.rowCount, 1)
  // A statement for one server fails on a cluster; then it is found out why, and the caller told to choose the other form.
  const forms = ['one', 'another'].map((name) =>
    database.reader().listReads.read(rawQuery(`select refuse() as ${name}`, [])),
  )
  await Promise.all(forms.map((form) => assert.rejects(form, DistributionChangedError)))
  await assert.rejects(database.reader().listReads.read(wrong), (error) => !(error instanceof DistributionChangedError))
  assert.equal(database.isDistributed, true)
  assert.equal(database.reader().listReads.isDistributed, true)
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

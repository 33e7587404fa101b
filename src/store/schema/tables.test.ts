import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { openClient } from '../connect/openClient.ts'
import type { Column } from './columns.ts'
import { tables } from './tables.ts'

type CatalogueRow = { table: string; column: string; type: string; nullable: boolean; has_default: boolean }

test('the tables are what the migrations make', async (t) => {
  if (!haveDatabase(t)) return
  const client = await openClient({ url: await freshDatabase(t), name: 'test', statementTimeoutMs: 10_000 })
  t.after(() => client.end())
  const { rows } = await client.query<CatalogueRow>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
       NOT a.attnotnull AS nullable, a.atthasdef OR a.attidentity <> '' AS has_default
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
       AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname COLLATE "C", a.attnum`,
  )
  const declared = Object.entries(tables)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([table, columns]) =>
      Object.entries<Column>(columns).map(([column, { type, nullable, hasDefault }]) => ({
        table,
        column,
        type,
        nullable,
        has_default: hasDefault,
      })),
    )
  assert.deepEqual(declared, rows)
})

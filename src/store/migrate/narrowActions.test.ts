import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type pg from 'pg'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { openClient } from '../connect/openClient.ts'
import { dumpSchema } from './dumpSchema.ts'
import { listMigrations } from './Migration.ts'
import { migrateDatabase } from './migrateDatabase.ts'

const NARROW = 8
const { signal } = new AbortController()

const openEmpty = async (t: TestContext): Promise<pg.Client> => {
  const url = await freshDatabase(t, 'empty')
  const client = await openClient({ url, name: 'test', statementTimeoutMs: 20_000 })
  t.after(() => client.end())
  return client
}

test('actions that were written before they were narrowed are all found again', async (t) => {
  if (!haveDatabase(t)) return
  const client = await openEmpty(t)
  const migrations = listMigrations()
  const migrate = (upTo: number) =>
    migrateDatabase(client, { logger: silentLogger, signal, migrations: migrations.slice(0, upTo) })
  await migrate(NARROW - 1)
  for (const table of ['traces', 'actions', 'action_accounts']) {
    await client.query(`CREATE TABLE ${table}_p0 PARTITION OF ${table} FOR VALUES FROM (0) TO (100)`)
  }
  const [trace, action] = ['11', '22'].map((byte) => Buffer.from(byte.repeat(32), 'hex'))
  const accounts = ['aa', 'bb'].map((byte) => Buffer.from(byte.repeat(33), 'hex'))
  const details = { comment: '\u00010', other: 'x\u0001', source: '0:AA' }
  await client.query(
    `INSERT INTO actions (start_lt, end_lt, trace_end_lt, start_utime, end_utime, trace_end_utime, mc_seqno, success, type,
       trace_id, action_id, transactions, accounts, ancestor_types, details)
     VALUES (1, 2, 3, 4, 5, 6, 7, true, 'a', $1, $2, '{}', $3, '{b,c}', $4)`,
    [trace, action, accounts, details],
  )
  await migrate(NARROW)
  const { rows: places } = await client.query('SELECT * FROM action_accounts_p0 ORDER BY account')
  assert.deepEqual(
    places,
    accounts.map((account) => ({
      end_lt: 2n,
      trace_end_lt: 3n,
      end_utime: 5,
      trace_end_utime: 6,
      mc_seqno: 7,
      account,
      trace_start: trace!.subarray(0, 8),
      action_start: action!.subarray(0, 8),
      type: 'a',
      ancestor_types: ['b', 'c'],
    })),
  )
  const { rows } = await client.query('SELECT details FROM actions')
  assert.deepEqual(rows, [{ details: { comment: '\u0001\u00010', other: 'x\u0001', source: '0:AA' } }])
})

test('a database that has it as it was before version 15 was supported is taken, and comes to the same tables', async (t) => {
  if (!haveDatabase(t)) return
  const [fresh, old] = [await openEmpty(t), await openEmpty(t)]
  const migrations = listMigrations()
  const migrate = (client: pg.Client, upTo?: number) =>
    migrateDatabase(client, { logger: silentLogger, signal, migrations: migrations.slice(0, upTo) })
  await migrate(fresh)
  await migrate(old, NARROW)
  const { rows } = await old.query<{ is: boolean }>(`SELECT to_regproc('hashbyteaextended') IS NOT NULL AS is`)
  // Only such a server can have it; on another a function stands for the one that is not there.
  if (!rows[0]!.is) {
    await old.query(`CREATE FUNCTION hashbyteaextended(bytea, bigint) RETURNS bigint IMMUTABLE LANGUAGE sql
      RETURN hash_array_extended(ARRAY[$1], $2)`)
  }
  await old.query('DROP INDEX action_accounts_by_lt, action_accounts_by_utime')
  for (const column of ['lt', 'utime']) {
    await old.query(
      `CREATE INDEX action_accounts_by_${column} ON action_accounts (hashbyteaextended(account, 0), trace_end_${column})`,
    )
  }
  const { formerChecksums = [] } = migrations[NARROW - 1]!
  await old.query('UPDATE schema_migrations SET checksum = $1 WHERE number = $2', [formerChecksums[0], NARROW])
  await migrate(old)
  if (!rows[0]!.is) await old.query('DROP FUNCTION hashbyteaextended')
  assert.equal(await dumpSchema(old), await dumpSchema(fresh))
  await old.query('UPDATE schema_migrations SET checksum = $1 WHERE number = $2', [new Uint8Array(32), NARROW])
  await assert.rejects(migrate(old), /a migration 8 \(narrow_actions\) that is not the one this version knows/)
})

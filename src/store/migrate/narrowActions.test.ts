import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase } from '../../../test/support/database.ts'
import { silentLogger } from '../../../test/support/databaseServer.ts'
import { openClient } from '../connect/openClient.ts'
import { listMigrations } from './Migration.ts'
import { migrateDatabase } from './migrateDatabase.ts'

const NARROW = 8

test('actions that were written before they were narrowed are all found again', async (t) => {
  if (!haveDatabase(t)) return
  const client = await openClient({
    url: await freshDatabase(t, 'empty'),
    name: 'test',
    statementTimeoutMs: 20_000,
  })
  t.after(() => client.end())
  const { signal } = new AbortController()
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

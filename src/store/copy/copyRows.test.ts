import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { queryBuilder } from '../queryBuilder.ts'
import { copyRows } from './copyRows.ts'

test('rows of a table of ours are copied and read', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const at = new Date('2026-01-02T03:04:05.678Z')
  const rows = Array.from({ length: 3000 }, (_, k) => ({
    name: `lease ${k}`,
    epoch: BigInt(k),
    holder: 'x'.repeat(k % 300),
    acquired_at: at,
    renewed_at: at,
  }))
  assert.equal(await database.transaction((client) => copyRows(client, 'leases', rows)), rows.length)
  const query = queryBuilder.selectFrom('leases').selectAll().where('epoch', '>=', 2998n).orderBy('epoch').compile()
  assert.deepEqual(
    await database.reader().lists.read(query),
    rows
      .slice(2998)
      .map(({ name, epoch, holder }) => ({ name, epoch, holder, backend_pid: null, acquired_at: at, renewed_at: at })),
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { dividedTables } from './dividedTables.ts'
import { dropPartitions } from './dropPartitions.ts'
import { ensurePartitions } from './ensurePartitions.ts'
import { listPartitions } from './listPartitions.ts'

const first = dividedTables[0]
const last = dividedTables.at(-1)!

test('who reads one table after the other is not ended, and is waited for', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0, 100], 100)
  let dropping: Promise<void> | undefined
  // In either order: one of them is the other way round than who drops.
  for (const [start, tables] of [
    [0, [last, first]],
    [100, [first, last]],
  ] as const) {
    await database.transaction(async (reader) => {
      await reader.query(`SELECT FROM ${tables[0]} LIMIT 1`)
      dropping = database.transaction((client) =>
        dropPartitions(
          client,
          dividedTables.map((table) => `${table}_p${start}`),
        ),
      )
      await delay(1300)
      await reader.query(`SELECT FROM ${tables[1]} LIMIT 1`)
    })
    await dropping
  }
  assert.deepEqual(await database.transaction(listPartitions), [])
})

test('who reads for too long is left alone', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0], 100)
  await database.transaction(async (reader) => {
    await reader.query(`SELECT FROM ${last} LIMIT 1`)
    const dropping = database.transaction((client) => dropPartitions(client, [`${first}_p0`]))
    await assert.rejects(dropping, { code: 'database_timeout' })
  })
  assert.equal((await database.transaction(listPartitions)).length, dividedTables.length)
})

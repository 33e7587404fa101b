import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { createLogger } from '../../observe/Logger.ts'
import { compactNowAndThen } from './compactNowAndThen.ts'

test('loosely filled indexes are compacted once a backfill is over', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction((client) =>
    client.query(
      `INSERT INTO transaction_lookup SELECT hashint8extended(k, 1), k, k FROM generate_series(1, 180000) k`,
    ),
  )
  const logged: string[] = []
  const logger = createLogger({
    level: 'info',
    format: 'json',
    colours: false,
    write: (line) => void logged.push(line),
  })
  const { signal } = new AbortController()
  let [isFilling, looks] = [false, 0]
  const hasHistoryWork = (): boolean => {
    looks++
    return isFilling
  }
  const compaction = compactNowAndThen(database, { hasHistoryWork, signal, logger, everyMs: 20 })
  t.after(() => compaction.stop())
  const look = async (): Promise<void> => {
    const seen = looks
    // The second look begins after the first has ended.
    await waitUntil('it looks twice', () => looks >= seen + 2)
  }
  await look()
  isFilling = true
  await look()
  assert.deepEqual(logged, [])
  isFilling = false
  await waitUntil('the index is compacted', () => logged.length > 0)
  await look()
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /"message":"index compacted".*"index":"transaction_lookup_by_hash"/)
})

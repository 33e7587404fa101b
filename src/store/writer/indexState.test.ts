import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { endHungWriters, lockIndex, markWriterStatement } from './indexState.ts'

test('who fell silent in a transaction that locks the index or has rows for it is ended; who works, or does neither, is not', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const lost: string[] = []
  const open = async (name: string, sql: readonly string[]) => {
    const client = await database.openConnection(name, () => lost.push(name))
    t.after(() => client.end().catch(() => undefined))
    for (const text of sql) await client.query(text)
    return client
  }
  const hung = await open('hung', ['BEGIN'])
  await lockIndex(hung)
  await open('hung before its turn', ['BEGIN', markWriterStatement])
  await open('bystander', ['BEGIN', 'SELECT 1'])
  const client = await open('next', [])
  await endHungWriters(client)
  await delay(100)
  // It may only be slow.
  assert.deepEqual(lost, [])
  await delay(5200)
  await endHungWriters(client)
  await client.query('BEGIN')
  await lockIndex(client)
  for (const end = performance.now() + 5000; lost.length < 2 && performance.now() < end; ) await delay(10)
  assert.deepEqual(lost.sort(), ['hung', 'hung before its turn'])
})

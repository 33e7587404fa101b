import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../test/support/database.ts'
import { silentLogger } from '../../test/support/databaseServer.ts'
import { putTokens, readMetadataRows } from '../../test/support/tokenRows.ts'
import type { Database } from '../store/connect/Database.ts'
import { DatabaseUnavailableError } from '../store/errors.ts'
import { claimTasks, queueTokens } from '../store/metadata/metadataTasks.ts'
import { endWith, TaskWriter } from './tasks.ts'

const rules = { refusePicture: () => undefined, imageProxy: undefined }
const from = { sinceLt: 2n ** 62n, address: new Uint8Array() }

test('a value that the database refuses spoils only its own row, and an outage loses nothing', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const numbers = [1, 2, 3]
  await putTokens(
    database,
    numbers.map((number) => ({ type: 'nft_items', number, content: { name: `n${number}` } })),
  )
  const tasks = await database.transaction(async (client) => {
    await queueTokens(client, { type: 'nft_items', direction: 'older', from, limit: 10 })
    return claimTasks(client, 10, 60_000)
  })
  let outages = 1
  const shaky: Pick<Database, 'transaction'> = {
    transaction: async (work) => {
      if (outages-- > 0) throw new DatabaseUnavailableError('The database is away.')
      return database.transaction(work)
    },
  }
  const written: number[] = []
  const writer = new TaskWriter({
    database: shaky,
    logger: silentLogger,
    refreshMs: 1000,
    onWritten: ({ task }) => written.push(Buffer.from(task.address).readUInt32BE(29)),
  })
  for (const task of tasks) {
    const end = endWith({ kind: 'onChain', task, content: task.content as { name: string } }, undefined, rules)
    assert.ok(end.kind === 'found')
    const isBad = end.metadata.name === 'n2'
    writer.add(isBad ? { ...end, metadata: { ...end.metadata, name: 'with \0 inside' } } : end)
  }
  await assert.rejects(writer.write(), { code: 'database_unavailable' })
  assert.deepEqual([writer.waiting, written], [3, []])
  await writer.write()
  assert.deepEqual([writer.waiting, written.sort()], [0, numbers])
  assert.deepEqual(
    (await readMetadataRows(database)).map(({ name, valid, error }) => [name, valid, error]),
    [
      ['n1', true, null],
      [null, false, 'The database refused the metadata.'],
      ['n3', true, null],
    ],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { copyRows } from '../writer/copyRows.ts'
import { ensurePartitions } from '../writer/partitions.ts'
import { findContents } from './messageContents.ts'
import type { MessageRow } from './messageRecord.ts'

/** All begin alike, so that the index cannot tell them apart. */
const hashOf = (number: number): Uint8Array => new Uint8Array(32).fill(7).fill(number, 20)

const messageOf = (body: number, mcSeqno: number): MessageRow =>
  ({ body_hash: hashOf(body), init_hash: null, mc_seqno: mcSeqno }) as unknown as MessageRow

test('of contents whose hashes begin alike, those are found that were asked for', { timeout: 120_000 }, async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await ensurePartitions(database, [0, 500], 500)
  await database.transaction(async (client) => {
    const rows = [1, 2, 3, 4].map((number) => ({ hash: hashOf(number), mc_seqno: 0, content: hashOf(number + 100) }))
    await copyRows(client, 'message_contents', rows)
    await copyRows(client, 'message_contents', [{ hash: hashOf(5), mc_seqno: 500, content: hashOf(105) }])
  })
  const { listReads } = database.reader()
  const cases = [
    [[1, 10]],
    [
      [2, 10],
      [4, 20],
    ],
    // One is in another partition, and one in none.
    [
      [3, 10],
      [5, 510],
      [6, 10],
    ],
  ] as const
  for (const wanted of cases) {
    const contents = await findContents(
      listReads,
      wanted.map(([body, mcSeqno]) => messageOf(body, mcSeqno)),
    )
    const expected = wanted.filter(([body]) => body <= 5).map(([body]) => Buffer.from(hashOf(body + 100)))
    assert.deepEqual(
      [...contents.values()].map((content) => Buffer.from(content)).sort(Buffer.compare),
      expected.sort(Buffer.compare),
    )
  }
  // Two callers at once share a statement, and each gets its own.
  const [one, other] = await Promise.all([1, 2].map((body) => findContents(listReads, [messageOf(body, 10)])))
  assert.deepEqual(Buffer.from([...one!.values()][0]!), Buffer.from(hashOf(101)))
  assert.deepEqual(Buffer.from([...other!.values()][0]!), Buffer.from(hashOf(102)))
})

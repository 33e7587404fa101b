import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { topAccountsQuery } from '../../src/store/reader/accounts.ts'
import { countRead } from '../support/countRead.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV3 } from '../support/v3Client.ts'
import { askBothWays, assertV3Refused } from '../support/v3Oracle.ts'
import { startV3Network } from '../support/v3Service.ts'

after(closeSharedMachine)

test('the richest accounts, page by page', async (t) => {
  if (!haveDatabase(t)) return
  const { url, logLines, mine } = await startV3Network(t, await openFreshDatabase(t), { network: { demo: true } })
  const readAll = () => askBothWays(url, 'topAccountsByBalance', { limit: 1000 })
  let all = await readAll()
  // The demo sends at its own pace; blocks are only made here, so the list stands still once it is long enough.
  for (let tries = 0; all.length <= 10 && tries < 50; tries++) {
    await mine()
    all = await readAll()
  }
  assert.ok(all.length > 10)
  const balances = all.map(({ balance }: { readonly balance: string }) => BigInt(balance))
  assert.deepEqual(
    balances,
    [...balances].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)),
  )
  const byCursor: unknown[] = []
  const byOffset: unknown[] = []
  let cursor: string | undefined
  do {
    const { body, headers } = await getV3(`${url}/api/v3`, 'topAccountsByBalance', { limit: 3, cursor })
    byOffset.push(...(await askBothWays(url, 'topAccountsByBalance', { limit: 3, offset: byOffset.length })))
    byCursor.push(...body)
    cursor = headers.get('x-next-cursor') ?? undefined
  } while (cursor !== undefined)
  assert.deepEqual(byCursor, all)
  assert.deepEqual(byOffset, all)
  assert.equal((await askBothWays(url, 'topAccountsByBalance')).length, 10)
  assert.equal((await askBothWays(url, 'topAccountsByBalance', { limit: '' })).length, 1)
  const refused = (args: object, text: string | RegExp) =>
    assertV3Refused(url, 'topAccountsByBalance', { ...args }, 422, text)
  await refused({ limit: 1001 }, 'limit is not allowed: 1001 > 1000')
  await refused({ limit: 'many' }, 'failed to decode: schema: error converting value for "limit"')
  await refused(
    { limit: 'x', offset: 'y' },
    'failed to decode: schema: error converting value for "limit" (and 1 other error)',
  )
  await refused({ cursor: 'AAAA' }, /^cursor is not one/)
  const { headers } = await getV3(`${url}/api/v3`, 'topAccountsByBalance', {}, { 'X-Timeout': '1000' })
  assert.match(headers.get('x-indexed-seqno') ?? '', /^[0-9]+$/)
  assert.match(headers.get('x-indexed-lag-ms') ?? '', /^[0-9]+$/)
  for (const prefix of ['/api/v3', '/ton/api/v3']) {
    const { status, body } = await getV3(`${url}${prefix}`, 'nothing', {})
    assert.deepEqual([status, body], [404, { error: 'Unknown path.' }])
  }
  assert.deepEqual(logLines, [])
})

test('a page among accounts that have the same costs what any other does', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction(async (client) => {
    await client.query(`INSERT INTO latest_account_states (balance, last_lt, now, mc_seqno, status, account, hash, last_hash)
      SELECT 7 * (k % 2), 1, 1, 1, 2, decode(lpad(to_hex(k), 66, '0'), 'hex'), '', '' FROM generate_series(1, 20000) AS k`)
    await client.query('ANALYZE latest_account_states')
  })
  const account = Buffer.alloc(33)
  account.writeUInt16BE(10_000, 31)
  for (const after of [undefined, { order: 'balance and account', key: [0n, account] }]) {
    const read = await countRead(database, topAccountsQuery({ limit: 10, offset: 0, after }).compile())
    assert.equal(read, 11)
  }
})

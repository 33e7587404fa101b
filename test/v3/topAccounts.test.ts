import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { accountsByCodeQuery, topAccountsQuery } from '../../src/store/reader/accounts.ts'
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
  await checkBalances(url, ELECTOR)
  await checkSameCode(url, mine)
  const { headers } = await getV3(`${url}/api/v3`, 'topAccountsByBalance', {}, { 'X-Timeout': '1000' })
  assert.match(headers.get('x-indexed-seqno') ?? '', /^[0-9]+$/)
  assert.match(headers.get('x-indexed-lag-ms') ?? '', /^[0-9]+$/)
  for (const prefix of ['/api/v3', '/ton/api/v3']) {
    const { status, body } = await getV3(`${url}${prefix}`, 'nothing', {})
    assert.deepEqual([status, body], [404, { error: 'Unknown path.' }])
  }
  assert.deepEqual(logLines, [])
})

type Json = ReturnType<typeof JSON.parse>

/** The clock calls it in every masterchain block. */
const ELECTOR = `-1:${'33'.repeat(32)}`

/** The points are the balances after the transactions of the account; fewer of them begin and end alike. */
const checkBalances = async (url: string, address: string): Promise<void> => {
  const { balances, is_sampled } = await askBothWays(url, 'accountBalances', { address, limit: 200 })
  const { transactions } = await askBothWays(url, 'transactions', { account: address, limit: 1000, sort: 'asc' })
  const known = transactions
    .filter((each: Json) => each.account_state_after.balance !== null)
    .map((each: Json) => ({ lt: each.lt, utime: each.now, balance: each.account_state_after.balance }))
  assert.ok(known.length > 3 && known.length <= 200, `${known.length} balances`)
  assert.deepEqual([balances, is_sampled], [known, false])
  const few = await askBothWays(url, 'accountBalances', { address, limit: 3 })
  assert.equal(few.is_sampled, true)
  assert.ok(few.balances.length >= 2 && few.balances.length <= 3)
  assert.deepEqual([few.balances[0], few.balances.at(-1)], [known[0], known.at(-1)])
  for (const point of few.balances) assert.ok(known.some(({ lt }: Json) => lt === point.lt))
  const nobody = await askBothWays(url, 'accountBalances', { address: `0:${'77'.repeat(32)}` })
  assert.deepEqual(nobody, { balances: [], is_sampled: false })
  await assertV3Refused(url, 'accountBalances', { address, limit: 201 }, 422, /the maximum is 200/)
  await assertV3Refused(url, 'accountBalances', {}, 422, 'address is required')
}

const checkSameCode = async (url: string, mine: () => Promise<unknown>): Promise<void> => {
  const listStates = async (): Promise<Json[]> => {
    const all = await askBothWays(url, 'topAccountsByBalance', { limit: 1000 })
    const address = all.map(({ account }: Json) => account)
    return (await askBothWays(url, 'accountStates', { address, include_boc: false })).accounts
  }
  let states = await listStates()
  const codeOf = ({ code_hash }: Json): string | undefined => code_hash
  const isTwice = (hash: string | undefined): boolean => states.filter((state) => codeOf(state) === hash).length > 1
  for (let tries = 0; !states.some((state) => codeOf(state) && isTwice(codeOf(state))) && tries < 50; tries++) {
    await mine()
    states = await listStates()
  }
  const hash = states.map(codeOf).find((each) => each !== undefined && isTwice(each))
  const alike = states.filter((state) => codeOf(state) === hash)
  const found = await askBothWays(url, 'accountsByCode', { code_hash: hash, limit: 1000 })
  assert.deepEqual(
    new Set(found.accounts.map(({ account }: Json) => account)),
    new Set(alike.map(({ address }: Json) => address)),
  )
  assert.equal(found.has_more, false)
  assert.ok(Object.keys(found.address_book).length > 0)
  const one = await askBothWays(url, 'accountsByCode', { code_hash: hash, limit: 1 })
  assert.deepEqual([one.accounts.length, one.has_more], [1, true])
}

test('a page among accounts that have the same costs what any other does', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await database.transaction(async (client) => {
    await client.query(`INSERT INTO latest_account_states (balance, last_lt, now, mc_seqno, status, account, hash, last_hash, code_hash)
      SELECT 7 * (k % 2), 1, 1, 1, 2, decode(lpad(to_hex(k), 66, '0'), 'hex'), '', '', decode(lpad(to_hex(k % 2000), 64, '0'), 'hex') FROM generate_series(1, 20000) AS k`)
    await client.query('ANALYZE latest_account_states')
  })
  const account = Buffer.alloc(33)
  account.writeUInt16BE(10_000, 31)
  for (const after of [undefined, { order: 'balance and account', key: [0n, account] }]) {
    const read = await countRead(database, topAccountsQuery({ limit: 10, offset: 0, after }).compile())
    assert.equal(read, 11)
  }
  const code = Buffer.alloc(32)
  code.writeUInt16BE(1234, 30)
  assert.equal(await countRead(database, accountsByCodeQuery(code, 5).compile()), 5)
})

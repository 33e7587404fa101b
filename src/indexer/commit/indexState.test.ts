import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase, haveDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { loadIndexState } from './indexState.ts'

const zeroState = new Uint8Array(32).fill(1)
const accounts = [new Uint8Array(33).fill(2), new Uint8Array(33).fill(3)]

test('the first who comes says what the database is an index of', async (t) => {
  if (!haveDatabase(t)) return
  const url = await freshDatabase(t)
  const [one, two] = await Promise.all([openFreshDatabase(t, { url }), openFreshDatabase(t, { url })])
  const load = (database: typeof one, partitionWidth: number) =>
    loadIndexState(database, { zeroState, partitionWidth, watchedAccounts: undefined })
  const loaded = await Promise.all([load(one, 1000), load(two, 1000)])
  for (const { state, ranges } of loaded) {
    assert.deepEqual(state, {
      zeroState: Buffer.from(zeroState),
      partitionWidth: 1000,
      retainedFrom: 0,
      watchedAccounts: undefined,
    })
    assert.deepEqual(ranges, [])
  }
  // The width stays what it was.
  assert.equal((await load(one, 77)).state.partitionWidth, 1000)
})

test('another network is refused, with what to do', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  await loadIndexState(database, { zeroState, partitionWidth: 10, watchedAccounts: undefined })
  const other = new Uint8Array(32).fill(9)
  await assert.rejects(loadIndexState(database, { zeroState: other, partitionWidth: 10, watchedAccounts: undefined }), {
    code: 'other_network',
    message: /zero state is 0101[01]+, and the source is of 0909[09]+\. Name another database with --database-url/,
  })
})

test('other accounts are refused, in another order they are the same', async (t) => {
  if (!haveDatabase(t)) return
  const database = await openFreshDatabase(t)
  const load = (watchedAccounts: readonly Uint8Array[] | undefined) =>
    loadIndexState(database, { zeroState, partitionWidth: 10, watchedAccounts })
  await load(accounts)
  const { state } = await load([...accounts].reverse())
  assert.equal(state.watchedAccounts?.length, 2)
  await assert.rejects(load([accounts[0]!]), { code: 'other_accounts', message: /holds 2 accounts, .* one account/ })
  await assert.rejects(load(undefined), { code: 'other_accounts', message: /all accounts/ })
})

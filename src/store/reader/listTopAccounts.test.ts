import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { CursorRefusedError } from '../errors.ts'
import { listTopAccounts } from './listTopAccounts.ts'

test('the question for the richest accounts, from the beginning and after a place', async () => {
  const asked: CompiledQuery[] = []
  const reader = {
    read: async (query: CompiledQuery) => {
      asked.push(query)
      return []
    },
  }
  await listTopAccounts(reader as never, { limit: 10, offset: 20, after: undefined })
  const place = { order: 'balance and account', key: [5n, Uint8Array.of(1)] }
  await listTopAccounts(reader as never, { limit: 10, offset: 20, after: place })
  assert.deepEqual(
    asked.map(({ sql }) => sql),
    [
      'select "account", "balance" from "latest_account_states" where "balance" is not null ' +
        'order by "balance" desc, "account" desc limit $1 offset $2',
      'select "account", "balance" from "latest_account_states" where "balance" is not null ' +
        'and ("balance", "account") < ($1, $2) order by "balance" desc, "account" desc limit $3',
    ],
  )
  await assert.rejects(
    listTopAccounts(reader as never, { limit: 10, offset: 0, after: { order: 'another', key: [1n] } }),
    CursorRefusedError,
  )
})

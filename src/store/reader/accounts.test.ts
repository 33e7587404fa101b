import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompiledQuery } from 'kysely'
import { CursorRefusedError } from '../errors.ts'
import { accountStatesQuery, addressBookQuery, codeMethodsQuery, codesQuery, listTopAccounts } from './accounts.ts'

test('states are found by the primary key, and data is read where it is wanted', () => {
  assert.equal(
    accountStatesQuery({ accounts: [new Uint8Array(33)], data: 'all' }).compile().sql,
    'select "account", "hash", "balance", "balance_extra", "large", "status", "last_lt", "last_hash", "frozen_hash", "data_hash", "code_hash", data as "data" from "latest_account_states" where "account" = any($1)',
  )
  assert.equal(
    accountStatesQuery({ accounts: [new Uint8Array(33)], data: 'none' }).compile().sql,
    'select "account", "hash", "balance", "balance_extra", "large", "status", "last_lt", "last_hash", "frozen_hash", "data_hash", "code_hash", null::bytea as "data" from "latest_account_states" where "account" = any($1)',
  )
  assert.equal(
    accountStatesQuery({
      accounts: [new Uint8Array(33)],
      codeHashes: [new Uint8Array(33)],
      data: [new Uint8Array(33)],
    }).compile().sql,
    'select "account", "hash", "balance", "balance_extra", "large", "status", "last_lt", "last_hash", "frozen_hash", "data_hash", "code_hash", case when "code_hash" = any($1) then data end as "data" from "latest_account_states" where "account" = any($2) and "code_hash" = any($3)',
  )
})

test('for each account its state and one look into the index of wallets, which ends at the first that it owns', () => {
  const accounts = [new Uint8Array(33)]
  const { sql, parameters } = addressBookQuery(accounts)
  assert.equal(
    sql.replace(/\s+/g, ' '),
    'select a.account, s.code_hash, d.domain from unnest($1::bytea[]) as a(account) left join latest_account_states as s on s.account = a.account left join lateral ( select domain from dns_entries where dns_wallet = a.account and nft_item_owner = a.account order by length(domain), domain limit 1 ) as d on true where s.code_hash is not null or d.domain is not null',
  )
  assert.deepEqual(parameters, [accounts])
})

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

test('codes are found by their hashes', () => {
  assert.equal(
    codesQuery([new Uint8Array(33)]).compile().sql,
    'select "code_hash", "code" from "codes" where "code_hash" = any($1)',
  )
})

test('methods are found by the hash of the code', () => {
  assert.equal(
    codeMethodsQuery([new Uint8Array(33)]).compile().sql,
    'select "code_hash", "methods" from "codes" where "code_hash" = any($1)',
  )
})

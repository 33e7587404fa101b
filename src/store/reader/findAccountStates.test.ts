import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountStatesQuery } from './findAccountStates.ts'

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

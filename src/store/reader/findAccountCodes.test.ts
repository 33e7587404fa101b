import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountCodesQuery } from './findAccountCodes.ts'

test('codes of accounts are found by the primary key', () => {
  assert.equal(
    accountCodesQuery([new Uint8Array(33)]).compile().sql,
    'select "account", "code_hash" from "latest_account_states" where "account" = any($1) and "code_hash" is not null',
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldTokensQuery } from './findHeldTokens.ts'

test('jetton wallets are found by the primary key', () => {
  assert.equal(
    heldTokensQuery([new Uint8Array(33)]).compile().sql,
    'select "address", "owner", "jetton", "balance" from "jetton_wallets" where "address" = any($1)',
  )
})

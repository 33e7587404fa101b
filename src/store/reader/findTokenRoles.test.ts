import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenRolesQuery } from './findTokenRoles.ts'

test('all roles are found at once, each by a primary key', () => {
  assert.equal(
    tokenRolesQuery([new Uint8Array(33)]).compile().sql,
    `select "address", 'jetton_masters' as "type", null::numeric as "index" from "jetton_masters" where "address" = any($1) union all select "address", 'nft_collections' as "type", null::numeric as "index" from "nft_collections" where "address" = any($2) union all select "address", 'nft_items' as "type", index as "index" from "nft_items" where "address" = any($3)`,
  )
})

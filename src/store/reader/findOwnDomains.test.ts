import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownDomainsQuery } from './findOwnDomains.ts'

test('for each account one look into the index of wallets, which ends at the first that it owns', () => {
  assert.equal(
    ownDomainsQuery([new Uint8Array(33)]).compile().sql,
    'select "asked"."account", "shortest"."domain" from unnest($1::bytea[]) as asked (account) inner join lateral (select "domain" from "dns_entries" where "dns_wallet" = "asked"."account" and "nft_item_owner" = "asked"."account" order by length(domain), "domain" limit $2) as "shortest" on true',
  )
})

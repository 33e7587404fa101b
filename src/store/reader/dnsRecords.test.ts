import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnsRecordsQuery } from './dnsRecords.ts'

const wallet = new Uint8Array(33)

test('names that lead to a wallet, after one of them', () => {
  const after = { order: 'length', key: [9, 'alice.ton', wallet] }
  assert.equal(
    dnsRecordsQuery({ wallet }, { limit: 10, offset: 0, after }).compile().sql,
    'select * from (select "domain", "nft_item_address", "nft_item_owner", "dns_next_resolver", "dns_wallet", "dns_site_adnl", "dns_storage_bag_id", length(domain) as "length" from "dns_entries" where "dns_wallet" = $1) as "entries" where ("length", "domain", "nft_item_address") > ($2, $3, $4) order by "length" asc, "domain" asc, "nft_item_address" asc limit $5',
  )
})

test('one name', () => {
  assert.equal(
    dnsRecordsQuery({ domain: 'alice.ton' }, { limit: 10, offset: 2, after: undefined }).compile().sql,
    'select * from (select "domain", "nft_item_address", "nft_item_owner", "dns_next_resolver", "dns_wallet", "dns_site_adnl", "dns_storage_bag_id", length(domain) as "length" from "dns_entries" where "domain" = $1) as "entries" order by "length" asc, "domain" asc, "nft_item_address" asc limit $2 offset $3',
  )
})

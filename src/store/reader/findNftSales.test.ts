import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nftSalesQuery } from './findNftSales.ts'

test('sales by their addresses, by kind', () => {
  assert.equal(
    nftSalesQuery([new Uint8Array(33)]).compile().sql,
    `select "last_lt", "created_at", "kind", "address", "nft_address", "nft_owner_address", "marketplace_address", "code_hash", "data_hash", "details" from "nft_sales" where "address" = any($1) order by array_position(array['getgems_sale', 'getgems_auction', 'telemint'], kind), "since_lt", "address"`,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import { eventsQuery } from './events.ts'
import {
  type NftTransferFilter,
  nftCollectionsQuery,
  nftSalesQuery,
  nftTransfers,
  toNftTransferFilter,
} from './nfts.ts'
import { anyLt } from './page.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const collectionsSql = (filter: Partial<Parameters<typeof nftCollectionsQuery>[0]>): string =>
  nftCollectionsQuery(
    { addresses: undefined, owners: undefined, ...filter },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('all collections', () => {
  assert.equal(
    collectionsSql({}),
    'select "since_lt", "last_lt", "next_item_index", "address", "owner_address", "code_hash", "data_hash", "content" from "nft_collections" order by "since_lt" asc, "address" asc limit $1',
  )
})

test('collections by address', () => {
  assert.equal(
    collectionsSql({ addresses: [key(1)] }),
    'select "since_lt", "last_lt", "next_item_index", "address", "owner_address", "code_hash", "data_hash", "content" from "nft_collections" where "address" = any($1) order by "since_lt" asc, "address" asc limit $2',
  )
})

test('collections of several owners', () => {
  assert.equal(
    collectionsSql({ owners: [key(1), key(2)] }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "next_item_index", "address", "owner_address", "code_hash", "data_hash", "content" from "nft_collections" where ("owner_address", "since_lt") >= (asked.key, $2) and ("owner_address", "since_lt") <= (asked.key, $3) and "owner_address" is not null order by "owner_address" asc, "since_lt" asc, "address" asc limit $4) as found order by "since_lt" asc, "address" asc limit $5',
  )
})

const allTransfers: NftTransferFilter = {
  owners: undefined,
  direction: 'both',
  items: undefined,
  collection: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'desc' },
}

const transfersSql = (filter: Partial<NftTransferFilter>): string =>
  eventsQuery(
    nftTransfers,
    toNftTransferFilter({ ...allTransfers, ...filter }),
    { lt: anyLt, time: {} },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('transfers in collection', () => {
  assert.equal(
    transfersSql({ collection: key(1) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where ("collection", "lt") >= ($1, $2) and ("collection", "lt") <= ($3, $4) and "collection" is not null order by "collection" desc, "lt" desc, "account" desc limit $5',
  )
})

test('what one owner gets and hands on', () => {
  assert.equal(
    transfersSql({ owners: [key(1)] }),
    'select distinct on ("lt", "account") * from ((select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where ("old_owner", "lt") >= ($1, $2) and ("old_owner", "lt") <= ($3, $4) order by "old_owner" desc, "lt" desc, "account" desc limit $5) union all (select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where ("new_owner", "lt") >= ($6, $7) and ("new_owner", "lt") <= ($8, $9) order by "new_owner" desc, "lt" desc, "account" desc limit $10)) as united order by "lt" desc, "account" desc limit $11',
  )
})

test('transfers of items, to some owners', () => {
  assert.equal(
    transfersSql({ items: [key(1), key(2)], owners: [key(3)], direction: 'in', collection: key(4) }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where "account" = asked.key and "new_owner" = any($2) and "collection" = $3 order by "lt" desc, "account" desc limit $4) as found order by "lt" desc, "account" desc limit $5',
  )
})

test('sales by their addresses, by kind', () => {
  assert.equal(
    nftSalesQuery([new Uint8Array(33)]).compile().sql,
    `select "last_lt", "created_at", "kind", "address", "nft_address", "nft_owner_address", "marketplace_address", "code_hash", "data_hash", "details" from "nft_sales" where "address" = any($1) order by array_position(array['getgems_sale', 'getgems_auction', 'telemint'], kind), "since_lt", "address"`,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { nftCollectionsQuery } from './listNftCollections.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const sqlOf = (filter: Partial<Parameters<typeof nftCollectionsQuery>[0]>): string =>
  nftCollectionsQuery(
    { addresses: undefined, owners: undefined, ...filter },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('all collections', () => {
  assert.equal(
    sqlOf({}),
    'select "since_lt", "last_lt", "next_item_index", "address", "owner_address", "code_hash", "data_hash", "content" from "nft_collections" order by "since_lt" asc, "address" asc limit $1',
  )
})

test('collections by address', () => {
  assert.equal(
    sqlOf({ addresses: [key(1)] }),
    'select "since_lt", "last_lt", "next_item_index", "address", "owner_address", "code_hash", "data_hash", "content" from "nft_collections" where "address" = any($1) order by "since_lt" asc, "address" asc limit $2',
  )
})

test('collections of several owners', () => {
  assert.equal(
    sqlOf({ owners: [key(1), key(2)] }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "next_item_index", "address", "owner_address", "code_hash", "data_hash", "content" from "nft_collections" where ("owner_address", "since_lt") >= (asked.key, $2) and ("owner_address", "since_lt") <= (asked.key, $3) and "owner_address" is not null order by "owner_address" asc, "since_lt" asc, "address" asc limit $4) as found order by "since_lt" asc, "address" asc limit $5',
  )
})

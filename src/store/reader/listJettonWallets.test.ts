import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { type JettonWalletFilter, jettonWalletsQuery } from './listJettonWallets.ts'
import type { Page } from './page.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)
const first: Page = { limit: 10, offset: 0, after: undefined }

const everything: JettonWalletFilter = {
  addresses: undefined,
  owners: undefined,
  jettons: undefined,
  withBalance: false,
  sort: undefined,
}

const sqlOf = (filter: Partial<JettonWalletFilter>, page = first): string =>
  jettonWalletsQuery({ ...everything, ...filter }, page).compile(queryBuilder).sql

test('all wallets that are not empty', () => {
  assert.equal(
    sqlOf({ withBalance: true }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where balance > 0 order by "since_lt" asc, "address" asc limit $1',
  )
})

test('wallets by their addresses', () => {
  assert.equal(
    sqlOf({ addresses: [key(1)], sort: 'asc' }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "address" = any($1) order by "address" asc limit $2',
  )
})

test('those of one owner after the other, by balance, after a place', () => {
  const after = { order: 'owner, balance desc', key: [key(1), 7n, key(2)] }
  assert.equal(
    sqlOf({ owners: [key(1), key(2)], sort: 'desc' }, { ...first, after }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "owner" = any($1) and "owner" >= $2 and ("owner" > $3 or "owner" = $4 and ("balance" < $5 or "balance" = $6 and ("address" < $7))) order by "owner" asc, "balance" desc, "address" desc limit $8',
  )
})

test('the richest of a jetton', () => {
  assert.equal(
    sqlOf({ jettons: [key(1)], sort: 'desc' }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "jetton" = $1 order by "balance" desc, "address" desc limit $2',
  )
})

test('those of several owners in one jetton', () => {
  assert.equal(
    sqlOf({ owners: [key(1), key(2)], jettons: [key(3)] }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where ("owner", "since_lt") >= (asked.key, $2) and ("owner", "since_lt") <= (asked.key, $3) and "jetton" = any($4) order by "owner" asc, "since_lt" asc, "address" asc limit $5) as found order by "since_lt" asc, "address" asc limit $6',
  )
})

test('some jettons of one owner', () => {
  assert.equal(
    sqlOf({ owners: [key(1)], jettons: [key(2), key(3)] }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "owner" = any($1) and "jetton" = any($2) order by "owner" asc, "since_lt" asc, "address" asc limit $3',
  )
})

test('the richest of all jettons together, after a place', () => {
  const after = { order: 'balance desc', key: [7n, key(2)] }
  assert.equal(
    sqlOf({ sort: 'desc', withBalance: true }, { ...first, after }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where balance > 0 and ("balance", "address") < ($1, $2) order by "balance" desc, "address" desc limit $3',
  )
})

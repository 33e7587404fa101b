import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import { type JettonWalletFilter, jettonMastersQuery, jettonWalletsQuery } from './jettons.ts'
import type { Page } from './page.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)
const first: Page = { limit: 10, offset: 0, after: undefined }
const next: Page = { limit: 10, offset: 3, after: { order: 'since asc', key: [5n, key(1)] } }

const mastersSql = (filter: Partial<Parameters<typeof jettonMastersQuery>[0]>, page = first): string =>
  jettonMastersQuery({ addresses: undefined, admins: undefined, ...filter }, page).compile(queryBuilder).sql

test('all jettons after a place', () => {
  assert.equal(
    mastersSql({}, next),
    'select "since_lt", "last_lt", "mintable", "total_supply", "address", "admin_address", "wallet_code_hash", "code_hash", "data_hash", "content" from "jetton_masters" where ("since_lt", "address") > ($1, $2) order by "since_lt" asc, "address" asc limit $3',
  )
})

test('jettons by address and admin', () => {
  assert.equal(
    mastersSql({ addresses: [key(1)], admins: [key(2)] }),
    'select "since_lt", "last_lt", "mintable", "total_supply", "address", "admin_address", "wallet_code_hash", "code_hash", "data_hash", "content" from "jetton_masters" where "address" = any($1) and "admin_address" = any($2) order by "since_lt" asc, "address" asc limit $3',
  )
})

test('jettons of several admins', () => {
  assert.equal(
    mastersSql({ admins: [key(1), key(2)] }, { ...first, offset: 3 }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "mintable", "total_supply", "address", "admin_address", "wallet_code_hash", "code_hash", "data_hash", "content" from "jetton_masters" where ("admin_address", "since_lt") >= (asked.key, $2) and ("admin_address", "since_lt") <= (asked.key, $3) and "admin_address" is not null order by "admin_address" asc, "since_lt" asc, "address" asc limit $4) as found order by "since_lt" asc, "address" asc limit $5 offset $6',
  )
})

const everything: JettonWalletFilter = {
  addresses: undefined,
  owners: undefined,
  jettons: undefined,
  withBalance: false,
  sort: undefined,
}

const walletsSql = (filter: Partial<JettonWalletFilter>, page = first): string =>
  jettonWalletsQuery({ ...everything, ...filter }, page).compile(queryBuilder).sql

test('all wallets that are not empty', () => {
  assert.equal(
    walletsSql({ withBalance: true }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where balance > 0 order by "since_lt" asc, "address" asc limit $1',
  )
})

test('wallets by their addresses', () => {
  assert.equal(
    walletsSql({ addresses: [key(1)], sort: 'asc' }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "address" = any($1) order by "address" asc limit $2',
  )
})

test('those of one owner after the other, by balance, after a place', () => {
  const after = { order: 'owner, balance desc', key: [key(1), 7n, key(2)] }
  assert.equal(
    walletsSql({ owners: [key(1), key(2)], sort: 'desc' }, { ...first, after }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "owner" = any($1) and "owner" >= $2 and ("owner" > $3 or "owner" = $4 and ("balance" < $5 or "balance" = $6 and ("address" < $7))) order by "owner" asc, "balance" desc, "address" desc limit $8',
  )
})

test('the richest of a jetton', () => {
  assert.equal(
    walletsSql({ jettons: [key(1)], sort: 'desc' }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "jetton" = $1 order by "balance" desc, "address" desc limit $2',
  )
})

test('those of several owners in one jetton', () => {
  assert.equal(
    walletsSql({ owners: [key(1), key(2)], jettons: [key(3)] }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where ("owner", "since_lt") >= (asked.key, $2) and ("owner", "since_lt") <= (asked.key, $3) and "jetton" = any($4) order by "owner" asc, "since_lt" asc, "address" asc limit $5) as found order by "since_lt" asc, "address" asc limit $6',
  )
})

test('some jettons of one owner', () => {
  assert.equal(
    walletsSql({ owners: [key(1)], jettons: [key(2), key(3)] }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where "owner" = any($1) and "jetton" = any($2) order by "owner" asc, "since_lt" asc, "address" asc limit $3',
  )
})

test('the richest of all jettons together, after a place', () => {
  const after = { order: 'balance desc', key: [7n, key(2)] }
  assert.equal(
    walletsSql({ sort: 'desc', withBalance: true }, { ...first, after }),
    'select "since_lt", "last_lt", "balance", "address", "owner", "jetton", "code_hash", "data_hash" from "jetton_wallets" where balance > 0 and ("balance", "address") < ($1, $2) order by "balance" desc, "address" desc limit $3',
  )
})

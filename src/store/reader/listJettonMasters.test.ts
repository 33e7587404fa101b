import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { jettonMastersQuery } from './listJettonMasters.ts'
import type { Page } from './page.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)
const first: Page = { limit: 10, offset: 0, after: undefined }
const next: Page = { limit: 10, offset: 3, after: { order: 'since asc', key: [5n, key(1)] } }

const sqlOf = (filter: Partial<Parameters<typeof jettonMastersQuery>[0]>, page = first): string =>
  jettonMastersQuery({ addresses: undefined, admins: undefined, ...filter }, page).compile(queryBuilder).sql

test('all jettons after a place', () => {
  assert.equal(
    sqlOf({}, next),
    'select "since_lt", "last_lt", "mintable", "total_supply", "address", "admin_address", "wallet_code_hash", "code_hash", "data_hash", "content" from "jetton_masters" where ("since_lt", "address") > ($1, $2) order by "since_lt" asc, "address" asc limit $3',
  )
})

test('jettons by address and admin', () => {
  assert.equal(
    sqlOf({ addresses: [key(1)], admins: [key(2)] }),
    'select "since_lt", "last_lt", "mintable", "total_supply", "address", "admin_address", "wallet_code_hash", "code_hash", "data_hash", "content" from "jetton_masters" where "address" = any($1) and "admin_address" = any($2) order by "since_lt" asc, "address" asc limit $3',
  )
})

test('jettons of several admins', () => {
  assert.equal(
    sqlOf({ admins: [key(1), key(2)] }, { ...first, offset: 3 }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "mintable", "total_supply", "address", "admin_address", "wallet_code_hash", "code_hash", "data_hash", "content" from "jetton_masters" where ("admin_address", "since_lt") >= (asked.key, $2) and ("admin_address", "since_lt") <= (asked.key, $3) and "admin_address" is not null order by "admin_address" asc, "since_lt" asc, "address" asc limit $4) as found order by "since_lt" asc, "address" asc limit $5 offset $6',
  )
})

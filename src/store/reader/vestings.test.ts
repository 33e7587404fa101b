import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vestingsQuery } from './vestings.ts'

const key = new Uint8Array(33)
const page = { limit: 10, offset: 0, after: undefined }

test('vesting wallets by address', () => {
  assert.equal(
    vestingsQuery({ contracts: [key] }, page).compile().sql,
    'select "since_lt", "address", "start_time", "total_duration", "unlock_period", "cliff_duration", "total_amount", "sender_address", "owner_address", "whitelist" from "vesting_contracts" where "address" = any($1) order by "since_lt" asc, "address" asc limit $2',
  )
})

test('vesting wallets of owners, senders and those listed', () => {
  assert.equal(
    vestingsQuery({ wallets: [key], withListed: true }, page).compile().sql,
    'select "since_lt", "address", "start_time", "total_duration", "unlock_period", "cliff_duration", "total_amount", "sender_address", "owner_address", "whitelist" from "vesting_contracts" where ("owner_address" = any($1) or "sender_address" = any($2) or whitelist && $3::bytea[]) order by "since_lt" asc, "address" asc limit $4',
  )
})

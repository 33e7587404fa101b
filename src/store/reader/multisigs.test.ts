import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import { multisigOrdersQuery, multisigsQuery, ordersOfMultisigsQuery } from './multisigs.ts'

test('multisigs by address and by member', () => {
  const filter = { addresses: [new Uint8Array(33)], members: [new Uint8Array(33)], direction: 'desc' } as const
  assert.equal(
    multisigsQuery(filter, { limit: 10, offset: 0, after: undefined }).compile().sql,
    'select "since_lt", "last_lt", "threshold", "next_order_seqno", "address", "code_hash", "data_hash", "signers", "proposers" from "multisigs" where "address" = any($1) and (signers && $2::bytea[] or proposers && $3::bytea[]) order by "since_lt" desc, "address" desc limit $4',
  )
})

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const sqlOf = (filter: Partial<Parameters<typeof multisigOrdersQuery>[0]>): string =>
  multisigOrdersQuery(
    { addresses: undefined, multisigs: undefined, direction: 'desc', ...filter },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('orders of several multisigs', () => {
  assert.equal(
    sqlOf({ multisigs: [key(1), key(2)] }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "since_lt", "last_lt", "expiration_date", "threshold", "approvals_num", "sent_for_execution", "order_seqno", "approvals_mask", "address", "multisig_address", "code_hash", "data_hash", "order_content", "signers" from "multisig_orders" where ("multisig_address", "since_lt") >= (asked.key, $2) and ("multisig_address", "since_lt") <= (asked.key, $3) order by "multisig_address" desc, "since_lt" desc, "address" desc limit $4) as found order by "since_lt" desc, "address" desc limit $5',
  )
})

test('orders by address, of a multisig', () => {
  assert.equal(
    sqlOf({ addresses: [key(1)], multisigs: [key(2)] }),
    'select "since_lt", "last_lt", "expiration_date", "threshold", "approvals_num", "sent_for_execution", "order_seqno", "approvals_mask", "address", "multisig_address", "code_hash", "data_hash", "order_content", "signers" from "multisig_orders" where "address" = any($1) and "multisig_address" = any($2) order by "since_lt" desc, "address" desc limit $3',
  )
})

test('all orders of multisigs', () => {
  assert.equal(
    ordersOfMultisigsQuery([key(1)]).compile().sql,
    'select "since_lt", "last_lt", "expiration_date", "threshold", "approvals_num", "sent_for_execution", "order_seqno", "approvals_mask", "address", "multisig_address", "code_hash", "data_hash", "order_content", "signers" from "multisig_orders" where "multisig_address" = any($1) order by "since_lt", "address"',
  )
})

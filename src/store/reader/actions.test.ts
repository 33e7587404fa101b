import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import {
  accountActionsQuery,
  actionsByPositionQuery,
  allActionsQuery,
  boundedActionsQuery,
  traceActionsQuery,
} from './actions.ts'

const hash = new Uint8Array(32)
const start = new Uint8Array(8)
const account = new Uint8Array(33)
const none = { startUtime: undefined, endUtime: undefined, startLt: undefined, endLt: undefined }
const first = { limit: 10, offset: 0, after: undefined }
const desc = { ...none, direction: 'desc' } as const
const types = { types: ['a'], known: ['a', 'b'], areFew: false }
const all = { types, window: desc, among: undefined, account: undefined }

test('all of them', () => {
  assert.equal(
    allActionsQuery(all, first).compile(queryBuilder).sql,
    'select "start_lt", "end_lt", "trace_end_lt", "start_utime", "end_utime", "trace_end_utime", "mc_seqno", "success", "type", "shown_type", "trace_id", "action_id", "transactions", "accounts", "ancestor_types", "details", "raw_action" from actions where "type" = any($1) and (ancestor_types is null or not ancestor_types && $2::text[]) order by "trace_end_lt" desc, "trace_id" desc, "end_lt" desc, "action_id" desc limit $3 offset $4',
  )
})

test('of few types, by time, after a place', () => {
  assert.equal(
    allActionsQuery(
      { ...all, types: { ...types, areFew: true }, window: { ...none, endUtime: 5, direction: 'asc' } },
      { ...first, after: { order: 'actions by utime asc', key: [1, hash, 2, hash] } },
    ).compile(queryBuilder).sql,
    'select found.* from unnest($1::text[]) as asked (type) cross join lateral (select "start_lt", "end_lt", "trace_end_lt", "start_utime", "end_utime", "trace_end_utime", "mc_seqno", "success", "type", "shown_type", "trace_id", "action_id", "transactions", "accounts", "ancestor_types", "details", "raw_action" from actions where (type, "trace_end_utime") >= (asked.type, $2) and (type, "trace_end_utime") <= (asked.type, $3) and "trace_end_utime" <= $4 and (ancestor_types is null or not ancestor_types && $5::text[]) and ("trace_end_utime", "trace_id", "end_utime", "action_id") > ($6, $7, $8, $9) order by "type" asc, "trace_end_utime" asc, "trace_id" asc, "end_utime" asc, "action_id" asc limit $10 offset $11) as found order by "trace_end_utime" asc, "trace_id" asc, "end_utime" asc, "action_id" asc limit $12 offset $13',
  )
})

test('of an account', () => {
  assert.equal(
    accountActionsQuery(
      { ...all, account },
      { ...first, after: { order: 'places by lt desc', key: [1n, start, 2n, start] } },
    ).compile().sql,
    'select "trace_end_lt", "trace_end_utime", "trace_start", "end_lt", "end_utime", "action_start", "mc_seqno" from "action_accounts" where hash_array_extended(ARRAY[account], 0) = hash_array_extended(ARRAY[$1::bytea], 0) and "account" = $2 and "type" = any($3) and (ancestor_types is null or not ancestor_types && $4::text[]) and ("trace_end_lt", "trace_start", "end_lt", "action_start") < ($5, $6, $7, $8) order by "trace_end_lt" desc, "trace_start" desc, "end_lt" desc, "action_start" desc limit $9',
  )
})

test('among what is bounded', () => {
  assert.equal(
    boundedActionsQuery(
      { ...all, among: { actionIds: [hash], traceIds: [hash], transactions: [[hash]], mcSeqno: 5, account } },
      first,
    ).compile().sql,
    'select * from (select "start_lt", "end_lt", "trace_end_lt", "start_utime", "end_utime", "trace_end_utime", "mc_seqno", "success", "type", "shown_type", "trace_id", "action_id", "transactions", "accounts", "ancestor_types", "details", "raw_action" from "actions" where "action_id" = any($1) and "trace_id" = any($2) and "mc_seqno" = $3 and transactions && $4::bytea[] and accounts @> $5::bytea[] and "type" = any($6) and (ancestor_types is null or not ancestor_types && $7::text[]) offset 0) as "found" order by "trace_end_lt" desc, "trace_id" desc, "end_lt" desc, "action_id" desc limit $8',
  )
})

test('of traces', () => {
  assert.equal(
    traceActionsQuery([hash], types).compile().sql,
    'select "start_lt", "end_lt", "trace_end_lt", "start_utime", "end_utime", "trace_end_utime", "mc_seqno", "success", "type", "shown_type", "trace_id", "action_id", "transactions", "accounts", "ancestor_types", "details", "raw_action" from "actions" where "trace_id" = any($1) and "type" = any($2) and (ancestor_types is null or not ancestor_types && $3::text[]) order by "start_lt" asc, "end_lt" asc, "action_id" asc',
  )
})

test('by their places', () => {
  assert.equal(
    actionsByPositionQuery([]).compile(queryBuilder).sql.replaceAll(/\s+/g, ' '),
    'select a.* from unnest($1::bigint[], $2::integer[]) as k (trace_end_lt, mc_seqno) cross join lateral ( select "start_lt", "end_lt", "trace_end_lt", "start_utime", "end_utime", "trace_end_utime", "mc_seqno", "success", "type", "shown_type", "trace_id", "action_id", "transactions", "accounts", "ancestor_types", "details", "raw_action" from actions where trace_end_lt = k.trace_end_lt and mc_seqno = k.mc_seqno and substring(action_id for 8) = any($3::bytea[]) offset 0) as a',
  )
})

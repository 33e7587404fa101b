import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { eventsQuery } from './listEvents.ts'
import { type JettonBurnFilter, jettonBurns, toBurnFilter } from './listJettonBurns.ts'
import { anyLt } from './timeWindow.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const everything: JettonBurnFilter = {
  owners: undefined,
  wallets: undefined,
  master: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'asc' },
}

const sqlOf = (filter: Partial<JettonBurnFilter>): string =>
  eventsQuery(
    jettonBurns,
    toBurnFilter({ ...everything, ...filter }),
    { lt: anyLt, time: {} },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('burns of owners, of one jetton', () => {
  assert.equal(
    sqlOf({ owners: [key(1), key(2)], master: key(3) }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "account", "owner", "jetton_master", "response_destination", "custom_payload" from "jetton_burns" where "owner" = asked.key and "jetton_master" = $2 order by "lt" asc, "account" asc limit $3) as found order by "lt" asc, "account" asc limit $4',
  )
})

test('burns of a jetton', () => {
  assert.equal(
    sqlOf({ master: key(3) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "account", "owner", "jetton_master", "response_destination", "custom_payload" from "jetton_burns" where ("jetton_master", "lt") >= ($1, $2) and ("jetton_master", "lt") <= ($3, $4) order by "jetton_master" asc, "lt" asc, "account" asc limit $5',
  )
})

test('burns by a wallet, for some owners', () => {
  assert.equal(
    sqlOf({ wallets: [key(1)], owners: [key(2)] }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "account", "owner", "jetton_master", "response_destination", "custom_payload" from "jetton_burns" where "account" = $1 and "owner" = any($2) order by "lt" asc, "account" asc limit $3',
  )
})

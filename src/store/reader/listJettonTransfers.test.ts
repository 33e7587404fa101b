import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { eventsQuery } from './listEvents.ts'
import { type JettonTransferFilter, jettonTransfers, toTransferFilter } from './listJettonTransfers.ts'
import { anyLt } from './timeWindow.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const everything: JettonTransferFilter = {
  owners: undefined,
  direction: 'both',
  wallets: undefined,
  master: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'desc' },
}

const sqlOf = (filter: Partial<JettonTransferFilter>, offset = 0): string =>
  eventsQuery(
    jettonTransfers,
    toTransferFilter({ ...everything, ...filter }),
    { lt: anyLt, time: {} },
    { limit: 10, offset, after: undefined },
  ).compile(queryBuilder).sql

test('all transfers, by logical time', () => {
  assert.equal(
    sqlOf({}),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where not aborted order by "lt" desc, "account" desc limit $1',
  )
})

test('transfers of a jetton', () => {
  assert.equal(
    sqlOf({ master: key(1) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where ("jetton_master", "lt") >= ($1, $2) and ("jetton_master", "lt") <= ($3, $4) and not aborted order by "jetton_master" desc, "lt" desc, "account" desc limit $5',
  )
})

test('what one owner sends', () => {
  assert.equal(
    sqlOf({ owners: [key(1)], direction: 'out' }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where ("source", "lt") >= ($1, $2) and ("source", "lt") <= ($3, $4) and not aborted order by "source" desc, "lt" desc, "account" desc limit $5',
  )
})

test('what several owners get', () => {
  assert.equal(
    sqlOf({ owners: [key(1), key(2)], direction: 'in' }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where ("destination", "lt") >= (asked.key, $2) and ("destination", "lt") <= (asked.key, $3) and not aborted order by "destination" desc, "lt" desc, "account" desc limit $4) as found order by "lt" desc, "account" desc limit $5',
  )
})

test('all of several owners, each once, behind an offset', () => {
  assert.equal(
    sqlOf({ owners: [key(1), key(2), key(1)], master: key(3) }, 5),
    'select distinct on ("lt", "account") * from ((select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where "source" = asked.key and "jetton_master" = $2 and not aborted order by "lt" desc, "account" desc limit $3) as found) union all (select found.* from unnest($4::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where "destination" = asked.key and "jetton_master" = $5 and not aborted order by "lt" desc, "account" desc limit $6) as found)) as united order by "lt" desc, "account" desc limit $7 offset $8',
  )
})

test('transfers of wallets, for some owners', () => {
  assert.equal(
    sqlOf({ wallets: [key(1)], owners: [key(2), key(3)], master: key(4) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where "account" = $1 and ("source" = any($2) or "destination" = any($3)) and "jetton_master" = $4 and not aborted order by "lt" desc, "account" desc limit $5',
  )
})

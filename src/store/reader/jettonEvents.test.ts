import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../schema/tables.ts'
import { eventsQuery } from './events.ts'
import {
  type JettonBurnFilter,
  type JettonTransferFilter,
  jettonBurns,
  jettonTransfers,
  toBurnFilter,
  toTransferFilter,
} from './jettonEvents.ts'
import { anyLt } from './page.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const allTransfers: JettonTransferFilter = {
  owners: undefined,
  direction: 'both',
  wallets: undefined,
  master: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'desc' },
}

const transfersSql = (filter: Partial<JettonTransferFilter>, offset = 0): string =>
  eventsQuery(
    jettonTransfers,
    toTransferFilter({ ...allTransfers, ...filter }),
    { lt: anyLt, time: {} },
    { limit: 10, offset, after: undefined },
  ).compile(queryBuilder).sql

test('all transfers, by logical time', () => {
  assert.equal(
    transfersSql({}),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where not aborted order by "lt" desc, "account" desc limit $1',
  )
})

test('transfers of a jetton', () => {
  assert.equal(
    transfersSql({ master: key(1) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where ("jetton_master", "lt") >= ($1, $2) and ("jetton_master", "lt") <= ($3, $4) and not aborted order by "jetton_master" desc, "lt" desc, "account" desc limit $5',
  )
})

test('what one owner sends', () => {
  assert.equal(
    transfersSql({ owners: [key(1)], direction: 'out' }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where ("source", "lt") >= ($1, $2) and ("source", "lt") <= ($3, $4) and not aborted order by "source" desc, "lt" desc, "account" desc limit $5',
  )
})

test('what several owners get', () => {
  assert.equal(
    transfersSql({ owners: [key(1), key(2)], direction: 'in' }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where ("destination", "lt") >= (asked.key, $2) and ("destination", "lt") <= (asked.key, $3) and not aborted order by "destination" desc, "lt" desc, "account" desc limit $4) as found order by "lt" desc, "account" desc limit $5',
  )
})

test('all of several owners, each once, behind an offset', () => {
  assert.equal(
    transfersSql({ owners: [key(1), key(2), key(1)], master: key(3) }, 5),
    'select distinct on ("lt", "account") * from ((select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where "source" = asked.key and "jetton_master" = $2 and not aborted order by "lt" desc, "account" desc limit $3) as found) union all (select found.* from unnest($4::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where "destination" = asked.key and "jetton_master" = $5 and not aborted order by "lt" desc, "account" desc limit $6) as found)) as united order by "lt" desc, "account" desc limit $7 offset $8',
  )
})

test('transfers of wallets, for some owners', () => {
  assert.equal(
    transfersSql({ wallets: [key(1)], owners: [key(2), key(3)], master: key(4) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "forward_amount", "account", "source", "destination", "jetton_master", "response_destination", "custom_payload", "forward_payload" from "jetton_transfers" where "account" = $1 and ("source" = any($2) or "destination" = any($3)) and "jetton_master" = $4 and not aborted order by "lt" desc, "account" desc limit $5',
  )
})

const allBurns: JettonBurnFilter = {
  owners: undefined,
  wallets: undefined,
  master: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'asc' },
}

const burnsSql = (filter: Partial<JettonBurnFilter>): string =>
  eventsQuery(
    jettonBurns,
    toBurnFilter({ ...allBurns, ...filter }),
    { lt: anyLt, time: {} },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('burns of owners, of one jetton', () => {
  assert.equal(
    burnsSql({ owners: [key(1), key(2)], master: key(3) }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "account", "owner", "jetton_master", "response_destination", "custom_payload" from "jetton_burns" where "owner" = asked.key and "jetton_master" = $2 order by "lt" asc, "account" asc limit $3) as found order by "lt" asc, "account" asc limit $4',
  )
})

test('burns of a jetton', () => {
  assert.equal(
    burnsSql({ master: key(3) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "account", "owner", "jetton_master", "response_destination", "custom_payload" from "jetton_burns" where ("jetton_master", "lt") >= ($1, $2) and ("jetton_master", "lt") <= ($3, $4) order by "jetton_master" asc, "lt" asc, "account" asc limit $5',
  )
})

test('burns by a wallet, for some owners', () => {
  assert.equal(
    burnsSql({ wallets: [key(1)], owners: [key(2)] }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "amount", "account", "owner", "jetton_master", "response_destination", "custom_payload" from "jetton_burns" where "account" = $1 and "owner" = any($2) order by "lt" asc, "account" asc limit $3',
  )
})

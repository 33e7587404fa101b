import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryBuilder } from '../queryBuilder.ts'
import { eventsQuery } from './listEvents.ts'
import { type NftTransferFilter, nftTransfers, toNftTransferFilter } from './listNftTransfers.ts'
import { anyLt } from './timeWindow.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)

const everything: NftTransferFilter = {
  owners: undefined,
  direction: 'both',
  items: undefined,
  collection: undefined,
  window: { time: {}, startLt: undefined, endLt: undefined, direction: 'desc' },
}

const sqlOf = (filter: Partial<NftTransferFilter>): string =>
  eventsQuery(
    nftTransfers,
    toNftTransferFilter({ ...everything, ...filter }),
    { lt: anyLt, time: {} },
    { limit: 10, offset: 0, after: undefined },
  ).compile(queryBuilder).sql

test('transfers in a collection', () => {
  assert.equal(
    sqlOf({ collection: key(1) }),
    'select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where ("collection", "lt") >= ($1, $2) and ("collection", "lt") <= ($3, $4) and "collection" is not null order by "collection" desc, "lt" desc, "account" desc limit $5',
  )
})

test('what one owner gets and hands on', () => {
  assert.equal(
    sqlOf({ owners: [key(1)] }),
    'select distinct on ("lt", "account") * from ((select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where ("old_owner", "lt") >= ($1, $2) and ("old_owner", "lt") <= ($3, $4) order by "old_owner" desc, "lt" desc, "account" desc limit $5) union all (select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where ("new_owner", "lt") >= ($6, $7) and ("new_owner", "lt") <= ($8, $9) order by "new_owner" desc, "lt" desc, "account" desc limit $10)) as united order by "lt" desc, "account" desc limit $11',
  )
})

test('transfers of items, to some owners', () => {
  assert.equal(
    sqlOf({ items: [key(1), key(2)], owners: [key(3)], direction: 'in', collection: key(4) }),
    'select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select "lt", "now", "mc_seqno", "aborted", "query_id", "forward_amount", "account", "collection", "old_owner", "new_owner", "response_destination", "custom_payload", "forward_payload" from "nft_transfers" where "account" = asked.key and "new_owner" = any($2) and "collection" = $3 order by "lt" desc, "account" desc limit $4) as found order by "lt" desc, "account" desc limit $5',
  )
})

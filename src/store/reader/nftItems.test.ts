import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CursorRefusedError } from '../errors.ts'
import { queryBuilder } from '../schema/tables.ts'
import { type NftItemFilter, nftItemsQuery } from './nftItems.ts'
import type { Page } from './page.ts'

const key = (byte: number): Uint8Array => new Uint8Array(33).fill(byte)
const first: Page = { limit: 10, offset: 0, after: undefined }

const everything: NftItemFilter = {
  addresses: undefined,
  owners: undefined,
  collections: undefined,
  indexes: undefined,
  includeOnSale: false,
  byLastLt: false,
}

const compiled = (filter: Partial<NftItemFilter>, page = first) =>
  nftItemsQuery({ ...everything, ...filter }, page).compile(queryBuilder)

/** Without what is the same in all of them. */
const sqlOf = (filter: Partial<NftItemFilter>, page = first): string =>
  compiled(filter, page)
    .sql.replaceAll(
      'i.since_lt, i.last_lt, i.init, i.index, i.address, i.collection_address, i.owner_address, i.code_hash, i.data_hash, i.content',
      '…',
    )
    .replace(/^select i\.\*, .*? from /, '')
    .replace(/ as i left join lateral .* on true /, ' … ')

test('the whole statement', () => {
  assert.equal(
    compiled({ addresses: [key(1)] }).sql,
    `select i.*, s.kind as sale_kind, s.nft_owner_address as sale_owner, c.last_lt as collection_last_lt, c.next_item_index as collection_next_index, c.owner_address as collection_owner, c.code_hash as collection_code_hash, c.data_hash as collection_data_hash, c.content as collection_content from (select * from ((select i.since_lt, i.last_lt, i.init, i.index, i.address, i.collection_address, i.owner_address, i.code_hash, i.data_hash, i.content, i.owner_address as holder from nft_items as i where "i"."address" = any($1) order by "i"."since_lt" asc, "i"."address" asc limit $2)) as parts order by "since_lt" asc, "address" asc limit $3) as i left join lateral (select * from nft_collections where address = i.collection_address limit 1) as c on true left join lateral (select * from nft_sales where address = i.owner_address and nft_address = i.address and kind in ('getgems_sale', 'getgems_auction') limit 1) as s on true order by i."since_lt" asc, i."address" asc`,
  )
})

test('all items, behind an offset', () => {
  assert.equal(
    sqlOf({}, { ...first, offset: 20 }),
    '(select * from ((select …, i.owner_address as holder from nft_items as i order by "i"."since_lt" asc, "i"."address" asc limit $1)) as parts order by "since_lt" asc, "address" asc limit $2 offset $3) … order by i."since_lt" asc, i."address" asc',
  )
})

test('items of owners', () => {
  assert.equal(
    sqlOf({ owners: [key(1), key(2)] }),
    '(select * from ((select …, i.owner_address as holder from nft_items as i where "i"."owner_address" = any($1) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $2)) as parts order by "holder" asc, "collection_address" asc, "index" asc, "address" asc limit $3) … order by i."holder" asc, i."collection_address" asc, i."index" asc, i."address" asc',
  )
})

test('items of owners after one in collection, and after one in none', () => {
  const after = (collection: Uint8Array) => ({ order: 'owner', key: [key(1), collection, 7n, key(5)] })
  assert.equal(
    sqlOf({ owners: [key(1), key(2)] }, { ...first, after: after(key(4)) }),
    '(select * from ((select …, i.owner_address as holder from nft_items as i where i.owner_address = $1 and i.collection_address > $2 order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $3) union all (select …, i.owner_address as holder from nft_items as i where i.owner_address = $4 and i.collection_address = $5 and (i.index, i.address) > ($6, $7) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $8) union all (select …, i.owner_address as holder from nft_items as i where i.owner_address = $9 and i.collection_address is null order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $10) union all (select …, i.owner_address as holder from nft_items as i where i.owner_address = $11 order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $12)) as parts order by "holder" asc, "collection_address" asc, "index" asc, "address" asc limit $13) … order by i."holder" asc, i."collection_address" asc, i."index" asc, i."address" asc',
  )
  assert.equal(
    sqlOf({ owners: [key(1)] }, { ...first, after: after(new Uint8Array(0)) }),
    '(select * from ((select …, i.owner_address as holder from nft_items as i where i.owner_address = $1 and i.collection_address is null and (i.index, i.address) > ($2, $3) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $4)) as parts order by "holder" asc, "collection_address" asc, "index" asc, "address" asc limit $5) … order by i."holder" asc, i."collection_address" asc, i."index" asc, i."address" asc',
  )
  const wrong = { order: 'owner', key: [key(1), 'x', 7n, key(5)] }
  assert.throws(() => sqlOf({ owners: [key(1)] }, { ...first, after: wrong }), CursorRefusedError)
})

test('items of collection by their numbers', () => {
  assert.equal(
    sqlOf({ collections: [key(1)], indexes: [1n, 2n] }),
    '(select * from ((select …, i.owner_address as holder from nft_items as i where i.collection_address = $1 and i.index = any($2::numeric[]) order by "i"."index" asc, "i"."address" asc limit $3)) as parts order by "index" asc, "address" asc limit $4) … order by i."index" asc, i."address" asc',
  )
})

test('items of several owners in collection', () => {
  const after = { order: 'index', key: [7n, key(5)] }
  assert.equal(
    sqlOf({ collections: [key(1)], owners: [key(2), key(3)] }, { ...first, after }),
    '(select * from ((select found.* from unnest($1::bytea[]) as asked (key) cross join lateral (select …, i.owner_address as holder from nft_items as i where i.owner_address = asked.key and i.collection_address = $2 and ("i"."index", "i"."address") > ($3, $4) order by "i"."index" asc, "i"."address" asc limit $5) as found)) as parts order by "index" asc, "address" asc limit $6) … order by i."index" asc, i."address" asc',
  )
})

test('the newest first', () => {
  assert.equal(
    sqlOf({ byLastLt: true, collections: [key(1)] }),
    '(select * from ((select …, i.owner_address as holder from nft_items as i where i.collection_address = $1 order by "i"."last_lt" desc, "i"."address" desc limit $2)) as parts order by "last_lt" desc, "address" desc limit $3) … order by i."last_lt" desc, i."address" desc',
  )
})

test('items of owners, with those that they have for sale', () => {
  assert.equal(
    sqlOf({ owners: [key(1)], includeOnSale: true }),
    `(select * from ((select …, i.owner_address as holder from nft_items as i where i.owner_address = $1 and not exists (select from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and s.kind in ('getgems_sale', 'getgems_auction')) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $2) union all (select …, s.nft_owner_address as holder from nft_sales as s join nft_items as i on i.address = s.nft_address and i.owner_address = s.address where "s"."nft_owner_address" = any($3) and s.kind in ('getgems_sale', 'getgems_auction') order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $4)) as parts order by "holder" asc, "collection_address" asc, "index" asc, "address" asc limit $5) … order by i."holder" asc, i."collection_address" asc, i."index" asc, i."address" asc`,
  )
  const after = { order: 'real owner', key: [key(1), key(4), 7n, key(5)] }
  assert.equal(
    sqlOf({ owners: [key(1)], includeOnSale: true }, { ...first, after }),
    `(select * from ((select …, i.owner_address as holder from nft_items as i where i.owner_address = $1 and i.collection_address > $2 and not exists (select from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and s.kind in ('getgems_sale', 'getgems_auction')) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $3) union all (select …, i.owner_address as holder from nft_items as i where i.owner_address = $4 and i.collection_address = $5 and (i.index, i.address) > ($6, $7) and not exists (select from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and s.kind in ('getgems_sale', 'getgems_auction')) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $8) union all (select …, i.owner_address as holder from nft_items as i where i.owner_address = $9 and i.collection_address is null and not exists (select from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and s.kind in ('getgems_sale', 'getgems_auction')) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $10) union all (select …, s.nft_owner_address as holder from nft_sales as s join nft_items as i on i.address = s.nft_address and i.owner_address = s.address where "s"."nft_owner_address" = any($11) and s.kind in ('getgems_sale', 'getgems_auction') and (s.nft_owner_address > $12 or s.nft_owner_address = $13 and (i.collection_address > $14 or i.collection_address is null or i.collection_address = $15 and (i.index, i.address) > ($16, $17))) order by "holder" asc, "i"."collection_address" asc, "i"."index" asc, "i"."address" asc limit $18)) as parts order by "holder" asc, "collection_address" asc, "index" asc, "address" asc limit $19) … order by i."holder" asc, i."collection_address" asc, i."index" asc, i."address" asc`,
  )
})

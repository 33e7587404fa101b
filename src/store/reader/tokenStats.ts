import { type RawBuilder, sql } from 'kysely'
import { fromHex } from '../../primitives/hex.ts'
import type { Reader } from '../connect/Database.ts'
import { queryBuilder } from '../schema/tables.ts'

/** A count goes on to here; beyond, it is a lower bound. */
export const MAX_HOLDERS = 100_000
/** Items of a collection that its stats take in. */
export const MAX_ITEMS = 20_000
const MAX_OWNERS = 100

export type HolderCount = { readonly holders: number; readonly isComplete: boolean }

export const holdersQuery = (jetton: Uint8Array): RawBuilder<{ holders: number }> =>
  sql`select count(*)::int4 as holders from (select 1 from jetton_wallets where jetton = ${sql.val(jetton)} and balance > 0 limit ${sql.lit(MAX_HOLDERS + 1)}) as held`

/** How many wallets of a jetton have a balance. */
export const countHolders = async (reader: Reader, jetton: Uint8Array): Promise<HolderCount> => {
  const [row] = await reader.read(holdersQuery(jetton).compile(queryBuilder))
  const holders = row!.holders
  return { holders: Math.min(holders, MAX_HOLDERS), isComplete: holders <= MAX_HOLDERS }
}

export type CollectionStats = {
  readonly items: number
  readonly owners: number
  /** On sale for a price, or at auction. */
  readonly onSale: number
  /** The cheapest sale for a price. */
  readonly floor: { readonly price: bigint; readonly item: Uint8Array } | undefined
  /** Those with most items. An item on sale counts for its seller. */
  readonly topOwners: readonly { readonly owner: Uint8Array; readonly items: number }[]
  readonly isComplete: boolean
}

type StatsRow = {
  items: number
  owners: number
  on_sale: number
  floor_price: bigint | null
  floor_item: Uint8Array | null
  top_owners: { owner: string; items: number }[] | null
}

/** Sales end before their item leaves: what is over is no offer. */
const isOpen = sql`not coalesce((s.details ->> case s.kind when 'getgems_sale' then 'is_complete' else 'end_flag' end)::boolean, false)`

export const collectionStatsQuery = (collection: Uint8Array): RawBuilder<StatsRow> => {
  const items = sql`select address, owner_address from nft_items where collection_address = ${sql.val(collection)} and init order by index limit ${sql.lit(MAX_ITEMS + 1)}`
  const sales = sql`select s.kind, s.nft_owner_address, s.details from nft_sales as s where s.address = i.owner_address and s.nft_address = i.address and s.nft_owner_address is not null and s.kind in ('getgems_sale', 'getgems_auction') and ${isOpen} limit 1`
  const held = sql`select i.address, coalesce(s.nft_owner_address, i.owner_address) as owner, s.kind, case s.kind when 'getgems_sale' then (s.details ->> 'full_price')::numeric end as price from (${items}) as i left join lateral (${sales}) as s on true`
  const owners = sql`select owner, count(*)::int4 as items from held where owner is not null group by owner`
  return sql`with held as materialized (${held}), owners as (${owners}), floor as (select price, address from held where price > 0 order by price, address limit 1) select (select count(*)::int4 from held) as items, (select count(*)::int4 from owners) as owners, (select count(kind)::int4 from held) as on_sale, (select price from floor) as floor_price, (select address from floor) as floor_item, (select jsonb_agg(jsonb_build_object('owner', encode(owner, 'hex'), 'items', items) order by items desc, owner) from (select * from owners order by items desc, owner limit ${sql.lit(MAX_OWNERS)}) as top) as top_owners`
}

/** What the items of a collection come to. Of a very large collection, the first items. */
export const readCollectionStats = async (reader: Reader, collection: Uint8Array): Promise<CollectionStats> => {
  const [row] = await reader.read(collectionStatsQuery(collection).compile(queryBuilder))
  const { items, owners, on_sale, floor_price, floor_item, top_owners } = row!
  return {
    items: Math.min(items, MAX_ITEMS),
    owners,
    onSale: on_sale,
    floor: floor_price === null || floor_item === null ? undefined : { price: floor_price, item: floor_item },
    topOwners: (top_owners ?? []).map((each) => ({ owner: fromHex(each.owner), items: each.items })),
    isComplete: items <= MAX_ITEMS,
  }
}

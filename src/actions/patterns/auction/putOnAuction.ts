import { orNull } from '../../rows/format.ts'
import { type BlockKind, blockKind } from '../../tree/Block.ts'

export type PutOnAuctionData = {
  readonly item: string
  readonly collection: string | undefined
  readonly index: bigint
  readonly owner: string | undefined
  /** The contract that made the auction; `undefined` where the item is its own. */
  readonly listing: string | undefined
  readonly auction: string
  readonly feeAddress: string | undefined
  readonly feeFactor: number
  readonly feeBase: number
  readonly royaltyAddress: string | undefined
  readonly royaltyBase: number
  readonly minBid: bigint
  readonly maxBid: bigint
}

export const putOnAuctionKind = (name: string): BlockKind<PutOnAuctionData> =>
  blockKind({
    name,
    describe: ({ data }) => ({
      source: data.owner,
      sourceSecondary: data.listing,
      destination: data.auction,
      details: {
        nft_collection: data.collection ?? null,
        nft_item: data.item,
        nft_item_index: String(data.index),
        owner: data.owner ?? null,
        listing_address: data.listing ?? null,
        auction_address: data.auction,
        marketplace_address: null,
        marketplace_fee_factor: orNull(data.feeFactor),
        marketplace_fee_base: orNull(data.feeBase),
        royalty_fee_base: orNull(data.royaltyBase),
        max_bid: orNull(data.maxBid),
        min_bid: orNull(data.minBid),
        marketplace_fee_address: data.feeAddress ?? null,
        royalty_address: data.royaltyAddress ?? null,
        marketplace: null,
      },
    }),
  })

/** An item was given to a contract that sells it to the highest bidder. */
export const nftPutOnAuction = putOnAuctionKind('nft_put_on_auction')

import type { Shown } from '../../rows/ActionFacts.ts'
import { type BlockKind, blockKind } from '../../tree/Block.ts'

export type TradeEndData = {
  /** Who has the item now. */
  readonly owner: string | undefined
  readonly item: string | undefined
  readonly collection: string | undefined
  /** The contract of the sale or of the auction. */
  readonly contract: string | undefined
  readonly marketplace: string | undefined
}

const describeEnd =
  (contractName: 'sale_address' | 'auction_address'): BlockKind<TradeEndData>['describe'] =>
  ({ data: { owner, item, collection, contract, marketplace } }) => {
    const details: Record<string, Shown> = {
      owner: owner ?? null,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      [contractName]: contract ?? null,
      marketplace_address: marketplace ?? null,
      marketplace: null,
    }
    return { source: owner, destination: contract, moreAccounts: item === undefined ? [] : [item], details }
  }

/** An item came back from its sale. */
export const nftCancelSale = blockKind<TradeEndData>({
  name: 'nft_cancel_sale',
  describe: describeEnd('sale_address'),
})

/** An auction was called off. */
export const nftCancelAuction = blockKind<TradeEndData>({
  name: 'nft_cancel_auction',
  describe: describeEnd('auction_address'),
})

/** An auction was told to end, with a buyer or without. */
export const nftFinishAuction = blockKind<TradeEndData>({
  name: 'nft_finish_auction',
  describe: describeEnd('auction_address'),
})

/** As {@link nftCancelAuction}, of an item that is its own auction. */
export const teleitemCancelAuction = blockKind<TradeEndData>({
  name: 'teleitem_cancel_auction',
  describe: describeEnd('auction_address'),
})

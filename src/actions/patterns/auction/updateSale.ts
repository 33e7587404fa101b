import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { readChangedPrice, saleOps } from '../bodies/getgems.ts'
import { isCall } from '../core/isCall.ts'

export type UpdateSaleData = {
  readonly source: string | undefined
  readonly sale: string | undefined
  readonly item: string | undefined
  readonly marketplace: string | undefined
  readonly price: bigint
  readonly fee: bigint
  readonly royalty: bigint
}

/** A sale has a new price. */
const nftUpdateSale = blockKind<UpdateSaleData>({
  name: 'nft_update_sale',
  describe: ({ data: { source, sale, item, marketplace, price, fee, royalty } }) => ({
    source,
    destination: sale,
    moreAccounts: item === undefined ? [] : [item],
    details: {
      source: source ?? null,
      sale_contract: sale ?? null,
      nft_address: item ?? null,
      marketplace_address: marketplace ?? null,
      marketplace: null,
      full_price: String(price),
      marketplace_fee: String(fee),
      royalty_amount: String(royalty),
    },
  }),
})

export const matchUpdateSale: Matcher = {
  name: 'nft_update_sale',
  isAnchor: (block) => isCall(block, saleOps.changePrice),
  around: {},
  build: ({ anchor }, { facts }) => {
    const { source, destination } = messageOf(anchor)
    const { nft, marketplace } = expectPresent(facts.of(destination).sale, 'sale')
    const data = { source, sale: destination, item: nft, marketplace, ...readChangedPrice(anchor) }
    foldBlocks(nftUpdateSale, data, [anchor], { failed: anchor.node.transaction.aborted })
  },
}

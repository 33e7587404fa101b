import type { MatchContext, Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { orNull } from '../../rows/format.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { nftOps } from '../bodies/nft.ts'
import { deployedAccounts } from '../core/deployedAccounts.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { isDnsItem, isTelegramItem } from '../nft/itemKinds.ts'

type BidOn = {
  readonly item: string | undefined
  readonly collection: string | undefined
  readonly index: bigint | undefined
  /** Whether the auction is a contract beside the item, or the item itself. */
  readonly isApart: boolean
}

export type AuctionBidData = BidOn & {
  readonly amount: bigint
  readonly bidder: string
  readonly auction: string
}

/** A bid for an item. */
export const auctionBid = blockKind<AuctionBidData>({
  name: 'auction_bid',
  isClosed: true,
  describe: ({ data: { amount, bidder, auction, item, collection, index } }) => ({
    source: bidder,
    destination: auction,
    moreAccounts: item === undefined ? [] : [item],
    details: {
      amount: String(amount),
      bidder,
      auction,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      nft_item_index: orNull(index),
    },
  }),
})

/** What tells an auction to do something else. */
const commands: ReadonlySet<string | undefined> = new Set(['cancel', 'finish', 'stop'])

export const matchAuctionBid: Matcher = {
  name: 'auction_bid',
  isAnchor: (block, context) =>
    block.is(tonTransfer) &&
    !commands.has(block.data.comment) &&
    findBidOn(block, block.data.destination, context) !== undefined &&
    deployedAccounts(block).size === 0,
  around: {},
  build: ({ anchor }, context) => {
    if (!anchor.is(tonTransfer)) return
    const { value, source, destination } = anchor.data
    const bidOn = expectPresent(findBidOn(anchor, destination, context), 'auction')
    const data = { amount: value, bidder: source, auction: destination, ...bidOn }
    foldBlocks(auctionBid, data, [anchor as Block], { failed: anchor.failed })
  },
}

/** What is sold there, if anything is. */
const findBidOn = (block: Block, auction: string, { facts }: MatchContext): BidOn | undefined => {
  const known = facts.of(auction)
  if (known.auction !== undefined) {
    const { nft } = known.auction
    const item = facts.of(nft).nftItem
    return { item: nft, collection: item?.collection, index: item?.index, isApart: true }
  }
  const { nftItem } = known
  // A domain takes money for other ends too, and gives the bid before back when it takes a new one.
  const takesBid = isDnsItem(nftItem) ? block.next.some((next) => isCall(next, nftOps.outbid)) : isTelegramItem(nftItem)
  if (nftItem === undefined || !takesBid) return undefined
  return { item: auction, collection: nftItem.collection, index: nftItem.index, isApart: false }
}

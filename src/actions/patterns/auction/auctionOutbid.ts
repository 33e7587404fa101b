import type { Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { nftOps } from '../bodies/nft.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { type AuctionBidData, auctionBid } from './auctionBid.ts'

export type AuctionOutbidData = {
  readonly auction: string
  /** Who gets the money back. */
  readonly bidder: string | undefined
  readonly newBidder: string
  readonly item: string | undefined
  readonly collection: string | undefined
  readonly amount: bigint
}

const OUTBID_COMMENT = 'Your bid has been outbid by another user'

/** A bid was given back, since there is a higher one. */
const auctionOutbid = blockKind<AuctionOutbidData>({
  name: 'auction_outbid',
  describe: ({ data: { auction, bidder, newBidder, item, collection, amount } }) => ({
    source: auction,
    sourceSecondary: newBidder,
    destination: bidder,
    moreAccounts: item === undefined ? [] : [item],
    details: {
      auction_address: auction,
      bidder: bidder ?? null,
      new_bidder: newBidder,
      nft_item: item ?? null,
      nft_collection: collection ?? null,
      amount: String(amount),
    },
  }),
})

const isRefund = (block: Block, { auction, isApart }: AuctionBidData): boolean => {
  if (block.container !== undefined || block.nodes[0]?.message?.source !== auction) return false
  if (!isApart) return isCall(block, nftOps.outbid)
  return block.is(tonTransfer) && block.data.comment?.includes(OUTBID_COMMENT) === true
}

/** The money that goes back; the bid that made it go stays an action of its own. */
export const matchAuctionOutbid: Matcher = {
  name: 'auction_outbid',
  isAnchor: (block) => block.is(auctionBid) && block.next.some((next) => isRefund(next, block.data)),
  around: {},
  build: ({ anchor }) => {
    if (!anchor.is(auctionBid)) return
    const { auction, bidder: newBidder, item, collection } = anchor.data
    const [refund, ...more] = anchor.next.filter((next) => isRefund(next, anchor.data))
    if (refund === undefined || more.length > 0) throw new MatchRefusedError('It is not clear which bid went back.')
    const { destination: bidder, value = 0n } = messageOf(refund)
    foldBlocks(auctionOutbid, { auction, bidder, newBidder, item, collection, amount: value }, [refund])
  },
}

import { call, foldMatch, kindOf, type MatchContext, type Matcher } from '../match/Matcher.ts'
import { orNull } from '../rows/Action.ts'
import {
  type Addresses,
  type Block,
  type BlockKind,
  blockKind,
  expectPresent,
  foldBlocks,
  MatchRefusedError,
} from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { deployedAccounts, isCall, tonTransfer } from './core.ts'
import { saleOps } from './getgems.ts'
import { isDnsItem, isTelegramItem, nftOps, readTeleitemAuction } from './nfts.ts'
import { endsAuction, type NftTransferData, nftPurchase, nftTransfer } from './nftTransfers.ts'

type BidOn = Addresses<'item' | 'collection'> & {
  readonly index: bigint | undefined
  /** Whether the auction is a separate contract or the item itself. */
  readonly isApart: boolean
}

type AuctionBidData = BidOn & {
  readonly amount: bigint
  readonly bidder: string
  readonly auction: string
}

/** A bid for an item. */
const auctionBid = blockKind<AuctionBidData>({
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

/** Messages to an auction that are not bids. */
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

/** The item on sale, if any. */
const findBidOn = (block: Block, auction: string, { facts }: MatchContext): BidOn | undefined => {
  const known = facts.of(auction)
  if (known.auction !== undefined) {
    const { nft } = known.auction
    const item = facts.of(nft).nftItem
    return { item: nft, collection: item?.collection, index: item?.index, isApart: true }
  }
  const { nftItem } = known
  // A domain also takes money for other purposes, and refunds the previous bid when it accepts a new one.
  const takesBid = isDnsItem(nftItem) ? block.next.some((next) => isCall(next, nftOps.outbid)) : isTelegramItem(nftItem)
  if (nftItem === undefined || !takesBid) return undefined
  return { item: auction, collection: nftItem.collection, index: nftItem.index, isApart: false }
}

export type AuctionOutbidData = Addresses<'item' | 'collection'> & {
  readonly auction: string
  /** The outbid bidder, who is refunded. */
  readonly bidder: string | undefined
  readonly newBidder: string
  readonly amount: bigint
}

const OUTBID_COMMENT = 'Your bid has been outbid by another user'

/** A bid was refunded because of a higher one. */
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

/** The refund; the higher bid stays a separate action. */
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

export type PutOnAuctionData = Addresses<'collection' | 'owner' | 'feeAddress' | 'royaltyAddress'> & {
  readonly item: string
  readonly index: bigint
  /** The contract that created the auction; `undefined` if the item is its own auction. */
  readonly listing: string | undefined
  readonly auction: string
  readonly feeFactor: number
  readonly feeBase: number
  readonly royaltyBase: number
  readonly minBid: bigint
  readonly maxBid: bigint
}

const describePutOnAuction = ({ data }: Block<PutOnAuctionData>) => ({
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
})

/** An item was put on auction. */
export const nftPutOnAuction = blockKind({ name: 'nft_put_on_auction', describe: describePutOnAuction })

export type TradeEndData = Addresses<'item' | 'collection' | 'marketplace'> & {
  /** The new owner of the item. */
  readonly owner: string | undefined
  /** The contract of the sale or of the auction. */
  readonly contract: string | undefined
}

const describeEnd = <Contract extends object>(
  { owner, item, collection, contract, marketplace }: TradeEndData,
  contractMember: Contract,
) => ({
  source: owner,
  destination: contract,
  moreAccounts: item === undefined ? [] : [item],
  details: {
    owner: owner ?? null,
    nft_item: item ?? null,
    nft_collection: collection ?? null,
    ...contractMember,
    marketplace_address: marketplace ?? null,
    marketplace: null,
  },
})

const describeSaleEnd = ({ data }: Block<TradeEndData>) => describeEnd(data, { sale_address: data.contract ?? null })

const describeAuctionEnd = ({ data }: Block<TradeEndData>) =>
  describeEnd(data, { auction_address: data.contract ?? null })

/** A sale was cancelled. */
const nftCancelSale = blockKind<TradeEndData>({
  name: 'nft_cancel_sale',
  describe: describeSaleEnd,
})

/** An auction was cancelled. */
const nftCancelAuction = blockKind<TradeEndData>({
  name: 'nft_cancel_auction',
  describe: describeAuctionEnd,
})

/** An auction was finished, with or without a buyer. */
const nftFinishAuction = blockKind<TradeEndData>({
  name: 'nft_finish_auction',
  describe: describeAuctionEnd,
})

/** As {@link nftCancelAuction}, for an item that is its own auction. */
const teleitemCancelAuction = blockKind<TradeEndData>({
  name: 'teleitem_cancel_auction',
  describe: describeAuctionEnd,
})

/** Start of an auction, for an item that is its own auction. */
const teleitemStartAuction = blockKind({ name: 'teleitem_start_auction', describe: describePutOnAuction })

const around = { next: call(saleOps.teleitemOk, { optional: true }) }

export const matchTeleitemStart: Matcher = {
  name: 'teleitem_start_auction',
  isAnchor: (block, { facts }) =>
    isCall(block, saleOps.teleitemStart) && isTelegramItem(facts.of(messageOf(block).destination).nftItem),
  around,
  build: (match, { facts }) => {
    const { source, destination } = messageOf(match.anchor)
    const item = expectPresent(destination, 'item')
    const { collection, index } = expectPresent(facts.of(item).nftItem, 'item')
    const { beneficiary, minBid, maxBid } = readTeleitemAuction(match.anchor)
    const data = {
      item,
      collection,
      index,
      owner: source,
      listing: undefined,
      auction: item,
      feeAddress: beneficiary,
      feeFactor: 0,
      feeBase: 0,
      royaltyAddress: undefined,
      royaltyBase: 0,
      minBid,
      maxBid,
    }
    foldMatch(match, teleitemStartAuction, data, { failed: match.anchor.node.transaction.aborted })
  },
}

export const matchTeleitemCancel: Matcher = {
  name: 'teleitem_cancel_auction',
  isAnchor: (block, { facts }) =>
    isCall(block, saleOps.teleitemCancel) && isTelegramItem(facts.of(messageOf(block).destination).nftItem),
  around,
  build: (match, { facts }) => {
    const { source: owner, destination: item } = messageOf(match.anchor)
    const { collection } = expectPresent(facts.of(item).nftItem, 'item')
    const data = { owner, item, collection, contract: item, marketplace: undefined }
    foldMatch(match, teleitemCancelAuction, data, { failed: match.anchor.node.transaction.aborted })
  },
}

/** The transfer by which an item left a sale or an auction. */
const findReturned = (
  blocks: readonly Block[],
  kind: BlockKind<NftTransferData>,
  item: string | undefined,
): NftTransferData => {
  const left = blocks.filter((block) => block.is(kind)).map(({ data }) => data)
  return expectPresent(
    left.find((data) => data.item === item),
    'transfer of the item',
  )
}

const isFinish = (block: Block): boolean =>
  isCall(block, saleOps.finishAuction, saleOps.stopAuction) ||
  (block.is(tonTransfer) && endsAuction(block.data.comment))

const isCancel = (block: Block): boolean =>
  isCall(block, saleOps.cancelAuction) || (block.is(tonTransfer) && block.data.comment === 'cancel')

/** A message finished an auction with a bid. The purchase is a separate action. */
export const matchFinishSold: Matcher = {
  name: 'nft_finish_auction',
  isAnchor: (block, { facts }) => isFinish(block) && facts.of(messageOf(block).destination).auction !== undefined,
  around: { next: kindOf(nftPurchase) },
  build: ({ anchor, others }, { facts }) => {
    const { destination: contract } = messageOf(anchor)
    const { nft } = expectPresent(facts.of(contract).auction, 'auction')
    const { newOwner, item, collection } = findReturned(others, nftPurchase, nft)
    foldBlocks(nftFinishAuction, { owner: newOwner, item, collection, contract, marketplace: undefined }, [anchor])
  },
}

/** An auction was cancelled or ended without a buyer. The return of the item is a separate action. */
export const matchEndUnsold: Matcher = {
  name: 'nft_cancel_auction',
  isAnchor: (block, { facts }) =>
    (isFinish(block) || isCancel(block)) && facts.of(messageOf(block).destination).auction !== undefined,
  around: { next: kindOf(nftTransfer) },
  build: ({ anchor, others }, { facts }) => {
    const { destination: contract } = messageOf(anchor)
    const { nft, marketplace } = expectPresent(facts.of(contract).auction, 'auction')
    const { newOwner, item, collection } = findReturned(others, nftTransfer, nft)
    const kind = isCancel(anchor) ? nftCancelAuction : nftFinishAuction
    foldBlocks(kind, { owner: newOwner, item, collection, contract, marketplace }, [anchor])
  },
}

/** Only the call: the return of the item is a separate action. */
export const matchCancelSale: Matcher = {
  name: 'nft_cancel_sale',
  isAnchor: (block, { facts }) =>
    isCall(block, saleOps.cancelSale) && facts.of(messageOf(block).destination).sale !== undefined,
  around: { next: kindOf(nftTransfer) },
  build: ({ anchor, others }, { facts }) => {
    const { destination: contract } = messageOf(anchor)
    const { nft, marketplace } = expectPresent(facts.of(contract).sale, 'sale')
    const { newOwner, item, collection } = findReturned(others, nftTransfer, nft)
    foldBlocks(nftCancelSale, { owner: newOwner, item, collection, contract, marketplace }, [anchor])
  },
}

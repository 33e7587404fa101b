import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { messageOf } from '../bodies/body.ts'
import { saleOps } from '../bodies/getgems.ts'
import { readTeleitemAuction } from '../bodies/nft.ts'
import { isCall } from '../core/isCall.ts'
import { isTelegramItem } from '../nft/itemKinds.ts'
import { putOnAuctionKind } from './putOnAuction.ts'
import { teleitemCancelAuction } from './tradeEnd.ts'

/** As putting an item on auction, of one that is its own auction. */
const teleitemStartAuction = putOnAuctionKind('teleitem_start_auction')

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

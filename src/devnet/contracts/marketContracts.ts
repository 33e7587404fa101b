import type { Cell } from '../../codec/cell/Cell.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import type { Address } from '../../primitives/Address.ts'
import { compiledCode, contractInit } from './contractInit.ts'
import { startBody, writeAddress } from './messages.ts'

const SELL_FOR = 1
const AUCTION = 2
const CANCEL_SALE = 3
const CHANGE_PRICE = 0x6c6c2080

/** A market that keeps a fee for its owner and pays royalties to the author. */
export const marketInit = (owner: Address, author: Address): StateInit => {
  const w = writeAddress(writeAddress(new CellWriter(), owner), author)
  return contractInit(
    compiledCode('market'),
    w.writeRef(compiledCode('nftSale')).writeRef(compiledCode('nftAuction')).toCell(),
  )
}

/** What goes to the market with an item that is for sale. */
export const sellForPayload = (price: bigint): Cell =>
  new CellWriter().writeUint(SELL_FOR, 32).writeCoins(price).toCell()

export type AuctionTerms = {
  readonly minBid: bigint
  /** A bid of this much ends the auction. */
  readonly maxBid: bigint
  /** In seconds. */
  readonly duration: number
}

/** What goes to the market with an item that is to be auctioned. */
export const auctionPayload = ({ minBid, maxBid, duration }: AuctionTerms): Cell =>
  new CellWriter().writeUint(AUCTION, 32).writeCoins(minBid).writeCoins(maxBid).writeUint(duration, 32).toCell()

export const cancelSaleBody = (queryId: bigint): Cell => startBody(CANCEL_SALE, queryId).toCell()

export const changePriceBody = (queryId: bigint, price: bigint): Cell =>
  startBody(CHANGE_PRICE, queryId).writeCoins(price).writeCoins(0n).writeCoins(0n).toCell()

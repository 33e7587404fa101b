import type { Address } from '../../primitives/Address.ts'
import { findReadable, UnexpectedResultError } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'

/** "AUC": what auctions leave first. */
const AUCTION = 0x415543n

/** A contract of GetGems that gives an NFT to the highest bidder. Times are in seconds. */
export type Auction = {
  readonly hasEnded: boolean
  readonly endTime: number
  readonly marketplace: Address | undefined
  readonly nft: Address
  /** Nobody before the NFT has come. */
  readonly owner: Address | undefined
  readonly lastBid: bigint
  readonly lastBidder: Address | undefined
  /** In hundredths. */
  readonly minStep: number
  readonly marketplaceFee: AuctionFee
  readonly royalty: AuctionFee
  readonly maxBid: bigint
  readonly minBid: bigint
  readonly createdAt: number
  readonly lastBidAt: number
  readonly isCanceled: boolean
}

/** A share of the price: factor / base. */
type AuctionFee = { readonly address: Address | undefined; readonly factor: number; readonly base: number }

/** The auction that this contract is, of any version. */
export const findAuction = async (run: RunMethod, address: Address): Promise<Auction | undefined> => {
  const newer = await run(address, 'get_auction_data_v4', [])
  const auction = findReadable(() => readNewerAuction(newer))
  if (auction !== undefined) return auction
  const older = await run(address, 'get_sale_data', [])
  return findReadable(() => readOlderAuction(older))
}

const readNewerAuction = (result: MethodResult): Auction => {
  const r = new ResultReader(result)
  // Whether the NFT has come.
  r.readInt()
  return readAuction(r)
}

const readOlderAuction = (result: MethodResult): Auction => {
  const r = new ResultReader(result)
  const kind = r.readInt()
  if (kind !== AUCTION) throw new UnexpectedResultError(`An auction is of kind ${AUCTION}, this is of ${kind}.`)
  return readAuction(r)
}

const readAuction = (r: ResultReader): Auction => ({
  hasEnded: r.readBool(),
  endTime: r.readNumber(),
  marketplace: r.readMaybeAddress(),
  nft: r.readAddress(),
  owner: r.readMaybeAddress(),
  lastBid: r.readUint(),
  lastBidder: r.readMaybeAddress(),
  minStep: r.readNumber(),
  marketplaceFee: readFee(r),
  royalty: readFee(r),
  maxBid: r.readUint(),
  minBid: r.readUint(),
  createdAt: r.readNumber(),
  lastBidAt: r.readNumber(),
  isCanceled: r.readBool(),
})

const readFee = (r: ResultReader): AuctionFee => ({
  address: r.readMaybeAddress(),
  factor: r.readNumber(),
  base: r.readNumber(),
})

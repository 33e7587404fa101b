import { decodeUtf8, readSnake } from '../codec/content/text.ts'
import type { Address } from '../primitives/Address.ts'
import { findReadable, type MethodResult, ResultReader, type RunMethod, UnexpectedResultError } from './getMethods.ts'

/** "AUC": what auctions leave first. */
const AUCTION = 0x415543n

/** A contract of GetGems that gives an NFT to the highest bidder. Times are in seconds. */
export type Auction = {
  readonly hasEnded: boolean
  readonly endTime: number
  readonly marketplace: Address | undefined
  readonly nft: Address
  /** Absent before the NFT arrives. */
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

/** "FIXP": what sales of this kind leave first. */
const FIX_PRICE = 0x46495850n

/** A contract of GetGems that sells an NFT for a price. */
export type FixPriceSale = {
  readonly isComplete: boolean
  /** In seconds. */
  readonly createdAt: number
  readonly marketplace: Address | undefined
  readonly nft: Address
  /** Absent before the NFT arrives. */
  readonly owner: Address | undefined
  readonly fullPrice: bigint
  readonly marketplaceFeeAddress: Address | undefined
  /** Coins; of version 4 a share in hundred thousandths of the price. The same goes for the royalty. */
  readonly marketplaceFee: bigint
  readonly royaltyAddress: Address | undefined
  readonly royaltyAmount: bigint
}

/** The sale that this contract is, of version 2, 3 or 4. */
export const findFixPriceSale = async (run: RunMethod, address: Address): Promise<FixPriceSale | undefined> => {
  const newer = await run(address, 'get_fix_price_data_v4', [])
  const sale = findReadable(() => readSale(new ResultReader(newer)))
  if (sale !== undefined) return sale
  const older = await run(address, 'get_sale_data', [])
  return findReadable(() => readOlderSale(older))
}

const readOlderSale = (result: MethodResult): FixPriceSale => {
  const r = new ResultReader(result)
  const kind = r.readInt()
  if (kind !== FIX_PRICE) throw new UnexpectedResultError(`A sale is of kind ${FIX_PRICE}, this is of ${kind}.`)
  return readSale(r)
}

const readSale = (r: ResultReader): FixPriceSale => ({
  isComplete: r.readBool(),
  createdAt: r.readNumber(),
  marketplace: r.readMaybeAddress(),
  nft: r.readAddress(),
  owner: r.readMaybeAddress(),
  fullPrice: r.readUint(),
  marketplaceFeeAddress: r.readMaybeAddress(),
  marketplaceFee: r.readUint(),
  royaltyAddress: r.readMaybeAddress(),
  royaltyAmount: r.readUint(),
})

const NAME_LIMITS = { maxCells: 16, maxBytes: 1024 }

/** The bids so far. Times are in seconds. */
type TelemintAuctionState = {
  readonly bidder: Address | undefined
  readonly bid: bigint
  readonly bidTime: bigint
  readonly minBid: bigint
  readonly endTime: number
}

/** The rules of an auction; without one, all of them zero. */
type TelemintAuctionConfig = {
  readonly beneficiary: Address | undefined
  readonly initialMinBid: bigint
  readonly maxBid: bigint
  readonly minBidStep: bigint
  readonly minExtendTime: bigint
  readonly duration: bigint
}

/** An NFT that holds its auctions itself: names and numbers of Telegram. */
export type TelemintItem = {
  readonly tokenName: string
  readonly state: TelemintAuctionState
  readonly config: TelemintAuctionConfig
  readonly royalty: { readonly numerator: number; readonly denominator: number; readonly destination: Address }
}

const noAuction: TelemintAuctionState = { bidder: undefined, bid: 0n, bidTime: 0n, minBid: 0n, endTime: 0 }

export const findTelemintItem = async (run: RunMethod, address: Address): Promise<TelemintItem | undefined> => {
  const name = await run(address, 'get_telemint_token_name', [])
  const tokenName = findReadable(() => decodeUtf8(readSnake(new ResultReader(name).readContent(), NAME_LIMITS)))
  if (tokenName === undefined) return undefined
  const rules = await run(address, 'get_telemint_auction_config', [])
  const config = findReadable(() => readConfig(rules))
  const share = await run(address, 'royalty_params', [])
  const royalty = findReadable(() => readRoyalty(share))
  if (config === undefined || royalty === undefined) return undefined
  // It throws where nothing is for sale.
  const bids = await run(address, 'get_telemint_auction_state', [])
  const state = bids.exitCode === 0 ? findReadable(() => readState(bids)) : noAuction
  return state === undefined ? undefined : { tokenName, state, config, royalty }
}

const readState = (result: MethodResult): TelemintAuctionState => {
  const r = new ResultReader(result)
  return {
    bidder: r.readOptionalAddress(),
    bid: r.readUint(),
    bidTime: r.readUint(),
    minBid: r.readUint(),
    endTime: r.readNumber(),
  }
}

const readConfig = (result: MethodResult): TelemintAuctionConfig => {
  const r = new ResultReader(result)
  return {
    beneficiary: r.readOptionalAddress(),
    initialMinBid: r.readUint(),
    maxBid: r.readUint(),
    minBidStep: r.readUint(),
    minExtendTime: r.readUint(),
    duration: r.readUint(),
  }
}

const readRoyalty = (result: MethodResult): TelemintItem['royalty'] => {
  const r = new ResultReader(result)
  return { numerator: r.readInt32(), denominator: r.readInt32(), destination: r.readAddress() }
}

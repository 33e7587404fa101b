import { decodeUtf8, readSnake } from '../../codec/content/text.ts'
import type { Address } from '../../primitives/Address.ts'
import { findReadable } from '../methods/errors.ts'
import { ResultReader } from '../methods/ResultReader.ts'
import type { MethodResult, RunMethod } from '../methods/RunMethod.ts'

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

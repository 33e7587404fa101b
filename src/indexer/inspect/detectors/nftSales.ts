import {
  type Auction,
  type FixPriceSale,
  findAuction,
  findFixPriceSale,
  findTelemintItem,
  type TelemintItem,
} from '../../../contracts/sales.ts'
import { type Address, addressKeyOf, formatUpperRawAddress } from '../../../primitives/Address.ts'
import type { Detector, FoundRows } from '../Detector.ts'
import { hasAnyMethod, hasMethods } from '../hasMethods.ts'
import { commonColumns, type Subject } from '../Subject.ts'
import { withoutNul } from '../toContentJson.ts'

type Details = Record<string, string | number | boolean>

export const fixPriceSale: Detector = {
  name: 'getgems_sale',
  isCandidate: hasAnyMethod('get_fix_price_data_v4', 'get_sale_data'),
  async detect({ run }, subject) {
    const sale = await findFixPriceSale(run, subject.contract.address)
    return sale && toSaleRow('getgems_sale', subject, sale, detailsOfSale(sale))
  },
}

export const auction: Detector = {
  name: 'getgems_auction',
  isCandidate: hasAnyMethod('get_auction_data_v4', 'get_sale_data'),
  async detect({ run }, subject) {
    const found = await findAuction(run, subject.contract.address)
    return found && toSaleRow('getgems_auction', subject, found, detailsOfAuction(found))
  },
}

export const telemintItem: Detector = {
  name: 'telemint',
  isCandidate: hasMethods('get_telemint_token_name', 'get_telemint_auction_config', 'royalty_params'),
  async detect({ run }, subject) {
    const item = await findTelemintItem(run, subject.contract.address)
    if (item === undefined) return undefined
    return { nft_sales: { ...commonColumns(subject), kind: 'telemint', details: detailsOfTelemint(item) } }
  },
}

type SaleFacts = Pick<FixPriceSale, 'createdAt' | 'nft' | 'owner' | 'marketplace'>

const toSaleRow = (
  kind: string,
  subject: Subject,
  { createdAt, nft, owner, marketplace }: SaleFacts,
  details: Details,
): FoundRows => ({
  nft_sales: {
    ...commonColumns(subject),
    created_at: BigInt(createdAt),
    kind,
    nft_address: addressKeyOf(nft),
    nft_owner_address: owner && addressKeyOf(owner),
    marketplace_address: marketplace && addressKeyOf(marketplace),
    details,
  },
})

/** What is not there is left out. */
const optional = (name: string, address: Address | undefined): Details =>
  address === undefined ? {} : { [name]: formatUpperRawAddress(address) }

const detailsOfSale = (sale: FixPriceSale): Details => ({
  is_complete: sale.isComplete,
  full_price: sale.fullPrice.toString(),
  ...optional('marketplace_fee_address', sale.marketplaceFeeAddress),
  marketplace_fee: sale.marketplaceFee.toString(),
  ...optional('royalty_address', sale.royaltyAddress),
  royalty_amount: sale.royaltyAmount.toString(),
})

const detailsOfAuction = (found: Auction): Details => ({
  end_flag: found.hasEnded,
  end_time: found.endTime,
  last_bid: found.lastBid.toString(),
  ...optional('last_member', found.lastBidder),
  min_step: found.minStep,
  ...optional('mp_fee_address', found.marketplaceFee.address),
  mp_fee_factor: found.marketplaceFee.factor,
  mp_fee_base: found.marketplaceFee.base,
  ...optional('royalty_fee_address', found.royalty.address),
  royalty_fee_factor: found.royalty.factor,
  royalty_fee_base: found.royalty.base,
  max_bid: found.maxBid.toString(),
  min_bid: found.minBid.toString(),
  last_bid_at: found.lastBidAt,
  is_canceled: found.isCanceled,
})

const detailsOfTelemint = ({ tokenName, state, config, royalty }: TelemintItem): Details => ({
  token_name: withoutNul(tokenName),
  ...optional('bidder_address', state.bidder),
  bid: state.bid.toString(),
  bid_ts: state.bidTime.toString(),
  min_bid: state.minBid.toString(),
  end_time: state.endTime,
  ...optional('beneficiary_address', config.beneficiary),
  initial_min_bid: config.initialMinBid.toString(),
  max_bid: config.maxBid.toString(),
  min_bid_step: config.minBidStep.toString(),
  min_extend_time: config.minExtendTime.toString(),
  duration: config.duration.toString(),
  royalty_numerator: royalty.numerator,
  royalty_denominator: royalty.denominator,
  ...optional('royalty_destination', royalty.destination),
})

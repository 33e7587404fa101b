import { findDomainName, findDomainRecords } from '../../../contracts/dns/domainItems.ts'
import {
  type Auction,
  type FixPriceSale,
  findAuction,
  findFixPriceSale,
  findTelemintItem,
  type TelemintItem,
} from '../../../contracts/sales.ts'
import {
  findNftCollection,
  findVouchedItem,
  type ItemClaim,
  type VouchedItem,
} from '../../../contracts/tokens/findToken.ts'
import { type Address, addressKeyOf, formatUpperRawAddress } from '../../../primitives/Address.ts'
import { bytesEqual } from '../../../primitives/bytes.ts'
import {
  type Detector,
  type DetectorContext,
  type FoundRows,
  hasAnyMethod,
  hasMethods,
  toContentJson,
  withoutNul,
} from '../Detector.ts'
import { commonColumns, type StoredToken, type Subject } from '../knownContracts.ts'

export const nftCollection: Detector = {
  name: 'nft_collection',
  isCandidate: hasMethods('get_collection_data'),
  async detect({ run }, subject) {
    const collection = await findNftCollection(run, subject.contract.address)
    if (collection === undefined) return undefined
    const { nextItemIndex, owner, content } = collection
    return {
      nft_collections: {
        ...commonColumns(subject),
        next_item_index: nextItemIndex,
        owner_address: owner && addressKeyOf(owner),
        content: toContentJson(content),
      },
    }
  },
}

/** An item, and its DNS entry if its collection is a DNS one. */
export const nftItem: Detector = {
  name: 'nft_item',
  isCandidate: hasMethods('get_nft_data'),
  async detect(context, subject) {
    const { run, vouched, stats, newer } = context
    const { key, account, codeHash, sinceLt, lastLt } = subject
    const row = newer.items.get(key)
    if (row !== undefined) return { nft_items: { ...row, since_lt: sinceLt } }
    const before = vouched.findWithCode('nftItem', key, codeHash)
    const item = await findVouchedItem(run, subject.contract.address, (claim) => {
      const isSame = isSameClaim(before, claim)
      if (isSame) stats.vouchedBefore++
      return isSame
    })
    if (item === undefined) return undefined
    const collection = item.collection && addressKeyOf(item.collection)
    vouched.add({ kind: 'nftItem', account, codeHash, lastLt, index: item.index, collection })
    const domain = await findDomain(context, subject, item)
    const content = toContentJson(item.content)
    return {
      nft_items: {
        ...commonColumns(subject),
        init: item.initialized,
        index: item.index,
        collection_address: collection,
        owner_address: item.owner && addressKeyOf(item.owner),
        content: domain === undefined ? content : { ...content, domain: domain.domain },
      },
      ...(domain === undefined ? {} : { dns_entries: domain }),
    }
  },
}

const isSameClaim = (before: StoredToken | undefined, { collection, index }: ItemClaim): boolean =>
  before?.kind === 'nftItem' &&
  before.index === index &&
  before.collection !== undefined &&
  bytesEqual(before.collection, addressKeyOf(collection))

const findDomain = async (
  { run, dnsZones }: DetectorContext,
  { contract: { address }, account, lastLt }: Subject,
  { collection, owner }: VouchedItem,
): Promise<FoundRows['dns_entries']> => {
  if (collection === undefined) return undefined
  const domain = await findDomainName(run, address, collection, dnsZones)
  const records = domain === undefined ? undefined : await findDomainRecords(run, address)
  if (domain === undefined || records === undefined) return undefined
  const { nextResolver, wallet, siteAdnl, storageBagId } = records
  return {
    last_lt: lastLt,
    domain,
    nft_item_address: account,
    nft_item_owner: owner && addressKeyOf(owner),
    dns_next_resolver: nextResolver && addressKeyOf(nextResolver),
    dns_wallet: wallet && addressKeyOf(wallet),
    dns_site_adnl: siteAdnl,
    dns_storage_bag_id: storageBagId,
  }
}

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

/** Leaves out absent addresses. */
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

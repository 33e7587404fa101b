import type { AddressText, DecimalText } from './texts.ts'

type TradeEnd<Contract extends string> = {
  readonly owner: AddressText | null
  readonly nft_item: AddressText | null
  readonly nft_collection: AddressText | null
  readonly marketplace_address: AddressText | null
  readonly marketplace: null
} & { readonly [Name in Contract]: AddressText | null }

type PutOnAuction = {
  readonly nft_collection: AddressText | null
  readonly nft_item: AddressText
  readonly nft_item_index: DecimalText
  readonly owner: AddressText | null
  readonly listing_address: AddressText | null
  readonly auction_address: AddressText
  readonly marketplace_address: null
  readonly marketplace_fee_factor: DecimalText | null
  readonly marketplace_fee_base: DecimalText | null
  readonly royalty_fee_base: DecimalText | null
  readonly max_bid: DecimalText | null
  readonly min_bid: DecimalText | null
  readonly marketplace_fee_address: AddressText | null
  readonly royalty_address: AddressText | null
  readonly marketplace: null
}

type DomainChange = {
  readonly source: AddressText | null
  readonly asset: AddressText | null
  readonly nft_collection: AddressText | null
}

/** A DNS record. A text is in the field of the storage address. */
type DnsRecord = {
  readonly sum_type:
    | 'DNSNextResolver'
    | 'DNSAdnlAddress'
    | 'DNSSmcAddress'
    | 'DNSStorageAddress'
    | 'DNSText'
    | 'Unknown'
  readonly dns_smc_address: AddressText | null
  readonly dns_adnl_address: string | null
  readonly dns_text: null
  readonly dns_next_resolver_address: AddressText | null
  readonly dns_storage_address: string | null
  readonly flags: number | null
}

type NftTransfer = {
  readonly nft_collection: AddressText | null
  readonly nft_item: AddressText
  readonly nft_item_index: DecimalText
  readonly old_owner?: AddressText | undefined
  readonly new_owner: AddressText | null
  readonly is_purchase: boolean
  readonly price?: DecimalText | undefined
  readonly query_id: DecimalText
  readonly response_destination: AddressText | null
  readonly custom_payload: string | null
  readonly forward_payload: string | null
  readonly forward_amount: DecimalText | null
  readonly comment: string | null
  readonly is_encrypted_comment: boolean | null
  readonly marketplace: null
  readonly real_old_owner: AddressText | null
  readonly marketplace_address: AddressText | null
  readonly payout_amount: DecimalText | null
  readonly payout_address: AddressText | null
  readonly payout_comment: string | null
  readonly payout_comment_encrypted: boolean | null
  readonly payout_comment_encoded: boolean | null
  readonly royalty_amount: DecimalText | null
  readonly royalty_address: AddressText | null
}

/** NFT items, their sales and auctions, and domains. */
export type NftDetails = {
  readonly nft_discovery: {
    readonly source: AddressText | null
    readonly nft_item: AddressText | null
    readonly nft_collection: AddressText | null
    readonly nft_item_index: DecimalText
  }
  readonly nft_mint: {
    readonly owner?: AddressText | undefined
    readonly nft_item: AddressText
    readonly nft_collection: AddressText | null
    readonly nft_item_index: DecimalText
  }
  readonly nft_transfer: NftTransfer
  readonly nft_purchase: NftTransfer
  readonly nft_put_on_sale: {
    readonly nft_collection: AddressText | null
    readonly nft_item: AddressText
    readonly nft_item_index: DecimalText
    readonly owner: AddressText | null
    readonly listing_address: AddressText | null
    readonly sale_address: AddressText
    readonly marketplace_address: AddressText | null
    readonly full_price: DecimalText
    readonly marketplace_fee: DecimalText | null
    readonly royalty_amount: DecimalText | null
    readonly marketplace_fee_address: AddressText | null
    readonly royalty_address: AddressText | null
    readonly marketplace: null
  }
  readonly nft_update_sale: {
    readonly source: AddressText | null
    readonly sale_contract: AddressText | null
    readonly nft_address: AddressText | null
    readonly marketplace_address: AddressText | null
    readonly marketplace: null
    readonly full_price: DecimalText
    readonly marketplace_fee: DecimalText
    readonly royalty_amount: DecimalText
  }
  readonly auction_bid: {
    readonly amount: DecimalText
    readonly bidder: AddressText
    readonly auction: AddressText
    readonly nft_item: AddressText | null
    readonly nft_collection: AddressText | null
    readonly nft_item_index: DecimalText | null
  }
  readonly auction_outbid: {
    readonly auction_address: AddressText
    readonly bidder: AddressText | null
    readonly new_bidder: AddressText
    readonly nft_item: AddressText | null
    readonly nft_collection: AddressText | null
    readonly amount: DecimalText
  }
  readonly nft_cancel_sale: TradeEnd<'sale_address'>
  readonly nft_cancel_auction: TradeEnd<'auction_address'>
  readonly nft_finish_auction: TradeEnd<'auction_address'>
  readonly teleitem_cancel_auction: TradeEnd<'auction_address'>
  /** `key` is hex. */
  readonly change_dns: DomainChange & { readonly key: string; readonly value: DnsRecord }
  /** `hash` is the key, hex. */
  readonly delete_dns: DomainChange & { readonly hash: string }
  readonly renew_dns: DomainChange
  readonly dns_purchase: {
    readonly nft_collection: AddressText | null
    readonly nft_item: AddressText
    readonly new_owner: AddressText | null
    readonly nft_item_index: DecimalText
    readonly price: DecimalText
    readonly query_id: DecimalText | null
    readonly payout_amount: DecimalText
  }
  readonly dns_release: {
    readonly query_id: DecimalText | null
    readonly source: AddressText | null
    readonly nft_item: AddressText | null
    readonly nft_collection: AddressText | null
    readonly nft_item_index: DecimalText
    readonly value: DecimalText
  }
  readonly nft_put_on_auction: PutOnAuction
  readonly teleitem_start_auction: PutOnAuction
}

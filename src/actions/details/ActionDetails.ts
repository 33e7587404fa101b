import type { AccountDetails } from './accounts.ts'
import type { BridgeDetails } from './bridges.ts'
import type { MarketDetails } from './markets.ts'
import type { NftDetails } from './nfts.ts'

/** The details of each kind of action, as they are shown. Patterns are checked against it. */
export type StoredDetails = AccountDetails & NftDetails & MarketDetails & BridgeDetails

export type StoredType = keyof StoredDetails

/** With the names under which some are shown. */
export type ActionDetails = StoredDetails & {
  /** A call or a transfer that moves other currencies. */
  readonly extra_currency_transfer: StoredDetails['call_contract'] | StoredDetails['ton_transfer']
}

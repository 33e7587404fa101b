import type { NftItemFacts } from '../../trace/AccountFacts.ts'

const DNS_COLLECTION = '0:B774D95EB20543F186C06B371AB88AD704F7E256130CAF96189368A7D0CB6CCF'
const DNS_CODE_HASH = 'i1/8nr/TkGTY1fVuRlnIJrt1k5I/XKSHKL5NYK9vUfk='
const TELEGRAM_CONTENT = 'https://nft.fragment.com'

/** A domain below .ton. */
export const isDnsItem = (item: NftItemFacts | undefined): item is NftItemFacts =>
  item !== undefined && (item.codeHash === DNS_CODE_HASH || item.collection === DNS_COLLECTION)

/** A user name, a number or a gift of Telegram: such an item is its own auction. */
export const isTelegramItem = (item: NftItemFacts | undefined): item is NftItemFacts =>
  item?.uri?.includes(TELEGRAM_CONTENT) === true

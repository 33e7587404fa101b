import { setup } from '../setup.ts'
import type { Route } from './Route.ts'

/** By tab of an account. The first is shown where none is named. */
const accountTabs: { readonly [tab: string]: (address: string) => string } = {
  history: (address) => `actions?account=${address}&limit=25`,
  transactions: (address) => `transactions?account=${address}&limit=25`,
  balance: (address) => `accountBalances?address=${address}`,
  jettons: (address) => `jetton/wallets?owner_address=${address}`,
  collectibles: (address) => `nft/items?owner_address=${address}`,
  methods: (address) => `accountStates?address=${address}&include_boc=false`,
  code: (address) => `accountStates?address=${address}`,
}

/** The request of the interface that has what a page shows; `undefined` where a page shows no data of the chain. */
export const findRawJson = (route: Route, query: URLSearchParams): string | undefined => {
  const path = setup.hasIndex ? findIndexed(route, query) : findLive(route)
  return path === undefined ? undefined : `${setup.base}/api/${setup.hasIndex ? 'v3' : 'v2'}/${path}`
}

const findIndexed = (route: Route, query: URLSearchParams): string | undefined => {
  switch (route.page) {
    case 'home':
      return 'masterchainInfo'
    case 'account': {
      const address = encodeURIComponent(route.address)
      return (accountTabs[query.get('tab') ?? ''] ?? accountTabs['history']!)(address)
    }
    case 'transaction':
      return `transactions?hash=${encodeURIComponent(route.hash)}`
    // A trace has several hashes: its page has the link.
    case 'trace':
      return undefined
    case 'block':
      return `blocks?workchain=${route.workchain}&shard=${route.shard}&seqno=${route.seqno}`
    case 'blocks':
      return 'blocks?workchain=-1&limit=25'
    case 'tokens':
      return 'jetton/masters?limit=25'
    case 'jetton':
      return `jetton/masters?address=${encodeURIComponent(route.key)}`
    case 'nft':
      return `nft/items?address=${encodeURIComponent(route.key)}`
    case 'collection':
      return `nft/collections?collection_address=${encodeURIComponent(route.key)}`
    case 'dns':
      return `dns/records?domain=${encodeURIComponent(route.key)}`
    case 'multisig':
      return `multisig/wallets?address=${encodeURIComponent(route.key)}`
    case 'vesting':
      return `vesting?contract_address=${encodeURIComponent(route.key)}`
    default:
      return undefined
  }
}

const findLive = (route: Route): string | undefined => {
  switch (route.page) {
    case 'home':
      return 'getMasterchainInfo'
    case 'account':
      return `getAddressInformation?address=${encodeURIComponent(route.address)}`
    case 'block':
      return `getBlockHeader?workchain=${route.workchain}&shard=${route.shard}&seqno=${route.seqno}`
    default:
      return undefined
  }
}

import { nameOf } from '../model/addressBook.ts'
import { findRawAddress, shorten } from '../model/addresses.ts'
import type { Route } from './Route.ts'

const titles: { readonly [page in Route['page']]: string } = {
  home: 'Network',
  account: 'Account',
  transaction: 'Transaction',
  trace: 'Trace',
  block: 'Block',
  blocks: 'Blocks',
  faucet: 'Faucet',
  send: 'Send',
  usage: 'API key usage',
  jetton: 'Jetton',
  nft: 'NFT',
  collection: 'Collection',
  dns: 'Domain',
  multisig: 'Multisig',
  vesting: 'Vesting wallet',
  tokens: 'Tokens',
  validators: 'Validators',
  config: 'Configuration',
  shards: 'Shards',
  webhooks: 'Webhooks',
  unknown: 'Not found',
}

/** An account by its name, other things by the ends of their address or hash. */
const nameOfKey = (key: string): string => {
  const raw = findRawAddress(key)
  return (raw && nameOf(raw)) ?? (key.length > 20 ? shorten(key, 6, 4) : key)
}

const subjectOf = (route: Route): string | undefined => {
  if (route.page === 'block') return `${route.seqno} of ${route.workchain}:${route.shard}`
  if (route.page === 'account') return nameOfKey(route.address)
  if (route.page === 'transaction' || route.page === 'trace') return nameOfKey(route.hash)
  return 'key' in route ? nameOfKey(route.key) : undefined
}

/** The title of a page: bookmarks and tabs of the browser are told apart by it. */
export const titleOf = (route: Route): string => {
  const subject = subjectOf(route)
  return `${titles[route.page]}${subject === undefined ? '' : ` ${subject}`} · chaincenter`
}

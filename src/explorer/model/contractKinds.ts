const words: { readonly [kind: string]: string } = {
  jetton_master: 'Jetton',
  jetton_wallet: 'Jetton wallet',
  nft_item: 'NFT',
  nft_collection: 'NFT collection',
  nft_sale: 'NFT sale',
  nft_auction: 'NFT auction',
  dns: 'DNS',
  multisig: 'Multisig',
  multisig_order: 'Multisig order',
  vesting: 'Vesting wallet',
  editable: 'Editable',
}

/** The name of a contract kind, as people say it. */
export const describeKind = (kind: string): string => {
  const known = words[kind]
  if (known !== undefined) return known
  const wallet = /^wallet_(v\w+)$/.exec(kind)
  if (wallet !== null) return `Wallet ${wallet[1]}`
  const plain = kind.replaceAll('_', ' ')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

// The kinds that say most of a contract; others are told beside them.
const telling = ['jetton_master', 'jetton_wallet', 'nft_collection', 'nft_item', 'multisig', 'vesting']

/** The one that says most. */
export const mainKind = (kinds: readonly string[]): string | undefined =>
  telling.find((kind) => kinds.includes(kind)) ?? kinds.find((kind) => kind.startsWith('wallet_')) ?? kinds[0]

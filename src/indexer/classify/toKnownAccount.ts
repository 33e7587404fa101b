import type { KnownAccount } from '../../actions/trace/AccountFacts.ts'
import { unpackCell } from '../../codec/stored/packCell.ts'
import { formatUpperRawAddress, parseAddressKey } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Json } from '../../store/columns.ts'
import type { ContractFacts } from '../../store/reader/findContractFacts.ts'

const NOMINATOR_POOL_CODE = '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf'

/** The address behind a key, as actions spell it; `undefined` where it is no account's. */
export const addressOfKey = (key: Uint8Array | undefined): string | undefined => {
  const address = key === undefined ? 'none' : parseAddressKey(key)
  return typeof address === 'string' ? undefined : formatUpperRawAddress(address)
}

/** What the index knows of an account, as patterns see it. */
export const toKnownAccount = (facts: ContractFacts): KnownAccount => {
  const { jettonWallet, nftItem, sale, dedustPool, order, codeHash, data } = facts
  return {
    jettonWallet: jettonWallet && {
      owner: addressOfKey(jettonWallet.owner) ?? '',
      jetton: addressOfKey(jettonWallet.jetton) ?? '',
    },
    nftItem: nftItem && {
      index: nftItem.index,
      collection: addressOfKey(nftItem.collection),
      owner: addressOfKey(nftItem.owner),
      uri: textIn(nftItem.content, 'uri'),
      codeHash: toBase64(nftItem.codeHash),
    },
    ...(sale?.kind === 'getgems_sale' && { sale: { ...sellerOf(sale), price: amountIn(sale.details, 'full_price') } }),
    ...(sale?.kind === 'getgems_auction' && {
      auction: { ...sellerOf(sale), lastBid: amountIn(sale.details, 'last_bid') },
    }),
    dedustPool: dedustPool && { assets: [addressOfKey(dedustPool.assets[0]), addressOfKey(dedustPool.assets[1])] },
    isNominatorPool: codeHash !== undefined && toHex(codeHash) === NOMINATOR_POOL_CODE,
    multisigOrder: order && { signers: order.signers.map(addressOfKey).filter((signer) => signer !== undefined) },
    get data() {
      return data === undefined ? undefined : unpackCell(data)
    },
  }
}

const sellerOf = ({ nft, owner, marketplace, codeHash }: NonNullable<ContractFacts['sale']>) => ({
  nft: addressOfKey(nft),
  owner: addressOfKey(owner),
  marketplace: addressOfKey(marketplace),
  codeHash: toBase64(codeHash),
})

const memberIn = (value: Json, name: string): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined

const textIn = (value: Json, name: string): string | undefined => {
  const member = memberIn(value, name)
  return typeof member === 'string' ? member : undefined
}

const amountIn = (value: Json, name: string): bigint | undefined => {
  const text = textIn(value, name)
  return text !== undefined && /^[0-9]+$/.test(text) ? BigInt(text) : undefined
}

import { type Static, Type } from 'typebox'
import type { NftItem } from '../../../store/reader/nftItems.ts'
import { NftCollectionView, toNftCollectionView } from './NftCollectionView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'
import { TokenContentView, toTokenContentView } from './TokenContentView.ts'

export const NftItemView = Type.Object(
  {
    address: AddressText,
    init: Type.Boolean(),
    index: DecimalText,
    collection_address: Type.Union([AddressText, Type.Null()]),
    owner_address: Type.Union([AddressText, Type.Null()]),
    content: TokenContentView,
    last_transaction_lt: DecimalText,
    code_hash: HashText,
    data_hash: HashText,
    collection: Type.Union([NftCollectionView, Type.Null()]),
    on_sale: Type.Boolean({ description: 'Whether its owner is a sale or an auction that names it.' }),
    sale_contract_address: Type.Optional(AddressText),
    auction_contract_address: Type.Optional(AddressText),
    real_owner: Type.Optional(AddressText),
  },
  { $id: 'NFTItem' },
)

export const toNftItemView = (item: NftItem): Static<typeof NftItemView> => ({
  address: addressText(item.address),
  init: item.init,
  index: String(item.index),
  collection_address: item.collectionAddress === undefined ? null : addressText(item.collectionAddress),
  owner_address: item.owner === undefined ? null : addressText(item.owner),
  content: toTokenContentView(item.content),
  last_transaction_lt: String(item.lastLt),
  code_hash: hashText(item.codeHash),
  data_hash: hashText(item.dataHash),
  collection: item.collection === undefined ? null : toNftCollectionView(item.collection),
  on_sale: item.sale !== undefined,
  ...toSale(item),
})

const toSale = ({ owner, sale }: NftItem) => {
  if (owner === undefined || sale === undefined) return {}
  const contract = addressText(owner)
  return {
    ...(sale.kind === 'sale' ? { sale_contract_address: contract } : { auction_contract_address: contract }),
    ...(sale.owner !== undefined && { real_owner: addressText(sale.owner) }),
  }
}

/** The addresses of items that the address book explains. */
export const listItemAddresses = ({ address, collectionAddress, owner }: NftItem): Uint8Array[] =>
  [address, collectionAddress, owner].filter((each) => each !== undefined)

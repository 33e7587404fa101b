import { type Static, Type } from 'typebox'
import type { NftCollection } from '../../../store/reader/nfts.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'
import { TokenContentView, toTokenContentView } from './TokenContentView.ts'

export const NftCollectionView = Type.Object(
  {
    address: AddressText,
    owner_address: Type.Union([AddressText, Type.Null()]),
    last_transaction_lt: DecimalText,
    next_item_index: DecimalText,
    collection_content: TokenContentView,
    data_hash: HashText,
    code_hash: HashText,
  },
  { $id: 'NFTCollection' },
)

export const toNftCollectionView = (collection: NftCollection): Static<typeof NftCollectionView> => ({
  address: addressText(collection.address),
  owner_address: collection.owner === undefined ? null : addressText(collection.owner),
  last_transaction_lt: String(collection.lastLt),
  next_item_index: String(collection.nextItemIndex),
  collection_content: toTokenContentView(collection.content),
  data_hash: hashText(collection.dataHash),
  code_hash: hashText(collection.codeHash),
})

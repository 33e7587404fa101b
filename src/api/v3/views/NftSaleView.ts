import { type Static, Type } from 'typebox'
import type { NftItem } from '../../../store/reader/nftItems.ts'
import type { NftSale } from '../../../store/reader/nfts.ts'
import { NftItemView, toNftItemView } from './NftItemView.ts'
import { AddressText, addressText, DecimalText, HashText, hashText } from './scalars.ts'

type Details = { readonly [name: string]: string | number | boolean }

export const NftSaleView = Type.Object(
  {
    type: Type.String({ examples: ['getgems_sale', 'getgems_auction', 'telemint'] }),
    address: AddressText,
    nft_address: Type.Optional(AddressText),
    nft_owner_address: Type.Optional(AddressText),
    marketplace_address: Type.Optional(AddressText),
    created_at: Type.Optional(Type.Integer()),
    last_transaction_lt: DecimalText,
    code_hash: HashText,
    data_hash: HashText,
    details: Type.Unsafe<Details>({ type: 'object', additionalProperties: true, description: 'Differs by type.' }),
    nft_item: Type.Optional(NftItemView),
  },
  { $id: 'NFTSale' },
)

/** The item is what is sold; something that sells itself is its own. */
export const toNftSaleView = (sale: NftSale, item: NftItem | undefined): Static<typeof NftSaleView> => ({
  type: sale.kind,
  address: addressText(sale.address),
  ...(sale.item !== undefined && { nft_address: addressText(sale.item) }),
  ...(sale.itemOwner !== undefined && { nft_owner_address: addressText(sale.itemOwner) }),
  ...(sale.marketplace !== undefined && { marketplace_address: addressText(sale.marketplace) }),
  ...(sale.createdAt !== undefined && { created_at: Number(sale.createdAt) }),
  last_transaction_lt: String(sale.lastLt),
  code_hash: hashText(sale.codeHash),
  data_hash: hashText(sale.dataHash),
  details: sale.details as Details,
  ...(item !== undefined && { nft_item: toNftItemView(item) }),
})

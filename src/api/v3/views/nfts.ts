import { type Static, Type } from 'typebox'
import type { NftItem } from '../../../store/reader/nftItems.ts'
import type { NftCollection, NftSale, NftTransfer } from '../../../store/reader/nfts.ts'
import type { AnswerBudget } from '../AnswerBudget.ts'
import { DecodedOrNull, PayloadText, toPayload } from './messages.ts'
import {
  AddressText,
  addressText,
  DecimalText,
  HashText,
  hashText,
  TokenContentView,
  toTokenContentView,
} from './scalars.ts'

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
    on_sale: Type.Boolean({ description: 'Whether the owner is a sale or auction contract of this item.' }),
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

/** Addresses of items for the address book. */
export const listItemAddresses = ({ address, collectionAddress, owner }: NftItem): Uint8Array[] =>
  [address, collectionAddress, owner].filter((each) => each !== undefined)

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
    details: Type.Unsafe<Details>({
      type: 'object',
      additionalProperties: true,
      description: 'Members depend on the type.',
    }),
    nft_item: Type.Optional(NftItemView),
  },
  { $id: 'NFTSale' },
)

/** The item on sale; an item with a built-in auction is its own sale. */
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

export const NftTransferView = Type.Object(
  {
    query_id: DecimalText,
    nft_address: AddressText,
    nft_collection: Type.Union([AddressText, Type.Null()]),
    transaction_hash: HashText,
    transaction_lt: DecimalText,
    transaction_now: Type.Integer(),
    transaction_aborted: Type.Boolean(),
    old_owner: AddressText,
    new_owner: AddressText,
    response_destination: AddressText,
    custom_payload: PayloadText,
    decoded_custom_payload: DecodedOrNull,
    forward_amount: DecimalText,
    forward_payload: PayloadText,
    decoded_forward_payload: DecodedOrNull,
    trace_id: HashText,
  },
  { $id: 'NFTTransfer' },
)

export const toNftTransferView = (budget: AnswerBudget, transfer: NftTransfer): Static<typeof NftTransferView> => {
  const custom = toPayload(budget, transfer.customPayload)
  const forward = toPayload(budget, transfer.forwardPayload)
  return {
    query_id: String(transfer.queryId),
    nft_address: addressText(transfer.item),
    nft_collection: transfer.collection === undefined ? null : addressText(transfer.collection),
    transaction_hash: hashText(transfer.transactionHash),
    transaction_lt: String(transfer.lt),
    transaction_now: transfer.now,
    transaction_aborted: transfer.aborted,
    old_owner: addressText(transfer.oldOwner),
    new_owner: addressText(transfer.newOwner),
    response_destination: addressText(transfer.responseDestination),
    custom_payload: custom.boc,
    decoded_custom_payload: custom.decoded,
    forward_amount: String(transfer.forwardAmount),
    forward_payload: forward.boc,
    decoded_forward_payload: forward.decoded,
    trace_id: hashText(transfer.traceId),
  }
}

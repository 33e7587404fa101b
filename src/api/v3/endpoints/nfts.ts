import { Type } from 'typebox'
import { findNftItems, listNftItems } from '../../../store/reader/nftItems.ts'
import { findNftSales, listNftCollections, listNftTransfers } from '../../../store/reader/nfts.ts'
import { optional, param, shownAs, withDefault } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { joinOwners, readEventWindow, TransferDirectionParam } from '../filterParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import {
  addressListParam,
  addressParam,
  boolParam,
  pageParams,
  requiredList,
  sortParam,
  textListParam,
  windowParams,
} from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView, MetadataView } from '../views/addressBook.ts'
import {
  listItemAddresses,
  NftCollectionView,
  NftItemView,
  NftSaleView,
  NftTransferView,
  toNftCollectionView,
  toNftItemView,
  toNftSaleView,
  toNftTransferView,
} from '../views/nfts.ts'
import { addressText } from '../views/scalars.ts'

export const nftCollections = v3Endpoint({
  name: 'nft/collections',
  tags: ['nfts'],
  summary: 'List NFT collections in the order of discovery.',
  params: {
    collection_address: optional(addressListParam('Collection addresses.', 1024)),
    owner_address: optional(addressListParam('Owner addresses.', 1024)),
    ...pageParams,
  },
  result: Type.Object(
    { nft_collections: Type.Array(NftCollectionView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'NFTCollectionsResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const filter = { addresses: params.collection_address, owners: params.owner_address }
    const { rows, next } = await listNftCollections(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, owner }) => (owner === undefined ? [address] : [address, owner]))
    return { nft_collections: rows.map(toNftCollectionView), ...(await hydrate(context, addresses)) }
  },
})

/** Digits of the largest 256-bit index. */
const MAX_DIGITS = 78

const IndexText = textListParam('Item indexes in the given collection.')

/** Out-of-range indexes match nothing; a list of only empty values means absent. */
const IndexListParam = shownAs(
  param(IndexText.schema, (items): bigint[] | undefined => {
    const texts = IndexText.parse(items)
    if (!texts.every((text) => /^[0-9]+$/.test(text))) throw new RefusedRequestError('index should contain digits only')
    if (texts.length === 0) return undefined
    return texts
      .map((text) => text.replace(/^0+(?=[0-9])/, ''))
      .filter(({ length }) => length <= MAX_DIGITS)
      .map(BigInt)
  }),
  Type.Array(Type.String({ pattern: '^[0-9]*$' }), {
    description: 'Item indexes in the given collection.',
    maxItems: 1000,
  }),
)

export const nftItems = v3Endpoint({
  name: 'nft/items',
  tags: ['nfts'],
  summary: 'List NFT items.',
  params: {
    address: optional(addressListParam('Item addresses.')),
    owner_address: optional(addressListParam('Owner addresses.')),
    collection_address: optional(addressListParam('Collection addresses; several only with exactly one owner.')),
    index: optional(IndexListParam),
    include_on_sale: withDefault(boolParam('Include items of the owner that are on sale or at auction.'), false),
    sort_by_last_transaction_lt: withDefault(boolParam('Sort by last transaction, newest first.'), false),
    ...pageParams,
  },
  result: Type.Object(
    { nft_items: Type.Array(NftItemView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'NFTItemsResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const { owner_address: owners, collection_address: collections, index: indexes } = params
    if (indexes !== undefined && collections === undefined) {
      throw new RefusedRequestError('index parameter is not allowed without the collection_address')
    }
    if (collections !== undefined && collections.length > 1 && owners?.length !== 1) {
      throw new RefusedRequestError('exact one owner_address required for multiple collection_address')
    }
    const filter = {
      addresses: params.address,
      owners,
      collections,
      indexes,
      includeOnSale: params.include_on_sale,
      byLastLt: params.sort_by_last_transaction_lt,
    }
    const { rows, next } = await listNftItems(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    return { nft_items: rows.map(toNftItemView), ...(await hydrate(context, rows.flatMap(listItemAddresses))) }
  },
})

export const nftTransfers = v3Endpoint({
  name: 'nft/transfers',
  tags: ['nfts'],
  summary:
    'List NFT transfers, including failed ones, ordered by logical time, or by Unix time if a time window is given.',
  params: {
    owner_address: optional(addressListParam('Previous or new owner addresses.')),
    address: optional(addressParam('One more owner address.')),
    item_address: optional(addressListParam('Item addresses.')),
    collection_address: optional(addressParam('A collection.')),
    direction: TransferDirectionParam,
    ...windowParams('the requests'),
    ...pageParams,
    sort: sortParam(),
  },
  result: Type.Object(
    { nft_transfers: Type.Array(NftTransferView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'NFTTransfersResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { owner_address, address, direction, item_address: items, collection_address: collection } = params
    const owners = joinOwners(owner_address, address && [address])
    const filter = { owners, direction, items, collection, window: readEventWindow(params) }
    const { rows, next } = await listNftTransfers(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap((row) => [
      row.item,
      ...(row.collection === undefined ? [] : [row.collection]),
      row.oldOwner,
      row.newOwner,
      row.responseDestination,
    ])
    return {
      nft_transfers: await context.budget.writeRows(rows, (row) => toNftTransferView(context.budget, row)),
      ...(await hydrate(context, addresses)),
    }
  },
})

const MAX_SALES = 1000

const AnyAddresses = addressListParam(
  'Addresses of sales, auctions, and items with a built-in auction.',
  Number.MAX_SAFE_INTEGER,
)

/** The wording of the original service. */
const AddressesParam = shownAs(
  param(AnyAddresses.schema, (items) => {
    const addresses = AnyAddresses.parse(items)
    if (addresses !== undefined && addresses.length > MAX_SALES) {
      throw new RefusedRequestError(`maximum ${MAX_SALES} addresses allowed`)
    }
    return addresses
  }),
  Type.Array(Type.String(), {
    description: 'Addresses of sales, auctions, and items with a built-in auction.',
    minItems: 1,
    maxItems: MAX_SALES,
  }),
)

export const nftSales = v3Endpoint({
  name: 'nft/sales',
  tags: ['nfts'],
  summary: 'NFT sale contracts: fixed-price sales, then auctions, then items with a built-in auction.',
  params: {
    address: requiredList(AddressesParam, 'at least 1 address required'),
  },
  result: Type.Object(
    { nft_sales: Type.Array(NftSaleView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'NFTSalesResponse' },
  ),
  errors: [],
  async handle(context, { address }) {
    const sales = await findNftSales(context.listReads, address)
    const items = await findNftItems(
      context.listReads,
      sales.map((sale) => sale.item ?? sale.address),
    )
    const itemAt = new Map(items.map((item) => [addressText(item.address), item]))
    const addresses = [
      ...sales.flatMap((sale) => [sale.address, sale.item, sale.itemOwner, sale.marketplace]),
      ...items.flatMap(listItemAddresses),
    ].filter((each) => each !== undefined)
    return {
      nft_sales: sales.map((sale) => toNftSaleView(sale, itemAt.get(addressText(sale.item ?? sale.address)))),
      ...(await hydrate(context, addresses)),
    }
  },
})

import { Type } from 'typebox'
import { listNftItems } from '../../../store/reader/nftItems.ts'
import { optional, param, shownAs, withDefault } from '../../core/Param.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, boolParam, pageParams, textListParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MetadataView } from '../views/MetadataView.ts'
import { listItemAddresses, NftItemView, toNftItemView } from '../views/NftItemView.ts'

/** No number of an item has more: they have 256 bits. */
const MAX_DIGITS = 78

const IndexText = textListParam('Numbers of items in the collection that is given.')

/** Numbers that no item can have find nothing; a list of nothing but empty values is none. */
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
    description: 'Numbers of items in the collection that is given.',
    maxItems: 1000,
  }),
)

export const nftItems = v3Endpoint({
  name: 'nft/items',
  tags: ['nfts'],
  summary: 'Items of collections, and items on their own.',
  params: {
    address: optional(addressListParam('Addresses of items.')),
    owner_address: optional(addressListParam('Addresses of owners.')),
    collection_address: optional(addressListParam('Collections; more than one only with exactly one owner.')),
    index: optional(IndexListParam),
    include_on_sale: withDefault(boolParam('Counts what an owner has for sale or at auction as his.'), false),
    sort_by_last_transaction_lt: withDefault(boolParam('What has changed last comes first.'), false),
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
    const { rows, next } = await listNftItems(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    return { nft_items: rows.map(toNftItemView), ...(await hydrate(context, rows.flatMap(listItemAddresses))) }
  },
})

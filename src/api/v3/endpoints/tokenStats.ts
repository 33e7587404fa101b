import { Type } from 'typebox'
import { countHolders, MAX_HOLDERS, MAX_ITEMS, readCollectionStats } from '../../../store/reader/tokenStats.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressParam } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView, MetadataView } from '../views/addressBook.ts'
import { AddressText, addressText, DecimalText } from '../views/scalars.ts'

export const jettonStats = v3Endpoint({
  name: 'jetton/stats',
  tags: ['jettons'],
  summary: 'Number of holders of a jetton: wallets with a balance.',
  params: { jetton_address: addressParam('A jetton master.') },
  result: Type.Object(
    {
      jetton: AddressText,
      holders: Type.Integer({ description: 'Wallets with a balance.' }),
      is_complete: Type.Boolean({ description: `Whether all of them were counted: up to ${MAX_HOLDERS}.` }),
    },
    { $id: 'JettonStats' },
  ),
  errors: [],
  async handle({ listReads }, { jetton_address: jetton }) {
    const { holders, isComplete } = await countHolders(listReads, jetton)
    return { jetton: addressText(jetton), holders, is_complete: isComplete }
  },
})

export const nftCollectionStats = v3Endpoint({
  name: 'nft/collectionStats',
  tags: ['nfts'],
  summary: 'Items, owners, current sales and floor price of an NFT collection.',
  params: { collection_address: addressParam('A collection.') },
  result: Type.Object(
    {
      collection: AddressText,
      items: Type.Integer(),
      owners: Type.Integer({ description: 'Different owners. An item on sale belongs to its seller.' }),
      on_sale: Type.Integer({ description: 'Items that are on sale or at auction.' }),
      floor_price: Type.Union([DecimalText, Type.Null()], {
        description: 'The lowest price of the current fixed-price sales, in nanocoins; null if there are none.',
      }),
      floor_item: Type.Union([AddressText, Type.Null()], { description: 'The item that is sold for it.' }),
      top_owners: Type.Array(Type.Object({ owner: AddressText, items: Type.Integer() }), {
        description: 'The owners with most items, at most 100.',
      }),
      is_complete: Type.Boolean({ description: `Whether all items are taken into account: the first ${MAX_ITEMS}.` }),
      address_book: AddressBookView,
      metadata: MetadataView,
    },
    { $id: 'NFTCollectionStats' },
  ),
  errors: [],
  async handle(context, { collection_address: collection }) {
    const stats = await readCollectionStats(context.listReads, collection)
    const owners = stats.topOwners.map(({ owner }) => owner)
    const items = stats.floor === undefined ? [] : [stats.floor.item]
    return {
      collection: addressText(collection),
      items: stats.items,
      owners: stats.owners,
      on_sale: stats.onSale,
      floor_price: stats.floor === undefined ? null : String(stats.floor.price),
      floor_item: stats.floor === undefined ? null : addressText(stats.floor.item),
      top_owners: stats.topOwners.map(({ owner, items }) => ({ owner: addressText(owner), items })),
      is_complete: stats.isComplete,
      ...(await hydrate(context, [collection, ...items, ...owners])),
    }
  },
})

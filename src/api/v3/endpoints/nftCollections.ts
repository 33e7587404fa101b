import { Type } from 'typebox'
import { listNftCollections } from '../../../store/reader/nfts.ts'
import { optional } from '../../core/Param.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, pageParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MetadataView } from '../views/MetadataView.ts'
import { NftCollectionView, toNftCollectionView } from '../views/NftCollectionView.ts'

export const nftCollections = v3Endpoint({
  name: 'nft/collections',
  tags: ['nfts'],
  summary: 'Collections, in the order in which they were discovered.',
  params: {
    collection_address: optional(addressListParam('Addresses of collections.', 1024)),
    owner_address: optional(addressListParam('Addresses of their owners.', 1024)),
    ...pageParams,
  },
  result: Type.Object(
    { nft_collections: Type.Array(NftCollectionView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'NFTCollectionsResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const filter = { addresses: params.collection_address, owners: params.owner_address }
    const { rows, next } = await listNftCollections(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, owner }) => (owner === undefined ? [address] : [address, owner]))
    return { nft_collections: rows.map(toNftCollectionView), ...(await hydrate(context, addresses)) }
  },
})

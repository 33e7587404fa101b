import { Type } from 'typebox'
import { listNftTransfers } from '../../../store/reader/nfts.ts'
import { optional } from '../../core/Param.ts'
import { DirectionParam, joinOwners, readEventWindow } from '../eventParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, addressParam, pageParams, sortParam, windowParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MetadataView } from '../views/MetadataView.ts'
import { NftTransferView, toNftTransferView } from '../views/NftTransferView.ts'

export const nftTransfers = v3Endpoint({
  name: 'nft/transfers',
  tags: ['nfts'],
  summary:
    'Requests to hand on items, those that failed among them, by logical time, or by time where a window is given.',
  params: {
    owner_address: optional(addressListParam('Those who hand items on, or get them.')),
    address: optional(addressParam('One more owner.')),
    item_address: optional(addressListParam('Addresses of items.')),
    collection_address: optional(addressParam('A collection.')),
    direction: DirectionParam,
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
    const { rows, next } = await listNftTransfers(context.lists, filter, context.readPage(params))
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

import { Type } from 'typebox'
import { findNftItems } from '../../../store/reader/nftItems.ts'
import { findNftSales } from '../../../store/reader/nfts.ts'
import { param, shownAs } from '../../core/Param.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, requiredList } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MetadataView } from '../views/MetadataView.ts'
import { listItemAddresses } from '../views/NftItemView.ts'
import { NftSaleView, toNftSaleView } from '../views/NftSaleView.ts'
import { addressText } from '../views/scalars.ts'

const MAX_SALES = 1000

const AnyAddresses = addressListParam('Addresses of sales, auctions and such items.', Number.MAX_SAFE_INTEGER)

/** In words that clients know. */
const AddressesParam = shownAs(
  param(AnyAddresses.schema, (items) => {
    const addresses = AnyAddresses.parse(items)
    if (addresses !== undefined && addresses.length > MAX_SALES) {
      throw new RefusedRequestError(`maximum ${MAX_SALES} addresses allowed`)
    }
    return addresses
  }),
  Type.Array(Type.String(), {
    description: 'Addresses of sales, auctions and such items.',
    minItems: 1,
    maxItems: MAX_SALES,
  }),
)

export const nftSales = v3Endpoint({
  name: 'nft/sales',
  tags: ['nfts'],
  summary:
    'Contracts that sell items: sales for a price, then auctions, then items that hold their auctions themselves.',
  params: {
    address: requiredList(AddressesParam, 'at least 1 address required'),
  },
  result: Type.Object(
    { nft_sales: Type.Array(NftSaleView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'NFTSalesResponse' },
  ),
  errors: [],
  async handle(context, { address }) {
    const sales = await findNftSales(context.lists, address)
    const items = await findNftItems(
      context.lists,
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

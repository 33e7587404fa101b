import { Type } from 'typebox'
import { listJettonWallets } from '../../../store/reader/jettons.ts'
import { optional, withDefault } from '../../core/Param.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, boolParam, OptionalSortParam, pageParams } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { JettonWalletView, toJettonWalletView } from '../views/JettonWalletView.ts'
import { MetadataView } from '../views/MetadataView.ts'

export const jettonWallets = v3Endpoint({
  name: 'jetton/wallets',
  tags: ['jettons'],
  summary: 'Jetton wallets: as they were discovered, or by their balances where sort is given.',
  params: {
    address: optional(addressListParam('Addresses of jetton wallets.')),
    owner_address: optional(addressListParam('Addresses of their owners.')),
    jetton_address: optional(addressListParam('Jettons; more than one only with exactly one owner.')),
    exclude_zero_balance: withDefault(boolParam('Leaves out those that are empty.'), false),
    ...pageParams,
    sort: OptionalSortParam,
  },
  result: Type.Object(
    { jetton_wallets: Type.Array(JettonWalletView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'JettonWalletsResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { owner_address: owners, jetton_address: jettons } = params
    if (jettons !== undefined && jettons.length > 1 && owners?.length !== 1) {
      throw new RefusedRequestError('exact one owner_address required for multiple jetton_address')
    }
    const filter = {
      addresses: params.address,
      owners,
      jettons,
      withBalance: params.exclude_zero_balance,
      sort: params.sort,
    }
    const { rows, next } = await listJettonWallets(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, owner, jetton }) => [address, owner, jetton])
    return { jetton_wallets: rows.map(toJettonWalletView), ...(await hydrate(context, addresses)) }
  },
})

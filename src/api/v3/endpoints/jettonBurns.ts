import { Type } from 'typebox'
import { listJettonBurns } from '../../../store/reader/jettonEvents.ts'
import { optional } from '../../core/Param.ts'
import { joinOwners, readEventWindow } from '../eventParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, addressParam, pageParams, sortParam, windowParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { JettonBurnView, toJettonBurnView } from '../views/JettonBurnView.ts'
import { MetadataView } from '../views/MetadataView.ts'

export const jettonBurns = v3Endpoint({
  name: 'jetton/burns',
  tags: ['jettons'],
  summary:
    'Requests to burn jettons, those that failed among them, by logical time, or by time where a window is given.',
  params: {
    address: optional(addressListParam('Those whose jettons they are.')),
    owner_address: optional(addressListParam('The same as address.')),
    jetton_wallet: optional(addressListParam('Jetton wallets.')),
    jetton_master: optional(addressParam('A jetton.')),
    ...windowParams('the requests'),
    ...pageParams,
    sort: sortParam(),
  },
  result: Type.Object(
    { jetton_burns: Type.Array(JettonBurnView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'JettonBurnsResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { address, owner_address, jetton_wallet: wallets, jetton_master: master } = params
    const filter = { owners: joinOwners(address, owner_address), wallets, master, window: readEventWindow(params) }
    const { rows, next } = await listJettonBurns(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ owner, jettonWallet, jettonMaster, responseDestination }) => [
      owner,
      jettonWallet,
      jettonMaster,
      responseDestination,
    ])
    return {
      jetton_burns: await context.budget.writeRows(rows, (row) => toJettonBurnView(context.budget, row)),
      ...(await hydrate(context, addresses)),
    }
  },
})

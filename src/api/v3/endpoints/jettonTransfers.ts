import { Type } from 'typebox'
import { listJettonTransfers } from '../../../store/reader/jettonEvents.ts'
import { optional } from '../../core/Param.ts'
import { DirectionParam, joinOwners, readEventWindow } from '../eventParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, addressParam, pageParams, sortParam, windowParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { JettonTransferView, toJettonTransferView } from '../views/JettonTransferView.ts'
import { MetadataView } from '../views/MetadataView.ts'

export const jettonTransfers = v3Endpoint({
  name: 'jetton/transfers',
  tags: ['jettons'],
  summary: 'Transfers of jettons that were carried out, by logical time, or by time where a window of times is given.',
  params: {
    owner_address: optional(addressListParam('Those who send jettons, or get them.')),
    address: optional(addressParam('One more owner.')),
    jetton_wallet: optional(addressListParam('Jetton wallets of senders.')),
    jetton_master: optional(addressParam('A jetton.')),
    direction: DirectionParam,
    ...windowParams('the transfers'),
    ...pageParams,
    sort: sortParam(),
  },
  result: Type.Object(
    { jetton_transfers: Type.Array(JettonTransferView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'JettonTransfersResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { owner_address, address, direction, jetton_wallet: wallets, jetton_master: master } = params
    const owners = joinOwners(owner_address, address && [address])
    const filter = { owners, direction, wallets, master, window: readEventWindow(params) }
    const { rows, next } = await listJettonTransfers(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap((row) => [
      row.source,
      row.destination,
      row.sourceWallet,
      row.jettonMaster,
      row.responseDestination,
    ])
    const beside = await hydrate(context, addresses)
    return {
      jetton_transfers: await context.budget.writeRows(rows, (row) => toJettonTransferView(context.budget, row)),
      ...beside,
    }
  },
})

import { Type } from 'typebox'
import { listJettonMasters } from '../../../store/reader/jettons.ts'
import { optional } from '../../core/Param.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import { addressListParam, pageParams } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { JettonMasterView, toJettonMasterView } from '../views/JettonMasterView.ts'
import { MetadataView } from '../views/MetadataView.ts'

export const jettonMasters = v3Endpoint({
  name: 'jetton/masters',
  tags: ['jettons'],
  summary: 'Jettons, in the order in which they were discovered.',
  params: {
    address: optional(addressListParam('Addresses of jettons.', 1024)),
    admin_address: optional(addressListParam('Addresses of those who govern them.', 1024)),
    ...pageParams,
  },
  result: Type.Object(
    { jetton_masters: Type.Array(JettonMasterView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'JettonMastersResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const filter = { addresses: params.address, admins: params.admin_address }
    const { rows, next } = await listJettonMasters(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, admin }) => (admin === undefined ? [address] : [address, admin]))
    return { jetton_masters: rows.map(toJettonMasterView), ...(await hydrate(context, addresses)) }
  },
})

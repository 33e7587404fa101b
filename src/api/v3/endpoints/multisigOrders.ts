import { type Static, Type } from 'typebox'
import { listMultisigOrders } from '../../../store/reader/multisigs.ts'
import { optional, withDefault } from '../../core/Param.ts'
import { hydrateAddressBook } from '../hydrate/hydrate.ts'
import { addressListParam, boolParam, pageParams, readAddressKey, sortParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MultisigOrderView, toMultisigOrderView } from '../views/MultisigOrderView.ts'
import { listBodyAddresses } from '../views/orderBodies.ts'

export const multisigOrders = v3Endpoint({
  name: 'multisig/orders',
  tags: ['multisig'],
  summary: 'Orders of wallets of several owners, as they were discovered.',
  params: {
    address: optional(addressListParam('Addresses of orders.', 1024)),
    multisig_address: optional(addressListParam('Addresses of wallets of several owners.', 1024)),
    parse_actions: withDefault(boolParam('Whether it is wanted what an order would do.'), false),
    ...pageParams,
    sort: sortParam(),
  },
  result: Type.Object(
    { orders: Type.Array(MultisigOrderView), address_book: AddressBookView },
    { $id: 'MultisigOrderResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { address: addresses, multisig_address: multisigs, sort: direction } = params
    if (addresses === undefined && multisigs === undefined) {
      throw new RefusedRequestError('At least one of address or multisig_address should be specified')
    }
    const filter = { addresses, multisigs, direction }
    const { rows, next } = await listMultisigOrders(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const { budget } = context
    const known = rows.flatMap(({ address, multisig, signers }) => [address, multisig, ...signers])
    const orders = await budget.writeRows(rows, (row) => {
      const view = toMultisigOrderView(row, params.parse_actions, budget)
      known.push(...listActionAddresses(view).map(readAddressKey))
      return view
    })
    return { orders, ...(await hydrateAddressBook(context, known)) }
  },
})

const listActionAddresses = ({ actions }: Static<typeof MultisigOrderView>): string[] =>
  (actions ?? []).flatMap(({ destination, parsed_body }) => [
    ...(destination === null ? [] : [destination]),
    ...(parsed_body === null ? [] : listBodyAddresses(parsed_body)),
  ])

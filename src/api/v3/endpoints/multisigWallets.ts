import { Type } from 'typebox'
import { findOrdersOfMultisigs, listMultisigs, type MultisigOrder } from '../../../store/reader/multisigs.ts'
import { optional, withDefault } from '../../core/Param.ts'
import { hydrateAddressBook } from '../hydrate/hydrate.ts'
import { addressListParam, boolParam, pageParams, sortParam } from '../params.ts'
import { RefusedRequestError } from '../RefusedRequestError.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/AddressBookView.ts'
import { MultisigView, toMultisigView } from '../views/MultisigView.ts'
import { addressText } from '../views/scalars.ts'

export const multisigWallets = v3Endpoint({
  name: 'multisig/wallets',
  tags: ['multisig'],
  summary: 'Wallets of several owners, with their orders, as they were discovered.',
  params: {
    address: optional(addressListParam('Addresses of such wallets.', 1024)),
    wallet_address: optional(addressListParam('Addresses of signers and proposers.', 1024)),
    ...pageParams,
    sort: sortParam(),
    include_orders: withDefault(boolParam('Whether their orders are wanted, too.'), true),
  },
  result: Type.Object(
    { multisigs: Type.Array(MultisigView), address_book: AddressBookView },
    { $id: 'MultisigResponse' },
  ),
  errors: ['cursor_refused', 'query_too_costly'],
  async handle(context, params) {
    const { address: addresses, wallet_address: members, sort: direction } = params
    if (addresses === undefined && members === undefined) {
      throw new RefusedRequestError('At least one of address or wallet_address should be specified')
    }
    const filter = { addresses, members, direction }
    const { rows, next } = await listMultisigs(context.lists, filter, context.readPage(params))
    context.tellNext(next)
    const asked = params.include_orders ? rows.map(({ address }) => address) : []
    const orders = await findOrdersOfMultisigs(context.lists, asked)
    const ordersOf = groupOrders(orders)
    const { budget } = context
    const known = [
      ...rows.flatMap(({ address, signers, proposers }) => [address, ...signers, ...proposers]),
      ...orders.flatMap(({ address, signers }) => [address, ...signers]),
    ]
    return {
      multisigs: await budget.writeRows(rows, (row) =>
        toMultisigView(row, ordersOf.get(addressText(row.address)) ?? [], budget),
      ),
      ...(await hydrateAddressBook(context, known)),
    }
  },
})

const groupOrders = (orders: readonly MultisigOrder[]): Map<string, MultisigOrder[]> => {
  const groups = new Map<string, MultisigOrder[]>()
  for (const order of orders) {
    const key = addressText(order.multisig)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [order])
    else group.push(order)
  }
  return groups
}

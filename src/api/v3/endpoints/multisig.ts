import { type Static, Type } from 'typebox'
import {
  findOrdersOfMultisigs,
  listMultisigOrders,
  listMultisigs,
  type MultisigOrder,
} from '../../../store/reader/multisigs.ts'
import { optional, withDefault } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { hydrateAddressBook } from '../hydrate/hydrate.ts'
import { addressListParam, boolParam, pageParams, readAddressKey, sortParam } from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView } from '../views/addressBook.ts'
import { MultisigOrderView, MultisigView, toMultisigOrderView, toMultisigView } from '../views/multisig.ts'
import { listBodyAddresses } from '../views/orderBodies.ts'
import { addressText } from '../views/scalars.ts'

export const multisigOrders = v3Endpoint({
  name: 'multisig/orders',
  tags: ['multisig'],
  summary: 'List multisig orders in the order of discovery.',
  params: {
    address: optional(addressListParam('Order addresses.', 1024)),
    multisig_address: optional(addressListParam('Multisig wallet addresses.', 1024)),
    parse_actions: withDefault(boolParam('Parse the actions of each order.'), false),
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
    const { rows, next } = await listMultisigOrders(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const { budget } = context
    if (params.parse_actions) budget.expectParsing(rows.reduce((sum, { content }) => sum + (content?.length ?? 0), 0))
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

export const multisigWallets = v3Endpoint({
  name: 'multisig/wallets',
  tags: ['multisig'],
  summary: 'List multisig wallets with their orders, in the order of discovery.',
  params: {
    address: optional(addressListParam('Multisig wallet addresses.', 1024)),
    wallet_address: optional(addressListParam('Signer and proposer addresses.', 1024)),
    ...pageParams,
    sort: sortParam(),
    include_orders: withDefault(boolParam('Include orders.'), true),
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
    const { rows, next } = await listMultisigs(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const asked = params.include_orders ? rows.map(({ address }) => address) : []
    const orders = await findOrdersOfMultisigs(context.listReads, asked)
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

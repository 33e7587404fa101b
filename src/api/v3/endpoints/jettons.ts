import { Type } from 'typebox'
import { listJettonBurns, listJettonTransfers } from '../../../store/reader/jettonEvents.ts'
import { listJettonMasters, listJettonWallets } from '../../../store/reader/jettons.ts'
import { optional, withDefault } from '../../core/params.ts'
import { RefusedRequestError } from '../errors.ts'
import { joinOwners, readEventWindow, TransferDirectionParam } from '../filterParams.ts'
import { hydrate } from '../hydrate/hydrate.ts'
import {
  addressListParam,
  addressParam,
  boolParam,
  OptionalSortParam,
  pageParams,
  sortParam,
  windowParams,
} from '../params.ts'
import { v3Endpoint } from '../v3Endpoint.ts'
import { AddressBookView, MetadataView } from '../views/addressBook.ts'
import {
  JettonBurnView,
  JettonMasterView,
  JettonTransferView,
  JettonWalletView,
  toJettonBurnView,
  toJettonMasterView,
  toJettonTransferView,
  toJettonWalletView,
} from '../views/jettons.ts'

export const jettonMasters = v3Endpoint({
  name: 'jetton/masters',
  tags: ['jettons'],
  summary: 'List jetton masters in the order of discovery.',
  params: {
    address: optional(addressListParam('Jetton master addresses.', 1024)),
    admin_address: optional(addressListParam('Admin addresses.', 1024)),
    ...pageParams,
  },
  result: Type.Object(
    { jetton_masters: Type.Array(JettonMasterView), address_book: AddressBookView, metadata: MetadataView },
    { $id: 'JettonMastersResponse' },
  ),
  errors: ['cursor_refused'],
  async handle(context, params) {
    const filter = { addresses: params.address, admins: params.admin_address }
    const { rows, next } = await listJettonMasters(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, admin }) => (admin === undefined ? [address] : [address, admin]))
    return { jetton_masters: rows.map(toJettonMasterView), ...(await hydrate(context, addresses)) }
  },
})

export const jettonWallets = v3Endpoint({
  name: 'jetton/wallets',
  tags: ['jettons'],
  summary: 'List jetton wallets in the order of discovery, or by balance if sort is given.',
  params: {
    address: optional(addressListParam('Jetton wallet addresses.')),
    owner_address: optional(addressListParam('Owner addresses.')),
    jetton_address: optional(addressListParam('Jetton master addresses; several only with exactly one owner.')),
    exclude_zero_balance: withDefault(boolParam('Exclude wallets with zero balance.'), false),
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
    const { rows, next } = await listJettonWallets(context.listReads, filter, context.readPage(params))
    context.tellNext(next)
    const addresses = rows.flatMap(({ address, owner, jetton }) => [address, owner, jetton])
    return { jetton_wallets: rows.map(toJettonWalletView), ...(await hydrate(context, addresses)) }
  },
})

export const jettonTransfers = v3Endpoint({
  name: 'jetton/transfers',
  tags: ['jettons'],
  summary: 'List successful jetton transfers, ordered by logical time, or by Unix time if a time window is given.',
  params: {
    owner_address: optional(addressListParam('Sender or receiver addresses.')),
    address: optional(addressParam('One more owner address.')),
    jetton_wallet: optional(addressListParam('Jetton wallet addresses of senders.')),
    jetton_master: optional(addressParam('A jetton.')),
    direction: TransferDirectionParam,
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
    const { rows, next } = await listJettonTransfers(context.listReads, filter, context.readPage(params))
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

export const jettonBurns = v3Endpoint({
  name: 'jetton/burns',
  tags: ['jettons'],
  summary:
    'List jetton burns, including failed ones, ordered by logical time, or by Unix time if a time window is given.',
  params: {
    address: optional(addressListParam('Owner addresses.')),
    owner_address: optional(addressListParam('Alias of address.')),
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
    const { rows, next } = await listJettonBurns(context.listReads, filter, context.readPage(params))
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

import { friendlyOf } from '../model/addressBook.ts'
import type { EntityPage, Route } from './Route.ts'

const pages: readonly (readonly [kind: string, page: EntityPage, title: string])[] = [
  ['jetton_master', 'jetton', 'Jetton'],
  ['nft_collection', 'collection', 'Collection'],
  ['nft_item', 'nft', 'NFT'],
  ['multisig_v2', 'multisig', 'Multisig'],
  ['multisig_order_v2', 'multisig', 'Order'],
  ['wallet_vesting', 'vesting', 'Vesting'],
]

export type EntityLink = { readonly to: Route; readonly title: string }

/** The page that an account of such interfaces has besides that of its contract. */
export const findEntityLink = (raw: string, interfaces: readonly string[]): EntityLink | undefined => {
  const found = pages.find(([kind]) => interfaces.includes(kind))
  return found === undefined ? undefined : { to: { page: found[1], key: friendlyOf(raw) }, title: found[2] }
}

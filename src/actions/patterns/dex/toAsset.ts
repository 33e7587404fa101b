import type { AccountFacts } from '../../trace/AccountFacts.ts'
import { ptonMasters } from '../jetton/ptonMasters.ts'

/** The asset that a jetton is to an exchange: `undefined`, the native coin, for one that stands for it. */
export const toAsset = (master: string | undefined): string | undefined =>
  master !== undefined && ptonMasters.has(master) ? undefined : master

/** The asset that a wallet holds; `undefined` as a whole where the wallet is not known. */
export const findAsset = (
  facts: AccountFacts,
  wallet: string | undefined,
): { readonly asset: string | undefined } | undefined => {
  const known = facts.of(wallet).jettonWallet
  return known && { asset: toAsset(known.jetton) }
}

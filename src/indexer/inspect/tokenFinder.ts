import { toHex } from '../../primitives/hex.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { KnownToken } from './KnownContracts.ts'
import type { NewestState } from './listStates.ts'
import type { FindToken } from './listTokenEvents.ts'
import type { Subject } from './Subject.ts'
import type { VouchedTokens } from './VouchedTokens.ts'

/** What accounts are by this batch or, where it cannot tell because they are gone or not to be had, were known to be. */
export const tokenFinder = (
  newest: ReadonlyMap<string, NewestState>,
  subjects: readonly Subject[],
  contracts: InspectedContracts['contracts'],
  vouched: VouchedTokens,
): FindToken => {
  const inspected = new Set(subjects.map(({ key }) => key))
  const found = new Map<string, KnownToken>()
  for (const { address, code_hash, last_lt, owner, jetton } of contracts.jetton_wallets) {
    const facts = { account: address, codeHash: code_hash, lastLt: last_lt }
    found.set(`jettonWallet ${toHex(address)}`, { ...facts, kind: 'jettonWallet', owner, master: jetton })
  }
  for (const { address, code_hash, last_lt, index, collection_address } of contracts.nft_items) {
    const collection = collection_address ?? undefined
    const facts = { account: address, codeHash: code_hash, lastLt: last_lt }
    found.set(`nftItem ${toHex(address)}`, { ...facts, kind: 'nftItem', index, collection })
  }
  const find = (kind: KnownToken['kind'], account: string, aborted: boolean): KnownToken | undefined => {
    if (inspected.has(account)) return found.get(`${kind} ${account}`)
    const { status, codeHash } = newest.get(account)?.touched ?? {}
    if (codeHash !== undefined) return vouched.findWithCode(kind, account, codeHash)
    // It was destroyed by this very request, or there was nothing that could have served it.
    return status === 'active' || aborted ? undefined : vouched.find(kind, account)
  }
  return find as FindToken
}

import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit, TokenRequest } from '../blockSets.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { NewestState } from './codes.ts'
import type { KnownToken, Subject, VouchedTokens } from './knownContracts.ts'

export type TokenEvents = Pick<InspectedContracts, 'jettonTransfers' | 'jettonBurns' | 'nftTransfers'>

type Lists = { [K in keyof TokenEvents]: TokenEvents[K][number][] }
type Wallet = Extract<KnownToken, { readonly kind: 'jettonWallet' }>
type Item = Extract<KnownToken, { readonly kind: 'nftItem' }>

/** Whose word is taken for a request: the token that the account is, or was when it received it. */
type FindToken = {
  (kind: 'jettonWallet', account: string, aborted: boolean): Wallet | undefined
  (kind: 'nftItem', account: string, aborted: boolean): Item | undefined
}

/** The account that received a request. */
export const accountOf = ({ transactions }: DecodedUnit, { transaction }: TokenRequest): Uint8Array =>
  transactions.accounts.slice(transaction * ADDRESS_KEY_BYTES, (transaction + 1) * ADDRESS_KEY_BYTES)

/** The requests that were made to tokens. Whatever else got a message of the same form did nothing with any token. */
export const listTokenEvents = (units: readonly DecodedUnit[], findToken: FindToken): TokenEvents => {
  const events: Lists = { jettonTransfers: [], jettonBurns: [], nftTransfers: [] }
  for (const unit of units) {
    for (const request of unit.tokenRequests) addEvent(events, unit, request, findToken)
  }
  return events
}

const addEvent = (events: Lists, unit: DecodedUnit, request: TokenRequest, findToken: FindToken): void => {
  const account = accountOf(unit, request)
  const key = toHex(account)
  const common = {
    lt: unit.transactions.lts[request.transaction]!,
    now: unit.transactions.nows[request.transaction]!,
    mc_seqno: unit.seqno,
    aborted: request.aborted,
    query_id: request.queryId,
    account,
    response_destination: request.responseDestination,
    custom_payload: request.customPayload,
  }
  if (request.kind === 'nftTransfer') {
    const item = findToken('nftItem', key, request.aborted)
    if (item === undefined) return
    events.nftTransfers.push({
      ...common,
      forward_amount: request.forwardAmount,
      collection: item.collection,
      old_owner: request.source,
      new_owner: request.newOwner,
      forward_payload: request.forwardPayload,
    })
    return
  }
  const wallet = findToken('jettonWallet', key, request.aborted)
  if (wallet === undefined) return
  if (request.kind === 'jettonBurn') {
    events.jettonBurns.push({
      ...common,
      amount: request.amount,
      owner: request.source,
      jetton_master: wallet.master,
    })
    return
  }
  events.jettonTransfers.push({
    ...common,
    amount: request.amount,
    forward_amount: request.forwardAmount,
    source: request.source,
    destination: request.destination,
    jetton_master: wallet.master,
    forward_payload: request.forwardPayload,
  })
}

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

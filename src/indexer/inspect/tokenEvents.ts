import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedBlockSet, TokenRequest } from '../blockSets.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { NewestState } from './codes.ts'
import type { StoredToken, Subject, VerifiedTokens } from './knownContracts.ts'

export type TokenEvents = Pick<InspectedContracts, 'jettonTransfers' | 'jettonBurns' | 'nftTransfers'>

type Lists = { [K in keyof TokenEvents]: TokenEvents[K][number][] }
type Wallet = Extract<StoredToken, { readonly kind: 'jettonWallet' }>
type Item = Extract<StoredToken, { readonly kind: 'nftItem' }>

/** Finds the token that the account is, or was when it received the request. */
type FindToken = {
  (kind: 'jettonWallet', account: string, aborted: boolean): Wallet | undefined
  (kind: 'nftItem', account: string, aborted: boolean): Item | undefined
}

/** The account that received a request. */
export const accountOf = ({ transactions }: DecodedBlockSet, { transaction }: TokenRequest): Uint8Array =>
  transactions.accounts.slice(transaction * ADDRESS_KEY_BYTES, (transaction + 1) * ADDRESS_KEY_BYTES)

/** The requests to tokens. Messages of the same form to other accounts have no effect on tokens. */
export const listTokenEvents = (blockSets: readonly DecodedBlockSet[], findToken: FindToken): TokenEvents => {
  const events: Lists = { jettonTransfers: [], jettonBurns: [], nftTransfers: [] }
  for (const blockSet of blockSets) {
    for (const request of blockSet.tokenRequests) addEvent(events, blockSet, request, findToken)
  }
  return events
}

const addEvent = (events: Lists, blockSet: DecodedBlockSet, request: TokenRequest, findToken: FindToken): void => {
  const account = accountOf(blockSet, request)
  const key = toHex(account)
  const common = {
    lt: blockSet.transactions.lts[request.transaction]!,
    now: blockSet.transactions.nows[request.transaction]!,
    mc_seqno: blockSet.seqno,
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

/** Finds tokens in this batch or, if an account is deleted or its state unavailable, in the store. */
export const tokenFinder = (
  newest: ReadonlyMap<string, NewestState>,
  subjects: readonly Subject[],
  contracts: InspectedContracts['contracts'],
  vouched: VerifiedTokens,
): FindToken => {
  const inspected = new Set(subjects.map(({ key }) => key))
  const found = new Map<string, StoredToken>()
  for (const { address, code_hash, last_lt, owner, jetton } of contracts.jetton_wallets) {
    const facts = { account: address, codeHash: code_hash, lastLt: last_lt }
    found.set(`jettonWallet ${toHex(address)}`, { ...facts, kind: 'jettonWallet', owner, master: jetton })
  }
  for (const { address, code_hash, last_lt, index, collection_address } of contracts.nft_items) {
    const collection = collection_address ?? undefined
    const facts = { account: address, codeHash: code_hash, lastLt: last_lt }
    found.set(`nftItem ${toHex(address)}`, { ...facts, kind: 'nftItem', index, collection })
  }
  const find = (kind: StoredToken['kind'], account: string, aborted: boolean): StoredToken | undefined => {
    if (inspected.has(account)) return found.get(`${kind} ${account}`)
    const { status, codeHash } = newest.get(account)?.touched ?? {}
    if (codeHash !== undefined) return vouched.findWithCode(kind, account, codeHash)
    // The account was destroyed by this request, or could not process it.
    return status === 'active' || aborted ? undefined : vouched.find(kind, account)
  }
  return find as FindToken
}

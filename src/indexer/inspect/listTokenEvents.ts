import { ADDRESS_KEY_BYTES } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import type { DecodedUnit, TokenRequest } from '../DecodedUnit.ts'
import type { InspectedContracts } from '../IndexBatch.ts'
import type { KnownToken } from './KnownContracts.ts'

export type TokenEvents = Pick<InspectedContracts, 'jettonTransfers' | 'jettonBurns' | 'nftTransfers'>

type Lists = { [K in keyof TokenEvents]: TokenEvents[K][number][] }
type Wallet = Extract<KnownToken, { readonly kind: 'jettonWallet' }>
type Item = Extract<KnownToken, { readonly kind: 'nftItem' }>

/** Whose word is taken for a request: the token that the account is, or was when it received it. */
export type FindToken = {
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

import { call, foldMatch, type Matcher } from '../match/Matcher.ts'
import { type Addresses, blockKind } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import {
  type Command,
  cocoonOps,
  excesses,
  isAborted,
  optionalExcesses,
  payout,
  readCoinsCommand,
  readCommand,
  readQueryId,
  readSigned,
  readUnregisterProxy,
  readWorkerRequest,
  type SignedBody,
  toldProxy,
  type UnregisterProxyBody,
} from './cocoon.ts'
import { getCall, isCall } from './core.ts'

export type CocoonIncreaseStakeData = Command & { readonly amount: bigint; readonly client: string | undefined }

/** A client increased its stake. */
const cocoonIncreaseStake = blockKind<CocoonIncreaseStakeData>({
  name: 'cocoon_client_increase_stake',
  describe: ({ data: { queryId, excessTo, amount, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      new_stake: String(amount),
      source: excessTo ?? null,
      destination: client ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonIncreaseStake: Matcher = {
  name: 'cocoon increase stake',
  isAnchor: (block) => isCall(block, cocoonOps.increaseStake),
  around: toldProxy,
  build: (match) => {
    const data = { ...readCoinsCommand(match.anchor), client: messageOf(match.anchor).destination }
    foldMatch(match, cocoonIncreaseStake, data, { failed: isAborted(match.anchor) })
  },
}

export type CocoonProxyChargeData = SignedBody & {
  readonly charged: string | undefined
  readonly told: string | undefined
}

/** A proxy charged a client. */
const cocoonProxyCharge = blockKind<CocoonProxyChargeData>({
  name: 'cocoon_proxy_charge',
  describe: ({ data: { queryId, tokens, expectedAddress, charged, told } }) => ({
    source: charged,
    destination: told,
    details: {
      query_id: String(queryId),
      new_tokens_used: String(tokens),
      expected_address: expectedAddress ?? null,
      source: charged ?? null,
      destination: told ?? null,
    },
  }),
})

export const matchCocoonProxyCharge: Matcher = {
  name: 'cocoon proxy charge',
  isAnchor: (block) => isCall(block, cocoonOps.proxyCharge),
  around: toldProxy,
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readSigned(anchor),
      charged: messageOf(anchor).destination,
      told: messageOf(getCall(others, cocoonOps.clientRequest)).destination,
    }
    foldMatch(match, cocoonProxyCharge, data, { failed: isAborted(anchor) })
  },
}

export type CocoonProxyPayoutData = Command & { readonly proxy: string | undefined; readonly owner: string | undefined }

/** Payout to the owner of a proxy. */
const cocoonProxyPayout = blockKind<CocoonProxyPayoutData>({
  name: 'cocoon_proxy_payout',
  describe: ({ data: { queryId, proxy, owner, excessTo } }) => ({
    source: proxy,
    destination: owner,
    destinationSecondary: excessTo,
    details: { query_id: String(queryId), source: proxy ?? null, destination: owner ?? null },
  }),
})

export const matchCocoonProxyPayout: Matcher = {
  name: 'cocoon proxy payout',
  isAnchor: (block) => isCall(block, cocoonOps.proxyPayout),
  around: { all: [payout, excesses] },
  build: (match) => {
    const paid = getCall(match.others, cocoonOps.payout)
    const data = {
      ...readCommand(match.anchor),
      proxy: messageOf(match.anchor).destination,
      owner: messageOf(paid).destination,
    }
    foldMatch(match, cocoonProxyPayout, data, { failed: isAborted(paid) })
  },
}

export type CocoonRegisterProxyData = { readonly queryId: bigint; readonly root: string | undefined }

/** A proxy joined. */
const cocoonRegisterProxy = blockKind<CocoonRegisterProxyData>({
  name: 'cocoon_register_proxy',
  describe: ({ data: { queryId, root } }) => ({
    destination: root,
    details: { query_id: String(queryId), destination: root ?? null },
  }),
})

export const matchCocoonRegisterProxy: Matcher = {
  name: 'cocoon register proxy',
  isAnchor: (block) => isCall(block, cocoonOps.registerProxy),
  around: { next: excesses },
  build: (match) => {
    const data = { queryId: readQueryId(match.anchor), root: messageOf(match.anchor).destination }
    foldMatch(match, cocoonRegisterProxy, data, { failed: isAborted(match.anchor) })
  },
}

export type CocoonUnregisterProxyData = UnregisterProxyBody & { readonly root: string | undefined }

/** A proxy left. */
const cocoonUnregisterProxy = blockKind<CocoonUnregisterProxyData>({
  name: 'cocoon_unregister_proxy',
  describe: ({ data: { queryId, seqno, root } }) => ({
    destination: root,
    details: { query_id: String(queryId), seqno, destination: root ?? null },
  }),
})

export const matchCocoonUnregisterProxy: Matcher = {
  name: 'cocoon unregister proxy',
  isAnchor: (block) => isCall(block, cocoonOps.unregisterProxy),
  around: { next: excesses },
  build: (match) => {
    const data = { ...readUnregisterProxy(match.anchor), root: messageOf(match.anchor).destination }
    foldMatch(match, cocoonUnregisterProxy, data, { failed: isAborted(match.anchor) })
  },
}

export type CocoonWorkerPayoutData = Addresses<'proxy' | 'worker' | 'owner'> & {
  readonly queryId: bigint
  readonly isLast: boolean
  readonly newTokens: bigint
  readonly state: number
  readonly tokens: bigint
  readonly amount: bigint
}

/** Payout to a worker. */
const cocoonWorkerPayout = blockKind<CocoonWorkerPayoutData>({
  name: 'cocoon_worker_payout',
  describe: ({ data }) => ({
    source: data.proxy,
    sourceSecondary: data.worker,
    destination: data.owner,
    details: {
      payout_type: data.isLast ? ('last' as const) : ('regular' as const),
      query_id: String(data.queryId),
      new_tokens: String(data.newTokens),
      worker_state: data.state,
      worker_tokens: String(data.tokens),
      source: data.proxy ?? null,
      destination: data.owner ?? null,
      amount: String(data.amount),
    },
  }),
})

export const matchCocoonWorkerPayout: Matcher = {
  name: 'cocoon worker payout',
  isAnchor: (block) => isCall(block, cocoonOps.workerPayout, cocoonOps.lastWorkerPayout),
  around: { next: call(cocoonOps.workerRequest, { all: [payout, optionalExcesses] }) },
  build: (match) => {
    const { anchor, others } = match
    const { queryId, tokens: newTokens } = readSigned(anchor)
    const { source: proxy, destination: worker } = messageOf(anchor)
    const paid = getCall(others, cocoonOps.payout)
    const data = {
      queryId,
      isLast: isCall(anchor, cocoonOps.lastWorkerPayout),
      newTokens,
      ...readWorkerRequest(getCall(others, cocoonOps.workerRequest)),
      proxy,
      worker,
      amount: messageOf(paid).value ?? 0n,
    }
    foldMatch(match, cocoonWorkerPayout, data, { failed: isAborted(paid) })
  },
}

import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { cocoonOps, readSigned, readWorkerRequest } from '../bodies/cocoon.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, optionalExcesses, payout } from './cocoonPatterns.ts'

export type CocoonWorkerPayoutData = {
  readonly queryId: bigint
  readonly isLast: boolean
  readonly newTokens: bigint
  readonly state: number
  readonly tokens: bigint
  readonly proxy: string | undefined
  readonly worker: string | undefined
  readonly owner: string | undefined
  readonly amount: bigint
}

/** A worker was paid for what it computed. */
const cocoonWorkerPayout = blockKind<CocoonWorkerPayoutData>({
  name: 'cocoon_worker_payout',
  describe: ({ data }) => ({
    source: data.proxy,
    sourceSecondary: data.worker,
    destination: data.owner,
    details: {
      payout_type: data.isLast ? 'last' : 'regular',
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

import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { type Command, cocoonOps, findRefundGranted, readCommand } from '../bodies/cocoon.ts'
import { tryRead } from '../bodies/tryRead.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { isAborted, optionalExcesses, payout } from './cocoonPatterns.ts'

export type CocoonClientWithdrawData = Command & {
  readonly amount: bigint
  readonly client: string | undefined
}

/** A client took coins out. */
const cocoonClientWithdraw = blockKind<CocoonClientWithdrawData>({
  name: 'cocoon_client_withdraw',
  describe: ({ data: { queryId, excessTo, amount, client } }) => ({
    source: excessTo,
    destination: client,
    details: {
      query_id: String(queryId),
      withdraw_amount: String(amount),
      source: excessTo ?? null,
      destination: client ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonClientWithdraw: Matcher = {
  name: 'cocoon client withdraw',
  isAnchor: (block) => isCall(block, cocoonOps.clientWithdraw),
  around: { next: call(cocoonOps.clientRequest, { all: [optionalExcesses, payout] }) },
  build: (match) => {
    const { anchor, others } = match
    const data = {
      ...readCommand(anchor),
      amount: tryRead(() => findRefundGranted(getCall(others, cocoonOps.clientRequest))) ?? 0n,
      client: messageOf(anchor).destination,
    }
    foldMatch(match, cocoonClientWithdraw, data, { failed: isAborted(anchor) })
  },
}

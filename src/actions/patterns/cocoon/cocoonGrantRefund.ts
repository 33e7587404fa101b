import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { cocoonOps, readSigned, type SignedBody } from '../bodies/cocoon.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { excesses, isAborted, payout } from './cocoonPatterns.ts'

export type CocoonGrantRefundData = SignedBody & {
  readonly called: string | undefined
  readonly told: string | undefined
  readonly recipient: string | undefined
  readonly amount: bigint
}

/** A client got back what was not used. */
const cocoonGrantRefund = blockKind<CocoonGrantRefundData>({
  name: 'cocoon_grant_refund',
  describe: ({ data: { queryId, tokens, expectedAddress, called, told, recipient, amount } }) => ({
    source: called,
    sourceSecondary: told,
    destination: recipient,
    details: {
      query_id: String(queryId),
      new_tokens_used: String(tokens),
      expected_address: expectedAddress ?? null,
      source: called ?? null,
      destination: recipient ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCocoonGrantRefund: Matcher = {
  name: 'cocoon grant refund',
  isAnchor: (block) => isCall(block, cocoonOps.grantRefund),
  around: { next: call(cocoonOps.clientRequest, { all: [payout, excesses] }) },
  build: (match) => {
    const { anchor, others } = match
    const payment = getCall(others, cocoonOps.payout)
    const paid = messageOf(payment)
    const data = {
      ...readSigned(anchor),
      called: messageOf(anchor).destination,
      told: messageOf(getCall(others, cocoonOps.clientRequest)).destination,
      recipient: paid.destination,
      amount: paid.value ?? 0n,
    }
    foldMatch(match, cocoonGrantRefund, data, { failed: isAborted(payment) })
  },
}

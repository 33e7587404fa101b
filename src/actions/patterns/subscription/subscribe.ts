import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf, openBody } from '../bodies/body.ts'
import { findCall, getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { describeSubscription, pluginOps, type SubscriptionData } from './subscription.ts'

export type SubscribeData = SubscriptionData & { readonly amount: bigint }

/** A wallet paid for a subscription. */
const subscribe = blockKind<SubscribeData>({
  name: 'subscribe',
  isClosed: true,
  describe: ({ data }) => describeSubscription(data, data.amount),
})

export const matchSubscribe: Matcher = {
  name: 'subscribe',
  isAnchor: (block) => isCall(block, pluginOps.answerPayment),
  around: { previous: call(pluginOps.requestPayment, { optional: true }), next: call(pluginOps.pay) },
  build: (match) => {
    const { anchor, others } = match
    const { source: subscriber, destination: subscription, value = 0n } = messageOf(anchor)
    const request = findCall(others, pluginOps.requestPayment)
    const payment = getCall(others, pluginOps.pay)
    const amount = request === undefined ? value : readRequestedAmount(request)
    const data = { subscriber, subscription, beneficiary: messageOf(payment).destination, amount }
    foldMatch(match, subscribe, data, { failed: request?.failed ?? false })
  },
}

const readRequestedAmount = (request: Block): bigint => {
  const r = openBody(request)
  r.skipBits(64)
  return r.readCoins()
}

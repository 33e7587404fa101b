import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { describeSubscription, pluginOps, type SubscriptionData } from './subscription.ts'

/** A subscription ended. */
const unsubscribe = blockKind<SubscriptionData>({
  name: 'unsubscribe',
  isClosed: true,
  describe: ({ data }) => describeSubscription(data, undefined),
})

export const matchUnsubscribe: Matcher = {
  name: 'unsubscribe',
  isAnchor: (block) => isCall(block, pluginOps.destruct),
  around: { next: call(pluginOps.destruct, { optional: true }) },
  build: (match) => {
    const { source: subscriber, destination: subscription } = messageOf(match.anchor)
    const answer = findCall(match.others, pluginOps.destruct)
    const beneficiary = answer && messageOf(answer).destination
    foldMatch(match, unsubscribe, { subscriber, subscription, beneficiary })
  },
}

import { call, foldMatch, type Matcher } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind } from '../tree/Block.ts'
import { messageOf, openBody } from './body.ts'
import { findCall, getCall, isCall } from './core.ts'

/** Opcodes of wallet plugins. */
const pluginOps = {
  requestPayment: 0x706c7567,
  answerPayment: 0xf06c7567,
  pay: 0x73756273,
  destruct: 0x64737472,
} as const

type SubscriptionData = Addresses<'subscriber' | 'beneficiary'> & {
  /** The contract of the subscription. */
  readonly subscription: string | undefined
}

/** The details of a subscription when it starts, is paid or ends. */
const describeSubscription = (
  { subscriber, beneficiary, subscription }: SubscriptionData,
  amount: bigint | undefined,
) => ({
  source: subscriber,
  destination: beneficiary,
  destinationSecondary: subscription,
  details: {
    subscriber: subscriber ?? null,
    beneficiary,
    subscription: subscription ?? null,
    amount: amount?.toString(),
  },
})

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

/** Opcodes of plugins of wallets. */
export const pluginOps = {
  requestPayment: 0x706c7567,
  answerPayment: 0xf06c7567,
  pay: 0x73756273,
  destruct: 0x64737472,
} as const

export type SubscriptionData = {
  readonly subscriber: string | undefined
  readonly beneficiary: string | undefined
  /** The contract of the subscription. */
  readonly subscription: string | undefined
}

/** What is told of a subscription, whether it begins, is paid or ends. */
export const describeSubscription = (
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

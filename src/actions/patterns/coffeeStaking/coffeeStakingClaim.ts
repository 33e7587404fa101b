import type { Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeStakingOps, readClaim } from '../bodies/coffeeStaking.ts'
import { getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

export type CoffeeStakingClaimData = {
  readonly pool: string | undefined
  readonly poolWallet: string | undefined
  readonly recipient: string | undefined
  readonly recipientWallet: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
}

/** Rewards for a stake. */
const coffeeStakingClaim = blockKind<CoffeeStakingClaimData>({
  name: 'coffee_staking_claim_rewards',
  describe: ({ data: { pool, poolWallet, recipient, recipientWallet, asset, amount } }) => ({
    source: pool,
    sourceSecondary: poolWallet,
    destination: recipient,
    destinationSecondary: recipientWallet,
    details: {
      pool: pool ?? null,
      pool_jetton_wallet: poolWallet ?? null,
      recipient: recipient ?? null,
      recipient_jetton_wallet: recipientWallet ?? null,
      asset: asset ?? null,
      amount: String(amount),
    },
  }),
})

export const matchCoffeeStakingClaim: Matcher = {
  name: 'coffee staking claim',
  isAnchor: (block) => isCall(block, coffeeStakingOps.claim),
  around: { all: [kindOf(jettonTransfer), call(coffeeStakingOps.claim, { optional: true })] },
  build: ({ anchor, others }) => {
    const { poolWallet, amount, receiver } = readClaim(anchor)
    const paid = getKind(others, jettonTransfer)
    const logs = others.filter((block) => isCall(block, coffeeStakingOps.claim))
    const data = {
      pool: messageOf(anchor).destination,
      poolWallet,
      recipient: receiver,
      recipientWallet: paid.data.receiverWallet,
      asset: paid.data.asset,
      amount,
    }
    foldBlocks(coffeeStakingClaim, data, [anchor, paid, ...logs])
  },
}

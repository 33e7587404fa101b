import type { Matcher } from '../../match/Matcher.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeStakingOps } from '../bodies/coffeeStaking.ts'
import { getCall, getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'
import { nftMint } from '../nft/nftMint.ts'

export type CoffeeStakingDepositData = {
  readonly holder: string | undefined
  readonly holderWallet: string | undefined
  readonly pool: string | undefined
  readonly poolWallet: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
  readonly item: string
  readonly index: bigint
}

/** Jettons were staked, and an item stands for the stake. */
const coffeeStakingDeposit = blockKind<CoffeeStakingDepositData>({
  name: 'coffee_staking_deposit',
  describe: ({ data: { holder, holderWallet, pool, poolWallet, asset, amount, item, index } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    destinationSecondary: poolWallet,
    details: {
      source: holder ?? null,
      source_jetton_wallet: holderWallet ?? null,
      pool: pool ?? null,
      pool_jetton_wallet: poolWallet ?? null,
      asset: asset ?? null,
      amount: String(amount),
      minted_item_address: item,
      minted_item_index: String(index),
    },
  }),
})

export const matchCoffeeStakingDeposit: Matcher = {
  name: 'coffee staking deposit',
  isAnchor: (block) => block.is(jettonTransfer),
  around: {
    next: call(coffeeStakingOps.deposit, {
      all: [call(coffeeStakingOps.deposit, { optional: true }), kindOf(nftMint)],
    }),
  },
  build: ({ anchor, others }) => {
    const { sender, senderWallet, receiverWallet, asset, amount } = getKind([anchor], jettonTransfer).data
    const deposited = getCall(others, coffeeStakingOps.deposit)
    const minted = getKind(others, nftMint)
    const logs = others.filter((block) => block.previous === deposited && isCall(block, coffeeStakingOps.deposit))
    const data = {
      holder: sender,
      holderWallet: senderWallet,
      pool: messageOf(deposited).destination,
      poolWallet: receiverWallet,
      asset,
      amount,
      item: minted.data.item,
      index: minted.data.index,
    }
    foldBlocks(coffeeStakingDeposit, data, [anchor, deposited, minted, ...logs])
  },
}

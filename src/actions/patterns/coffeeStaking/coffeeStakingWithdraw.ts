import type { Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { foldBlocks } from '../../tree/foldBlocks.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeStakingOps, readPoolWithdraw, readPositionWithdraw } from '../bodies/coffeeStaking.ts'
import { getKind } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { jettonTransfer } from '../jetton/jettonTransfer.ts'

export type CoffeeStakingWithdrawData = {
  readonly holder: string | undefined
  readonly holderWallet: string | undefined
  /** Who told the pool, which is the item. */
  readonly pool: string | undefined
  readonly poolWallet: string | undefined
  readonly asset: string | undefined
  readonly amount: bigint
  readonly item: string | undefined
  readonly index: bigint
  readonly points: bigint
}

/** An item was given back for the stake that it stood for. */
const coffeeStakingWithdraw = blockKind<CoffeeStakingWithdrawData>({
  name: 'coffee_staking_withdraw',
  describe: ({ data: { holder, holderWallet, pool, poolWallet, asset, amount, item, index, points } }) => ({
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
      nft_address: item ?? null,
      nft_index: String(index),
      points: String(points),
    },
  }),
})

const { withdraw } = coffeeStakingOps

/** The item tells its pool, and the pool tells the contract that keeps its jettons: all with the same opcode. */
export const matchCoffeeStakingWithdraw: Matcher = {
  name: 'coffee staking withdraw',
  isAnchor: (block) => isCall(block, withdraw),
  around: {
    next: call(withdraw, {
      all: [call(withdraw, { all: [kindOf(jettonTransfer)] }), call(withdraw, { optional: true })],
    }),
  },
  build: ({ anchor, others }) => {
    const [told, ...later] = others.filter((block) => isCall(block, withdraw))
    const returned = getKind(others, jettonTransfer)
    const position = expectPresent(told, 'withdrawal of the item')
    const { index, owner, points } = readPositionWithdraw(position)
    const paid = expectPresent(
      later.find((block) => block === returned.previous),
      'withdrawal of the pool',
    )
    const { poolWallet, amount } = readPoolWithdraw(paid)
    const data = {
      holder: owner,
      holderWallet: returned.data.receiverWallet,
      pool: messageOf(position).source,
      poolWallet,
      asset: returned.data.asset,
      amount,
      item: messageOf(anchor).destination,
      index,
      points,
    }
    foldBlocks(coffeeStakingWithdraw, data, [anchor, position, ...later, returned])
  },
}

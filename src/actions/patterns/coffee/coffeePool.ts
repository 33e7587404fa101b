import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { coffeeOps, readCreatePool, readLiquidityEvent } from '../bodies/coffee.ts'
import { jettonOps } from '../bodies/jetton.ts'
import { getCall } from '../core/findCall.ts'
import { type CoffeePoolCreatorData, coffeePoolCreator } from './coffeePoolCreator.ts'

export type CoffeePoolData = {
  /** The step that completed it. */
  readonly last: CoffeePoolCreatorData
  readonly pool: string | undefined
  /** What was given, by whom; the asset of the last step comes first. */
  readonly other: string | undefined
  readonly initiators: readonly [string | undefined, string | undefined]
  readonly amounts: readonly [bigint, bigint]
  readonly shares: bigint
}

/** A new pool, with its first liquidity. */
const coffeePool = blockKind<CoffeePoolData>({
  name: 'coffee_create_pool',
  describe: ({ data: { last, pool, other, initiators, amounts, shares } }) => ({
    source: last.source,
    sourceSecondary: last.sourceWallet,
    destination: pool,
    details: {
      source: last.source ?? null,
      source_jetton_wallet: last.sourceWallet ?? null,
      initiator_1: initiators[0] ?? null,
      initiator_2: initiators[1] ?? null,
      pool: pool ?? null,
      pool_creator_contract: null,
      provided_asset: last.provided ?? null,
      amount: String(last.amount),
      asset_1: last.provided ?? null,
      asset_2: other ?? null,
      amount_1: String(amounts[0]),
      amount_2: String(amounts[1]),
      lp_tokens_minted: String(shares),
    },
  }),
})

const notified = call(coffeeOps.notification, {
  optional: true,
  next: call(coffeeOps.notificationAnswer, { optional: true }),
})
const made = call(coffeeOps.deploy, {
  all: [call(jettonOps.internalTransfer), call(coffeeOps.depositEvent), notified],
})

export const matchCoffeePool: Matcher = {
  name: 'coffee new pool',
  isAnchor: (block) => block.is(coffeePoolCreator),
  around: { next: call(coffeeOps.createPool, { next: made }) },
  build: (match) => {
    if (!match.anchor.is(coffeePoolCreator)) throw new MatchRefusedError('Nobody asked for a pool.')
    const last = match.anchor.data
    const request = getCall(match.others, coffeeOps.createPool)
    const { amounts, initiator } = readCreatePool(request)
    const isSecond = last.provided === last.assets[1] && last.provided !== last.assets[0]
    foldMatch(match, coffeePool, {
      last,
      pool: messageOf(getCall(request.next, coffeeOps.deploy)).destination,
      other: isSecond ? last.assets[0] : last.assets[1],
      initiators: isSecond ? [initiator, last.source] : [last.source, initiator],
      amounts: isSecond ? [amounts[1], amounts[0]] : amounts,
      shares: readLiquidityEvent(getCall(match.others, coffeeOps.depositEvent)).shares,
    })
  },
}

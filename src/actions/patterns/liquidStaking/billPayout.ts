import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { call } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { liquidOps, readBillBurnt } from '../bodies/liquidStaking.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { liquidWithdrawal } from './liquidWithdrawal.ts'

/** A bill was burnt, and what it stood for was paid. Bills burn one another in a row. */
export const matchBillPayout: Matcher = {
  name: 'liquid staking bill payout',
  isAnchor: (block) => isCall(block, liquidOps.payout),
  around: { previous: call(liquidOps.billBurnt, { previous: call(liquidOps.billBurn) }) },
  build: (match) => {
    const burnt = getCall(match.others, liquidOps.billBurnt)
    const { amount: tokensBurnt, owner: holder } = readBillBurnt(burnt)
    const data = {
      holder,
      pool: findPool(burnt),
      amount: messageOf(match.anchor).value ?? 0n,
      tokensBurnt,
      bill: messageOf(burnt).source,
      asset: undefined,
    }
    foldMatch(match, liquidWithdrawal, data)
  },
}

/** Who began the row of burns; one that was matched already knows. */
const findPool = (burnt: Block): string | undefined => {
  for (let block = burnt.previous; block !== undefined; block = block.previous) {
    if (isCall(block, liquidOps.distribute)) return messageOf(block).source
    if (block.is(liquidWithdrawal)) return block.data.pool
    if (!isCall(block, liquidOps.billBurnt, liquidOps.billBurn, liquidOps.payout)) return undefined
  }
  return undefined
}

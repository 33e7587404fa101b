import { foldMatch, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent, MatchRefusedError } from '../../match/MatchRefusedError.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { dedustOps, readDepositRequest, readNativeDeposit } from '../bodies/dedust.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { type DepositData, depositKind } from '../dex/depositLiquidity.ts'
import { askedFactory, readJettonDeposit } from './depositSteps.ts'

/** An asset that waits for the other one. */
export const dedustFirstDeposit = depositKind('dedust_deposit_liquidity_partial')

export const matchDedustFirstDeposit: Matcher = {
  name: 'dedust first deposit',
  isAnchor: (block) => isCall(block, dedustOps.topUpDeposit),
  around: { previous: askedFactory({ isNew: true }) },
  build: (match, context) => {
    if (findCall(match.anchor.next, dedustOps.depositToPool, dedustOps.reject) !== undefined) {
      throw new MatchRefusedError('The deposit is complete.')
    }
    foldMatch(match, dedustFirstDeposit, readDeposit(match.anchor, context))
  },
}

const readDeposit = (anchor: Block, context: MatchContext): DepositData => {
  const vaultCall = expectPresent(anchor.previous?.previous, 'call of the vault')
  const keeper = messageOf(anchor).destination
  const common = {
    dex: 'dedust',
    pool: undefined,
    keeper,
    liquidityTo: keeper,
    minted: undefined,
    excesses: [],
  } as const
  if (isCall(vaultCall, dedustOps.deposit)) {
    const { amount, targets } = readNativeDeposit(vaultCall)
    const provider = messageOf(vaultCall).source
    return {
      ...common,
      provider,
      legs: [{ asset: undefined, amount }, undefined],
      wallets: [undefined, undefined],
      targets,
    }
  }
  const { amount, from, forward, asset, userWallet } = readJettonDeposit(vaultCall, context)
  const targets = readDepositRequest(expectPresent(forward, 'request').cell)
  return { ...common, provider: from, legs: [{ asset, amount }, undefined], wallets: [userWallet, undefined], targets }
}

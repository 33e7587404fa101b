import { foldMatch, type Match, type MatchContext, type Matcher } from '../../match/Matcher.ts'
import { expectPresent } from '../../match/MatchRefusedError.ts'
import { call, kindOf, oneOf, type Pattern } from '../../match/Pattern.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { dedustOps, readDepositToPool, readNativeDeposit } from '../bodies/dedust.ts'
import { jettonOps, readInternalTransfer } from '../bodies/jetton.ts'
import { findCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { tonTransfer } from '../core/tonTransfer.ts'
import { type AssetAmount, type DepositData, depositKind } from '../dex/depositLiquidity.ts'
import { askedFactory, readJettonDeposit } from './depositSteps.ts'

/** The asset that completes a deposit. */
export const dedustDeposit = depositKind('dedust_deposit_liquidity')

const notified = call(jettonOps.notify, { optional: true })
const jettonsBack = call(jettonOps.transfer, {
  optional: true,
  next: call(jettonOps.internalTransfer, { next: notified }),
})
const returned = call(dedustOps.returnExcess, {
  optional: true,
  all: [jettonsBack, call(dedustOps.payout, { optional: true })],
})
const refunds: readonly Pattern[] = [kindOf(tonTransfer, { optional: true }), returned, returned]

export const matchDedustDeposit: Matcher = {
  name: 'dedust deposit',
  isAnchor: (block) => isCall(block, dedustOps.depositToPool),
  around: {
    previous: call(dedustOps.topUpDeposit, { previous: askedFactory({ isNew: false }) }),
    all: [
      oneOf([call(jettonOps.internalTransfer, { next: notified }), call(dedustOps.reject, { all: refunds })]),
      call(dedustOps.destroyDeposit, { optional: true, all: refunds }),
    ],
  },
  build: (match, context) => {
    const data = readDeposit(match, context)
    foldMatch(match, dedustDeposit, data, { failed: data.minted === undefined })
  },
}

const readDeposit = ({ anchor, others }: Match, context: MatchContext): DepositData => {
  const { owner, targets } = readDepositToPool(anchor)
  const { source: keeper, destination: pool } = messageOf(anchor)
  const shares = findCall(anchor.next, jettonOps.internalTransfer)
  const { leg, wallet } = readSent(anchor, owner, context)
  return {
    dex: 'dedust',
    provider: owner,
    pool,
    keeper,
    liquidityTo: keeper,
    legs: [leg, undefined],
    wallets: [wallet, undefined],
    minted: shares && readInternalTransfer(shares).amount,
    targets,
    excesses: [...listCoinsBack(others, owner), ...listJettonsBack(others, owner, context)],
  }
}

type Sent = { readonly leg: AssetAmount; readonly wallet: string | undefined }

/** What came in this step: from the deposit contract back over the factory to the vault. */
const readSent = ({ previous }: Block, owner: string | undefined, context: MatchContext): Sent => {
  const vaultCall = expectPresent(previous?.previous?.previous, 'call of the vault')
  if (isCall(vaultCall, dedustOps.deposit)) {
    return { leg: { asset: undefined, amount: readNativeDeposit(vaultCall).amount }, wallet: undefined }
  }
  const { asset, amount, userWallet } = readJettonDeposit(vaultCall, context)
  const known = context.facts.of(userWallet).jettonWallet
  const isOwn = messageOf(expectPresent(vaultCall.previous?.previous, 'transfer')).source === owner
  return { leg: { asset, amount }, wallet: isOwn && known?.jetton === asset ? userWallet : undefined }
}

const listCoinsBack = (others: readonly Block[], owner: string | undefined): AssetAmount[] =>
  others
    .filter((block) => isCall(block, dedustOps.payout) && messageOf(block).destination === owner)
    .map((block) => ({ asset: undefined, amount: messageOf(block).value ?? 0n }))

/** The transfers of vaults, which nobody has folded yet. */
const listJettonsBack = (
  others: readonly Block[],
  owner: string | undefined,
  { facts }: MatchContext,
): AssetAmount[] => {
  const back: AssetAmount[] = []
  for (const block of others) {
    if (!isCall(block, dedustOps.returnExcess)) continue
    const sent = findCall(block.next, jettonOps.transfer)
    const received = sent && findCall(sent.next, jettonOps.internalTransfer)
    const wallet = received && facts.of(messageOf(received).destination).jettonWallet
    if (wallet?.owner !== owner || received === undefined) continue
    back.push({ asset: wallet?.jetton, amount: readInternalTransfer(received).amount })
  }
  return back
}

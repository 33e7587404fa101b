import { foldMatch, type Match, type Matcher } from '../../match/Matcher.ts'
import { call, oneOf } from '../../match/Pattern.ts'
import { type Block, blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readJettonBurn } from '../bodies/jetton.ts'
import { liquidOps } from '../bodies/liquidStaking.ts'
import { findCall, findKind, getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'
import { nftMint } from '../nft/nftMint.ts'
import { liquidWithdrawal } from './liquidWithdrawal.ts'

export type LiquidWithdrawRequestData = {
  readonly holder: string | undefined
  readonly tokenWallet: string | undefined
  readonly pool: string | undefined
  /** `undefined` where none was made. */
  readonly bill: string | undefined
  readonly asset: string | undefined
}

/** Tokens were given up for a bill, which is paid at the end of the round. */
const liquidWithdrawRequest = blockKind<LiquidWithdrawRequestData>({
  name: 'tonstakers_withdraw_request',
  type: 'stake_withdrawal_request',
  isClosed: true,
  describe: ({ data: { holder, tokenWallet, pool, bill, asset } }) => ({
    source: holder,
    sourceSecondary: tokenWallet,
    destination: pool,
    details: {
      provider: 'liquid_staking',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      payout_nft: bill ?? null,
      asset: asset ?? null,
      tokens_burnt: null,
    },
  }),
})

/** The end of the chain tells a withdrawal that is paid at once from one that is not. */
export const matchLiquidBurn: Matcher = {
  name: 'liquid staking burn',
  isAnchor: (block) => isCall(block, jettonOps.burn),
  around: {
    next: call(jettonOps.burnNotification, {
      next: call(liquidOps.withdraw, { next: oneOf([call(liquidOps.paid), call(liquidOps.mint)]) }),
    }),
  },
  build: (match) => {
    const paid = findCall(match.others, liquidOps.paid)
    if (paid !== undefined) foldPaid(match, paid)
    else foldRequest(match, getCall(match.others, liquidOps.mint))
  },
}

const foldPaid = (match: Match, paid: Block): void => {
  const { anchor, others } = match
  const { source: asset, destination: pool, value: sent = 0n } = messageOf(getCall(others, liquidOps.withdraw))
  const { value: returned = 0n } = messageOf(paid)
  const data = {
    holder: messageOf(anchor).source,
    pool,
    amount: returned - sent,
    tokensBurnt: readJettonBurn(anchor).amount,
    bill: undefined,
    asset,
  }
  foldMatch(match, liquidWithdrawal, data, { failed: anchor.failed })
}

const foldRequest = (match: Match, mint: Block): void => {
  const { anchor, others } = match
  const { source: asset, destination: pool } = messageOf(getCall(others, liquidOps.withdraw))
  const { source: holder, destination: tokenWallet } = messageOf(anchor)
  const made = findKind(mint.next, nftMint) ?? findCall(mint.next, liquidOps.billInit)
  const bill = made && messageOf(made).destination
  const data = { holder, tokenWallet, pool, bill, asset }
  foldMatch(match, liquidWithdrawRequest, data, { failed: anchor.failed || bill === undefined })
}

import { foldMatch, type Matcher } from '../../match/Matcher.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import { call } from '../../match/Pattern.ts'
import { blockKind } from '../../tree/Block.ts'
import { messageOf } from '../bodies/body.ts'
import { jettonOps, readInternalTransfer } from '../bodies/jetton.ts'
import { getCall } from '../core/findCall.ts'
import { isCall } from '../core/isCall.ts'

/** Tokens that can be sent on only after some time; its body is that of an internal transfer. */
const TIME_LOCKED_TRANSFER = 0xb2583ed5

export type EthenaWithdrawRequestData = {
  readonly holder: string | undefined
  readonly holderWallet: string | undefined
  readonly pool: string | undefined
  readonly asset: string
  readonly tokensMinted: bigint
}

/** Staked stablecoins were given up for tokens that are locked for a while. */
const ethenaWithdrawRequest = blockKind<EthenaWithdrawRequestData>({
  name: 'ethena_withdrawal_request',
  type: 'stake_withdrawal_request',
  isClosed: true,
  describe: ({ data: { holder, holderWallet, pool, asset, tokensMinted } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      provider: 'ethena',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      payout_nft: null,
      asset,
      tokens_burnt: null,
      tokens_minted: String(tokensMinted),
    },
  }),
})

export const matchEthenaWithdrawRequest: Matcher = {
  name: 'ethena withdrawal request',
  isAnchor: (block) => isCall(block, jettonOps.transfer),
  around: {
    next: call(jettonOps.internalTransfer, {
      next: call(jettonOps.notify, { next: call(jettonOps.mint, { next: call(TIME_LOCKED_TRANSFER) }) }),
    }),
  },
  build: (match, { facts }) => {
    const { anchor, others } = match
    const { source: holder, destination: holderWallet } = messageOf(anchor)
    const locked = getCall(others, TIME_LOCKED_TRANSFER)
    const given = facts.of(holderWallet).jettonWallet
    const received = facts.of(messageOf(locked).destination).jettonWallet
    const isOwn = given !== undefined && given.owner === holder && received?.owner === holder
    const isOfMaster =
      given?.jetton === messageOf(getCall(others, jettonOps.internalTransfer)).destination &&
      received?.jetton === messageOf(locked).source
    if (!isOwn || !isOfMaster) throw new MatchRefusedError('The wallets are not those of one holder and their masters.')
    const data = {
      holder,
      holderWallet,
      pool: messageOf(getCall(others, jettonOps.mint)).source,
      asset: given.jetton,
      tokensMinted: readInternalTransfer(locked).amount,
    }
    foldMatch(match, ethenaWithdrawRequest, data)
  },
}

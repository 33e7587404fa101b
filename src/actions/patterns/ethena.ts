import { call, foldMatch, kindOf, type Matcher } from '../match/Matcher.ts'
import { orNull } from '../rows/Action.ts'
import { type Addresses, blockKind, foldBlocks, MatchRefusedError } from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { getCall, getKind, isCall } from './core.ts'
import { jettonMint, jettonOps, jettonTransfer, readInternalTransfer } from './jettons.ts'

const USDE = '0:086FA2A675F74347B08DD4606A549B8FDB98829CB282BC1949D3B12FBAED9DCC'
const STAKED_USDE = '0:D0E545323C7ACB7102653C073377F7E3C67F122EB94D430A250739F109D4A57D'

export type EthenaDepositData = Addresses<'holder' | 'holderWallet' | 'pool'> & {
  readonly amount: bigint
  readonly tokensMinted: bigint | undefined
}

/** Stake of stablecoins. */
const ethenaDeposit = blockKind<EthenaDepositData>({
  name: 'ethena_deposit',
  type: 'stake_deposit',
  isClosed: true,
  describe: ({ data: { holder, holderWallet, pool, amount, tokensMinted } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      provider: 'ethena',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      amount: String(amount),
      tokens_minted: orNull(tokensMinted),
      asset: STAKED_USDE,
      source_asset: USDE,
    },
  }),
})

export const matchEthenaDeposit: Matcher = {
  name: 'ethena deposit',
  isAnchor: (block) => block.is(jettonTransfer) && block.data.asset === USDE,
  around: { next: kindOf(jettonMint) },
  build: ({ anchor, others }) => {
    const { sender, senderWallet, receiver, amount } = getKind([anchor], jettonTransfer).data
    const mint = getKind(others, jettonMint)
    if (mint.data.asset !== STAKED_USDE) throw new MatchRefusedError('The token that was minted stands for no stake.')
    const data = { holder: sender, holderWallet: senderWallet, pool: receiver, amount, tokensMinted: mint.data.amount }
    foldBlocks(ethenaDeposit, data, [anchor, mint])
  },
}

/** Time-locked tokens; the body is an internal transfer. */
const TIME_LOCKED_TRANSFER = 0xb2583ed5

export type EthenaWithdrawRequestData = Addresses<'holder' | 'holderWallet' | 'pool'> & {
  readonly asset: string
  readonly tokensMinted: bigint
}

/** Staked stablecoins were burnt for time-locked tokens. */
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

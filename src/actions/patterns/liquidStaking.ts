import { call, foldMatch, type Match, type Matcher, oneOf } from '../match/Matcher.ts'
import { type Addresses, type Block, blockKind } from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { findCall, findKind, getCall, isCall } from './core.ts'
import { jettonOps, readInternalTransfer, readJettonBurn } from './jettons.ts'
import { nftMint } from './nfts.ts'

/** Opcodes of liquid staking pools and of the bills that represent a pending withdrawal. */
const liquidOps = {
  deposit: 0x47d54391,
  mint: 0x1674b0a0,
  withdraw: 0x319b0cdc,
  paid: 0x0a77535c,
  billInit: 0x132f9a45,
  billBurn: 0xf127fe4e,
  billBurnt: 0xed58b0b2,
  payout: 0xdb3b8abd,
  distribute: 0x1140a64f,
} as const

const readBillBurnt = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { amount: r.readCoins(), owner: readAddress(r) }
}

export type LiquidWithdrawalData = Addresses<'holder' | 'pool' | 'asset'> & {
  readonly amount: bigint
  readonly tokensBurnt: bigint
  /** The bill that was burnt for it; `undefined` if the pool paid immediately. */
  readonly bill: string | undefined
}

/** Withdrawal of a stake. */
const liquidWithdrawal = blockKind<LiquidWithdrawalData>({
  name: 'tonstakers_withdraw',
  type: 'stake_withdrawal',
  isClosed: true,
  describe: ({ data: { holder, pool, amount, tokensBurnt, bill, asset } }) => ({
    source: holder,
    destination: pool,
    details: {
      provider: 'liquid_staking',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      amount: String(amount),
      payout_nft: bill ?? null,
      tokens_burnt: String(tokensBurnt),
      asset: asset ?? null,
    },
  }),
})

/** A bill was burnt and its withdrawal paid. Bills burn each other in a chain. */
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

/** The initiator of a chain of burns; a burn that is already matched has it. */
const findPool = (burnt: Block): string | undefined => {
  for (let block = burnt.previous; block !== undefined; block = block.previous) {
    if (isCall(block, liquidOps.distribute)) return messageOf(block).source
    if (block.is(liquidWithdrawal)) return block.data.pool
    if (!isCall(block, liquidOps.billBurnt, liquidOps.billBurn, liquidOps.payout)) return undefined
  }
  return undefined
}

export type LiquidWithdrawRequestData = Addresses<'holder' | 'tokenWallet' | 'pool' | 'asset'> & {
  /** `undefined` if none was created. */
  readonly bill: string | undefined
}

/** Tokens were burnt for a bill, which is paid at the end of the round. */
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

/** The end of the chain distinguishes an immediate withdrawal from a delayed one. */
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

/** Part of every deposit that the pool keeps for its message fees. */
const DEPOSIT_FEE = 1_000_000_000n

export type LiquidDepositData = Addresses<'holder' | 'holderWallet' | 'pool' | 'asset'> & {
  readonly amount: bigint
  readonly tokensMinted: bigint
}

/** Deposit: the pool minted tokens for a stake. */
const liquidDeposit = blockKind<LiquidDepositData>({
  name: 'tonstakers_deposit',
  type: 'stake_deposit',
  isClosed: true,
  describe: ({ data: { holder, holderWallet, pool, amount, tokensMinted, asset } }) => ({
    source: holder,
    sourceSecondary: holderWallet,
    destination: pool,
    details: {
      provider: 'liquid_staking',
      stake_holder: holder ?? null,
      pool: pool ?? null,
      amount: String(amount),
      tokens_minted: String(tokensMinted),
      asset: asset ?? null,
    },
  }),
})

export const matchLiquidDeposit: Matcher = {
  name: 'liquid staking deposit',
  isAnchor: (block) => isCall(block, liquidOps.deposit),
  around: {
    next: call(liquidOps.mint, {
      next: call(jettonOps.internalTransfer, { next: call(jettonOps.notify, { optional: true }) }),
    }),
  },
  build: (match) => {
    const { anchor, others } = match
    const received = getCall(others, jettonOps.internalTransfer)
    const { source: holder, destination: pool, value = 0n } = messageOf(anchor)
    const data = {
      holder,
      holderWallet: messageOf(received).destination,
      pool,
      amount: value - DEPOSIT_FEE,
      tokensMinted: readInternalTransfer(received).amount,
      asset: messageOf(received).source,
    }
    foldMatch(match, liquidDeposit, data, { failed: anchor.failed })
  },
}

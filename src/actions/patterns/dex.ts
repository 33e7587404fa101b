import { call, kindOf, oneOf, type Pattern } from '../match/Matcher.ts'
import { orNull } from '../rows/Action.ts'
import type { AccountFacts } from '../trace/AccountFacts.ts'
import {
  type Addresses,
  type Block,
  type BlockKind,
  blockKind,
  expectPresent,
  MatchRefusedError,
} from '../tree/Block.ts'
import { messageOf } from './body.ts'
import { isCall } from './core.ts'
import {
  type JettonTransferData,
  jettonOps,
  jettonTransfer,
  type Payload,
  ptonMasters,
  readPtonTransfer,
} from './jettons.ts'

/** The asset of a jetton on an exchange: `undefined` (the native coin) for wrapped native coins. */
const toAsset = (master: string | undefined): string | undefined =>
  master !== undefined && ptonMasters.has(master) ? undefined : master

/** The asset of a wallet; `undefined` as a whole if the wallet is unknown. */
export const findAsset = (
  facts: AccountFacts,
  wallet: string | undefined,
): { readonly asset: string | undefined } | undefined => {
  const known = facts.of(wallet).jettonWallet
  return known && { asset: toAsset(known.jetton) }
}

/** A transfer into or out of an exchange. An asset of `undefined` is the native coin. */
export type DexTransfer = Addresses<'asset' | 'source' | 'sourceWallet' | 'destination' | 'destinationWallet'> & {
  readonly amount: bigint
}

export const toDexTransfer = (transfer: JettonTransferData): DexTransfer => ({
  asset: toAsset(transfer.asset),
  amount: transfer.amount,
  source: transfer.sender,
  sourceWallet: transfer.senderWallet,
  destination: transfer.receiver,
  destinationWallet: transfer.receiverWallet,
})

/** Orders blocks by start time. */
export const byTime = (a: Block, b: Block): number => (a.startLt < b.startLt ? -1 : a.startLt > b.startLt ? 1 : 0)

/** An asset of `undefined` is the native coin. */
export type AssetAmount = { readonly asset: string | undefined; readonly amount: bigint }

export type DepositData = {
  readonly dex: 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'
  readonly provider: string | undefined
  readonly providerWallet?: string | undefined
  readonly pool: string | undefined
  /** The stated target of the liquidity. */
  readonly liquidityTo: string | undefined
  /** The contract that holds the assets until the deposit is complete. */
  readonly keeper?: string | undefined
  /** The amount sent. */
  readonly legs: readonly [AssetAmount | undefined, AssetAmount | undefined]
  /** The wallets it was sent from. */
  readonly wallets: readonly [string | undefined, string | undefined]
  /** `undefined` if this step did not complete it. */
  readonly minted: bigint | undefined
  readonly targets?: readonly [Target, Target]
  /** The excess that was returned. */
  readonly excesses: readonly AssetAmount[]
  /** The position of the liquidity, on exchanges with positions. */
  readonly position?: {
    readonly tickLower: number
    readonly tickUpper: number
    readonly index: bigint | undefined
    readonly item: string | undefined
  }
}

/** The target of a deposit. Exchanges may leave the amounts open. */
export type Target = { readonly asset: string | undefined; readonly amount: bigint | undefined }

/** Adds liquidity to a pool. Exchanges differ only in the block name. */
export const depositKind = (name: string): BlockKind<DepositData> =>
  blockKind<DepositData>({
    name,
    type: 'dex_deposit_liquidity',
    isClosed: true,
    describe: ({ data }) => ({
      source: data.provider,
      sourceSecondary: data.providerWallet,
      destination: data.pool,
      destinationSecondary: data.keeper,
      details: {
        dex: data.dex,
        amount_1: orNull(data.legs[0]?.amount),
        amount_2: orNull(data.legs[1]?.amount),
        asset_1: data.legs[0]?.asset ?? null,
        asset_2: data.legs[1]?.asset ?? null,
        user_jetton_wallet_1: data.wallets[0] ?? null,
        user_jetton_wallet_2: data.wallets[1] ?? null,
        source: data.provider ?? null,
        pool: data.pool ?? null,
        destination_liquidity: data.liquidityTo ?? null,
        lp_tokens_minted: orNull(data.minted),
        target_asset_1: data.targets?.[0].asset ?? null,
        target_asset_2: data.targets?.[1].asset ?? null,
        target_amount_1: orNull(data.targets?.[0].amount),
        target_amount_2: orNull(data.targets?.[1].amount),
        vault_excesses: data.excesses.map(showExcess),
        tick_lower: orNull(data.position?.tickLower),
        tick_upper: orNull(data.position?.tickUpper),
        nft_index: orNull(data.position?.index),
        nft_address: data.position?.item ?? null,
      },
    }),
  })

const showExcess = ({ asset, amount }: AssetAmount) => ({ asset: asset ?? null, amount: String(amount) })

/** One swap of a route. */
export type PeerSwap = Addresses<'assetIn' | 'assetOut'> & { readonly amountIn: bigint; readonly amountOut: bigint }

export type JettonSwapData = {
  readonly dex: 'stonfi' | 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'
  readonly incoming: DexTransfer
  readonly outgoing: DexTransfer
  /** The minimum requested; `outgoing` has the result. */
  readonly assetOut: string | undefined
  /** The swaps of a route; empty for a single pool. */
  readonly peers: readonly PeerSwap[]
  readonly minOut?: bigint | undefined
  /** The wallet of the exchange that pays, if the row names it. */
  readonly payingWallet?: string | undefined
}

/** A swap of one asset for another. */
export const jettonSwap = blockKind<JettonSwapData>({
  name: 'jetton_swap',
  isClosed: true,
  describe: ({ data: { dex, incoming, outgoing, assetOut, peers, minOut, payingWallet } }) => ({
    source: incoming.source,
    sourceSecondary: incoming.sourceWallet,
    destination: outgoing.destination,
    destinationSecondary: payingWallet ?? outgoing.destinationWallet,
    details: {
      dex,
      sender: incoming.source ?? null,
      asset_in: incoming.asset ?? null,
      asset_out: assetOut ?? null,
      dex_incoming_transfer: showTransfer(incoming),
      dex_outgoing_transfer: showTransfer(outgoing),
      peer_swaps: peers.map(showPeer),
      min_out_amount: minOut?.toString(),
    },
  }),
})

const showTransfer = (transfer: DexTransfer) => ({
  asset: transfer.asset ?? null,
  source: transfer.source ?? null,
  destination: transfer.destination ?? null,
  source_jetton_wallet: transfer.sourceWallet ?? null,
  destination_jetton_wallet: transfer.destinationWallet ?? null,
  amount: String(transfer.amount),
})

const showPeer = ({ assetIn, amountIn, assetOut, amountOut }: PeerSwap) => ({
  asset_in: assetIn ?? null,
  amount_in: String(amountIn),
  asset_out: assetOut ?? null,
  amount_out: String(amountOut),
})

/** More swaps than any real route has. Anyone can create traces, and patterns recurse. */
const MAX_HOPS = 32

/** A pattern that may contain itself, down to the maximum route length. */
export const nested = (make: (deeper: Pattern) => Pattern): Pattern => {
  let pattern: Pattern = { take: () => undefined }
  for (let hop = 0; hop < MAX_HOPS; hop++) pattern = make(pattern)
  return pattern
}

// Routers with wallets of their own receive jettons by transfer, and native coins through a pTON wallet.

/** The transfer that pays a router before it calls a pool. */
export const paidIn: Pattern = oneOf([
  kindOf(jettonTransfer),
  call(jettonOps.notify, { previous: call(jettonOps.ptonTransfer) }),
])

/** As {@link paidIn}, with one more step in which the router wallet receives the jettons from another wallet. */
export const paidInSomehow: Pattern = oneOf([
  paidIn,
  call(jettonOps.notify, { previous: call(jettonOps.internalTransfer, { previous: kindOf(jettonTransfer) }) }),
])

export type PaidIn = {
  readonly transfer: DexTransfer
  /** The request in its payload. */
  readonly request: Payload | undefined
  /** The block with which the payment began. */
  readonly block: Block
}

/** The payment before a call of a router. */
export const readPaidIn = (called: Block): PaidIn => {
  const before = expectPresent(called.previous, 'payment')
  const block = expectPresent(before.previous, 'payment')
  for (const paid of [before, block.previous]) {
    if (paid?.is(jettonTransfer) && (paid === before || isCall(block, jettonOps.internalTransfer))) {
      return { transfer: toDexTransfer(paid.data), request: paid.data.forward, block: paid as Block }
    }
  }
  const { source, destination } = messageOf(block)
  const { tonAmount, forward } = readPtonTransfer(block)
  const transfer = {
    asset: undefined,
    amount: tonAmount,
    source,
    sourceWallet: undefined,
    destination: messageOf(called).source,
    destinationWallet: destination,
  }
  return { transfer, request: forward, block }
}

/** The message by which a pTON wallet forwards coins. */
const findPtonPayout = (transfer: Block): Block | undefined =>
  transfer.next.find((next) => next.container === undefined && isCall(next, jettonOps.ptonTransfer))

export type PaidOut = { readonly transfer: DexTransfer; readonly pton: Block | undefined }

/** A transfer that a router sent. */
export const readPaidOut = (block: Block<JettonTransferData>): PaidOut => {
  const transfer = toDexTransfer(block.data)
  const pton = findPtonPayout(block)
  if (pton === undefined) return { transfer, pton }
  const { destination } = messageOf(pton)
  const amount = readPtonTransfer(pton).tonAmount
  return { transfer: { ...transfer, asset: undefined, amount, destination, destinationWallet: undefined }, pton }
}

/** As {@link readPaidOut}; the transfer must have arrived. */
export const getPaidOut = (block: Block<JettonTransferData> | undefined): PaidOut => {
  const paid = readPaidOut(expectPresent(block, 'payout'))
  if (paid.pton === undefined && paid.transfer.destinationWallet === undefined) {
    throw new MatchRefusedError('The coins were never passed on.')
  }
  return paid
}

/** The transfers among some blocks, in order of time. */
export const listTransfers = (blocks: readonly Block[]): Block<JettonTransferData>[] =>
  blocks.filter((block): block is Block<JettonTransferData> => block.is(jettonTransfer)).sort(byTime)

/** A payout of a pool. An asset of `undefined` is the native coin. */
export type WithdrawnLeg = Addresses<'asset' | 'wallet'> & { readonly amount: bigint }

export type WithdrawalData = {
  readonly dex: 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee'
  readonly provider: string | undefined
  readonly providerWallet?: string | undefined
  readonly pool: string | undefined
  readonly burnt: bigint | undefined
  readonly legs: readonly [WithdrawnLeg | undefined, WithdrawnLeg | undefined]
  /** The position that was burnt, on exchanges with positions. */
  readonly position?: {
    readonly tickLower: number
    readonly tickUpper: number
    readonly index: bigint
    readonly item: string | undefined
  }
}

const withdrawalKind = (name: string): BlockKind<WithdrawalData> =>
  blockKind<WithdrawalData>({
    name,
    type: 'dex_withdraw_liquidity',
    isClosed: true,
    describe: ({ data }) => ({
      source: data.provider,
      sourceSecondary: data.providerWallet,
      destination: data.pool,
      details: {
        dex: data.dex,
        amount_1: orNull(data.legs[0]?.amount),
        amount_2: orNull(data.legs[1]?.amount),
        asset_1: data.legs[0]?.asset ?? null,
        asset_2: data.legs[1]?.asset ?? null,
        user_jetton_wallet_1: data.legs[0]?.wallet ?? null,
        user_jetton_wallet_2: data.legs[1]?.wallet ?? null,
        lp_tokens_burnt: orNull(data.burnt),
        is_refund: null,
        source: data.provider ?? null,
        pool: data.pool ?? null,
        destination_liquidity: data.pool ?? null,
        burnt_nft_index: orNull(data.position?.index),
        burnt_nft_address: data.position?.item ?? null,
        tick_lower: orNull(data.position?.tickLower),
        tick_upper: orNull(data.position?.tickUpper),
      },
    }),
  })

/** Removes liquidity from a pool. */
export const dexWithdrawal = withdrawalKind('dex_withdraw_liquidity')

/** The same for a position that is an NFT. */
export const toncoWithdrawal = withdrawalKind('tonco_withdraw_liquidity')

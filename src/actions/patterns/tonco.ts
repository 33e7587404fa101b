import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import {
  call,
  foldMatch,
  kindOf,
  type Match,
  type MatchContext,
  type Matcher,
  oneOf,
  type Pattern,
  when,
} from '../match/Matcher.ts'
import { opcodeOf } from '../trace/TraceInput.ts'
import { type Addresses, type Block, blockKind, expectPresent, foldBlocks, MatchRefusedError } from '../tree/Block.ts'
import { messageOf, openBody, readAddress, readGivenAddress, tryRead } from './body.ts'
import { findCall, findKind, getCall, isCall } from './core.ts'
import {
  type AssetAmount,
  byTime,
  type DepositData,
  type DexTransfer,
  depositKind,
  findAsset,
  getPaidOut,
  jettonSwap,
  listTransfers,
  nested,
  type PeerSwap,
  paidIn,
  readPaidIn,
  readPaidOut,
  toncoWithdrawal,
  type WithdrawnLeg,
} from './dex.ts'
import { jettonOps, jettonTransfer } from './jettons.ts'
import { nftMint } from './nfts.ts'

const toncoOps = {
  swap: 0xa7fb58f8,
  payTo: 0xa1daa96d,
  fundAccount: 0x4468de77,
  addLiquidity: 0x3ebe5431,
  mintAndRefund: 0x81702ef8,
  initPosition: 0xd5ecca2a,
  startBurn: 0x530b5f2c,
  burnPosition: 0x46ca335a,
  burn: 0xd73ac09d,
  createPool: 0x2e3034ef,
  initPool: 0x441c39ed,
} as const

/** An amount that the router pays from a wallet of its own. */
type ToncoLeg = Addresses<'wallet' | 'receiver'> & { readonly amount: bigint }

type ToncoPayToBody = {
  readonly exitCode: number
  /** `undefined` if it does not say. */
  readonly legs: readonly [ToncoLeg, ToncoLeg] | undefined
}

const readToncoPayTo = (block: Block): ToncoPayToBody => {
  const r = openBody(block)
  r.skipBits(64)
  const receivers = [readAddress(r), readAddress(r)] as const
  const exitCode = r.readUint(32)
  r.skipBits(64)
  const coins = r.readMaybeRefCell()
  if (coins === undefined) return { exitCode, legs: undefined }
  const inner = openCell(coins)
  const first = { amount: inner.readCoins(), wallet: readAddress(inner), receiver: receivers[0] }
  const second = { amount: inner.readCoins(), wallet: readAddress(inner), receiver: receivers[1] }
  return { exitCode, legs: [first, second] }
}

/** More than any route has. */
const MAX_HOPS = 32

export type ToncoTarget = { readonly wallet: string | undefined; readonly minOut: bigint }

/** The minimum output of a whole route, read from the forward payload. */
const readToncoTarget = (payload: Cell): ToncoTarget => {
  let step = readStep(payload)
  for (let hop = 0; hop < MAX_HOPS && step.next !== undefined; hop++) step = readStep(step.next)
  return step
}

/** swap#a7fb58f8 wallet:A price:uint160 min:Coins recipient:A next:(Maybe ^Cell), which counts where it is such a request itself. */
const readStep = (payload: Cell): ToncoTarget & { readonly next: Cell | undefined } => {
  const r = openCell(payload)
  r.skipBits(32)
  const wallet = readAddress(r)
  r.skipBits(160)
  const minOut = r.readCoins()
  readAddress(r)
  const next = r.readMaybeRefCell()
  return { wallet, minOut, next: next !== undefined && opcodeOf(next) === toncoOps.swap ? next : undefined }
}

/** The router wallet of the other asset, from the payload of a deposit. */
const readToncoDepositRequest = (payload: Cell): string => {
  const r = openCell(payload)
  r.expectTag(toncoOps.fundAccount, 32)
  return readGivenAddress(r)
}

export type ToncoAddLiquidityBody = {
  /** The amounts of this step, in the order of the pool. */
  readonly added: readonly [bigint, bigint]
  /** The target amounts. */
  readonly enough: readonly [bigint, bigint]
  readonly tickLower: number
  readonly tickUpper: number
}

const readToncoAddLiquidity = (block: Block): ToncoAddLiquidityBody => {
  const r = openBody(block)
  r.skipBits(64)
  const added = [r.readCoins(), r.readCoins()] as const
  const enough = [r.readCoins(), r.readCoins()] as const
  r.skipBits(128)
  return { added, enough, tickLower: r.readInt(24), tickUpper: r.readInt(24) }
}

const readInitPosition = (block: Block): { readonly liquidity: bigint; readonly index: bigint } => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  const liquidity = r.readUintWide(128)
  const inner = r.readRef()
  inner.skipBits(2 * 256)
  return { liquidity, index: inner.readUint64() }
}

const readStartBurn = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  return { index: r.readUint64(), liquidity: r.readUintWide(128), tickLower: r.readInt(24), tickUpper: r.readInt(24) }
}

/** The owner of the position. */
const readBurnPosition = (block: Block): string | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  return readAddress(r)
}

type ToncoCreatePoolBody = {
  readonly wallets: readonly [string, string]
  readonly minters: readonly [string, string]
  readonly tickSpacing: number
  readonly priceX96: bigint
  readonly protocolFee: number
  readonly lpFeeBase: number
  readonly lpFeeCurrent: number
}

const readCreatePool = (block: Block): ToncoCreatePoolBody => {
  const r = openBody(block)
  r.skipBits(64)
  const wallets = [readGivenAddress(r), readGivenAddress(r)] as const
  const params = {
    tickSpacing: r.readInt(24),
    priceX96: r.readUintWide(160),
    protocolFee: r.readUint(16),
    lpFeeBase: r.readUint(16),
    lpFeeCurrent: r.readUint(16),
  }
  r.skipRef()
  r.skipRef()
  const inner = r.readRef()
  return { ...params, wallets, minters: [readGivenAddress(inner), readGivenAddress(inner)] }
}

/** Whether a new pool may be used. */
const readInitPool = (block: Block): boolean => {
  const r = openBody(block)
  r.skipBits(64 + 2)
  readAddress(r)
  r.skipBits(1)
  readAddress(r)
  r.skipBits(1 + 24 + 1 + 160 + 1)
  return r.readBit()
}

export type ToncoPoolData = ToncoCreatePoolBody & {
  readonly source: string | undefined
  readonly router: string | undefined
  readonly pool: string | undefined
  readonly isActive: boolean
}

/** A new pool. */
const toncoPool = blockKind<ToncoPoolData>({
  name: 'tonco_deploy_pool',
  describe: ({ data }) => ({
    source: data.source,
    destination: data.router,
    destinationSecondary: data.pool,
    details: {
      source: data.source ?? null,
      pool: data.pool ?? null,
      router: data.router ?? null,
      router_jetton_wallet_1: data.wallets[0],
      router_jetton_wallet_2: data.wallets[1],
      jetton_minter_1: data.minters[0],
      jetton_minter_2: data.minters[1],
      tick_spacing: String(data.tickSpacing),
      initial_price_x96: String(data.priceX96),
      protocol_fee: String(data.protocolFee),
      lp_fee_base: String(data.lpFeeBase),
      lp_fee_current: String(data.lpFeeCurrent),
      pool_active: data.isActive,
    },
  }),
})

export const matchToncoDeployPool: Matcher = {
  name: 'tonco new pool',
  isAnchor: (block) => isCall(block, toncoOps.createPool),
  around: { next: call(toncoOps.initPool) },
  build: (match) => {
    const { source, destination: router } = messageOf(match.anchor)
    const created = getCall(match.others, toncoOps.initPool)
    const pool = messageOf(created).destination
    const data = { ...readCreatePool(match.anchor), source, router, pool, isActive: readInitPool(created) }
    foldMatch(match, toncoPool, data)
  },
}

const toncoDeposit = depositKind('tonco_deposit_liquidity')

const refund = kindOf(jettonTransfer, { optional: true, next: call(jettonOps.ptonTransfer, { optional: true }) })
const minted = call(toncoOps.mintAndRefund, {
  optional: true,
  all: [
    call(toncoOps.payTo, { optional: true, all: [refund, refund] }),
    when((block) => block.is(nftMint) && block.data.opcode === toncoOps.initPosition),
  ],
})

/** An asset arrives at the pool account of its provider; the second one creates a position. */
export const matchToncoDeposit: Matcher = {
  name: 'tonco deposit',
  isAnchor: (block) => isCall(block, toncoOps.addLiquidity),
  around: { previous: call(toncoOps.fundAccount, { previous: paidIn }), next: minted },
  build: (match, context) => {
    foldMatch(match, toncoDeposit, readDeposit(match, context))
  },
}

const readDeposit = ({ anchor, others }: Match, { facts }: MatchContext): DepositData => {
  const { source: pool, destination: keeper } = messageOf(anchor)
  const { transfer, request } = readPaidIn(expectPresent(anchor.previous, 'call of the pool'))
  const otherWallet = readToncoDepositRequest(expectPresent(request, 'request').cell)
  const { added, enough, tickLower, tickUpper } = readToncoAddLiquidity(anchor)
  const isFirst = added[0] > 0n
  const other = findAsset(facts, otherWallet)?.asset
  const assets = isFirst ? [transfer.asset, other] : [other, transfer.asset]
  const item = findKind(others, nftMint)
  const position = item && readInitPosition(item as Block)
  return {
    dex: 'tonco',
    provider: transfer.source,
    providerWallet: transfer.sourceWallet,
    pool,
    keeper,
    liquidityTo: pool,
    legs: [{ asset: transfer.asset, amount: transfer.amount }, undefined],
    wallets: isFirst ? [transfer.sourceWallet, undefined] : [undefined, transfer.sourceWallet],
    minted: position?.liquidity,
    targets: [
      { asset: assets[0], amount: enough[0] },
      { asset: assets[1], amount: enough[1] },
    ],
    excesses: listRefunds(others),
    position: { tickLower, tickUpper, index: position?.index, item: item?.data.item },
  }
}

const listRefunds = (others: readonly Block[]): AssetAmount[] =>
  listTransfers(findCall(others, toncoOps.payTo)?.next ?? []).map((block) => {
    const { asset, amount } = readPaidOut(block).transfer
    return { asset, amount }
  })

const swapOkExits: readonly number[] = [0, 200]

/** The router pays by transfer, to itself if another pool follows. */
const payTo = (nextSwap: Pattern): Pattern => {
  const throughCoins = call(jettonOps.ptonTransfer, { next: call(jettonOps.notify, { next: nextSwap }) })
  const after = oneOf([nextSwap, throughCoins, call(jettonOps.ptonTransfer)], { optional: true })
  return call(toncoOps.payTo, { next: kindOf(jettonTransfer, { next: after }) })
}

const nextSwap = nested((deeper) => call(toncoOps.swap, { next: payTo(deeper) }))

export const matchToncoSwap: Matcher = {
  name: 'tonco swap',
  isAnchor: (block) => isCall(block, toncoOps.swap),
  around: { previous: paidIn, next: payTo(nextSwap) },
  build: ({ anchor, others }, { facts }) => {
    const parts = [anchor, ...others]
    const swaps = parts.filter((block) => isCall(block, toncoOps.swap))
    const payments = parts.filter((block) => isCall(block, toncoOps.payTo)).sort(byTime)
    if (swaps.length !== payments.length) throw new MatchRefusedError('Every exchange is paid once.')
    const paid = payments.map(readToncoPayTo)
    const swapped = paid.filter(({ exitCode }) => swapOkExits.includes(exitCode))
    const failed = swapped.length < paid.length
    const { transfer: incoming, request } = readPaidIn(anchor)
    const { transfer: outgoing } = getPaidOut(listTransfers(payments.at(-1)!.next).at(-1))
    const target = failed && request !== undefined ? tryRead(() => readToncoTarget(request.cell)) : undefined
    const asked = target && findAsset(facts, target.wallet)
    const data = {
      dex: 'tonco' as const,
      incoming,
      outgoing,
      assetOut: (asked ?? outgoing).asset,
      peers: paid.length < 2 ? [] : listPeers(incoming, outgoing, swapped, facts),
      minOut: asked === undefined ? outgoing.amount : target!.minOut,
    }
    foldBlocks(jettonSwap, data, parts, { failed })
  },
}

/** A pool pays one of its two assets: the larger amount. None if the first is unknown. */
const listPeers = (
  incoming: DexTransfer,
  outgoing: DexTransfer,
  payments: readonly ToncoPayToBody[],
  facts: MatchContext['facts'],
): PeerSwap[] => {
  const peers: PeerSwap[] = []
  let { asset: assetIn, amount: amountIn } = incoming
  for (const { legs } of payments) {
    if (legs === undefined) continue
    const leg = legs[1].amount > legs[0].amount ? legs[1] : legs[0]
    const known = leg.wallet === outgoing.sourceWallet ? outgoing : findAsset(facts, leg.wallet)
    if (known === undefined && peers.length === 0) return []
    peers.push({ assetIn, amountIn, assetOut: known?.asset, amountOut: leg.amount })
    assetIn = known?.asset
    amountIn = leg.amount
  }
  return peers
}

const withdrawOkExits: readonly number[] = [0, 201]

/** The pTON wallet of the router, recognized even if its master is unknown. */
const NATIVE_WALLET = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17'

const payout = kindOf(jettonTransfer, { optional: true, next: call(jettonOps.ptonTransfer, { optional: true }) })
const paid = call(toncoOps.payTo, { all: [payout, payout] })

/** A position is burnt and the router pays its assets. */
export const matchToncoWithdraw: Matcher = {
  name: 'tonco withdrawal',
  isAnchor: (block) => isCall(block, toncoOps.startBurn),
  around: { next: call(toncoOps.burnPosition, { next: call(toncoOps.burn, { next: paid }) }) },
  build: (match, { facts }) => {
    const { index, liquidity, tickLower, tickUpper } = readStartBurn(match.anchor)
    const burnt = getCall(match.others, toncoOps.burnPosition)
    const payment = getCall(match.others, toncoOps.payTo)
    const { exitCode, legs } = readToncoPayTo(payment)
    const [first, second] = expectPresent(legs, 'amounts')
    const data = {
      dex: 'tonco' as const,
      provider: readBurnPosition(burnt),
      pool: messageOf(match.anchor).destination,
      burnt: liquidity,
      legs: [readLeg(first, payment, facts), readLeg(second, payment, facts)] as const,
      position: { tickLower, tickUpper, index, item: messageOf(burnt).destination },
    }
    foldMatch(match, toncoWithdrawal, data, { failed: !withdrawOkExits.includes(exitCode) })
  },
}

/** From the transfer of the same router wallet; a leg that was never sent is taken from the pool message, with its receiver. */
const readLeg = (leg: ToncoLeg, payment: Block, facts: MatchContext['facts']): WithdrawnLeg => {
  const sent = listTransfers(payment.next).find((transfer) => messageOf(transfer as Block).destination === leg.wallet)
  if (sent !== undefined) {
    const { asset, amount, destinationWallet } = readPaidOut(sent).transfer
    return { asset, amount, wallet: destinationWallet }
  }
  const asset = leg.wallet === NATIVE_WALLET ? undefined : findAsset(facts, leg.wallet)?.asset
  return { asset, amount: leg.amount, wallet: leg.receiver }
}

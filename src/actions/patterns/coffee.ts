import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { formatUpperRawAddress } from '../../primitives/Address.ts'
import { call, foldMatch, kindOf, type Match, type Matcher, oneOf, type Pattern, when } from '../match/Matcher.ts'
import {
  type Addresses,
  type Block,
  type BlockKind,
  blockKind,
  expectPresent,
  MatchRefusedError,
} from '../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { findCall, getCall, isCall, rootBlock } from './core.ts'
import {
  type AssetAmount,
  byTime,
  type DepositData,
  type DexTransfer,
  depositKind,
  dexWithdrawal,
  jettonSwap,
  listTransfers,
  nested,
  type PeerSwap,
  toDexTransfer,
  type WithdrawnLeg,
} from './dex.ts'
import { jettonBurn, jettonOps, jettonTransfer } from './jettons.ts'

export const coffeeOps = {
  swapNative: 0xc0ffee00,
  createPoolNative: 0xc0ffee02,
  depositNative: 0xc0ffee04,
  createVault: 0xc0ffee06,
  createPoolJetton: 0xc0ffee11,
  swap: 0xc0ffee20,
  pay: 0xc0ffee21,
  deploy: 0xc0ffee22,
  createPoolCreator: 0xc0ffee23,
  createPool: 0xc0ffee25,
  createDepository: 0xc0ffee27,
  deposit: 0xc0ffee29,
  swapEvent: 0xc0ffee30,
  payout: 0xc0ffee32,
  depositEvent: 0xc0ffee33,
  withdrawalEvent: 0xc0ffee35,
  notification: 0xc0ffee36,
  serviceFee: 0xc0ffeea0,
  notificationAnswer: 0xb216d31f,
  mevHoldFunds: 0x6bc79e7e,
  mevFailedSwap: 0xee51ce51,
  provideWalletAddress: 0x2c76b973,
  takeWalletAddress: 0xd1735400,
} as const

const NATIVE = 0
const JETTON = 1

/** The master of a jetton; `undefined` for the native coin. */
const readAsset = (r: CellReader): string | undefined => {
  const kind = r.readUint(2)
  if (kind === NATIVE) return undefined
  if (kind !== JETTON) throw new MatchRefusedError('Extra currencies have no address by which they could be shown.')
  return formatUpperRawAddress({ workchain: r.readInt(8), hash: r.readBytes(32) })
}

/** q amount:Coins … of what is sent to the vault of native coins. */
const readNativeAmount = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readCoins()
}

type CoffeeSwapEvent = {
  readonly asset: string | undefined
  readonly amountIn: bigint
  readonly amountOut: bigint
}

const readSwapEvent = (log: Block): CoffeeSwapEvent => {
  const r = openBody(log)
  r.skipBits(64)
  return { asset: readAsset(r), amountIn: r.readCoins(), amountOut: r.readCoins() }
}

/** The payout that a vault is told to make. */
const readPay = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  return r.readCoins()
}

/** q amount1:Coins amount2:Coins shares:Coins … */
export const readLiquidityEvent = (
  log: Block,
): { readonly amounts: readonly [bigint, bigint]; readonly shares: bigint } => {
  const r = openBody(log)
  r.skipBits(64)
  return { amounts: [r.readCoins(), r.readCoins()], shares: r.readCoins() }
}

/** The assets of a pool, in its order. */
export type CoffeePoolAssets = readonly [string | undefined, string | undefined]

const readPoolAssets = (r: CellReader): CoffeePoolAssets => [readAsset(r), readAsset(r)]

const readCreateDepository = (block: Block) => {
  const r = openBody(block)
  r.skipBits(64)
  const amount = r.readCoins()
  r.skipRef()
  return { amount, assets: readPoolAssets(r.readRef()), sender: readAddress(r) }
}

export type CoffeePoolRequest = {
  readonly assets: CoffeePoolAssets
  /** The receiver of the shares. */
  readonly recipient: string | undefined
}

/** asset1 asset2 amm:(## 3) settings:(Maybe ^Cell) recipient:A … */
const readPoolRequest = (r: CellReader): CoffeePoolRequest => {
  const assets = readPoolAssets(r)
  r.skipBits(3)
  r.readMaybeRefCell()
  return { assets, recipient: readAddress(r) }
}

export const readCreatePoolNative = (block: Block): CoffeePoolRequest & { readonly amount: bigint } => {
  const r = openBody(block)
  r.skipBits(64)
  const amount = r.readCoins()
  return { amount, ...readPoolRequest(r) }
}

/** The payload of a jetton transfer that creates a pool. */
export const readCreatePoolJetton = (payload: Cell): CoffeePoolRequest => {
  const r = openCell(payload)
  r.expectTag(coffeeOps.createPoolJetton, 32)
  return readPoolRequest(r)
}

export const readCreatePool = (
  block: Block,
): { readonly amounts: readonly [bigint, bigint]; readonly initiator: string | undefined } => {
  const r = openBody(block)
  r.skipBits(64)
  return { amounts: [r.readCoins(), r.readCoins()], initiator: readAddress(r) }
}

/** For which asset a vault is made. */
export const readCreateVault = (block: Block): string | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  return readAsset(r)
}

/** A vault is told to pay, and does. */
const paidByVault = ({ optional = false }: { readonly optional?: boolean } = {}): Pattern =>
  call(coffeeOps.pay, {
    optional,
    next: oneOf([kindOf(jettonTransfer), call(coffeeOps.payout), call(coffeeOps.notification)]),
  })

/**
 * What a vault paid, by the block in which it is told to. Coins are told as the pool told them, without the fees that come back
 * along with them; where they go to a contract, all is passed on.
 */
const readPayout = (pay: Block): DexTransfer => {
  const [transfer] = listTransfers(pay.next)
  if (transfer !== undefined) return toDexTransfer(transfer.data)
  const coins = { asset: undefined, sourceWallet: undefined, destinationWallet: undefined }
  const payout = findCall(pay.next, coffeeOps.payout)
  if (payout !== undefined) {
    return { ...coins, amount: readPay(pay), source: messageOf(pay).source, destination: messageOf(payout).destination }
  }
  const { value = 0n, source, destination } = messageOf(getCall(pay.next, coffeeOps.notification))
  return { ...coins, amount: value, source, destination }
}

const coffeeDeposit = depositKind('coffee_deposit_liquidity')

const completed = call(coffeeOps.deposit, {
  optional: true,
  all: [call(jettonOps.internalTransfer), call(coffeeOps.depositEvent), paidByVault({ optional: true })],
})

/** An asset comes to a depository; with the other one it goes on to the pool. */
export const matchCoffeeDeposit: Matcher = {
  name: 'coffee deposit',
  isAnchor: (block) => isCall(block, coffeeOps.createDepository),
  around: {
    previous: oneOf([call(coffeeOps.depositNative), kindOf(jettonTransfer)]),
    next: call(coffeeOps.deploy, { next: completed }),
  },
  build: (match) => {
    foldMatch(match, coffeeDeposit, readDeposit(match))
  },
}

const readDeposit = ({ anchor, others }: Match): DepositData => {
  const { amount, assets, sender } = readCreateDepository(anchor)
  const paid = expectPresent(anchor.previous, 'payment')
  const { asset, senderWallet } = paid.is(jettonTransfer) ? paid.data : { asset: undefined, senderWallet: undefined }
  if (!assets.includes(asset)) throw new MatchRefusedError('The pool does not have the asset that was sent.')
  const isFirst = asset === assets[0]
  const leg = { asset, amount }
  const event = findCall(others, coffeeOps.depositEvent)
  const pool = event && messageOf(event).source
  return {
    dex: 'coffee',
    provider: sender,
    pool,
    keeper: messageOf(getCall(others, coffeeOps.deploy)).destination,
    liquidityTo: pool,
    legs: isFirst ? [leg, undefined] : [undefined, leg],
    wallets: isFirst ? [senderWallet, undefined] : [undefined, senderWallet],
    minted: event && readLiquidityEvent(event).shares,
    // The asset that was sent comes first, whichever leg it is.
    targets: [
      { asset, amount: undefined },
      { asset: isFirst ? assets[1] : assets[0], amount: undefined },
    ],
    excesses: listExcesses(findCall(others, coffeeOps.pay)),
  }
}

const listExcesses = (pay: Block | undefined): AssetAmount[] => {
  if (pay === undefined) return []
  const [transfer] = listTransfers(pay.next)
  if (transfer !== undefined) return [{ asset: transfer.data.asset, amount: transfer.data.amount }]
  const payout = findCall(pay.next, coffeeOps.payout, coffeeOps.notification)
  return payout === undefined ? [] : [{ asset: undefined, amount: messageOf(payout).value ?? 0n }]
}

export type CoffeeMevData = Addresses<'source' | 'sourceWallet' | 'contract' | 'asset'> & { readonly amount: bigint }

const describe = ({ source, sourceWallet, contract, asset, amount }: CoffeeMevData) => ({
  source,
  sourceSecondary: sourceWallet,
  destination: contract,
  details: {
    source: source ?? null,
    source_jetton_wallet: sourceWallet ?? null,
    mev_contract: contract ?? null,
    mev_contract_jetton_wallet: null,
    asset: asset ?? null,
    amount: String(amount),
  },
})

/** Funds for a swap protected from front-running. */
const coffeeMevHold = blockKind<CoffeeMevData>({
  name: 'coffee_mev_protect_hold_funds',
  describe: ({ data }) => describe(data),
})

/** Such a swap that was not made. */
const coffeeMevFailed = blockKind<CoffeeMevData>({
  name: 'coffee_mev_protect_failed_swap',
  describe: ({ data }) => ({ ...describe(data), hasNoShape: true }),
})

/** The sender of the funds also sends the fee. */
const withFee = when((block) => !block.is(rootBlock), { optional: true, next: call(coffeeOps.serviceFee) })

const matchMev = (kind: BlockKind<CoffeeMevData>, opcode: number): Matcher => ({
  name: kind.name,
  isAnchor: (block) => isCall(block, opcode) || (block.is(jettonTransfer) && block.data.forward?.tag === opcode),
  around: { previous: withFee },
  build: (match) => {
    foldMatch(match, kind, readFunds(match.anchor))
  },
})

const readFunds = (block: Block): CoffeeMevData => {
  if (block.is(jettonTransfer)) {
    const { sender, senderWallet, receiver, asset, amount } = block.data
    return { source: sender, sourceWallet: senderWallet, contract: receiver, asset, amount }
  }
  const { source, destination, value = 0n } = messageOf(block)
  return { source, sourceWallet: undefined, contract: destination, asset: undefined, amount: value }
}

export const matchCoffeeMevHold = matchMev(coffeeMevHold, coffeeOps.mevHoldFunds)

export const matchCoffeeMevFailed = matchMev(coffeeMevFailed, coffeeOps.mevFailedSwap)

/** A pool that refuses logs something else: then there was no swap. */
const event = call(coffeeOps.swapEvent)
const route = nested((deeper) => oneOf([paidByVault(), call(coffeeOps.swap, { all: [event, deeper] })]))

/** From a vault through pools, each of which logs what it exchanged, to another vault. */
export const matchCoffeeSwap: Matcher = {
  name: 'coffee swap',
  isAnchor: (block) => isCall(block, coffeeOps.swap),
  around: { previous: oneOf([kindOf(jettonTransfer), call(coffeeOps.swapNative)]), all: [event, route] },
  build: (match) => {
    const swaps = [match.anchor, ...match.others].filter((block) => isCall(block, coffeeOps.swap)).sort(byTime)
    const logs = swaps.map(({ next }) => getCall(next, coffeeOps.swapEvent))
    const outgoing = readPayout(getCall(match.others, coffeeOps.pay))
    const data = {
      dex: 'coffee' as const,
      incoming: readPayment(match.anchor),
      outgoing,
      assetOut: outgoing.asset,
      peers: swaps.length < 2 ? [] : listPeers(logs.map(readSwapEvent), outgoing),
    }
    foldMatch(match, jettonSwap, data)
  },
}

const readPayment = ({ previous }: Block): DexTransfer => {
  const paid = expectPresent(previous, 'payment')
  if (paid.is(jettonTransfer)) return toDexTransfer(paid.data)
  const { source, destination } = messageOf(paid)
  const amount = readNativeAmount(paid)
  return { asset: undefined, amount, source, sourceWallet: undefined, destination, destinationWallet: undefined }
}

/** Pools log what they took: what they gave is what the next one took, or what was paid. */
const listPeers = (events: readonly CoffeeSwapEvent[], { asset: last }: DexTransfer): PeerSwap[] =>
  events.map(({ asset, amountIn, amountOut }, at) => {
    const next = events[at + 1]
    return { assetIn: asset, amountIn, assetOut: next === undefined ? last : next.asset, amountOut }
  })

/** Shares of a pool are burnt, and two vaults pay. */
export const matchCoffeeWithdraw: Matcher = {
  name: 'coffee withdrawal',
  isAnchor: (block) => block.is(jettonBurn),
  around: { all: [paidByVault(), paidByVault(), call(coffeeOps.withdrawalEvent)] },
  build: (match) => {
    const { anchor, others } = match
    if (!anchor.is(jettonBurn)) throw new MatchRefusedError('Nothing was burnt.')
    const { owner, ownerWallet, amount } = anchor.data
    const event = getCall(others, coffeeOps.withdrawalEvent)
    const { amounts } = readLiquidityEvent(event)
    const [first, second] = others.filter((block) => isCall(block, coffeeOps.pay)).sort(byTime)
    foldMatch(match, dexWithdrawal, {
      dex: 'coffee',
      provider: owner,
      providerWallet: ownerWallet,
      pool: messageOf(event).source,
      burnt: amount,
      legs: [readLeg(first!, amounts[0]), readLeg(second!, amounts[1])],
    })
  },
}

/** Of coins the wallet is the one who gets them. */
const readLeg = (pay: Block, amount: bigint): WithdrawnLeg => {
  const [transfer] = listTransfers(pay.next)
  if (transfer !== undefined) return { asset: transfer.data.asset, amount, wallet: transfer.data.receiverWallet }
  const payout = findCall(pay.next, coffeeOps.payout)
  return { asset: undefined, amount, wallet: payout && messageOf(payout).destination }
}

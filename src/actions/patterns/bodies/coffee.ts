import type { Cell } from '../../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

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
export const readNativeAmount = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readCoins()
}

export type CoffeeSwapEvent = {
  readonly asset: string | undefined
  readonly amountIn: bigint
  readonly amountOut: bigint
}

export const readSwapEvent = (log: Block): CoffeeSwapEvent => {
  const r = openBody(log)
  r.skipBits(64)
  return { asset: readAsset(r), amountIn: r.readCoins(), amountOut: r.readCoins() }
}

/** What a vault is told to pay. */
export const readPay = (block: Block): bigint => {
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

export type CoffeeDepositoryBody = {
  readonly amount: bigint
  readonly assets: CoffeePoolAssets
  readonly sender: string | undefined
}

export const readCreateDepository = (block: Block): CoffeeDepositoryBody => {
  const r = openBody(block)
  r.skipBits(64)
  const amount = r.readCoins()
  r.skipRef()
  return { amount, assets: readPoolAssets(r.readRef()), sender: readAddress(r) }
}

export type CoffeePoolRequest = {
  readonly assets: CoffeePoolAssets
  /** Who gets the shares. */
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

/** What is sent along with jettons to make a pool. */
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

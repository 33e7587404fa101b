import type { Cell } from '../../../codec/cell/Cell.ts'
import { openCell } from '../../../codec/cell/CellReader.ts'
import { opcodeOf } from '../../trace/toTraceMessage.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress, readGivenAddress } from './body.ts'

export const toncoOps = {
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
export type ToncoLeg = {
  readonly amount: bigint
  readonly wallet: string | undefined
  readonly receiver: string | undefined
}

export type ToncoPayToBody = {
  readonly exitCode: number
  /** `undefined` where it does not say. */
  readonly legs: readonly [ToncoLeg, ToncoLeg] | undefined
}

export const readToncoPayTo = (block: Block): ToncoPayToBody => {
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

/** What a whole route is to give in the end, from what is sent along with what is given. */
export const readToncoTarget = (payload: Cell): ToncoTarget => {
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

/** The wallet of the router for the other asset, from what is sent along with a deposit. */
export const readToncoDepositRequest = (payload: Cell): string => {
  const r = openCell(payload)
  r.expectTag(toncoOps.fundAccount, 32)
  return readGivenAddress(r)
}

export type ToncoAddLiquidityBody = {
  /** What came in this step, in the order of the pool. */
  readonly added: readonly [bigint, bigint]
  /** What there is to be. */
  readonly enough: readonly [bigint, bigint]
  readonly tickLower: number
  readonly tickUpper: number
}

export const readToncoAddLiquidity = (block: Block): ToncoAddLiquidityBody => {
  const r = openBody(block)
  r.skipBits(64)
  const added = [r.readCoins(), r.readCoins()] as const
  const enough = [r.readCoins(), r.readCoins()] as const
  r.skipBits(128)
  return { added, enough, tickLower: r.readInt(24), tickUpper: r.readInt(24) }
}

export const readInitPosition = (block: Block): { readonly liquidity: bigint; readonly index: bigint } => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  const liquidity = r.readUintWide(128)
  const inner = r.readRef()
  inner.skipBits(2 * 256)
  return { liquidity, index: inner.readUint64() }
}

export type ToncoStartBurnBody = {
  readonly index: bigint
  readonly liquidity: bigint
  readonly tickLower: number
  readonly tickUpper: number
}

export const readStartBurn = (block: Block): ToncoStartBurnBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { index: r.readUint64(), liquidity: r.readUintWide(128), tickLower: r.readInt(24), tickUpper: r.readInt(24) }
}

/** Whose position it was. */
export const readBurnPosition = (block: Block): string | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  return readAddress(r)
}

export type ToncoCreatePoolBody = {
  readonly wallets: readonly [string, string]
  readonly minters: readonly [string, string]
  readonly tickSpacing: number
  readonly priceX96: bigint
  readonly protocolFee: number
  readonly lpFeeBase: number
  readonly lpFeeCurrent: number
}

export const readCreatePool = (block: Block): ToncoCreatePoolBody => {
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
export const readInitPool = (block: Block): boolean => {
  const r = openBody(block)
  r.skipBits(64 + 2)
  readAddress(r)
  r.skipBits(1)
  readAddress(r)
  r.skipBits(1 + 24 + 1 + 160 + 1)
  return r.readBit()
}

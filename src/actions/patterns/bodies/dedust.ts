import type { Cell } from '../../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

export const dedustOps = {
  swap: 0xea06185d,
  swapRequest: 0xe3a0d482,
  swapExternal: 0x61ee542d,
  swapPeer: 0x72aca8aa,
  swapEvent: 0x9c610de3,
  payFromPool: 0xad4eb6f5,
  payout: 0x474f86cf,
  deposit: 0xd55e4686,
  depositRequest: 0x40e108d6,
  askFactory: 0xf04ec526,
  deployDeposit: 0x9b3aa3fa,
  topUpDeposit: 0x54240fe5,
  depositToPool: 0xb56b9598,
  reject: 0xe1a36cd4,
  destroyDeposit: 0xaae79256,
  returnExcess: 0x6b0b787f,
} as const

/** The master of a jetton; `undefined` for the native coin. */
const readAsset = (r: CellReader): string | undefined => {
  if (r.readUint(4) === 0) return undefined
  return formatUpperRawAddress({ workchain: r.readInt(8), hash: r.readBytes(32) })
}

export type DedustAmount = { readonly asset: string | undefined; readonly amount: bigint }

export type DedustSwapEvent = { readonly from: DedustAmount; readonly to: DedustAmount }

export const readSwapEvent = (log: Block): DedustSwapEvent => {
  const r = openBody(log)
  const [assetIn, assetOut] = [readAsset(r), readAsset(r)]
  return { from: { asset: assetIn, amount: r.readCoins() }, to: { asset: assetOut, amount: r.readCoins() } }
}

/** The pools through which a swap of native coins is to go, with the amount. */
export const readNativeSwap = (block: Block): { readonly amount: bigint; readonly pools: readonly string[] } => {
  const r = openBody(block)
  r.skipBits(64)
  return { amount: r.readCoins(), pools: readPools(r) }
}

/** The pools through which jettons are to go, from what is sent along with them. */
export const readSwapRequest = (payload: Cell): readonly string[] => {
  const r = openCell(payload)
  r.skipBits(32)
  return readPools(r)
}

/** More than any route has. */
const MAX_STEPS = 32

/** step#_ pool:A kind:(## 1) limit:Coins next:(Maybe ^Step) */
const readPools = (first: CellReader): string[] => {
  const pools: string[] = []
  for (let r: CellReader | undefined = first; r !== undefined && pools.length < MAX_STEPS; ) {
    const pool = readAddress(r)
    if (pool !== undefined) pools.push(pool)
    r.skipBits(1)
    r.readCoins()
    const next: Cell | undefined = r.readMaybeRefCell()
    r = next && openCell(next)
  }
  return pools
}

/** q, ^proof, amount:Coins */
export const readPayFromPool = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readCoins()
}

/** What a deposit is to hold in the end, in the order of the pool. */
export type DedustTargets = readonly [DedustAmount, DedustAmount]

export const readNativeDeposit = (block: Block): { readonly amount: bigint; readonly targets: DedustTargets } => {
  const r = openBody(block)
  r.skipBits(64)
  const amount = r.readCoins()
  r.skipBits(1)
  const [first, second] = [readAsset(r), readAsset(r)]
  return { amount, targets: readTargets(r.readRef(), first, second) }
}

/** What is sent along with jettons that are to be deposited. */
export const readDepositRequest = (payload: Cell): DedustTargets => {
  const r = openCell(payload)
  r.expectTag(dedustOps.depositRequest, 32)
  r.skipBits(1)
  const [first, second] = [readAsset(r), readAsset(r)]
  return readTargets(r, first, second)
}

const readTargets = (r: CellReader, first: string | undefined, second: string | undefined): DedustTargets => {
  r.readCoins()
  return [
    { asset: first, amount: r.readCoins() },
    { asset: second, amount: r.readCoins() },
  ]
}

export const readDepositToPool = (
  block: Block,
): { readonly owner: string | undefined; readonly targets: DedustTargets } => {
  const r = openBody(block)
  r.skipBits(64)
  r.skipRef()
  const owner = readAddress(r)
  const amounts = r.readRef()
  const first = { asset: readAsset(amounts), amount: amounts.readCoins() }
  return { owner, targets: [first, { asset: readAsset(amounts), amount: amounts.readCoins() }] }
}

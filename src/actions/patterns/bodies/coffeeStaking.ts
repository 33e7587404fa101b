import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of pools whose stakes are items; what they log has the opcode of what was asked. */
export const coffeeStakingOps = { deposit: 0xf9471134, claim: 0xb30c7310, withdraw: 0xcb03bfaf } as const

export type PositionWithdrawBody = {
  readonly index: bigint
  readonly owner: string | undefined
  readonly points: bigint
}

/** What an item tells its pool as it is withdrawn. */
export const readPositionWithdraw = (block: Block): PositionWithdrawBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { index: r.readUint64(), owner: readAddress(r), points: r.readCoins() }
}

export type PoolWithdrawBody = { readonly poolWallet: string | undefined; readonly amount: bigint }

/** What a pool tells the contract that keeps its jettons. */
export const readPoolWithdraw = (block: Block): PoolWithdrawBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { poolWallet: readAddress(r), amount: r.readCoins() }
}

export type ClaimBody = {
  readonly poolWallet: string | undefined
  readonly amount: bigint
  readonly receiver: string | undefined
}

export const readClaim = (block: Block): ClaimBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { poolWallet: readAddress(r), amount: r.readCoins(), receiver: readAddress(r) }
}

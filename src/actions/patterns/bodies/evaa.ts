import type { Cell } from '../../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import type { Block } from '../../tree/Block.ts'
import { messageOf, openBody, readAddress } from './body.ts'
import { tryRead } from './tryRead.ts'

/** Opcodes of the lender. Those to the contract of a user stand behind a header. */
export const evaaOps = {
  supply: 0x1,
  supplyUser: 0x11,
  supplied: 0x11a,
  supplyFailed: 0x11f,
  withdraw: 0x2,
  withdrawUser: 0x21,
  withdrawCollateralized: 0x211,
  withdrawn: 0x211a,
  withdrawFailed: 0x211f,
  withdrawNoFunds: 0x211fe8,
  liquidate: 0x3,
  liquidateUser: 0x31,
  liquidateSatisfied: 0x311,
  liquidateUnsatisfied: 0x31f,
  liquidated: 0x311a,
  liquidateReport: 0x311d,
  liquidateFailed: 0x311f,
} as const

/** The header says which version the contract of a user should have, and brings its code where it has another. */
const skipUserHeader = (r: CellReader): CellReader => {
  r.readCoins()
  r.readMaybeRefCell()
  r.skipBits(2)
  return r
}

/** The opcode behind the header; `undefined` where there is none. */
export const findUserOpcode = (body: Cell): number | undefined =>
  tryRead(() => skipUserHeader(openCell(body)).readUint(32))

export type SupplyBody = { readonly amount: bigint; readonly recipient: string | undefined }

export const readSupply = (block: Block): SupplyBody => {
  const r = openBody(block)
  r.skipBits(64 + 2)
  return { amount: r.readUint64(), recipient: readAddress(r) }
}

/** For whom jettons are supplied, as the payload that came with them says. */
export const readSupplyRecipient = (payload: Cell): string | undefined => {
  const r = openCell(payload)
  r.skipBits(32 + 2)
  return readAddress(r)
}

/** The asset that the contract of a user is told of. */
export const readSuppliedAsset = (block: Block): bigint => {
  const r = skipUserHeader(openCell(messageOf(block).body))
  r.skipBits(32 + 64)
  return r.readUintWide(256)
}

/** How much moved, as the contract of a user reports: of supplies and of withdrawals. */
export const readMovedAmount = (block: Block): bigint => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  r.skipBits(256)
  return r.readUint64()
}

export type WithdrawBody = {
  readonly assetId: bigint
  readonly amount: bigint
  readonly recipient: string | undefined
}

export const readWithdraw = (block: Block): WithdrawBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { assetId: r.readUintWide(256), amount: r.readUint64(), recipient: readAddress(r) }
}

export type LiquidateBody = {
  readonly borrower: string | undefined
  readonly collateralId: bigint
  readonly amount: bigint
}

/** A body, or the payload that came with jettons. */
export const readLiquidate = (body: Cell): LiquidateBody => {
  const r = openCell(body)
  r.skipBits(32 + 64)
  const borrower = readAddress(r)
  readAddress(r)
  const collateralId = r.readUintWide(256)
  r.skipBits(64 + 2)
  return { borrower, collateralId, amount: r.readUint64() }
}

export type LiquidateSatisfiedBody = LiquidateBody & { readonly reward: bigint }

export const readLiquidateSatisfied = (block: Block): LiquidateSatisfiedBody => {
  const r = openBody(block)
  r.skipBits(64)
  const borrower = readAddress(r)
  readAddress(r)
  r.skipBits(256)
  const inner = r.readRef()
  inner.skipBits(64)
  const amount = inner.readUint64()
  inner.skipBits(64 + 64)
  const collateralId = inner.readUintWide(256)
  inner.skipBits(64)
  return { borrower, collateralId, amount, reward: inner.readUint64() }
}

/** The code of the reason; `undefined` where none is given. */
export const readUnsatisfiedCode = (block: Block): number | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  readAddress(r)
  r.skipBits(256)
  const inner = r.readRef()
  inner.skipBits(64 + 256 + 64 + 64)
  return inner.remainingBits < 32 ? undefined : inner.readUint(32)
}

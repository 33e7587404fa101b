import type { Cell } from '../../../codec/cell/Cell.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody } from './body.ts'

/** Opcodes of multisig wallets (v2) and of their orders. */
export const multisigOps = {
  newOrder: 0xf718510f,
  initOrder: 0x9c73fba2,
  approve: 0xa762230f,
  accepted: 0x82609bf6,
  rejected: 0xafaf283e,
  execute: 0x75097f5d,
} as const

export type NewOrderBody = {
  readonly queryId: bigint
  readonly orderSeqno: bigint
  readonly isSigner: boolean
  readonly creatorIndex: number
  readonly expiresAt: number
}

export const readNewOrder = (block: Block): NewOrderBody => {
  const r = openBody(block)
  return {
    queryId: r.readUint64(),
    orderSeqno: r.readUintWide(256),
    isSigner: r.readBit(),
    creatorIndex: r.readUint(8),
    expiresAt: Number(r.readUintWide(48)),
  }
}

export const readInitOrder = (block: Block): { readonly order: Cell; readonly isApproved: boolean } => {
  const r = openBody(block)
  r.skipBits(64 + 8)
  r.readMaybeRefCell()
  r.skipBits(48)
  return { order: r.readRefCell(), isApproved: r.readBit() }
}

/** `undefined` where the body is too short to tell. */
export const findApproverIndex = (block: Block): number | undefined => {
  const r = openBody(block)
  if (r.remainingBits < 64 + 8) return undefined
  r.skipBits(64)
  return r.readUint(8)
}

export const readRejection = (block: Block): number => {
  const r = openBody(block)
  r.skipBits(64)
  return r.readUint(32)
}

export type ExecuteBody = {
  readonly queryId: bigint
  readonly orderSeqno: bigint
  readonly expiresAt: number
  readonly approvals: number
  /** base64 */
  readonly signersHash: string
  readonly order: Cell
}

export const readExecute = (block: Block): ExecuteBody => {
  const r = openBody(block)
  return {
    queryId: r.readUint64(),
    orderSeqno: r.readUintWide(256),
    expiresAt: Number(r.readUintWide(48)),
    approvals: r.readUint(8),
    signersHash: toBase64(r.readBytes(32)),
    order: r.readRefCell(),
  }
}

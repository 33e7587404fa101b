import type { Cell } from '../../../codec/cell/Cell.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress, readEitherPayload } from './body.ts'
import { type Payload, toPayload } from './payload.ts'

/** Opcodes of jettons (TEP-74), and of those who mint them. */
export const jettonOps = {
  transfer: 0x0f8a7ea5,
  internalTransfer: 0x178d4519,
  notify: 0x7362d09c,
  burn: 0x595f07bc,
  burnNotification: 0x7bdd97de,
  mint: 0x642b7d07,
  minterMint: 0x00000015,
  ptonTransfer: 0x01f3835d,
} as const

export type JettonTransferBody = {
  readonly queryId: bigint
  readonly amount: bigint
  readonly destination: string | undefined
  readonly response: string | undefined
  readonly customPayload: Cell | undefined
  readonly forwardAmount: bigint
  /** `undefined` where it has no bits. */
  readonly forward: Payload | undefined
}

export const readJettonTransfer = (block: Block): JettonTransferBody => {
  const r = openBody(block)
  const body = {
    queryId: r.readUint64(),
    amount: r.readCoins(),
    destination: readAddress(r),
    response: readAddress(r),
    customPayload: r.readMaybeRefCell(),
    forwardAmount: r.readCoins(),
  }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload === undefined || payload.bits === 0 ? undefined : toPayload(payload) }
}

export type InternalTransferBody = {
  readonly queryId: bigint
  readonly amount: bigint
  readonly from: string | undefined
  readonly response: string | undefined
  readonly forwardAmount: bigint
}

export const readInternalTransfer = (block: Block): InternalTransferBody => {
  const r = openBody(block)
  return {
    queryId: r.readUint64(),
    amount: r.readCoins(),
    from: readAddress(r),
    response: readAddress(r),
    forwardAmount: r.readCoins(),
  }
}

export type JettonNotifyBody = {
  readonly queryId: bigint
  readonly amount: bigint
  readonly from: string | undefined
  readonly forward: Payload | undefined
}

export const readJettonNotify = (block: Block): JettonNotifyBody => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), amount: r.readCoins(), from: readAddress(r) }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload === undefined ? undefined : toPayload(payload) }
}

export type JettonBurnBody = {
  readonly queryId: bigint
  readonly amount: bigint
  readonly response: string | undefined
}

export const readJettonBurn = (block: Block): JettonBurnBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), amount: r.readCoins(), response: readAddress(r) }
}

export type JettonMintBody = {
  readonly queryId: bigint
  readonly to: string | undefined
  readonly tonAmount: bigint
}

export const readJettonMint = (block: Block): JettonMintBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), to: readAddress(r), tonAmount: r.readCoins() }
}

/** As {@link readJettonMint}, with the amount out of the message that the minter is to pass on. */
export const readMinterMint = (block: Block): JettonMintBody & { readonly amount: bigint } => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), to: readAddress(r), tonAmount: r.readCoins() }
  const inner = r.readRef()
  inner.skipBits(32 + 64)
  return { ...body, amount: inner.readCoins() }
}

export type PtonTransferBody = {
  readonly queryId: bigint
  readonly tonAmount: bigint
  readonly refundTo: string | undefined
  readonly forward: Payload | undefined
}

export const readPtonTransfer = (block: Block): PtonTransferBody => {
  const r = openBody(block)
  const body = { queryId: r.readUint64(), tonAmount: r.readCoins(), refundTo: readAddress(r) }
  const payload = readEitherPayload(r)
  return { ...body, forward: payload === undefined ? undefined : toPayload(payload) }
}

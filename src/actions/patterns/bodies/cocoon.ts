import { type CellReader, openCell } from '../../../codec/cell/CellReader.ts'
import { readMsgAddress } from '../../../codec/tlb/MsgAddress.ts'
import { formatUpperRawAddress } from '../../../primitives/Address.ts'
import { MatchRefusedError } from '../../match/MatchRefusedError.ts'
import type { Block } from '../../tree/Block.ts'
import { openBody, readAddress } from './body.ts'

/** Opcodes of a market for computing: clients pay proxies, which pay workers; a root keeps the list of proxies. */
export const cocoonOps = {
  excesses: 0x2565934c,
  payout: 0xc59a7cd3,
  workerPayout: 0xa040ad28,
  lastWorkerPayout: 0xf5f26a36,
  workerRequest: 0x4d725d2c,
  proxyPayout: 0x7610e6eb,
  proxyCharge: 0xbb63ff93,
  clientRequest: 0x65448ff4,
  clientTopUp: 0xf172e6c2,
  registerProxy: 0x927c7cb5,
  unregisterProxy: 0x6d49eaf2,
  clientRegister: 0xc45f9f3b,
  changeSecretHash: 0xa9357034,
  requestRefund: 0xfafa6cc1,
  walletSend: 0x9c69f376,
  grantRefund: 0xefd711e1,
  increaseStake: 0x6a1f6a60,
  clientWithdraw: 0xda068e78,
} as const

const REFUND_GRANTED = 0xc68ebc7b

export const readQueryId = (block: Block): bigint => openBody(block).readUint64()

export type SignedBody = {
  readonly queryId: bigint
  readonly tokens: bigint
  readonly expectedAddress: string | undefined
}

/**
 * What was signed, read as if it stood here by itself. Really an address and the signature stand here and what was signed is in a
 * reference, so tokens and address are no more than what these bits look like: others show them so, and so do we.
 */
export const readSigned = (block: Block): SignedBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), tokens: r.readUint64(), expectedAddress: readAnyAddress(r) }
}

/** Those outside of the chain are shown as `<bits>;<hex>`. */
const readAnyAddress = (r: CellReader): string | undefined => {
  const again = r.clone()
  const address = readMsgAddress(r)
  switch (address.kind) {
    case 'none':
      return undefined
    case 'std':
      return formatUpperRawAddress(address)
    case 'extern':
      again.skipBits(2 + 9)
      return `${address.bits};${again.readUintWide(address.bits).toString(16)}`
    case 'var':
      throw new MatchRefusedError('An address of fixed length was expected.')
  }
}

export type WorkerRequestBody = {
  readonly owner: string | undefined
  readonly state: number
  readonly tokens: bigint
}

export const readWorkerRequest = (block: Block): WorkerRequestBody => {
  const r = openBody(block)
  r.skipBits(64)
  return { owner: readAddress(r), state: r.readUint(2), tokens: r.readUint64() }
}

/** A command, and who gets what is left of the money that came with it. */
export type Command = { readonly queryId: bigint; readonly excessTo: string | undefined }

export const readCommand = (block: Block): Command => {
  const r = openBody(block)
  return { queryId: r.readUint64(), excessTo: readAddress(r) }
}

/** A command about an amount of coins. */
export const readCoinsCommand = (block: Block): Command & { readonly amount: bigint } => {
  const r = openBody(block)
  return { queryId: r.readUint64(), amount: r.readCoins(), excessTo: readAddress(r) }
}

export const readClientRegister = (block: Block): Command & { readonly nonce: bigint } => {
  const r = openBody(block)
  return { queryId: r.readUint64(), nonce: r.readUint64(), excessTo: readAddress(r) }
}

export const readSecretHash = (block: Block): Command & { readonly hash: bigint } => {
  const r = openBody(block)
  return { queryId: r.readUint64(), hash: r.readUintWide(256), excessTo: readAddress(r) }
}

export type UnregisterProxyBody = { readonly queryId: bigint; readonly seqno: number }

export const readUnregisterProxy = (block: Block): UnregisterProxyBody => {
  const r = openBody(block)
  return { queryId: r.readUint64(), seqno: r.readUint(32) }
}

/** How much a client takes out, as it tells its proxy; `undefined` where it tells something else. */
export const findRefundGranted = (block: Block): bigint | undefined => {
  const r = openBody(block)
  r.skipBits(64)
  readAddress(r)
  r.skipRef()
  const payload = r.readMaybeRefCell()
  if (payload === undefined) return undefined
  const inner = openCell(payload)
  return inner.readUint(32) === REFUND_GRANTED ? inner.readCoins() : undefined
}

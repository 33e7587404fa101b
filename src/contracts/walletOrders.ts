import type { CellReader } from '../codec/cell/CellReader.ts'
import { CellError } from '../codec/cell/errors.ts'
import type { WalletFacts, WalletKind } from './wallets.ts'

/** What limits the validity of a signed order to a wallet. */
export type WalletOrder = {
  readonly seqno: number
  /** Unix time; `undefined` if it is valid for ever. */
  readonly validUntil: number | undefined
}

const SIGNATURE_BITS = 512
const V5_SIGNED_EXTERNAL = 0x7369676e

const readOrder = ({ layout, walletType = '' }: WalletKind, r: CellReader): WalletOrder | undefined => {
  switch (layout) {
    case 'seqnoKey': {
      r.skipBits(SIGNATURE_BITS)
      const seqno = r.readUint(32)
      return { seqno, validUntil: walletType.startsWith('wallet v1') ? undefined : r.readUint(32) }
    }
    case 'seqnoIdKey': {
      r.skipBits(SIGNATURE_BITS + 32)
      const validUntil = r.readUint(32)
      return { seqno: r.readUint(32), validUntil }
    }
    case 'v5':
    case 'v5Beta': {
      if (r.readUint(32) !== V5_SIGNED_EXTERNAL) return undefined
      r.skipBits(layout === 'v5' ? 32 : 80)
      const validUntil = r.readUint(32)
      return { seqno: r.readUint(32), validUntil }
    }
    default:
      return undefined
  }
}

/** The order in the body of an external-in message to a wallet of this kind; `undefined` if there is none. */
export const findWalletOrder = (kind: WalletKind, body: CellReader): WalletOrder | undefined => {
  try {
    return readOrder(kind, body)
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

/** Why a wallet will never execute an order: it has executed another with the same seqno, or the order is no longer valid. */
export const findExpiry = (
  { seqno, validUntil }: WalletOrder,
  facts: WalletFacts,
  now: number,
): 'seqno' | 'valid_until' | undefined => {
  if (facts.seqno !== undefined && seqno < facts.seqno) return 'seqno'
  return validUntil !== undefined && validUntil <= now ? 'valid_until' : undefined
}

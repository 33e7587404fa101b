import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { CellError } from '../../codec/cell/errors.ts'
import type { WalletKind, WalletLayout } from './WalletKind.ts'

/** What the data of a wallet says. A member is absent where the wallet has no such thing. */
export type WalletFacts = {
  readonly seqno?: number
  /** Signed; interfaces that show it unsigned take `walletId >>> 0`. */
  readonly walletId?: number
  /** Whether the owner's key may sign, or extensions alone act. */
  readonly signatureAllowed?: boolean
  readonly publicKey?: Uint8Array
}

const readKey = (r: CellReader): Uint8Array => r.readBytes(32).slice()

const layouts: Record<WalletLayout, (r: CellReader) => WalletFacts> = {
  seqnoKey: (r) => ({ seqno: r.readUint(32), publicKey: readKey(r) }),
  seqnoIdKey: (r) => ({ seqno: r.readUint(32), walletId: r.readInt(32), publicKey: readKey(r) }),
  // The time up to which old queries were cleaned away stands between the two.
  idTimeKey: (r) => {
    const walletId = r.readInt(32)
    r.skipBits(64)
    return { walletId, publicKey: readKey(r) }
  },
  v5: (r) => ({
    signatureAllowed: r.readBit(),
    seqno: r.readUint(32),
    walletId: r.readInt(32),
    publicKey: readKey(r),
  }),
  // Its id has 80 bits: network, workchain, version and number. No 32 of them are an id.
  v5Beta: (r) => {
    const seqno = r.readUint(33)
    r.skipBits(80)
    return { seqno, publicKey: readKey(r) }
  },
  keyId: (r) => ({ publicKey: readKey(r), walletId: r.readInt(32) }),
  keySeqno16: (r) => ({ publicKey: readKey(r), seqno: r.readUint(16) }),
  none: () => ({}),
}

/** What the data of a wallet of this kind says, or `undefined` where it is not laid out as that kind has it. */
export const findWalletFacts = ({ layout }: WalletKind, data: Cell): WalletFacts | undefined => {
  try {
    return layouts[layout](openCell(data))
  } catch (error) {
    if (error instanceof CellError) return undefined
    throw error
  }
}

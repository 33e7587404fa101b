import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readStorageUsed, type StorageUsed, writeStorageUsed } from './StorageUsed.ts'

export type BouncePhase =
  | { readonly kind: 'negfunds' }
  | { readonly kind: 'nofunds'; readonly msgSize: StorageUsed; readonly reqFwdFees: bigint }
  | { readonly kind: 'ok'; readonly msgSize: StorageUsed; readonly msgFees: bigint; readonly fwdFees: bigint }

/**
 * tr_phase_bounce_negfunds$00 tr_phase_bounce_nofunds$01 msg_size:StorageUsed req_fwd_fees:Grams
 * tr_phase_bounce_ok$1 msg_size:StorageUsed msg_fees:Grams fwd_fees:Grams = TrBouncePhase;
 */
export const readBouncePhase = (r: CellReader): BouncePhase => {
  if (r.readBit()) {
    return { kind: 'ok', msgSize: readStorageUsed(r), msgFees: r.readCoins(), fwdFees: r.readCoins() }
  }
  if (!r.readBit()) return { kind: 'negfunds' }
  return { kind: 'nofunds', msgSize: readStorageUsed(r), reqFwdFees: r.readCoins() }
}

export const writeBouncePhase = (w: CellWriter, phase: BouncePhase): void => {
  switch (phase.kind) {
    case 'negfunds':
      w.writeUint(0b00, 2)
      return
    case 'nofunds':
      w.writeUint(0b01, 2)
      writeStorageUsed(w, phase.msgSize)
      w.writeCoins(phase.reqFwdFees)
      return
    case 'ok':
      w.writeBit(true)
      writeStorageUsed(w, phase.msgSize)
      w.writeCoins(phase.msgFees).writeCoins(phase.fwdFees)
  }
}

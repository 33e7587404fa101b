import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { type AccStatusChange, readAccStatusChange, writeAccStatusChange } from './AccStatusChange.ts'
import { readMaybeCoins, writeMaybeCoins } from './maybe.ts'
import { readStorageUsed, type StorageUsed, writeStorageUsed } from './StorageUsed.ts'

export type ActionPhase = {
  readonly success: boolean
  readonly valid: boolean
  readonly noFunds: boolean
  readonly statusChange: AccStatusChange
  readonly totalFwdFees: bigint | undefined
  readonly totalActionFees: bigint | undefined
  readonly resultCode: number
  readonly resultArg: number | undefined
  readonly totalActions: number
  readonly specActions: number
  readonly skippedActions: number
  readonly msgsCreated: number
  readonly actionListHash: Uint8Array
  readonly totalMsgSize: StorageUsed
}

/**
 * tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange total_fwd_fees:(Maybe Grams)
 *   total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16 spec_actions:uint16
 *   skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed = TrActionPhase;
 */
export const readActionPhase = (r: CellReader): ActionPhase => ({
  success: r.readBit(),
  valid: r.readBit(),
  noFunds: r.readBit(),
  statusChange: readAccStatusChange(r),
  totalFwdFees: readMaybeCoins(r),
  totalActionFees: readMaybeCoins(r),
  resultCode: r.readInt(32),
  resultArg: r.readBit() ? r.readInt(32) : undefined,
  totalActions: r.readUint(16),
  specActions: r.readUint(16),
  skippedActions: r.readUint(16),
  msgsCreated: r.readUint(16),
  actionListHash: r.readBytes(32),
  totalMsgSize: readStorageUsed(r),
})

export const writeActionPhase = (w: CellWriter, phase: ActionPhase): void => {
  w.writeBit(phase.success).writeBit(phase.valid).writeBit(phase.noFunds)
  writeAccStatusChange(w, phase.statusChange)
  writeMaybeCoins(w, phase.totalFwdFees)
  writeMaybeCoins(w, phase.totalActionFees)
  w.writeInt(phase.resultCode, 32).writeBit(phase.resultArg !== undefined)
  if (phase.resultArg !== undefined) w.writeInt(phase.resultArg, 32)
  w.writeUint(phase.totalActions, 16).writeUint(phase.specActions, 16)
  w.writeUint(phase.skippedActions, 16).writeUint(phase.msgsCreated, 16)
  w.writeBytes(phase.actionListHash)
  writeStorageUsed(w, phase.totalMsgSize)
}

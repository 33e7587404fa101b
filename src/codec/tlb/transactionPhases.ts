import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { readStorageUsed, type StorageUsed, writeStorageUsed } from './Account.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { readMaybeCoins, readVarUint3, readVarUint7, writeMaybeCoins, writeVarUint3, writeVarUint7 } from './scalars.ts'

type AccStatusChange = 'unchanged' | 'frozen' | 'deleted'

/** acst_unchanged$0 acst_frozen$10 acst_deleted$11 = AccStatusChange; */
const readAccStatusChange = (r: CellReader): AccStatusChange => {
  if (!r.readBit()) return 'unchanged'
  return r.readBit() ? 'deleted' : 'frozen'
}

const writeAccStatusChange = (w: CellWriter, change: AccStatusChange): void => {
  if (change === 'unchanged') w.writeBit(false)
  else w.writeBit(true).writeBit(change === 'deleted')
}

/** tr_phase_storage$_ storage_fees_collected:Grams storage_fees_due:(Maybe Grams) status_change:AccStatusChange = TrStoragePhase; */
export const readStoragePhase = (r: CellReader) => ({
  storageFeesCollected: r.readCoins(),
  storageFeesDue: readMaybeCoins(r),
  statusChange: readAccStatusChange(r),
})

export type StoragePhase = Readonly<ReturnType<typeof readStoragePhase>>

export const writeStoragePhase = (w: CellWriter, phase: StoragePhase): void => {
  w.writeCoins(phase.storageFeesCollected)
  writeMaybeCoins(w, phase.storageFeesDue)
  writeAccStatusChange(w, phase.statusChange)
}

export type CreditPhase = { readonly dueFeesCollected: bigint | undefined; readonly credit: CurrencyCollection }

/** tr_phase_credit$_ due_fees_collected:(Maybe Grams) credit:CurrencyCollection = TrCreditPhase; */
export const readCreditPhase = (r: CellReader): CreditPhase => ({
  dueFeesCollected: readMaybeCoins(r),
  credit: readCurrencyCollection(r),
})

export const writeCreditPhase = (w: CellWriter, { dueFeesCollected, credit }: CreditPhase): void => {
  writeMaybeCoins(w, dueFeesCollected)
  writeCurrencyCollection(w, credit)
}

export type ComputeSkipReason = 'no_state' | 'bad_state' | 'no_gas' | 'suspended'

export type ComputePhaseSkipped = { readonly kind: 'skipped'; readonly reason: ComputeSkipReason }

export type ComputePhaseVm = {
  readonly kind: 'vm'
  readonly success: boolean
  readonly msgStateUsed: boolean
  readonly accountActivated: boolean
  readonly gasFees: bigint
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly gasCredit: bigint | undefined
  readonly mode: number
  readonly exitCode: number
  readonly exitArg: number | undefined
  readonly vmSteps: number
  readonly vmInitStateHash: Uint8Array
  readonly vmFinalStateHash: Uint8Array
}

export type ComputePhase = ComputePhaseSkipped | ComputePhaseVm

/** cskip_no_state$00 cskip_bad_state$01 cskip_no_gas$10 cskip_suspended$110 = ComputeSkipReason; */
const readSkipReason = (r: CellReader): ComputeSkipReason => {
  if (!r.readBit()) return r.readBit() ? 'bad_state' : 'no_state'
  if (!r.readBit()) return 'no_gas'
  r.expectTag(0, 1)
  return 'suspended'
}

const writeSkipReason = (w: CellWriter, reason: ComputeSkipReason): void => {
  if (reason === 'suspended') w.writeUint(0b110, 3)
  else w.writeUint(['no_state', 'bad_state', 'no_gas'].indexOf(reason), 2)
}

/**
 * tr_phase_compute_skipped$0 reason:ComputeSkipReason
 * tr_phase_compute_vm$1 success:Bool msg_state_used:Bool account_activated:Bool gas_fees:Grams
 *   ^[ gas_used:(VarUInteger 7) gas_limit:(VarUInteger 7) gas_credit:(Maybe (VarUInteger 3)) mode:int8 exit_code:int32
 *      exit_arg:(Maybe int32) vm_steps:uint32 vm_init_state_hash:bits256 vm_final_state_hash:bits256 ] = TrComputePhase;
 */
export const readComputePhase = (r: CellReader): ComputePhase => {
  if (!r.readBit()) return { kind: 'skipped', reason: readSkipReason(r) }
  const success = r.readBit()
  const msgStateUsed = r.readBit()
  const accountActivated = r.readBit()
  const gasFees = r.readCoins()
  const v = r.readRef()
  const phase: ComputePhaseVm = {
    kind: 'vm',
    success,
    msgStateUsed,
    accountActivated,
    gasFees,
    gasUsed: readVarUint7(v),
    gasLimit: readVarUint7(v),
    gasCredit: v.readBit() ? readVarUint3(v) : undefined,
    mode: v.readInt(8),
    exitCode: v.readInt(32),
    exitArg: v.readBit() ? v.readInt(32) : undefined,
    vmSteps: v.readUint(32),
    vmInitStateHash: v.readBytes(32),
    vmFinalStateHash: v.readBytes(32),
  }
  v.expectEnd('The details of a compute phase')
  return phase
}

export const writeComputePhase = (w: CellWriter, phase: ComputePhase): void => {
  if (phase.kind === 'skipped') {
    w.writeBit(false)
    writeSkipReason(w, phase.reason)
    return
  }
  w.writeBit(true).writeBit(phase.success).writeBit(phase.msgStateUsed).writeBit(phase.accountActivated)
  w.writeCoins(phase.gasFees)
  const v = new CellWriter()
  writeVarUint7(v, phase.gasUsed)
  writeVarUint7(v, phase.gasLimit)
  v.writeBit(phase.gasCredit !== undefined)
  if (phase.gasCredit !== undefined) writeVarUint3(v, phase.gasCredit)
  v.writeInt(phase.mode, 8).writeInt(phase.exitCode, 32)
  v.writeBit(phase.exitArg !== undefined)
  if (phase.exitArg !== undefined) v.writeInt(phase.exitArg, 32)
  v.writeUint(phase.vmSteps, 32).writeBytes(phase.vmInitStateHash).writeBytes(phase.vmFinalStateHash)
  w.writeRef(v.toCell())
}

/**
 * tr_phase_action$_ success:Bool valid:Bool no_funds:Bool status_change:AccStatusChange total_fwd_fees:(Maybe Grams)
 *   total_action_fees:(Maybe Grams) result_code:int32 result_arg:(Maybe int32) tot_actions:uint16 spec_actions:uint16
 *   skipped_actions:uint16 msgs_created:uint16 action_list_hash:bits256 tot_msg_size:StorageUsed = TrActionPhase;
 */
export const readActionPhase = (r: CellReader) => ({
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

export type ActionPhase = Readonly<ReturnType<typeof readActionPhase>>

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

/** split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6) this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo; */
export const readSplitMergeInfo = (r: CellReader) => ({
  curShardPfxLen: r.readUint(6),
  accSplitDepth: r.readUint(6),
  thisAddr: r.readBytes(32),
  siblingAddr: r.readBytes(32),
})

export type SplitMergeInfo = Readonly<ReturnType<typeof readSplitMergeInfo>>

export const writeSplitMergeInfo = (w: CellWriter, info: SplitMergeInfo): void => {
  w.writeUint(info.curShardPfxLen, 6).writeUint(info.accSplitDepth, 6)
  w.writeBytes(info.thisAddr).writeBytes(info.siblingAddr)
}

import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { readVarUint3, readVarUint7, writeVarUint3, writeVarUint7 } from './varUint.ts'

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

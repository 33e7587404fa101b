import { type Static, Type } from 'typebox'
import type { StorageUsed } from '../../../codec/tlb/Account.ts'
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  StoragePhase,
} from '../../../codec/tlb/transactionPhases.ts'
import { ExtraCurrenciesView } from './ExtraCurrenciesView.ts'
import { DecimalText, HashText, hashText } from './scalars.ts'

const StatusChangeView = Type.Union([Type.Literal('unchanged'), Type.Literal('frozen'), Type.Literal('deleted')], {
  $id: 'StatusChange',
})

const textOf = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : String(value))

const MsgSizeView = Type.Object({ cells: DecimalText, bits: DecimalText }, { $id: 'MsgSize' })

const toMsgSizeView = ({ cells, bits }: StorageUsed) => ({ cells: String(cells), bits: String(bits) })

export const StoragePhaseView = Type.Object(
  {
    storage_fees_collected: DecimalText,
    storage_fees_due: Type.Optional(DecimalText),
    status_change: StatusChangeView,
  },
  { $id: 'StoragePhase' },
)

export const toStoragePhaseView = (phase: StoragePhase): Static<typeof StoragePhaseView> =>
  ({
    storage_fees_collected: String(phase.storageFeesCollected),
    storage_fees_due: textOf(phase.storageFeesDue),
    status_change: phase.statusChange,
  }) as Static<typeof StoragePhaseView>

export const CreditPhaseView = Type.Object(
  {
    due_fees_collected: Type.Optional(DecimalText),
    credit: DecimalText,
    credit_extra_currencies: Type.Optional(ExtraCurrenciesView),
  },
  { $id: 'CreditPhase' },
)

export const toCreditPhaseView = ({ dueFeesCollected, credit }: CreditPhase): Static<typeof CreditPhaseView> => {
  const extra: Record<string, string> = {}
  credit.extra.forEach((id, amount) => {
    extra[id] = String(amount)
  })
  return {
    due_fees_collected: textOf(dueFeesCollected),
    credit: String(credit.grams),
    credit_extra_currencies: credit.extra.isEmpty ? undefined : extra,
  } as Static<typeof CreditPhaseView>
}

/** One that was skipped has its reason and nothing else. */
export const ComputePhaseView = Type.Object(
  {
    skipped: Type.Boolean(),
    reason: Type.Optional(
      Type.Union([
        Type.Literal('no_state'),
        Type.Literal('bad_state'),
        Type.Literal('no_gas'),
        Type.Literal('suspended'),
      ]),
    ),
    success: Type.Optional(Type.Boolean()),
    msg_state_used: Type.Optional(Type.Boolean()),
    account_activated: Type.Optional(Type.Boolean()),
    gas_fees: Type.Optional(DecimalText),
    gas_used: Type.Optional(DecimalText),
    gas_limit: Type.Optional(DecimalText),
    gas_credit: Type.Optional(DecimalText),
    mode: Type.Optional(Type.Integer()),
    exit_code: Type.Optional(Type.Integer()),
    exit_arg: Type.Optional(Type.Integer()),
    vm_steps: Type.Optional(Type.Integer()),
    vm_init_state_hash: Type.Optional(HashText),
    vm_final_state_hash: Type.Optional(HashText),
  },
  { $id: 'ComputePhase' },
)

export const toComputePhaseView = (phase: ComputePhase): Static<typeof ComputePhaseView> =>
  phase.kind === 'skipped'
    ? { skipped: true, reason: phase.reason }
    : ({
        skipped: false,
        success: phase.success,
        msg_state_used: phase.msgStateUsed,
        account_activated: phase.accountActivated,
        gas_fees: String(phase.gasFees),
        gas_used: String(phase.gasUsed),
        gas_limit: String(phase.gasLimit),
        gas_credit: textOf(phase.gasCredit),
        mode: phase.mode,
        exit_code: phase.exitCode,
        exit_arg: phase.exitArg,
        vm_steps: phase.vmSteps,
        vm_init_state_hash: hashText(phase.vmInitStateHash),
        vm_final_state_hash: hashText(phase.vmFinalStateHash),
      } as Static<typeof ComputePhaseView>)

export const ActionPhaseView = Type.Object(
  {
    success: Type.Boolean(),
    valid: Type.Boolean(),
    no_funds: Type.Boolean(),
    status_change: StatusChangeView,
    total_fwd_fees: Type.Optional(DecimalText),
    total_action_fees: Type.Optional(DecimalText),
    result_code: Type.Integer(),
    result_arg: Type.Optional(Type.Integer()),
    tot_actions: Type.Integer(),
    spec_actions: Type.Integer(),
    skipped_actions: Type.Integer(),
    msgs_created: Type.Integer(),
    action_list_hash: HashText,
    tot_msg_size: MsgSizeView,
  },
  { $id: 'ActionPhase' },
)

export const toActionPhaseView = (phase: ActionPhase): Static<typeof ActionPhaseView> =>
  ({
    success: phase.success,
    valid: phase.valid,
    no_funds: phase.noFunds,
    status_change: phase.statusChange,
    total_fwd_fees: textOf(phase.totalFwdFees),
    total_action_fees: textOf(phase.totalActionFees),
    result_code: phase.resultCode,
    result_arg: phase.resultArg,
    tot_actions: phase.totalActions,
    spec_actions: phase.specActions,
    skipped_actions: phase.skippedActions,
    msgs_created: phase.msgsCreated,
    action_list_hash: hashText(phase.actionListHash),
    tot_msg_size: toMsgSizeView(phase.totalMsgSize),
  }) as Static<typeof ActionPhaseView>

export const BouncePhaseView = Type.Object(
  {
    type: Type.Union([Type.Literal('negfunds'), Type.Literal('nofunds'), Type.Literal('ok')]),
    msg_size: Type.Optional(MsgSizeView),
    req_fwd_fees: Type.Optional(DecimalText),
    msg_fees: Type.Optional(DecimalText),
    fwd_fees: Type.Optional(DecimalText),
  },
  { $id: 'BouncePhase' },
)

export const toBouncePhaseView = (phase: BouncePhase): Static<typeof BouncePhaseView> => {
  switch (phase.kind) {
    case 'negfunds':
      return { type: phase.kind }
    case 'nofunds':
      return { type: phase.kind, msg_size: toMsgSizeView(phase.msgSize), req_fwd_fees: String(phase.reqFwdFees) }
    case 'ok':
      return {
        type: phase.kind,
        msg_size: toMsgSizeView(phase.msgSize),
        msg_fees: String(phase.msgFees),
        fwd_fees: String(phase.fwdFees),
      }
  }
}

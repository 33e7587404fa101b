import { type Static, Type } from 'typebox'
import { readWhole } from '../../../codec/cell/wholeCell.ts'
import { unpackDescription } from '../../../codec/stored/packDescription.ts'
import type { StorageUsed } from '../../../codec/tlb/Account.ts'
import { readTransactionDescr, type TransactionDescr } from '../../../codec/tlb/TransactionDescr.ts'
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  SplitMergeInfo,
  StoragePhase,
} from '../../../codec/tlb/transactionPhases.ts'
import { DecimalText, ExtraCurrenciesView, HashText, hashText } from './scalars.ts'

const StatusChangeView = Type.Union([Type.Literal('unchanged'), Type.Literal('frozen'), Type.Literal('deleted')], {
  $id: 'StatusChange',
})

const textOf = (value: bigint | undefined): string | undefined => (value === undefined ? undefined : String(value))

const MsgSizeView = Type.Object({ cells: DecimalText, bits: DecimalText }, { $id: 'MsgSize' })

const toMsgSizeView = ({ cells, bits }: StorageUsed) => ({ cells: String(cells), bits: String(bits) })

const StoragePhaseView = Type.Object(
  {
    storage_fees_collected: DecimalText,
    storage_fees_due: Type.Optional(DecimalText),
    status_change: StatusChangeView,
  },
  { $id: 'StoragePhase' },
)

const toStoragePhaseView = (phase: StoragePhase): Static<typeof StoragePhaseView> =>
  ({
    storage_fees_collected: String(phase.storageFeesCollected),
    storage_fees_due: textOf(phase.storageFeesDue),
    status_change: phase.statusChange,
  }) as Static<typeof StoragePhaseView>

const CreditPhaseView = Type.Object(
  {
    due_fees_collected: Type.Optional(DecimalText),
    credit: DecimalText,
    credit_extra_currencies: Type.Optional(ExtraCurrenciesView),
  },
  { $id: 'CreditPhase' },
)

const toCreditPhaseView = ({ dueFeesCollected, credit }: CreditPhase): Static<typeof CreditPhaseView> => {
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

/** A skipped phase has only its reason. */
const ComputePhaseView = Type.Object(
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

const toComputePhaseView = (phase: ComputePhase): Static<typeof ComputePhaseView> =>
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

const ActionPhaseView = Type.Object(
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

const toActionPhaseView = (phase: ActionPhase): Static<typeof ActionPhaseView> =>
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

const BouncePhaseView = Type.Object(
  {
    type: Type.Union([Type.Literal('negfunds'), Type.Literal('nofunds'), Type.Literal('ok')]),
    msg_size: Type.Optional(MsgSizeView),
    req_fwd_fees: Type.Optional(DecimalText),
    msg_fees: Type.Optional(DecimalText),
    fwd_fees: Type.Optional(DecimalText),
  },
  { $id: 'BouncePhase' },
)

const toBouncePhaseView = (phase: BouncePhase): Static<typeof BouncePhaseView> => {
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

const SplitInfoView = Type.Object(
  {
    cur_shard_pfx_len: Type.Integer(),
    acc_split_depth: Type.Integer(),
    this_addr: Type.String(),
    sibling_addr: Type.String(),
  },
  { $id: 'SplitInfo' },
)

/** The members depend on the type. */
export const TransactionDescrView = Type.Object(
  {
    type: Type.Union([
      Type.Literal('ord'),
      Type.Literal('storage'),
      Type.Literal('tick_tock'),
      Type.Literal('split_prepare'),
      Type.Literal('split_install'),
      Type.Literal('merge_prepare'),
      Type.Literal('merge_install'),
    ]),
    aborted: Type.Optional(Type.Boolean()),
    destroyed: Type.Optional(Type.Boolean()),
    credit_first: Type.Optional(Type.Boolean()),
    is_tock: Type.Optional(Type.Boolean()),
    installed: Type.Optional(Type.Boolean()),
    storage_ph: Type.Optional(StoragePhaseView),
    credit_ph: Type.Optional(CreditPhaseView),
    compute_ph: Type.Optional(ComputePhaseView),
    action: Type.Optional(ActionPhaseView),
    bounce: Type.Optional(BouncePhaseView),
    split_info: Type.Optional(SplitInfoView),
  },
  { $id: 'TransactionDescr' },
)

type TransactionDescrView = Static<typeof TransactionDescrView>

/** Parses a stored description. */
export const toTransactionDescrView = (packed: Uint8Array): TransactionDescrView =>
  present(readWhole(unpackDescription(packed), readTransactionDescr, 'TransactionDescr'))

const present = (descr: TransactionDescr): TransactionDescrView => {
  switch (descr.kind) {
    case 'ord':
      // Nearly all transactions are ordinary.
      return {
        type: descr.kind,
        aborted: descr.aborted,
        destroyed: descr.destroyed,
        credit_first: descr.creditFirst,
        storage_ph: descr.storagePhase && toStoragePhaseView(descr.storagePhase),
        credit_ph: descr.creditPhase && toCreditPhaseView(descr.creditPhase),
        compute_ph: toComputePhaseView(descr.computePhase),
        action: descr.action && toActionPhaseView(descr.action),
        bounce: descr.bounce && toBouncePhaseView(descr.bounce),
      } as TransactionDescrView
    case 'storage':
      return { type: descr.kind, ...presentStorage(descr.storagePhase) }
    case 'tick_tock':
      return {
        type: descr.kind,
        ...presentEnd(descr),
        is_tock: descr.isTock,
        ...presentStorage(descr.storagePhase),
        ...presentWork(descr),
      }
    case 'split_prepare':
      return {
        type: descr.kind,
        ...presentEnd(descr),
        ...presentStorage(descr.storagePhase),
        ...presentWork(descr),
        ...presentSplit(descr.splitInfo),
      }
    case 'split_install':
      return { type: descr.kind, installed: descr.installed, ...presentSplit(descr.splitInfo) }
    case 'merge_prepare':
      return {
        type: descr.kind,
        aborted: descr.aborted,
        ...presentStorage(descr.storagePhase),
        ...presentSplit(descr.splitInfo),
      }
    case 'merge_install':
      return {
        type: descr.kind,
        ...presentEnd(descr),
        ...presentStorage(descr.storagePhase),
        ...(descr.creditPhase && { credit_ph: toCreditPhaseView(descr.creditPhase) }),
        ...presentWork(descr),
        ...presentSplit(descr.splitInfo),
      }
  }
}

type WithWork = Extract<TransactionDescr, { readonly computePhase: unknown }>

const presentEnd = ({ aborted, destroyed }: WithWork) => ({ aborted, destroyed })

const presentWork = ({ computePhase, action }: WithWork) => ({
  compute_ph: toComputePhaseView(computePhase),
  ...(action && { action: toActionPhaseView(action) }),
})

const presentStorage = (phase: StoragePhase | undefined) =>
  phase === undefined ? {} : { storage_ph: toStoragePhaseView(phase) }

const presentSplit = (info: SplitMergeInfo) => ({
  split_info: {
    cur_shard_pfx_len: info.curShardPfxLen,
    acc_split_depth: info.accSplitDepth,
    this_addr: hashText(info.thisAddr),
    sibling_addr: hashText(info.siblingAddr),
  },
})

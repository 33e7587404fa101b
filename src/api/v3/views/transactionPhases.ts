import { type Static, Type } from 'typebox'
import { readWhole } from '../../../codec/cell/wholeCell.ts'
import { readDescription } from '../../../codec/stored/packDescription.ts'
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
import { type JsonWriter, jsonNames, jsonWriter } from '../../core/json/JsonWriter.ts'
import { asJson } from '../../core/json/stringifyJson.ts'
import { DecimalText, ExtraCurrenciesView, HashText } from './scalars.ts'

const names = jsonNames(
  'aborted',
  'acc_split_depth',
  'account_activated',
  'action',
  'action_list_hash',
  'bits',
  'bounce',
  'cells',
  'compute_ph',
  'credit',
  'credit_extra_currencies',
  'credit_first',
  'credit_ph',
  'cur_shard_pfx_len',
  'destroyed',
  'due_fees_collected',
  'exit_arg',
  'exit_code',
  'fwd_fees',
  'gas_credit',
  'gas_fees',
  'gas_limit',
  'gas_used',
  'installed',
  'is_tock',
  'mode',
  'msg_fees',
  'msg_size',
  'msg_state_used',
  'msgs_created',
  'no_funds',
  'reason',
  'req_fwd_fees',
  'result_arg',
  'result_code',
  'sibling_addr',
  'skipped',
  'skipped_actions',
  'spec_actions',
  'split_info',
  'status_change',
  'storage_fees_collected',
  'storage_fees_due',
  'storage_ph',
  'success',
  'this_addr',
  'tot_actions',
  'tot_msg_size',
  'total_action_fees',
  'total_fwd_fees',
  'type',
  'valid',
  'vm_final_state_hash',
  'vm_init_state_hash',
  'vm_steps',
)

const StatusChangeView = Type.Union([Type.Literal('unchanged'), Type.Literal('frozen'), Type.Literal('deleted')], {
  $id: 'StatusChange',
})

const MsgSizeView = Type.Object({ cells: DecimalText, bits: DecimalText }, { $id: 'MsgSize' })

const writeMsgSize = (writer: JsonWriter, name: Uint8Array, { cells, bits }: StorageUsed): void => {
  writer.name(name).open()
  writer.decimal(names.cells, cells)
  writer.decimal(names.bits, bits)
  writer.close()
}

const StoragePhaseView = Type.Object(
  {
    storage_fees_collected: DecimalText,
    storage_fees_due: Type.Optional(DecimalText),
    status_change: StatusChangeView,
  },
  { $id: 'StoragePhase' },
)

const writeStoragePhase = (writer: JsonWriter, phase: StoragePhase | undefined): void => {
  if (phase === undefined) return
  writer.name(names.storage_ph).open()
  writer.decimal(names.storage_fees_collected, phase.storageFeesCollected)
  writer.decimal(names.storage_fees_due, phase.storageFeesDue)
  writer.text(names.status_change, phase.statusChange)
  writer.close()
}

const CreditPhaseView = Type.Object(
  {
    due_fees_collected: Type.Optional(DecimalText),
    credit: DecimalText,
    credit_extra_currencies: Type.Optional(ExtraCurrenciesView),
  },
  { $id: 'CreditPhase' },
)

const writeCreditPhase = (writer: JsonWriter, phase: CreditPhase | undefined): void => {
  if (phase === undefined) return
  const { dueFeesCollected, credit } = phase
  writer.name(names.credit_ph).open()
  writer.decimal(names.due_fees_collected, dueFeesCollected)
  writer.decimal(names.credit, credit.grams)
  if (!credit.extra.isEmpty) {
    const extra: Record<string, string> = {}
    credit.extra.forEach((id, amount) => {
      extra[id] = String(amount)
    })
    writer.json(names.credit_extra_currencies, JSON.stringify(extra))
  }
  writer.close()
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

const writeComputePhase = (writer: JsonWriter, phase: ComputePhase): void => {
  writer.name(names.compute_ph).open()
  writer.flag(names.skipped, phase.kind === 'skipped')
  if (phase.kind === 'skipped') writer.text(names.reason, phase.reason)
  else {
    writer.flag(names.success, phase.success)
    writer.flag(names.msg_state_used, phase.msgStateUsed)
    writer.flag(names.account_activated, phase.accountActivated)
    writer.decimal(names.gas_fees, phase.gasFees)
    writer.decimal(names.gas_used, phase.gasUsed)
    writer.decimal(names.gas_limit, phase.gasLimit)
    writer.decimal(names.gas_credit, phase.gasCredit)
    writer.number(names.mode, phase.mode)
    writer.number(names.exit_code, phase.exitCode)
    writer.number(names.exit_arg, phase.exitArg)
    writer.number(names.vm_steps, phase.vmSteps)
    writer.hash(names.vm_init_state_hash, phase.vmInitStateHash)
    writer.hash(names.vm_final_state_hash, phase.vmFinalStateHash)
  }
  writer.close()
}

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

const writeActionPhase = (writer: JsonWriter, phase: ActionPhase | undefined): void => {
  if (phase === undefined) return
  writer.name(names.action).open()
  writer.flag(names.success, phase.success)
  writer.flag(names.valid, phase.valid)
  writer.flag(names.no_funds, phase.noFunds)
  writer.text(names.status_change, phase.statusChange)
  writer.decimal(names.total_fwd_fees, phase.totalFwdFees)
  writer.decimal(names.total_action_fees, phase.totalActionFees)
  writer.number(names.result_code, phase.resultCode)
  writer.number(names.result_arg, phase.resultArg)
  writer.number(names.tot_actions, phase.totalActions)
  writer.number(names.spec_actions, phase.specActions)
  writer.number(names.skipped_actions, phase.skippedActions)
  writer.number(names.msgs_created, phase.msgsCreated)
  writer.hash(names.action_list_hash, phase.actionListHash)
  writeMsgSize(writer, names.tot_msg_size, phase.totalMsgSize)
  writer.close()
}

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

const writeBouncePhase = (writer: JsonWriter, phase: BouncePhase | undefined): void => {
  if (phase === undefined) return
  writer.name(names.bounce).open()
  writer.text(names.type, phase.kind)
  if (phase.kind !== 'negfunds') writeMsgSize(writer, names.msg_size, phase.msgSize)
  if (phase.kind === 'nofunds') writer.decimal(names.req_fwd_fees, phase.reqFwdFees)
  if (phase.kind === 'ok') {
    writer.decimal(names.msg_fees, phase.msgFees)
    writer.decimal(names.fwd_fees, phase.fwdFees)
  }
  writer.close()
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
  asJson(jsonWriter.write((writer) => writeTransactionDescr(writer, packed)))

/** As {@link toTransactionDescrView}. */
export const writeTransactionDescr = (writer: JsonWriter, packed: Uint8Array): void => {
  readDescription(packed, (description) => {
    const descr = readWhole(description, readTransactionDescr, 'TransactionDescr')
    writer.open()
    writer.text(names.type, descr.kind)
    writeMembers(writer, descr)
    writer.close()
  })
}

const writeMembers = (writer: JsonWriter, descr: TransactionDescr): void => {
  switch (descr.kind) {
    case 'ord':
      writeEnd(writer, descr)
      writer.flag(names.credit_first, descr.creditFirst)
      writeStoragePhase(writer, descr.storagePhase)
      writeCreditPhase(writer, descr.creditPhase)
      writeWork(writer, descr)
      writeBouncePhase(writer, descr.bounce)
      return
    case 'storage':
      writeStoragePhase(writer, descr.storagePhase)
      return
    case 'tick_tock':
      writeEnd(writer, descr)
      writer.flag(names.is_tock, descr.isTock)
      writeStoragePhase(writer, descr.storagePhase)
      writeWork(writer, descr)
      return
    case 'split_prepare':
      writeEnd(writer, descr)
      writeStoragePhase(writer, descr.storagePhase)
      writeWork(writer, descr)
      writeSplit(writer, descr.splitInfo)
      return
    case 'split_install':
      writer.flag(names.installed, descr.installed)
      writeSplit(writer, descr.splitInfo)
      return
    case 'merge_prepare':
      writer.flag(names.aborted, descr.aborted)
      writeStoragePhase(writer, descr.storagePhase)
      writeSplit(writer, descr.splitInfo)
      return
    case 'merge_install':
      writeEnd(writer, descr)
      writeStoragePhase(writer, descr.storagePhase)
      writeCreditPhase(writer, descr.creditPhase)
      writeWork(writer, descr)
      writeSplit(writer, descr.splitInfo)
  }
}

type WithWork = Extract<TransactionDescr, { readonly computePhase: unknown }>

const writeEnd = (writer: JsonWriter, { aborted, destroyed }: WithWork): void => {
  writer.flag(names.aborted, aborted)
  writer.flag(names.destroyed, destroyed)
}

const writeWork = (writer: JsonWriter, { computePhase, action }: WithWork): void => {
  writeComputePhase(writer, computePhase)
  writeActionPhase(writer, action)
}

const writeSplit = (writer: JsonWriter, info: SplitMergeInfo): void => {
  writer.name(names.split_info).open()
  writer.number(names.cur_shard_pfx_len, info.curShardPfxLen)
  writer.number(names.acc_split_depth, info.accSplitDepth)
  writer.hash(names.this_addr, info.thisAddr)
  writer.hash(names.sibling_addr, info.siblingAddr)
  writer.close()
}

import type { RecordedFailure, VmRecording } from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type Account, openAccount } from '../../codec/tlb/Account.ts'
import type { ExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import { readCommonMsgInfo } from '../../codec/tlb/Message.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { ActionPhase, ComputePhase } from '../../codec/tlb/transactionPhases.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { Replay } from '../replay/replayTransaction.ts'
import { failedAction, listActions, type QueuedAction } from './actions.ts'
import { type ExplainedCode, explainExitCode, explainResultCode, explainSkip } from './codes.ts'

/** What a run did, in the terms of a debugger. */
export type RunDescription = {
  /** The transaction that was made; absent where an external message was not accepted. */
  readonly transaction: Transaction | undefined
  readonly cell: Cell | undefined
  /** Why the compute phase did not run. */
  readonly skipped: string | undefined
  readonly actions: readonly QueuedAction[]
  readonly state: { readonly before: StateFacts; readonly after: StateFacts; readonly changes: readonly StateChange[] }
  readonly money: Money | undefined
  readonly failure: Failure | undefined
}

export type StateFacts = {
  readonly status: 'nonexist' | 'uninit' | 'frozen' | 'active'
  readonly balance: string
  readonly extra_currencies: Readonly<Record<string, string>>
  readonly code_hash: string | null
  readonly data_hash: string | null
  readonly frozen_hash: string | null
  readonly last_paid: number
  readonly due_payment: string
  readonly storage_cells: string
  readonly storage_bits: string
}

export type StateChange = { readonly member: string; readonly before: string | null; readonly after: string | null }

/** Fees by kind; `total` is what the account and the messages paid together. */
export type Fees = {
  readonly storage: bigint
  readonly gas: bigint
  readonly action: bigint
  readonly forward: bigint
  readonly import: bigint
  readonly total: bigint
}

/** `before + in = after + out + fees.total`. */
export type Money = {
  readonly before: bigint
  readonly in: bigint
  readonly out: bigint
  readonly fees: Fees
  readonly after: bigint
}

export type Failure = ExplainedCode & {
  readonly phase: 'compute' | 'action'
  readonly exit_code?: number
  readonly result_code?: number
  /** Position of the action at which the phase failed. */
  readonly action?: number
  readonly step?: number
  readonly location?: RecordedFailure['location']
  readonly caught: boolean
}

/** Describes a replay, with the recording of its run where there is one. */
export const describeReplay = (
  { call, run }: Pick<Replay, 'call' | 'run'>,
  recording?: VmRecording,
): RunDescription => {
  const before = openAccount(call.account.account)
  if (run.kind === 'notAccepted') {
    const facts = factsOf(before)
    return {
      transaction: undefined,
      cell: undefined,
      skipped: undefined,
      actions: [],
      state: { before: facts, after: facts, changes: [] },
      money: undefined,
      failure: describeRefusal(run.exitCode, recording),
    }
  }
  const transaction = readWhole(run.transaction, readTransaction, 'A transaction')
  const { compute, action } = phasesOf(transaction.description)
  const after = openAccount(run.account.account)
  const state = { before: factsOf(before), after: factsOf(after) }
  return {
    transaction,
    cell: run.transaction,
    skipped: compute?.kind === 'skipped' ? compute.reason : undefined,
    actions: listActions(run.actions, action, listOutMsgs(transaction), recording?.actions),
    state: { ...state, changes: listChanges(state.before, state.after) },
    money: countMoney(before, after, transaction),
    failure: findFailure(compute, action, recording),
  }
}

const phasesOf = (
  description: TransactionDescr,
): { readonly compute: ComputePhase | undefined; readonly action: ActionPhase | undefined } => ({
  compute: 'computePhase' in description ? description.computePhase : undefined,
  action: 'action' in description ? description.action : undefined,
})

/** An external message that was not accepted has no transaction. */
const describeRefusal = (exitCode: number | undefined, recording: VmRecording | undefined): Failure => {
  const hasFailed = exitCode !== undefined && exitCode > 1
  const told = hasFailed
    ? { exit_code: exitCode, ...explainExitCode(exitCode) }
    : { name: 'not_accepted', meaning: 'the contract did not accept the external message, or could not buy gas for it' }
  return { phase: 'compute', ...told, ...placeOf(recording) }
}

const placeOf = (recording: VmRecording | undefined) => {
  const failure = recording?.failure
  return {
    ...(failure?.step !== undefined && { step: failure.step }),
    ...(failure?.location !== undefined && { location: failure.location }),
    caught: false,
  }
}

const findFailure = (
  compute: ComputePhase | undefined,
  action: ActionPhase | undefined,
  recording: VmRecording | undefined,
): Failure | undefined => {
  if (compute?.kind === 'skipped') return { phase: 'compute', ...explainSkip(compute.reason), caught: false }
  if (compute !== undefined && !compute.success) {
    const { exitCode } = compute
    return { phase: 'compute', exit_code: exitCode, ...explainExitCode(exitCode), ...placeOf(recording) }
  }
  if (action === undefined || action.success) return undefined
  const at = failedAction(action)
  const step = recording?.actions[at]
  return {
    phase: 'action',
    result_code: action.resultCode,
    ...explainResultCode(action.resultCode),
    action: at,
    ...(step !== undefined && { step }),
    caught: false,
  }
}

const NOBODY: StateFacts = {
  status: 'nonexist',
  balance: '0',
  extra_currencies: {},
  code_hash: null,
  data_hash: null,
  frozen_hash: null,
  last_paid: 0,
  due_payment: '0',
  storage_cells: '0',
  storage_bits: '0',
}

const factsOf = (account: Account): StateFacts => {
  if (account.kind === 'none') return NOBODY
  const { state, balance, storage } = account
  const init = state.kind === 'active' ? state.init : undefined
  return {
    status: state.kind,
    balance: String(balance.grams),
    extra_currencies: toAmounts(balance.extra),
    code_hash: init?.code === undefined ? null : toBase64(init.code.hash()),
    data_hash: init?.data === undefined ? null : toBase64(init.data.hash()),
    frozen_hash: state.kind === 'frozen' ? toBase64(state.stateHash) : null,
    last_paid: storage.lastPaid,
    due_payment: String(storage.duePayment ?? 0n),
    storage_cells: String(storage.used.cells),
    storage_bits: String(storage.used.bits),
  }
}

const toAmounts = (extra: ExtraCurrencies): Record<string, string> => {
  const amounts: Record<string, string> = {}
  extra.forEach((id, amount) => {
    amounts[id] = String(amount)
  })
  return amounts
}

const listChanges = (before: StateFacts, after: StateFacts): StateChange[] =>
  (Object.keys(before) as (keyof StateFacts)[]).flatMap((member) => {
    const [from, to] = [textOf(before[member]), textOf(after[member])]
    return from === to ? [] : [{ member, before: from, after: to }]
  })

const textOf = (value: StateFacts[keyof StateFacts]): string | null =>
  value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

const balanceOf = (account: Account): bigint => (account.kind === 'none' ? 0n : account.balance.grams)

const countMoney = (before: Account, after: Account, transaction: Transaction): Money => {
  let [out, forward] = [0n, 0n]
  for (const cell of listOutMsgs(transaction)) {
    const info = readCommonMsgInfo(openCell(cell))
    if (info.kind !== 'internal') continue
    out += info.value.grams
    forward += info.fwdFee
  }
  const incoming = transaction.inMsg && readCommonMsgInfo(openCell(transaction.inMsg))
  const { description, totalFees } = transaction
  const { compute, action } = phasesOf(description)
  const storage = 'storagePhase' in description ? (description.storagePhase?.storageFeesCollected ?? 0n) : 0n
  const gas = compute?.kind === 'vm' ? compute.gasFees : 0n
  const actionFees = action?.totalActionFees ?? 0n
  return {
    before: balanceOf(before),
    in: incoming?.kind === 'internal' ? incoming.value.grams : 0n,
    out,
    fees: {
      storage,
      gas,
      action: actionFees,
      forward,
      import: totalFees.grams - storage - gas - actionFees,
      total: totalFees.grams + forward,
    },
    after: balanceOf(after),
  }
}

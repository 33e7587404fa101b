import { type ExplainedCode, explainExitCode, explainResultCode, explainSkip } from '../../chain/exitCodes.ts'
import type { TransactionCall } from '../../chain/ports.ts'
import type { RecordedFailure, VmRecording } from '../../chain/recording.ts'
import { burnedIn, type Fees, feesOf, sentBy } from '../../chain/transactionFees.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { type Account, openAccount } from '../../codec/tlb/Account.ts'
import type { ExtraCurrencies } from '../../codec/tlb/CurrencyCollection.ts'
import { type CommonMsgInfo, readCommonMsgInfo } from '../../codec/tlb/Message.ts'
import { findStandardAddress } from '../../codec/tlb/MsgAddress.ts'
import type { StateInit } from '../../codec/tlb/StateInit.ts'
import { listOutMsgs, readTransaction, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { ActionPhase, ComputePhase } from '../../codec/tlb/transactionPhases.ts'
import { findWalletFacts, findWalletKind } from '../../contracts/wallets.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import type { Replay } from '../replay/replayTransaction.ts'
import { failedAction, listActions, type QueuedAction } from './actions.ts'

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
  /** The data, where the layout of the code is known. */
  readonly storage: DecodedStorage | null
}

/** Fields of the data of a known contract. */
export type DecodedStorage = { readonly layout: string; readonly fields: Readonly<Record<string, string>> }

export type StateChange = { readonly member: string; readonly before: string | null; readonly after: string | null }

/** `before + in = after + out + fees.total + burned`. */
export type Money = {
  readonly before: bigint
  readonly in: bigint
  readonly out: bigint
  readonly fees: Fees
  /** Coins of the message that the address of parameter 5 burns. */
  readonly burned: bigint
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
    money: countMoney(before, after, transaction, call),
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
  storage: null,
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
    storage: decodeStorage(init),
  }
}

/** Data of known wallets. */
const decodeStorage = (init: StateInit | undefined): DecodedStorage | null => {
  const kind = init?.code && findWalletKind(init.code.hash())
  const facts = kind && init?.data && findWalletFacts(kind, init.data)
  if (kind === undefined || facts === undefined) return null
  const { seqno, walletId, publicKey, signatureAllowed } = facts
  const fields = {
    ...(seqno !== undefined && { seqno: String(seqno) }),
    ...(walletId !== undefined && { wallet_id: String(walletId) }),
    ...(publicKey !== undefined && { public_key: toHex(publicKey) }),
    ...(signatureAllowed !== undefined && { signature_allowed: String(signatureAllowed) }),
  }
  if (Object.keys(fields).length === 0) return null
  return { layout: kind.interfaceName ?? kind.walletType ?? 'wallet', fields }
}

const toAmounts = (extra: ExtraCurrencies): Record<string, string> => {
  const amounts: Record<string, string> = {}
  extra.forEach((id, amount) => {
    amounts[id] = String(amount)
  })
  return amounts
}

const listChanges = (before: StateFacts, after: StateFacts): StateChange[] =>
  [
    ...(Object.keys(before) as (keyof StateFacts)[])
      .filter((member) => member !== 'storage')
      .map((member): [string, string | null, string | null] => [member, textOf(before[member]), textOf(after[member])]),
    ...fieldNames(before, after).map((name): [string, string | null, string | null] => [
      `storage.${name}`,
      before.storage?.fields[name] ?? null,
      after.storage?.fields[name] ?? null,
    ]),
  ].flatMap(([member, from, to]) => (from === to ? [] : [{ member, before: from, after: to }]))

const fieldNames = (before: StateFacts, after: StateFacts): string[] => [
  ...new Set([before, after].flatMap(({ storage }) => Object.keys(storage?.fields ?? {}))),
]

const textOf = (value: StateFacts[keyof StateFacts]): string | null =>
  value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

const balanceOf = (account: Account): bigint => (account.kind === 'none' ? 0n : account.balance.grams)

const countMoney = (before: Account, after: Account, transaction: Transaction, call: TransactionCall): Money => {
  const incoming = transaction.inMsg && readCommonMsgInfo(openCell(transaction.inMsg))
  return {
    before: balanceOf(before),
    in: incoming?.kind === 'internal' ? incoming.value.grams : 0n,
    out: sentBy(transaction).value,
    fees: feesOf(transaction),
    burned: incoming === undefined ? 0n : burnedBy(incoming, transaction, call),
    after: balanceOf(after),
  }
}

const burnedBy = (incoming: CommonMsgInfo, transaction: Transaction, { context }: TransactionCall): bigint => {
  const to = incoming.kind === 'internal' ? findStandardAddress(incoming.destination) : undefined
  return to === undefined ? 0n : burnedIn(transaction, to, context.config)
}

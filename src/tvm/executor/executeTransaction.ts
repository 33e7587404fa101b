import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import type { AccountStatus } from '../../codec/tlb/Account.ts'
import { NO_EXTRA_CURRENCIES } from '../../codec/tlb/CurrencyCollection.ts'
import type { ShardAccount } from '../../codec/tlb/ShardAccounts.ts'
import { outMsgsType, type Transaction, writeTransaction } from '../../codec/tlb/Transaction.ts'
import type { TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { CodeResult } from '../machine/runCode.ts'
import { runActionPhase } from './actionPhase.ts'
import { runBouncePhase } from './bouncePhase.ts'
import { runComputePhase } from './computePhase.ts'
import { importMessage } from './importMessage.ts'
import { openInboundMessage } from './inboundMessage.ts'
import { buildNewAccount } from './newAccount.ts'
import { runCreditPhase, runStoragePhase } from './storagePhase.ts'
import { type ExecuteInput, TransactionState, type WorkingStatus } from './TransactionState.ts'

export type Executed = {
  readonly kind: 'executed'
  readonly transaction: Cell
  readonly account: ShardAccount
  readonly endLt: bigint
  readonly outMessages: readonly Cell[]
  /** How the contract ran, where it did. */
  readonly run: CodeResult | undefined
}

/** An external message that the account did not take, so there is no transaction. */
export type NotAccepted = {
  readonly kind: 'notAccepted'
  /** Hash of the account's address. */
  readonly address: Uint8Array
  /** Whether the account paid for its import, so that the contract could have run. */
  readonly isImported: boolean
  readonly reason: string
  readonly run: CodeResult | undefined
}

export type ExecuteResult = Executed | NotAccepted

/** Makes one transaction. Yields the gas used so far now and then while the contract runs. */
export function* executeInSlices(input: ExecuteInput): Generator<number, ExecuteResult> {
  const message = input.cause.kind === 'message' ? openInboundMessage(input.cause.message) : undefined
  const tx = new TransactionState(input, message)
  const refusal = importMessage(tx)
  const { hash: address } = tx.address
  if (refusal !== undefined)
    return {
      kind: 'notAccepted',
      address,
      isImported: false,
      reason: `The message is not imported: ${refusal}.`,
      run: undefined,
    }
  const isInternal = message !== undefined && !message.isExternal
  const creditFirst = isInternal && !message.bounces
  if (creditFirst) runCreditPhase(tx)
  runStoragePhase(tx, creditFirst)
  if (isInternal && !creditFirst) runCreditPhase(tx)
  yield* runComputePhase(tx)
  const compute = tx.computePhase!
  if (message?.isExternal === true && (compute.kind === 'skipped' || tx.run?.gasCredit !== 0)) {
    return { kind: 'notAccepted', address, isImported: true, reason: describeRefusal(tx), run: tx.run }
  }
  if (compute.kind === 'vm' && compute.success) runActionPhase(tx)
  const failed = compute.kind === 'skipped' || !compute.success || tx.bounceRequested
  if (message?.bounces === true && failed) runBouncePhase(tx)
  return finish(tx)
}

/** Makes one transaction at once. */
export const executeTransaction = (input: ExecuteInput): ExecuteResult => {
  const steps = executeInSlices(input)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

const describeRefusal = ({ computePhase, run }: TransactionState): string => {
  if (computePhase?.kind === 'skipped') return `The contract did not run: ${computePhase.reason}.`
  return `The contract did not accept the message: exit code ${run?.exitCode}.`
}

const statusOf = (status: WorkingStatus): AccountStatus => (status === 'deleted' ? 'nonexist' : status)

const describe = (tx: TransactionState): TransactionDescr => {
  const { storagePhase, creditPhase, bouncePhase } = tx
  const computePhase = tx.computePhase!
  const action = tx.actionPhase
  const aborted = !(computePhase.kind === 'vm' && computePhase.success && action?.success === true)
  const destroyed = tx.wasDeleted
  if (tx.isOrdinary) {
    const creditFirst = tx.message?.bounces !== true
    return {
      kind: 'ord',
      creditFirst,
      storagePhase,
      creditPhase,
      computePhase,
      action,
      aborted,
      bounce: bouncePhase,
      destroyed,
    }
  }
  const isTock = tx.input.cause.kind === 'tock'
  return { kind: 'tick_tock', isTock, storagePhase: storagePhase!, computePhase, action, aborted, destroyed }
}

const finish = (tx: TransactionState): Executed => {
  const { input } = tx
  const account = buildNewAccount(tx)
  const value: Transaction = {
    accountAddr: tx.address.hash,
    lt: tx.startLt,
    prevTransHash: input.account.lastTransHash,
    prevTransLt: input.account.lastTransLt,
    now: input.now,
    outMsgCount: tx.outMessages.length,
    origStatus: tx.originalStatus,
    endStatus: statusOf(tx.status),
    inMsg: tx.message?.cell,
    outMsgs: Dict.of(
      outMsgsType,
      tx.outMessages.map((cell, k) => [k, cell] as const),
    ),
    totalFees: { grams: tx.totalFees, extra: NO_EXTRA_CURRENCIES },
    stateUpdate: { oldHash: input.account.account.hash(), newHash: account.hash() },
    description: describe(tx),
  }
  const transaction = writeWhole(writeTransaction, value)
  return {
    kind: 'executed',
    transaction,
    account: { account, lastTransHash: transaction.hash(), lastTransLt: tx.startLt },
    endLt: tx.endLt,
    outMessages: tx.outMessages,
    run: tx.run,
  }
}

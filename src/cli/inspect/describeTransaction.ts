import type { Cell } from '../../codec/cell/Cell.ts'
import { readWhole } from '../../codec/cell/wholeCell.ts'
import { readMessage } from '../../codec/tlb/Message.ts'
import { listOutMsgs, type Transaction } from '../../codec/tlb/Transaction.ts'
import type { TransactionDescr } from '../../codec/tlb/TransactionDescr.ts'
import type { ActionPhase, ComputePhase } from '../../codec/tlb/transactionPhases.ts'
import type { BodyDecoder } from '../../contracts/layouts/createBodyDecoder.ts'
import { toHex } from '../../primitives/hex.ts'
import { describeMessage, formatTime } from './describeMessage.ts'
import type { Finding } from './Finding.ts'

export const describeTransaction = (cell: Cell, transaction: Transaction, decoder: BodyDecoder): Finding => {
  const { description, inMsg } = transaction
  const readIn = (message: Cell): Finding =>
    describeMessage(message, readWhole(message, readMessage, 'A Message'), decoder)
  return {
    kind: 'transaction',
    hash: toHex(cell.hash()),
    account: toHex(transaction.accountAddr),
    lt: String(transaction.lt),
    now: formatTime(transaction.now),
    previous: `${toHex(transaction.prevTransHash)} at lt ${transaction.prevTransLt}`,
    status: `${transaction.origStatus} → ${transaction.endStatus}`,
    total_fees: String(transaction.totalFees.grams),
    state_update: `${toHex(transaction.stateUpdate.oldHash)} → ${toHex(transaction.stateUpdate.newHash)}`,
    ...describePhases(description),
    in_message: inMsg && readIn(inMsg),
    out_messages: listOutMsgs(transaction).map(readIn),
  }
}

const describePhases = (description: TransactionDescr): Finding => ({
  description: description.kind,
  ...('aborted' in description && { aborted: description.aborted }),
  ...('storagePhase' in description &&
    description.storagePhase !== undefined && {
      storage_fees: String(description.storagePhase.storageFeesCollected),
    }),
  ...('computePhase' in description && { compute: describeCompute(description.computePhase) }),
  ...('action' in description && description.action !== undefined && { action: describeAction(description.action) }),
  ...('bounce' in description && description.bounce !== undefined && { bounce: description.bounce.kind }),
})

const describeCompute = (phase: ComputePhase): Finding =>
  phase.kind === 'skipped'
    ? { skipped: phase.reason }
    : {
        success: phase.success,
        exit_code: phase.exitCode,
        gas_used: String(phase.gasUsed),
        gas_limit: String(phase.gasLimit),
        gas_fees: String(phase.gasFees),
        steps: phase.vmSteps,
      }

const describeAction = (phase: ActionPhase): Finding => ({
  success: phase.success,
  result_code: phase.resultCode,
  actions: phase.totalActions,
  messages_created: phase.msgsCreated,
  ...(phase.skippedActions > 0 && { skipped: phase.skippedActions }),
})

/** One line of a list of transactions. */
export const summarizeTransaction = (cell: Cell, { lt, description, outMsgCount, inMsg }: Transaction): string => {
  const phase = 'computePhase' in description ? description.computePhase : undefined
  const exit =
    phase === undefined ? '' : phase.kind === 'skipped' ? `, skipped: ${phase.reason}` : `, exit code ${phase.exitCode}`
  const messages = `${inMsg === undefined ? 'no' : 'a'} message in, ${outMsgCount} out`
  return `${toHex(cell.hash())} lt ${lt} ${description.kind}${exit}, ${messages}`
}

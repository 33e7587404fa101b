import type { TransactionCall, TransactionRun } from '../chain/ports.ts'
import { openCell } from '../codec/cell/CellReader.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { type Account, openAccount } from '../codec/tlb/Account.ts'
import { readMessage } from '../codec/tlb/Message.ts'
import { readShardAccount } from '../codec/tlb/ShardAccounts.ts'
import { CodedError } from '../primitives/errors.ts'
import { toHex, toUpperHex } from '../primitives/hex.ts'
import { TRANSACTION } from './CodeHistory.ts'
import { checkTransaction } from './checkCall.ts'
import { VmInputError } from './errors.ts'
import type { ExecuteResult, NotAccepted } from './executor/executeTransaction.ts'
import { packTransaction } from './jobs.ts'
import type { KnownConfig } from './KnownConfigs.ts'
import { Libraries } from './Libraries.ts'
import { runInLane } from './lanes.ts'
import { INLINE_GAS, type Machine, needsThread, OWN_INLINE_GAS } from './Machine.ts'
import type { VmAnswer } from './messages.ts'
import { previousBlocksValue } from './previousBlocks.ts'
import { beginTransaction, type Surroundings } from './runs.ts'
import { VmLog } from './VmLog.ts'

/** A transaction, and the libraries that its code missed. */
type Attempt = { readonly run: TransactionRun; readonly missingLibraries: readonly Uint8Array[] }

/** Makes a transaction; again with another library where the code asks for one. */
export const runTransaction = async (
  machine: Machine,
  call: TransactionCall,
  signal?: AbortSignal,
): Promise<TransactionRun> => {
  const account = openAccount(call.account.account)
  checkTransaction(call, account)
  const config = machine.configs.get(call.context.config)
  config.executor.checkForTransactions()
  const isOwn = call.foreign === undefined
  const code = isOwn ? undefined : findCode(call, account)
  const libraries = new Libraries(call.context.findLibrary)
  for (;;) {
    const { run, missingLibraries } = await runInLane<Attempt>(machine, {
      code,
      methodId: TRANSACTION,
      isShort: false,
      isOwn,
      signal,
      inline: () => runInline(machine, call, config, libraries, signal),
      pack: () => packTransaction(call, libraries.roots[0], config),
      read: readTransactionAnswer,
    })
    if (missingLibraries.length === 0 || !(await libraries.add(missingLibraries))) return run
  }
}

const runInline = (
  { slices }: Machine,
  call: TransactionCall,
  { executor: config }: KnownConfig,
  { roots: libraries }: Libraries,
  signal: AbortSignal | undefined,
): Attempt | Promise<Attempt> => {
  const log = call.log === 'none' ? undefined : new VmLog(call.log)
  const previousBlocks = previousBlocksValue(call.context.previousBlocks, config.version)
  const around = { config, libraries, previousBlocks, log, refusesSlow: true }
  const limit = call.foreign === undefined ? OWN_INLINE_GAS : INLINE_GAS
  const steps = beginTransaction(call, around)
  return slices.run(() => {
    const { done, value } = steps.next()
    if (done === true) {
      const run = toRun(value, call, log, () => describeRefused(call, around))
      return { run, missingLibraries: value.run?.missingLibraries ?? [] }
    }
    if (value > limit) throw needsThread
    return undefined
  }, signal)
}

export const toRun = (
  result: ExecuteResult,
  { withActions }: TransactionCall,
  log: VmLog | undefined,
  describeAgain: () => string,
): TransactionRun => {
  const { run } = result
  if (result.kind === 'executed') {
    return {
      kind: 'executed',
      transaction: result.transaction,
      account: result.account,
      actions: withActions === true ? run?.committed?.actions : undefined,
      log: log === undefined ? undefined : run === undefined ? '' : log.end(run),
    }
  }
  const text = run === undefined ? '' : log === undefined ? describeAgain() : log.end(run)
  // A node tells of exit code 0 where the contract was not run.
  const exitCode = result.isImported ? (run?.exitCode ?? 0) : undefined
  return { kind: 'notAccepted', exitCode, steps: run?.steps ?? 0, reason: describeRefusal(result), log: text }
}

/** In the words of a node. */
const describeRefusal = ({ isImported, address }: NotAccepted): string =>
  !isImported
    ? `inbound external message rejected by account ${toUpperHex(address)} before smart-contract execution`
    : 'External message not accepted by smart contract'

/** A refused message is told of with its log. It has run for no more than the gas that was lent to it: it is run again for that. */
export const describeRefused = (call: TransactionCall, around: Surroundings): string => {
  const log = new VmLog('steps')
  const steps = beginTransaction(call, { ...around, log, recorder: undefined, refusesSlow: false })
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value.run === undefined ? '' : log.end(value.run)
  }
}

/** The code that runs: that of the account, or what the message brings along for an account that has none. */
export const findCode = ({ cause }: TransactionCall, account: Account): string | undefined => {
  const own = account.kind === 'account' && account.state.kind === 'active' ? account.state.init.code : undefined
  if (own !== undefined) return toHex(own.hash())
  if (cause.kind !== 'message') return undefined
  try {
    const code = readMessage(openCell(cause.message)).init?.value.code
    return code && toHex(code.hash())
  } catch (error) {
    // The machine refuses it.
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** The answer of another thread. */
export const readTransactionAnswer = (answer: VmAnswer): Attempt => {
  switch (answer.kind) {
    case 'executed':
      return {
        run: {
          kind: 'executed',
          transaction: decodeSingleBoc(answer.transaction),
          account: readWhole(decodeSingleBoc(answer.account), readShardAccount, 'A ShardAccount'),
          actions: answer.actions && decodeSingleBoc(answer.actions),
          log: answer.log,
        },
        missingLibraries: answer.missingLibraries,
      }
    case 'notAccepted': {
      const { missingLibraries, recording: _, ...run } = answer
      return { run, missingLibraries }
    }
    case 'refused':
      throw new VmInputError(answer.reason)
    case 'method':
      throw new TypeError('A thread answered a transaction with the result of a get-method.')
  }
}

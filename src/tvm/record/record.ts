import type { MethodCall, RecordedMethod, RecordedTransaction, TransactionCall } from '../../chain/ports.ts'
import type { RecordOptions, VmRecording } from '../../chain/recording.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { toHex } from '../../primitives/hex.ts'
import { TRANSACTION } from '../CodeHistory.ts'
import { checkMethod, checkTransaction } from '../checkCall.ts'
import { VmInputError } from '../errors.ts'
import { packMethod, packTransaction } from '../jobs.ts'
import { Libraries } from '../Libraries.ts'
import { runOnOtherThread } from '../lanes.ts'
import type { Machine } from '../Machine.ts'
import type { VmAnswer } from '../messages.ts'
import { readMethodAnswer } from '../methods.ts'
import { findCode, readTransactionAnswer } from '../transactions.ts'

/** Recorded runs never take place on the calling thread. Missing libraries are found as for any other run. */

export const recordMethod = async (
  machine: Machine,
  given: MethodCall,
  options: RecordOptions,
  signal?: AbortSignal,
): Promise<RecordedMethod> => {
  checkMethod(given)
  checkOptions(options)
  const call = withLog(given, options)
  const config = machine.configs.get(call.context.config)
  const libraries = new Libraries(call.context.findLibrary)
  for (;;) {
    const { attempt, recording } = await runOnOtherThread(machine, {
      code: toHex(call.contract.code.hash()),
      methodId: call.methodId,
      isShort: false,
      isOwn: false,
      signal,
      pack: () => packMethod(call, libraries.roots[0], config, options),
      read: (answer) => ({ attempt: readMethodAnswer(answer), recording: readRecording(answer) }),
    })
    const { missingLibraries, ...run } = attempt
    if (missingLibraries.length === 0 || !(await libraries.add(missingLibraries))) return { run, recording: recording! }
  }
}

export const recordTransaction = async (
  machine: Machine,
  given: TransactionCall,
  options: RecordOptions,
  signal?: AbortSignal,
): Promise<RecordedTransaction> => {
  const account = openAccount(given.account.account)
  checkTransaction(given, account)
  checkOptions(options)
  const call = withLog(given, options)
  const config = machine.configs.get(call.context.config)
  config.executor.checkForTransactions()
  const libraries = new Libraries(call.context.findLibrary)
  for (;;) {
    const { attempt, recording } = await runOnOtherThread(machine, {
      code: findCode(call, account),
      methodId: TRANSACTION,
      isShort: false,
      isOwn: false,
      signal,
      pack: () => packTransaction(call, libraries.roots[0], config, options),
      read: (answer) => ({ attempt: readTransactionAnswer(answer), recording: readRecording(answer) }),
    })
    const { run, missingLibraries } = attempt
    if (missingLibraries.length === 0 || !(await libraries.add(missingLibraries))) return { run, recording }
  }
}

const withLog = <T extends MethodCall | TransactionCall>(call: T, { log }: RecordOptions): T =>
  log && call.log === 'none' ? { ...call, log: 'stack' } : call

const checkOptions = ({ window, stack }: RecordOptions): void => {
  const { from, count } = window ?? { from: 0, count: 0 }
  const top = typeof stack === 'object' ? stack.top : 0
  for (const number of [from, count, top]) {
    if (!Number.isInteger(number) || number < 0) {
      throw new VmInputError(`Steps and stack entries are counted in whole numbers from 0 on, but got ${number}.`)
    }
  }
}

const decoder = new TextDecoder()

const readRecording = (answer: VmAnswer): VmRecording | undefined =>
  answer.kind === 'refused' || answer.recording === undefined
    ? undefined
    : (JSON.parse(decoder.decode(answer.recording)) as VmRecording)

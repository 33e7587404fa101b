import { toBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ExecutedAnswer, NotAcceptedAnswer, RefusedAnswer, TransactionJob } from '../messages.ts'
import { decodeBag } from './decodeBag.ts'
import type { Emulator } from './Emulator.ts'
import { type EmulatorConfig, verbosityOf } from './EmulatorConfig.ts'

type Output =
  | {
      readonly success: true
      readonly transaction: string
      readonly shard_account: string
      readonly actions?: string | null
      readonly vm_log: string
    }
  | { readonly success: false; readonly error: string; readonly vm_log?: string; readonly vm_exit_code?: number }

type Result = { readonly fail: true; readonly message: string } | { readonly fail?: never; readonly output: Output }

/** The code of nodes for an external message that the account refuses before its code runs. */
const REJECTED = /\[Error : -701 : (?<reason>.*)\]$/s

export const runTransaction = (
  emulator: Emulator,
  config: EmulatorConfig,
  job: TransactionJob,
): ExecutedAnswer | NotAcceptedAnswer | RefusedAnswer => {
  // A message that is not accepted is told of with the number of its steps, which only the log has.
  const verbosity = verbosityOf[job.log === 'none' ? 'steps' : job.log]
  const handle = config.openHandle(verbosity)
  if (handle === undefined) return refuse("Can't unpack config params")
  const libraries = toBase64(job.libraries)
  const previousBlocks = toBase64(job.previousBlocks)
  const params = JSON.stringify({
    utime: job.now,
    lt: job.lt.toString(),
    rand_seed: toHex(job.randomSeed),
    ignore_chksig: job.ignoreSignatures,
    debug_enabled: false,
    is_tick_tock: job.cause !== 'message',
    is_tock: job.cause === 'tock',
    // Both stay as they were where nothing is given, and reading them again would be a third of the cost.
    prev_blocks_info: previousBlocks === handle.previousBlocks ? '' : previousBlocks,
  })
  const result = emulator.runTransaction(
    handle.pointer,
    libraries === handle.libraries ? undefined : libraries,
    toBase64(job.account),
    toBase64(job.message),
    params,
  ) as Result
  if (result.fail === true) {
    // One of its two failures destroys the handle; for the other a few kilobytes are lost.
    config.forgetHandle(verbosity)
    return refuse(result.message)
  }
  handle.libraries = libraries
  handle.previousBlocks = previousBlocks
  return toAnswer(result.output, job)
}

const refuse = (reason: string): RefusedAnswer => ({
  kind: 'refused',
  what: 'input',
  reason: `The emulator refused a transaction: ${reason}.`,
})

/** The log has a line for each instruction, also for those that the code does not spell out. */
const countSteps = (log: string): number => log.split('\n').filter((line) => line.startsWith('execute ')).length

const toAnswer = (
  output: Output,
  { log: detail, withActions }: TransactionJob,
): ExecutedAnswer | NotAcceptedAnswer | RefusedAnswer => {
  if (output.success) {
    return {
      kind: 'executed',
      transaction: decodeBag(output.transaction),
      account: decodeBag(output.shard_account),
      actions: withActions && typeof output.actions === 'string' ? decodeBag(output.actions) : undefined,
      log: detail === 'none' ? undefined : output.vm_log,
      missingLibraries: [],
    }
  }
  const { error, vm_exit_code: exitCode, vm_log: log = '' } = output
  const refused = { kind: 'notAccepted', steps: countSteps(log), log, missingLibraries: [] } as const
  if (exitCode !== undefined) return { ...refused, exitCode, reason: error }
  const reason = REJECTED.exec(error)?.groups?.['reason']
  if (reason !== undefined) return { ...refused, exitCode: undefined, reason }
  return refuse(error)
}

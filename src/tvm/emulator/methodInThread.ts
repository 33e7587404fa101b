import type { RunReads } from '../../chain/ports.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import type { MethodAnswer, MethodJob, RefusedAnswer } from '../messages.ts'
import { readsBlock, readsConfig } from './configAccess.ts'
import { decodeBag } from './decodeBag.ts'
import type { Emulator } from './Emulator.ts'
import { type EmulatorConfig, verbosityOf } from './EmulatorConfig.ts'

type Output =
  | {
      readonly success: true
      readonly stack: string
      readonly gas_used: string
      readonly vm_exit_code: number
      readonly vm_log: string
      readonly missing_library: string | null
    }
  | { readonly success: false; readonly error: string }

type Result = { readonly fail: true; readonly message: string } | { readonly fail?: never; readonly output: Output }

/** Characters of base64: 4 MiB of cells. A contract may leave all of its data. */
const MAX_RESULT_TEXT = (4 << 20) * (4 / 3)
/** What the emulator says of a stack that it cannot write. */
const STACK_TOO_LARGE = "Couldn't serialize stack"

/**
 * Runs a get-method. The emulator reads the whole configuration anew for every run, which for a large network is most of the
 * cost, and hardly any method looks at it: so the first run has a lean one, and its log tells whether that was enough.
 */
export const runMethod = (emulator: Emulator, config: EmulatorConfig, job: MethodJob): MethodAnswer | RefusedAnswer => {
  const params = formatParams(job)
  const stack = toBase64(job.stack)
  const run = (configText: string): Result => emulator.runMethod(params, stack, configText) as Result
  if (config.lean === undefined) return toAnswer(run(config.full), job, false)
  const result = run(config.lean)
  // What the emulator says of a lean configuration is never the last word.
  const isEnough = result.fail === undefined && result.output.success && !readsConfig(result.output.vm_log)
  return isEnough ? toAnswer(result, job, false) : toAnswer(run(config.full), job, true)
}

const refuse = (reason: string): RefusedAnswer => {
  const what = reason.startsWith(STACK_TOO_LARGE) ? 'result' : 'input'
  return { kind: 'refused', what, reason: `The emulator refused a get-method: ${reason}.` }
}

const toReads = (config: boolean, block: boolean): RunReads => ({
  time: block,
  lt: block,
  seed: block,
  balance: block,
  previousBlocks: block,
  config: config ? 'all' : [],
  libraries: false,
})

const toAnswer = (result: Result, { log }: MethodJob, hasReadConfig: boolean): MethodAnswer | RefusedAnswer => {
  if (result.fail === true) return refuse(result.message)
  const { output } = result
  if (!output.success) return refuse(output.error)
  if (output.stack.length > MAX_RESULT_TEXT) return refuse(STACK_TOO_LARGE)
  const { missing_library: missing } = output
  return {
    kind: 'method',
    exitCode: output.vm_exit_code,
    gasUsed: Number(output.gas_used),
    stack: decodeBag(output.stack),
    log: log === 'none' ? undefined : output.vm_log,
    missingLibraries: missing === null ? [] : [fromHex(missing.toLowerCase(), 32)],
    reads: toReads(hasReadConfig, hasReadConfig || readsBlock(output.vm_log)),
    loadedCells: undefined,
  }
}

const formatParams = (job: MethodJob): string =>
  JSON.stringify({
    code: toBase64(job.code),
    data: toBase64(job.data),
    verbosity: verbosityOf[job.log],
    libs: toBase64(job.libraries),
    prev_blocks_info: toBase64(job.previousBlocks),
    address: job.address,
    unixtime: job.now,
    balance: job.balance.toString(),
    // The emulator joins these to one text and forgets the spaces between; a space before the number is taken as one.
    // It never comes back from an amount of zero.
    extra_currencies: Object.fromEntries(
      job.extraCurrencies.filter(([, amount]) => amount > 0n).map(([id, amount]) => [` ${id}`, amount.toString()]),
    ),
    rand_seed: toHex(job.randomSeed),
    gas_limit: String(job.gasLimit),
    method_id: job.methodId,
    debug_enabled: false,
  })

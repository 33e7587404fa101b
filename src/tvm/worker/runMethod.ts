import { toBase64 } from '../../primitives/base64.ts'
import { type MethodAnswer, type MethodJob, type RefusedAnswer, STACK_TOO_LARGE } from '../messages.ts'
import { readsBlock, readsConfig } from './configAccess.ts'
import { decodeBag } from './decodeBag.ts'
import type { Emulator } from './Emulator.ts'
import type { HeldConfig } from './HeldConfig.ts'

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

const OUT_OF_GAS = -14
/** Characters of base64: 4 MiB of cells. A contract may leave all of its data. */
const MAX_RESULT_TEXT = (4 << 20) * (4 / 3)
const GIVES_GAS = /^execute RUNVM/m

/**
 * Runs a get-method. The emulator reads the whole configuration anew for every run, which for a large network is most of the
 * cost, and hardly any method looks at it: so the first run has a lean one, and its log tells whether that was enough.
 */
export const runMethod = (emulator: Emulator, config: HeldConfig, job: MethodJob): MethodAnswer | RefusedAnswer => {
  const params = formatParams(job)
  const stack = toBase64(job.stack)
  const run = (configText: string): Result => emulator.runMethod(params, stack, configText) as Result
  if (config.lean === undefined || job.readsConfig) return toAnswer(run(config.full), job, job.readsConfig)
  const result = run(config.lean)
  // What the emulator says of a lean configuration is never the last word.
  const isEnough = result.fail === undefined && result.output.success && !readsConfig(result.output.vm_log)
  return isEnough ? toAnswer(result, job, false) : toAnswer(run(config.full), job, true)
}

const toAnswer = (result: Result, { withLog }: MethodJob, hasReadConfig: boolean): MethodAnswer | RefusedAnswer => {
  if (result.fail === true) return { kind: 'refused', reason: result.message }
  const { output } = result
  if (!output.success) return { kind: 'refused', reason: output.error }
  if (output.stack.length > MAX_RESULT_TEXT) return { kind: 'refused', reason: STACK_TOO_LARGE }
  return {
    kind: 'method',
    exitCode: output.vm_exit_code,
    gasUsed: Number(output.gas_used),
    stack: decodeBag(output.stack),
    log: withLog ? output.vm_log : undefined,
    missingLibrary: output.missing_library ?? undefined,
    readsConfig: hasReadConfig,
    readsBlock: hasReadConfig || readsBlock(output.vm_log),
    wantsGas: output.vm_exit_code === OUT_OF_GAS || GIVES_GAS.test(output.vm_log),
  }
}

const formatParams = (job: MethodJob): string =>
  JSON.stringify({
    code: toBase64(job.code),
    data: toBase64(job.data),
    verbosity: job.verbosity,
    libs: toBase64(job.libraries),
    prev_blocks_info: toBase64(job.previousBlocks),
    address: job.address,
    unixtime: job.now,
    balance: job.balance,
    // The emulator joins these to one text and forgets the spaces between; a space before the number is taken as one.
    extra_currencies: Object.fromEntries(job.extraCurrencies.map(([id, amount]) => [` ${id}`, amount])),
    rand_seed: job.randomSeed,
    gas_limit: String(job.gasLimit),
    method_id: job.methodId,
    debug_enabled: false,
  })

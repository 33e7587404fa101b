import type { MethodCall, MethodRun } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import { readVmStack } from '../codec/tlb/VmStack.ts'
import { toHex } from '../primitives/hex.ts'
import { checkMethod } from './checkCall.ts'
import { VmInputError, VmResultError } from './errors.ts'
import { packMethod } from './jobs.ts'
import type { KnownConfig } from './KnownConfigs.ts'
import { Libraries } from './Libraries.ts'
import { runInLane } from './lanes.ts'
import { INLINE_GAS, type Machine, needsThread, SLICE_GAS } from './Machine.ts'
import { SlowInstruction } from './machine/faults.ts'
import type { CodeResult, Run } from './machine/runCode.ts'
import type { VmAnswer } from './messages.ts'
import { previousBlocksValue } from './previousBlocks.ts'
import { beginMethod, dependsOnBlock, describeReads, hashesOf, RESULT_LIMITS, readResultStack } from './runs.ts'
import { VmLog } from './VmLog.ts'

/** A run, and the libraries that it missed. */
type Attempt = MethodRun & { readonly missingLibraries: readonly Uint8Array[] }

/** Runs a get-method for which one slice is enough, without libraries. */
export const runShortMethod = (machine: Machine, call: MethodCall): MethodRun | undefined => {
  checkMethod(call)
  const { history, configs, slices } = machine
  const { methodId, forIndex = false } = call
  const code = codeKey(call)
  history.check(code, methodId, forIndex)
  if (!history.isShort(code, methodId)) return undefined
  const short = slices.runOnce(() => {
    const { run, log } = begin(call, configs.get(call.context.config), NO_LIBRARIES)
    const result = advanceOnce(run)
    return result === undefined || result.missingLibraries.length > 0 ? undefined : toRun(result, call, log)
  })
  if (short === undefined) history.noteSliced(code, methodId)
  else history.noteQuick(code)
  return short
}

const NO_LIBRARIES: readonly Cell[] = []

const advanceOnce = (run: Run): CodeResult | undefined => {
  try {
    return run.advance(SLICE_GAS)
  } catch (error) {
    if (error instanceof SlowInstruction) return undefined
    throw error
  }
}

const codeKeys = new WeakMap<Cell, string>()

/** The hash of the code in hexadecimal digits. */
const codeKey = ({ contract: { code } }: MethodCall): string => {
  const known = codeKeys.get(code)
  if (known !== undefined) return known
  const key = toHex(code.hash())
  codeKeys.set(code, key)
  return key
}

/** Runs a get-method; again with another library where its code asks for one. */
export const runMethod = async (machine: Machine, call: MethodCall, signal?: AbortSignal): Promise<MethodRun> => {
  checkMethod(call)
  const config = machine.configs.get(call.context.config)
  const code = codeKey(call)
  const libraries = new Libraries(call.context.findLibrary)
  for (;;) {
    const { missingLibraries, ...run } = await runInLane<Attempt>(machine, {
      code,
      methodId: call.methodId,
      isShort: call.forIndex === true,
      isOwn: false,
      signal,
      inline: () => runInline(machine, call, config, libraries, signal),
      pack: () => packMethod(call, libraries.roots[0], config),
      read: readMethodAnswer,
    })
    if (missingLibraries.length === 0 || !(await libraries.add(missingLibraries))) return run
  }
}

const begin = (
  call: MethodCall,
  { executor }: KnownConfig,
  libraries: readonly Cell[],
): { readonly run: Run; readonly log: VmLog | undefined } => {
  const log = call.log === 'none' ? undefined : new VmLog(call.log)
  const previousBlocks = previousBlocksValue(call.context.previousBlocks, executor.version)
  return { run: beginMethod(call, { config: executor, libraries, previousBlocks, log, refusesSlow: true }), log }
}

const runInline = (
  { slices }: Machine,
  call: MethodCall,
  config: KnownConfig,
  libraries: Libraries,
  signal: AbortSignal | undefined,
): Attempt | Promise<Attempt> => {
  const { run, log } = begin(call, config, libraries.roots)
  return slices.run(() => {
    const result = run.advance(SLICE_GAS)
    if (result !== undefined) return toAttempt(result, call, log)
    if (run.gasUsed > INLINE_GAS) throw needsThread
    return undefined
  }, signal)
}

const toAttempt = (result: CodeResult, call: MethodCall, log: VmLog | undefined): Attempt => ({
  ...toRun(result, call, log),
  missingLibraries: result.missingLibraries,
})

const toRun = (result: CodeResult, call: MethodCall, log: VmLog | undefined): MethodRun => {
  const reads = describeReads(result)
  return {
    exitCode: result.exitCode,
    gasUsed: result.gasUsed,
    stack: readResultStack(result),
    log: log?.end(result),
    dependsOnBlock: dependsOnBlock(reads),
    reads,
    loadedCells: call.withLoadedCells === true ? hashesOf(result, call.contract.code) : undefined,
  }
}

/** The answer of another thread. */
export const readMethodAnswer = (answer: VmAnswer): Attempt => {
  if (answer.kind === 'refused') throw new (answer.what === 'input' ? VmInputError : VmResultError)(answer.reason)
  if (answer.kind !== 'method') throw new TypeError(`A thread answered a get-method with ${answer.kind}.`)
  const { exitCode, gasUsed, stack, log, reads, loadedCells, missingLibraries } = answer
  const root = decodeSingleBoc(stack, { allowPrunedRoots: true })
  return {
    exitCode,
    gasUsed,
    stack: readWhole(root, (r) => readVmStack(r, RESULT_LIMITS), 'A stack'),
    log,
    dependsOnBlock: dependsOnBlock(reads),
    reads,
    loadedCells,
    missingLibraries,
  }
}

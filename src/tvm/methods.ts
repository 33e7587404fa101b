import type { MethodCall, MethodRun } from '../chain/ports.ts'
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
import type { CodeResult } from './machine/runCode.ts'
import type { VmAnswer } from './messages.ts'
import { previousBlocksValue } from './previousBlocks.ts'
import { beginMethod, dependsOnBlock, describeReads, hashesOf, RESULT_LIMITS, readResultStack } from './runs.ts'
import { VmLog } from './VmLog.ts'

/** A run, and the libraries that it missed. */
type Attempt = MethodRun & { readonly missingLibraries: readonly Uint8Array[] }

/** Runs a get-method; again with another library where its code asks for one. */
export const runMethod = async (machine: Machine, call: MethodCall, signal?: AbortSignal): Promise<MethodRun> => {
  checkMethod(call)
  const config = machine.configs.get(call.context.config)
  const code = toHex(call.contract.code.hash())
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

const runInline = (
  { slices }: Machine,
  call: MethodCall,
  { executor }: KnownConfig,
  libraries: Libraries,
  signal: AbortSignal | undefined,
): Attempt | Promise<Attempt> => {
  const log = call.log === 'none' ? undefined : new VmLog(call.log)
  const previousBlocks = previousBlocksValue(call.context.previousBlocks, executor.version)
  const run = beginMethod(call, {
    config: executor,
    libraries: libraries.roots,
    previousBlocks,
    log,
    refusesSlow: true,
  })
  return slices.run(() => {
    const result = run.advance(SLICE_GAS)
    if (result !== undefined) return toAttempt(result, call, log)
    if (run.gasUsed > INLINE_GAS) throw needsThread
    return undefined
  }, signal)
}

const toAttempt = (result: CodeResult, call: MethodCall, log: VmLog | undefined): Attempt => {
  const reads = describeReads(result)
  return {
    exitCode: result.exitCode,
    gasUsed: result.gasUsed,
    stack: readResultStack(result),
    log: log?.end(result),
    dependsOnBlock: dependsOnBlock(reads),
    reads,
    loadedCells: call.withLoadedCells === true ? hashesOf(result, call.contract.code) : undefined,
    missingLibraries: result.missingLibraries,
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

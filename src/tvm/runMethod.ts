import type { MethodCall, MethodRun } from '../chain/ports.ts'
import { decodeSingleBoc } from '../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../codec/cell/encodeBoc.ts'
import { readWhole } from '../codec/cell/wholeCell.ts'
import type { CurrencyCollection } from '../codec/tlb/CurrencyCollection.ts'
import { encodeVmStack, readVmStack, type VmStack } from '../codec/tlb/VmStack.ts'
import { DEFAULT_VM_STACK_LIMITS, MAX_ARGUMENT_BYTES, type VmStackLimits } from '../codec/tlb/VmValue.ts'
import { formatRawAddress } from '../primitives/Address.ts'
import { fromHex, toHex } from '../primitives/hex.ts'
import { checkContext, verbosityOf } from './checkContext.ts'
import { collectLibraries, encodeLibraries, type LibraryMap } from './collectLibraries.ts'
import { encodePreviousBlocks } from './encodePreviousBlocks.ts'
import { VmInputError, VmResultError } from './errors.ts'
import { runInLane, type Verdict } from './lanes.ts'
import type { Machine } from './Machine.ts'
import { type MethodAnswer, STACK_TOO_LARGE, type VmAnswer } from './messages.ts'
import type { PreparedConfigs } from './PreparedConfig.ts'
import type { Pack, RunOptions, WorkerPool } from './WorkerPool.ts'

const MAX_UINT64 = (1n << 64n) - 1n
/** The emulator refuses to write more than this many values in all. */
const RESULT_LIMITS: VmStackLimits = { ...DEFAULT_VM_STACK_LIMITS, maxDepth: 4096, maxNesting: 4096 }
const MAX_GAS = 1_000_000_000
/** What nearly every get-method gets by with. Gas alone does not say how long a run takes: this much may take a tenth of a second. */
const QUICK_GAS = 50_000
/** CPU time beyond which a run of little gas counts as slow. It is some 50 times what a run takes. */
const QUICK_CPU_MS = 30
/** How many libraries a method may name that its cells do not refer to. */
const MAX_LATE_LIBRARIES = 16

type MethodBags = { readonly code: Uint8Array; readonly data: Uint8Array; readonly stack: Uint8Array }

/** Runs a get-method; again with another library where its code asks for one that only it could know of. */
export const runMethod = async (machine: Machine, call: MethodCall, signal?: AbortSignal): Promise<MethodRun> => {
  machine.history.check(toHex(call.contract.code.hash()), call.methodId, call.forIndex === true)
  const bags = encodeBags(call)
  let libraries = await collectLibraries(Object.values(bags), call.context.findLibrary)
  for (let round = 0; ; round++) {
    const answer = await runOnce(machine, call, bags, libraries, signal)
    const late = round < MAX_LATE_LIBRARIES ? await findLateLibrary(call, answer, libraries) : undefined
    if (late === undefined) return toMethodRun(answer, libraries)
    libraries = late
  }
}

const encodeBags = ({ contract, stack }: MethodCall): MethodBags => ({
  code: encodeBoc([contract.code]),
  data: encodeBoc([contract.data]),
  stack: encodeArguments(stack),
})

const encodeArguments = (stack: VmStack): Uint8Array => {
  const bytes = encodeVmStack(stack)
  if (bytes.length <= MAX_ARGUMENT_BYTES) return bytes
  throw new VmInputError(`The arguments take ${bytes.length} bytes, the limit is ${MAX_ARGUMENT_BYTES}.`)
}

/**
 * A run gets little gas at first. What wants more is run again with all that it may have, and from then on apart from others:
 * that gas was short cannot be noticed by code, so the results are those of a run with all of it.
 */
const runOnce = (
  machine: Machine,
  call: MethodCall,
  bags: MethodBags,
  libraries: LibraryMap,
  signal: AbortSignal | undefined,
): Promise<MethodAnswer> => {
  // A log tells how much gas is left.
  const gasLimit = call.log === 'none' ? Math.min(call.gasLimit, QUICK_GAS) : call.gasLimit
  const isWhole = gasLimit === call.gasLimit
  return runInLane<MethodAnswer & VmAnswer>(machine, {
    code: toHex(call.contract.code.hash()),
    methodId: call.methodId,
    isShort: call.forIndex === true,
    signal,
    quick: (pool, options) => runIn(pool, machine, { ...call, gasLimit }, bags, libraries, { ...options, signal }),
    whole: (pool, options) => runIn(pool, machine, call, bags, libraries, { ...options, signal }),
    judge: (answer) => judge(answer, isWhole),
  })
}

const judge = ({ wantsGas, cpuMs = 0 }: MethodAnswer & VmAnswer, isWhole: boolean): Verdict => {
  if (wantsGas && !isWhole) return 'again'
  return cpuMs > QUICK_CPU_MS ? 'slow' : 'quick'
}

const runIn = async (
  pool: WorkerPool,
  { configs, configReaders }: Machine,
  call: MethodCall,
  bags: MethodBags,
  libraries: LibraryMap,
  options: RunOptions,
): Promise<MethodAnswer & VmAnswer> => {
  const reader = `${toHex(call.contract.code.hash())} ${call.methodId}`
  const pack = packMethod(call, bags, libraries, configs, configReaders.find(reader) === true)
  const answer = await pool.run(pack, options)
  if (answer.kind === 'refused') throw toError(answer.reason)
  if (answer.kind !== 'method') throw new TypeError(`The worker answered a get-method with ${answer.kind}.`)
  if (answer.readsConfig) configReaders.set(reader, true)
  return answer
}

const toError = (reason: string): VmInputError | VmResultError =>
  reason.startsWith(STACK_TOO_LARGE)
    ? new VmResultError('The get-method left more on its stack than can be handed back.')
    : new VmInputError(`The virtual machine refused a get-method: ${reason}.`)

const findLateLibrary = async (
  { context: { findLibrary } }: MethodCall,
  { missingLibrary }: MethodAnswer,
  libraries: LibraryMap,
): Promise<LibraryMap | undefined> => {
  if (missingLibrary === undefined || findLibrary === undefined) return undefined
  const key = missingLibrary.toLowerCase()
  const library = libraries.has(key) ? undefined : await findLibrary(fromHex(key, 32))
  if (library === undefined) return undefined
  const known = new Map(libraries).set(key, library)
  return collectLibraries([encodeBoc([library])], findLibrary, known)
}

const packMethod = (
  { contract, methodId, gasLimit, context, log }: MethodCall,
  bags: MethodBags,
  libraries: LibraryMap,
  configs: PreparedConfigs,
  readsConfig: boolean,
): Pack => {
  if (methodId !== (methodId | 0)) {
    throw new VmInputError(`The number of a method is a signed integer of 32 bits, ${methodId} came.`)
  }
  if (!Number.isInteger(gasLimit) || gasLimit < 1 || gasLimit > MAX_GAS) {
    throw new VmInputError(`The gas limit of a get-method is a number from 1 to ${MAX_GAS}, ${gasLimit} came.`)
  }
  const config = configs.get(context.config)
  const job = {
    kind: 'method',
    configKey: config.key,
    ...checkContext(context),
    libraries: encodeLibraries(libraries),
    previousBlocks: encodePreviousBlocks(context.previousBlocks, config.version),
    verbosity: verbosityOf[log],
    ...bags,
    address: formatRawAddress(contract.address),
    ...checkBalance(contract.balance),
    gasLimit,
    methodId,
    readsConfig,
    withLog: log !== 'none',
  } as const
  return (hasConfig) => ({ ...job, config: hasConfig(config.key) ? undefined : config.bags })
}

const checkBalance = ({ grams, extra }: CurrencyCollection) => {
  if (grams > MAX_UINT64) throw new VmInputError(`A balance fits 64 bits here, ${grams} came.`)
  const extraCurrencies: (readonly [number, string])[] = []
  // The emulator never comes back from an amount of zero.
  extra.forEach((id, amount) => void (amount > 0n && extraCurrencies.push([id, amount.toString()])))
  return { balance: grams.toString(), extraCurrencies }
}

const toMethodRun = (
  { exitCode, gasUsed, stack, log, readsBlock, missingLibrary }: MethodAnswer,
  libraries: LibraryMap,
): MethodRun => ({
  exitCode,
  gasUsed,
  // A library may come and go with any block.
  dependsOnBlock: readsBlock || missingLibrary !== undefined || libraries.size > 0,
  stack: readWhole(decodeSingleBoc(stack, { allowPrunedRoots: true }), (r) => readVmStack(r, RESULT_LIMITS), 'A stack'),
  log,
})

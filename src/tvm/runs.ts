import type { MethodCall, RunReads, TransactionCall } from '../chain/ports.ts'
import type { Cell } from '../codec/cell/Cell.ts'
import { breakSlabChain } from '../codec/cell/CellWriter.ts'
import type { VmStack } from '../codec/tlb/VmStack.ts'
import { DEFAULT_VM_STACK_LIMITS, VmStackLimitError, type VmStackLimits } from '../codec/tlb/VmValue.ts'
import { toHex } from '../primitives/hex.ts'
import { VmResultError } from './errors.ts'
import type { ExecutorConfig } from './executor/ExecutorConfig.ts'
import { type ExecuteResult, executeInSlices } from './executor/executeTransaction.ts'
import { startMethod } from './executor/runMethod.ts'
import type { ExecuteInput } from './executor/TransactionState.ts'
import type { CodeResult, Run } from './machine/runCode.ts'
import { fromVmValue, toVmStack } from './machine/stackValues.ts'
import type { Reads } from './machine/VmStart.ts'
import type { Value } from './machine/values.ts'
import type { Recorder } from './record/Recorder.ts'
import type { VmLog } from './VmLog.ts'

/** From calls to runs of the machine, and from their results to facts. Used on the calling thread and on others alike. */

export type Surroundings = {
  readonly config: ExecutorConfig
  /** Roots of library dictionaries. */
  readonly libraries: readonly Cell[]
  readonly previousBlocks: Value
  readonly log: VmLog | undefined
  /** Sees the run instead of the log, which it hands on to. */
  readonly recorder?: Recorder | undefined
  /** Ends the run at an instruction that would hold up the thread. */
  readonly refusesSlow: boolean
}

export const beginMethod = (
  call: MethodCall,
  { config, libraries, previousBlocks, log, recorder, refusesSlow }: Surroundings,
): Run => {
  breakSlabChain()
  const { contract, methodId, stack, gasLimit, context } = call
  const { now, randomSeed, lt = 0n } = context
  return startMethod({
    code: contract.code,
    data: contract.data,
    address: contract.address,
    balance: contract.balance,
    duePayment: contract.duePayment ?? 0n,
    methodId,
    stack: stack.map(fromVmValue),
    config,
    now,
    blockLt: lt,
    lt,
    randomSeed,
    previousBlocks,
    libraries,
    gasLimit,
    refusesSlow,
    observer: recorder ?? log,
  })
}

/** Logical times of blocks are multiples of this. */
const BLOCK_LT = 1_000_000n

export const beginTransaction = (
  call: TransactionCall,
  { config, libraries, previousBlocks, log, recorder, refusesSlow }: Surroundings,
): Generator<number, ExecuteResult> => {
  const { account, cause, lt, context, ignoreSignatures } = call
  const input: ExecuteInput = {
    account,
    cause,
    config,
    now: context.now,
    lt,
    blockLt: lt - (lt % BLOCK_LT),
    randomSeed: context.randomSeed,
    libraries,
    previousBlocks,
    ignoreSignatures,
    refusesSlow,
    observer: recorder ?? log,
  }
  return executeInSlices(input)
}

/** As much as fits a tree of cells, which is at most 1024 deep: so much can be handed on. Tens of thousands of values take too long to show. */
export const RESULT_LIMITS: VmStackLimits = {
  ...DEFAULT_VM_STACK_LIMITS,
  maxDepth: 1020,
  maxNesting: 1020,
  maxValues: 1 << 14,
}

/** The stack that a get-method left. */
export const readResultStack = ({ stack }: CodeResult): VmStack => {
  try {
    return toVmStack(stack, RESULT_LIMITS)
  } catch (cause) {
    if (!(cause instanceof VmStackLimitError)) throw cause
    throw new VmResultError('The get-method left more on its stack than can be handed back.', { cause })
  }
}

// Positions in the context of a run (c7[0]).
const TIME = 3
const BLOCK_LT_AT = 4
const LT = 5
const SEED = 6
const BALANCE = 7
const CONFIG = 9
const PREVIOUS_BLOCKS = 13
const UNPACKED_CONFIG = 14
const DUE_PAYMENT = 15
const PRECOMPILED_GAS = 16

/** Parameters whose contents stand unpacked in the context. */
const UNPACKED = [18, 19, 20, 21, 24, 25, 43]
const NOTHING: readonly number[] = []

const ALL_READ: RunReads = {
  time: true,
  lt: true,
  seed: true,
  balance: true,
  previousBlocks: true,
  config: 'all',
  libraries: false,
}

export const NOTHING_READ: RunReads = {
  time: false,
  lt: false,
  seed: false,
  balance: false,
  previousBlocks: false,
  config: NOTHING,
  libraries: false,
}

const LIBRARIES_READ: RunReads = { ...NOTHING_READ, libraries: true }

export const describeReads = ({ reads, usedLibraries }: CodeResult): RunReads => {
  const { context } = reads
  if (reads.wholeContext) return { ...ALL_READ, libraries: usedLibraries }
  if (context.size === 0) return usedLibraries ? LIBRARIES_READ : NOTHING_READ
  return {
    // Which storage prices are in force depends on the time.
    time: context.has(TIME) || context.has(UNPACKED_CONFIG),
    lt: context.has(BLOCK_LT_AT) || context.has(LT),
    seed: context.has(SEED),
    balance: context.has(BALANCE) || context.has(DUE_PAYMENT),
    previousBlocks: context.has(PREVIOUS_BLOCKS),
    config: describeConfigReads(reads),
    libraries: usedLibraries,
  }
}

const describeConfigReads = ({ context, configParams, configDict }: Reads): 'all' | readonly number[] => {
  if (configDict) return 'all'
  const params = new Set(configParams)
  if (context.has(UNPACKED_CONFIG)) for (const id of UNPACKED) params.add(id)
  if (context.has(PRECOMPILED_GAS)) params.add(45)
  return params.size === 0 && !context.has(CONFIG) ? NOTHING : [...params]
}

/** Whether a result may be another after the next block. */
export const dependsOnBlock = (reads: RunReads): boolean =>
  reads !== NOTHING_READ &&
  (reads.time ||
    reads.lt ||
    reads.seed ||
    reads.balance ||
    reads.previousBlocks ||
    reads.libraries ||
    reads.config === 'all' ||
    reads.config.length > 0)

/** Hashes of what a run loaded, the cell that its code begins with included. */
export const hashesOf = ({ loadedCells }: CodeResult, code: Cell): Set<string> => {
  const hashes = new Set([toHex(code.hash())])
  for (const cell of loadedCells) hashes.add(toHex(cell.hash()))
  return hashes
}

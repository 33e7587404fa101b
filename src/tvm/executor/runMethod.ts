import type { Cell } from '../../codec/cell/Cell.ts'
import type { CurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import type { Address } from '../../primitives/Address.ts'
import { bytesToBigint } from '../../primitives/bytes.ts'
import { shrink } from '../machine/bits.ts'
import { type CodeRun, Run } from '../machine/runCode.ts'
import type { RunObserver } from '../machine/Vm.ts'
import { Builder, Slice, type Value } from '../machine/values.ts'
import type { ExecutorConfig } from './ExecutorConfig.ts'
import { addressSlice } from './TransactionState.ts'

export type MethodInput = {
  readonly code: Cell | undefined
  readonly data: Cell | undefined
  readonly address: Address
  readonly balance: CurrencyCollection
  readonly methodId: number
  /** Arguments, bottom first. */
  readonly stack: readonly Value[]
  readonly config: ExecutorConfig
  readonly now: number
  readonly blockLt: bigint
  readonly lt: bigint
  readonly randomSeed: Uint8Array
  readonly duePayment?: bigint
  readonly previousBlocks: Value
  readonly libraries: readonly Cell[]
  readonly maxLibraryLoads?: number
  readonly gasLimit: number
  readonly ignoreSignatures?: boolean
  /** As in {@link CodeRun}. */
  readonly refusesSlow?: boolean
  readonly observer?: RunObserver | undefined
}

const ADDR_NONE = Slice.of(Builder.empty.withInteger(0, 2).toCell())
/** There is no message in a get-method. */
const NO_MESSAGE: Value = [0, 0, ADDR_NONE, 0, 0, 0, 0, 0, null, null]
const NO_VALUE: Value = [0, null]

const contextOf = (input: MethodInput): Value => {
  const { config, code, balance } = input
  const { version } = config
  const { workchain, hash } = input.address
  const context: Value[] = [
    0x076ef1ea,
    0,
    0,
    input.now,
    shrink(input.blockLt),
    shrink(input.lt),
    shrink(bytesToBigint(input.randomSeed)),
    [shrink(balance.grams), (balance.extra.root as Cell | undefined) ?? null],
    addressSlice({ kind: 'std', workchain, hash, anycast: undefined }),
    config.root,
  ]
  if (version >= 4) context.push(code ?? null, NO_VALUE, 0, input.previousBlocks)
  if (version >= 6) {
    const precompiled = code && config.precompiledGas(code.hash())
    context.push(config.unpacked(input.now), shrink(input.duePayment ?? 0n))
    context.push(precompiled === undefined ? null : shrink(precompiled))
  }
  if (version >= 11) context.push(NO_MESSAGE)
  return context
}

/** A get-method that is ready to run. */
export const startMethod = (input: MethodInput): Run => {
  const { config, gasLimit, observer, ignoreSignatures, refusesSlow } = input
  const run: CodeRun = {
    version: config.version,
    code: input.code,
    data: input.data,
    stack: [...input.stack, input.methodId],
    c7: [contextOf(input)],
    gas: { limit: gasLimit, max: gasLimit, credit: 0 },
    libraries: input.libraries,
    maxLibraryLoads: input.maxLibraryLoads ?? config.limits.maxTransactionLibraryLoads,
    maxDataDepth: config.limits.maxVmDataDepth,
    observer,
    ignoreSignatures: ignoreSignatures === true,
    refusesSlow: refusesSlow === true,
  }
  return new Run(run)
}

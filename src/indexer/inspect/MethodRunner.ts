import type { ContractState, MethodCall, RunContext, VirtualMachine } from '../../chain/ports.ts'
import { BocError, CellError, ProofError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { getMethodId } from '../../codec/tlb/methodId.ts'
import { VmStackLimitError } from '../../codec/tlb/VmStackLimits.ts'
import type { MethodResult, RunMethod } from '../../contracts/methods/RunMethod.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { addressKeyOf } from '../../primitives/addressKey.ts'
import { CodedError } from '../../primitives/CodedError.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { StateView } from '../ports.ts'
import { InspectionBrokenError } from './errors.ts'
import type { InspectStats, RunFailure } from './InspectStats.ts'
import { type MethodResults, resultKeyOf } from './MethodResults.ts'
import type { Subject } from './Subject.ts'

/** As much as nodes give to those who ask. No method of a standard needs a tenth of it. */
const GAS_LIMIT = 300_000
const NO_CODE = -13
const OUT_OF_GAS = -14
const NO_SUCH_METHOD = 11

/** So often may a contract use up all its gas. After that it is not asked any more, as long as it has the same code. */
const MAX_EXHAUSTIONS = 3
/** So often does one and the same run break the machine down, or take too long, before it is taken to be the cause. */
const MAX_BREAKDOWNS = 3

/** What comes of a stack that cannot be read. */
const unreadable = [CellError, BocError, PrunedBranchError, ProofError, VmStackLimitError]

/** What kind of failure of the machine belongs to the run itself. All others are failures of the batch. */
const failureOf = (error: unknown): RunFailure | undefined => {
  if (!(error instanceof CodedError)) return undefined
  if (unreadable.some((kind) => error instanceof kind)) return 'result'
  if (error.code === 'vm_result_too_large') return 'result'
  return error.code === 'vm_input_invalid' ? 'input' : undefined
}

/** Failures that may be those of the run, and may be those of a busy machine. */
const breakdowns: ReadonlyMap<string, RunFailure> = new Map([
  ['vm_crashed', 'crash'],
  ['vm_timeout', 'timeout'],
])

/** Counts what contracts did to the machine. It outlives batches, so that what does harm does it a few times only. */
export class Offences {
  private readonly counts = new LruCache<number>(1 << 20)

  add(key: string): number {
    const count = this.count(key) + 1
    this.counts.set(key, count, 256)
    return count
  }

  count(key: string): number {
    return this.counts.find(key) ?? 0
  }
}

export type MethodRunnerParts = {
  readonly vm: VirtualMachine
  readonly view: StateView
  readonly context: RunContext
  readonly results: MethodResults
  readonly offences: Offences
  readonly stats: InspectStats
  readonly signal: AbortSignal
}

/** Runs get-methods of any contracts as they are after the last block of a batch. */
export class MethodRunner {
  private readonly parts: MethodRunnerParts
  private readonly contracts = new Map<string, Promise<ContractState | undefined>>()
  private readonly exhausted = new Set<string>()

  constructor(parts: MethodRunnerParts, subjects: readonly Subject[]) {
    this.parts = parts
    for (const { key, contract } of subjects) this.contracts.set(key, Promise.resolve(contract))
  }

  /** For one subject: of its own methods only those that its code has are run. */
  runFor(subject: Subject): RunMethod {
    return async (address, method, stack) => {
      const methodId = getMethodId(method)
      const key = toHex(addressKeyOf(address))
      if (key === subject.key && subject.methods.size > 0 && !subject.methods.has(methodId)) {
        return { exitCode: NO_SUCH_METHOD, stack: [] }
      }
      const contract = await this.read(key, address)
      if (contract === undefined) return { exitCode: NO_CODE, stack }
      const { context } = this.parts
      return this.run({ contract, methodId, stack, gasLimit: GAS_LIMIT, context, log: 'none' })
    }
  }

  /** Whether a run of a subject in this batch took all that it may. */
  isExhausted({ contract }: Subject): boolean {
    return this.exhausted.has(culpritOf(contract))
  }

  private read(key: string, address: Address): Promise<ContractState | undefined> {
    const before = this.contracts.get(key)
    if (before !== undefined) return before
    const reading = this.parts.view.findContract(address)
    this.contracts.set(key, reading)
    return reading
  }

  private async run(call: MethodCall): Promise<MethodResult> {
    const { results, offences, stats } = this.parts
    const key = resultKeyOf(call)
    const before = results.find(key)
    if (before !== undefined) {
      stats.cachedRuns++
      return before
    }
    const culprit = culpritOf(call.contract)
    if (offences.count(culprit) >= MAX_EXHAUSTIONS || offences.count(key) >= MAX_BREAKDOWNS) {
      this.exhausted.add(culprit)
      return noResult
    }
    const result = await this.runAnew(call, key)
    if (result.exitCode === OUT_OF_GAS) this.exhausted.add(culprit)
    return result
  }

  private async runAnew(call: MethodCall, key: string): Promise<MethodResult> {
    const { vm, results, offences, stats, signal } = this.parts
    stats.runs++
    try {
      const run = await vm.runMethod(call, signal)
      if (run.exitCode === OUT_OF_GAS) {
        stats.failedRuns.gas++
        offences.add(culpritOf(call.contract))
      }
      results.keep(key, run)
      return { exitCode: run.exitCode, stack: run.stack }
    } catch (error) {
      return this.explain(error, call, key)
    }
  }

  private explain(error: unknown, { contract, methodId }: MethodCall, key: string): MethodResult {
    const { offences, stats } = this.parts
    const failure = failureOf(error)
    if (failure !== undefined) {
      stats.failedRuns[failure]++
      return noResult
    }
    const breakdown = error instanceof CodedError ? breakdowns.get(error.code) : undefined
    if (breakdown === undefined) throw error
    stats.failedRuns[breakdown]++
    if (offences.add(key) >= MAX_BREAKDOWNS) return noResult
    const where = `method ${methodId} of ${formatRawAddress(contract.address)}`
    throw new InspectionBrokenError(`The virtual machine broke down or took too long with ${where}.`, { cause: error })
  }
}

const culpritOf = ({ address, code }: ContractState): string => `${formatRawAddress(address)} ${toHex(code.hash())}`

/** As a run ends that is given no more gas. */
const noResult: MethodResult = { exitCode: OUT_OF_GAS, stack: [] }

import type { ContractState, MethodCall, MethodRun, RunContext, VirtualMachine } from '../../chain/ports.ts'
import type { CellArena } from '../../codec/cell/CellArena.ts'
import { BocError, CellError, ProofError, PrunedBranchError } from '../../codec/cell/errors.ts'
import { detachVmStack, encodeVmStack, type VmStack } from '../../codec/tlb/VmStack.ts'
import { getMethodId, VmStackLimitError, type VmValue } from '../../codec/tlb/VmValue.ts'
import type { MethodResult, RunMethod } from '../../contracts/getMethods.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type Address, addressKeyOf, formatRawAddress } from '../../primitives/Address.ts'
import { toBase64 } from '../../primitives/base64.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { CodedError } from '../../primitives/errors.ts'
import { sha256 } from '../../primitives/hash.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import type { StateView } from '../ports.ts'
import type { InspectStats, RunFailure } from './Detector.ts'
import type { Subject } from './knownContracts.ts'

const ENTRY_BYTES = 256
/** Arrays over a bag of cells take about twice its size. */
const ARENA_FACTOR = 3
/** One large result must not evict many others. */
const MAX_ENTRY_BYTES = 64 * 1024

const noArguments = new Uint8Array(0)

/** Cache of results that depend on nothing but the key, and so never change. */
export class MethodResults {
  private readonly results: LruCache<MethodResult>

  constructor(maxBytes: number) {
    this.results = new LruCache(maxBytes)
  }

  find(key: string): MethodResult | undefined {
    return this.results.find(key)
  }

  keep(key: string, { exitCode, stack, dependsOnBlock }: MethodRun): void {
    if (dependsOnBlock || stack.length > MAX_ENTRY_BYTES / ENTRY_BYTES) return
    const own = tryDetach(stack)
    const bytes = own === undefined ? Number.POSITIVE_INFINITY : sizeOf(own)
    if (own !== undefined && bytes <= MAX_ENTRY_BYTES) this.results.set(key, { exitCode, stack: own }, bytes)
  }
}

/** Everything a run depends on if it does not read the block: code, data, address, method, arguments and config. */
const resultKeyOf = ({ contract, methodId, stack, context }: MethodCall): string => {
  const method = new Uint8Array(4)
  new DataView(method.buffer).setInt32(0, methodId)
  return toBase64(
    sha256(
      concatBytes([
        contract.code.hash(),
        contract.data.hash(),
        addressKeyOf(contract.address),
        context.config.hash(),
        method,
        stack.length === 0 ? noArguments : encodeVmStack(stack),
      ]),
    ),
  )
}

/** `undefined` for values that no tree of cells can hold. */
const tryDetach = (stack: VmStack): VmStack | undefined => {
  try {
    return detachVmStack(stack)
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}

/** A cell retains its whole bag of cells. */
const sizeOf = (stack: VmStack): number => {
  const arenas = new Set<CellArena>()
  let values = 0
  const visit = (value: VmValue): void => {
    values++
    if (value.kind === 'cell' || value.kind === 'builder') arenas.add(value.cell.arena)
    else if (value.kind === 'slice') arenas.add(value.slice.arena)
    else if (value.kind === 'tuple') value.items.forEach(visit)
    // Continuations are never read here and cannot be measured, so such results are not cached.
    else if (value.kind === 'continuation') values = Infinity
  }
  stack.forEach(visit)
  let bytes = ENTRY_BYTES * (1 + values)
  for (const arena of arenas) bytes += ARENA_FACTOR * arena.bytes.length
  return bytes
}

/** The gas limit of nodes. No method of a standard needs a tenth of it. */
const GAS_LIMIT = 300_000
const NO_CODE = -13
const OUT_OF_GAS = -14
const NO_SUCH_METHOD = 11

/** After this many contracts that exhausted their gas, code that never succeeded is not run any more. */
const MAX_EXHAUSTED_CONTRACTS = 8

/** Errors of an unreadable stack. */
const unreadable = [CellError, BocError, PrunedBranchError, ProofError, VmStackLimitError]

/** The failure, if it is due to the run. Other errors fail the batch. */
const failureOf = (error: unknown): RunFailure | undefined => {
  if (!(error instanceof CodedError)) return undefined
  if (unreadable.some((kind) => error instanceof kind)) return 'result'
  switch (error.code) {
    case 'vm_result_too_large':
      return 'result'
    case 'vm_input_invalid':
      return 'input'
    case 'vm_timeout':
      return 'timeout'
    case 'vm_crashed':
      // A thread that failed to start says nothing about the run.
      return error.retryable ? undefined : 'crash'
    default:
      return undefined
  }
}

/** Failures that block the virtual machine, whatever the contract. */
const breakdowns: ReadonlySet<RunFailure> = new Set(['timeout', 'crash'])

/** Remembers contracts that failed in the virtual machine. It outlives batches, so that each does harm only once. */
export class Offences {
  private readonly contracts = new LruCache<true>(1 << 20)
  private readonly codes = new LruCache<{ exhausted: number; isBroken: boolean }>(1 << 20)
  private readonly goodCodes = new LruCache<true>(1 << 20)

  /** Whether the contract is blocked. */
  has(contract: ContractState): boolean {
    const record = this.codes.find(codeKeyOf(contract))
    if (record?.isBroken === true || this.contracts.find(contractKeyOf(contract)) === true) return true
    return record !== undefined && record.exhausted >= MAX_EXHAUSTED_CONTRACTS && !this.isGood(contract)
  }

  addGood(contract: ContractState): void {
    if (!this.isGood(contract)) this.goodCodes.set(codeKeyOf(contract), true, ENTRY_BYTES)
  }

  /** The contract exhausted its gas. Others with the same code may not: that depends on their data. */
  addExhausted(contract: ContractState): void {
    this.contracts.set(contractKeyOf(contract), true, ENTRY_BYTES)
    const { exhausted, isBroken } = this.open(contract)
    this.codes.set(codeKeyOf(contract), { exhausted: exhausted + 1, isBroken }, ENTRY_BYTES)
  }

  /** A run timed out or crashed the virtual machine. The gas limit prevents that, except for code made to do so. */
  addBroken(contract: ContractState): void {
    this.contracts.set(contractKeyOf(contract), true, ENTRY_BYTES)
    // Code that succeeded for other contracts is not blocked.
    if (this.isGood(contract)) return
    this.codes.set(codeKeyOf(contract), { ...this.open(contract), isBroken: true }, ENTRY_BYTES)
  }

  /** Whether its code has succeeded before. */
  isGood(contract: ContractState): boolean {
    return this.goodCodes.find(codeKeyOf(contract)) === true
  }

  private open(contract: ContractState): { readonly exhausted: number; readonly isBroken: boolean } {
    return this.codes.find(codeKeyOf(contract)) ?? { exhausted: 0, isBroken: false }
  }
}

export type MethodRunnerParts = {
  readonly vm: VirtualMachine
  readonly view: StateView
  readonly context: RunContext
  readonly results: MethodResults
  readonly offences: Offences
  readonly stats: InspectStats
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Runs get-methods at the state after a batch. */
export class MethodRunner {
  private readonly parts: MethodRunnerParts
  private readonly contracts = new Map<string, Promise<ContractState | undefined>>()
  private readonly exhausted = new Set<string>()

  constructor(parts: MethodRunnerParts, subjects: readonly Subject[]) {
    this.parts = parts
    for (const { key, contract } of subjects) this.contracts.set(key, Promise.resolve(contract))
  }

  /** A runner for one subject: of its own methods, runs only those that its code has. */
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
      return this.run({ contract, methodId, stack, gasLimit: GAS_LIMIT, context, forIndex: true, log: 'none' })
    }
  }

  /** Whether a run of the subject in this batch exhausted its limits. */
  isExhausted({ contract }: Subject): boolean {
    return this.exhausted.has(contractKeyOf(contract))
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
    const result = offences.has(call.contract) ? noResult : await this.runAnew(call, key)
    if (result.exitCode === OUT_OF_GAS) this.exhausted.add(contractKeyOf(call.contract))
    return result
  }

  private async runAnew(call: MethodCall, key: string, isSecond = false): Promise<MethodResult> {
    const { vm, results, offences, stats, signal } = this.parts
    stats.runs++
    try {
      const run = await vm.runMethod(call, signal)
      if (run.exitCode === OUT_OF_GAS) {
        stats.failedRuns.gas++
        offences.addExhausted(call.contract)
        this.report(call, 'it ran out of gas')
      } else {
        offences.addGood(call.contract)
      }
      results.keep(key, run)
      return { exitCode: run.exitCode, stack: run.stack }
    } catch (error) {
      const isBreakdown = breakdowns.has(failureOf(error)!)
      // If this code succeeded before, the virtual machine is probably at fault.
      if (isBreakdown && !isSecond && offences.isGood(call.contract)) return this.runAnew(call, key, true)
      return this.explain(error, call)
    }
  }

  private explain(error: unknown, call: MethodCall): MethodResult {
    const { offences, stats } = this.parts
    const failure = failureOf(error)
    if (failure === undefined) throw error
    stats.failedRuns[failure]++
    if (!breakdowns.has(failure)) return noResult
    offences.addBroken(call.contract)
    this.report(call, (error as CodedError).message)
    return noResult
  }

  private report({ contract, methodId }: MethodCall, reason: string): void {
    this.parts.logger.warn('get-method failed, contract skipped', {
      address: formatRawAddress(contract.address),
      method: methodId,
      code_hash: codeKeyOf(contract),
      reason,
    })
  }
}

const codeKeyOf = ({ code }: ContractState): string => toHex(code.hash())
const contractKeyOf = ({ address, code }: ContractState): string => `${formatRawAddress(address)} ${toHex(code.hash())}`

/** The result of a run without gas. */
const noResult: MethodResult = { exitCode: OUT_OF_GAS, stack: [] }

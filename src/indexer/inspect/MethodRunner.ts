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
/** Arrays over a bag of cells take about as much as the bag itself, twice. */
const ARENA_FACTOR = 3
/** One result is no reason to forget many others. */
const MAX_ENTRY_BYTES = 64 * 1024

const noArguments = new Uint8Array(0)

/** Results of runs that would end the same at any time, because they depend on nothing but what the key is made of. */
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

/** All that a run may depend on that does not look at the block: code, data, address, method, arguments and configuration. */
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

/** A cell keeps all that came with it. */
const sizeOf = (stack: VmStack): number => {
  const arenas = new Set<CellArena>()
  let values = 0
  const visit = (value: VmValue): void => {
    values++
    if (value.kind === 'cell' || value.kind === 'builder') arenas.add(value.cell.arena)
    else if (value.kind === 'slice') arenas.add(value.slice.arena)
    else if (value.kind === 'tuple') value.items.forEach(visit)
    // Nobody here reads continuations; what one drags along is not counted, so it is not kept either.
    else if (value.kind === 'continuation') values = Infinity
  }
  stack.forEach(visit)
  let bytes = ENTRY_BYTES * (1 + values)
  for (const arena of arenas) bytes += ARENA_FACTOR * arena.bytes.length
  return bytes
}

/** As much as nodes give to those who ask. No method of a standard needs a tenth of it. */
const GAS_LIMIT = 300_000
const NO_CODE = -13
const OUT_OF_GAS = -14
const NO_SUCH_METHOD = 11

/** From so many contracts that use up all their gas on, code that never ended well is not run for any contract. */
const MAX_EXHAUSTED_CONTRACTS = 8

/** What comes of a stack that cannot be read. */
const unreadable = [CellError, BocError, PrunedBranchError, ProofError, VmStackLimitError]

/** What kind of failure of the machine belongs to the run itself. All others are failures of the batch. */
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
      // A thread that could not be started says nothing of the run.
      return error.retryable ? undefined : 'crash'
    default:
      return undefined
  }
}

/** Failures by which code holds up the machine, whatever contract has it. */
const breakdowns: ReadonlySet<RunFailure> = new Set(['timeout', 'crash'])

/** Remembers what contracts did to the machine. It outlives batches, so that each does harm once only. */
export class Offences {
  private readonly contracts = new LruCache<true>(1 << 20)
  private readonly codes = new LruCache<{ exhausted: number; isBroken: boolean }>(1 << 20)
  private readonly goodCodes = new LruCache<true>(1 << 20)

  /** Whether nothing of this contract is to be run any more. */
  has(contract: ContractState): boolean {
    const record = this.codes.find(codeKeyOf(contract))
    if (record?.isBroken === true || this.contracts.find(contractKeyOf(contract)) === true) return true
    return record !== undefined && record.exhausted >= MAX_EXHAUSTED_CONTRACTS && !this.isGood(contract)
  }

  addGood(contract: ContractState): void {
    if (!this.isGood(contract)) this.goodCodes.set(codeKeyOf(contract), true, ENTRY_BYTES)
  }

  /** A contract used up all its gas. Others with the same code may not: that depends on their data. */
  addExhausted(contract: ContractState): void {
    this.contracts.set(contractKeyOf(contract), true, ENTRY_BYTES)
    const { exhausted, isBroken } = this.open(contract)
    this.codes.set(codeKeyOf(contract), { exhausted: exhausted + 1, isBroken }, ENTRY_BYTES)
  }

  /** A run took too long, or broke the machine down. Gas forbids that to any code but such as is made for it. */
  addBroken(contract: ContractState): void {
    this.contracts.set(contractKeyOf(contract), true, ENTRY_BYTES)
    // Contracts with code that ended well for others are not to suffer for one of them.
    if (this.isGood(contract)) return
    this.codes.set(codeKeyOf(contract), { ...this.open(contract), isBroken: true }, ENTRY_BYTES)
  }

  /** Whether its code has ended well before. */
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
      return this.run({ contract, methodId, stack, gasLimit: GAS_LIMIT, context, forIndex: true, log: 'none' })
    }
  }

  /** Whether a run of a subject in this batch took all that it may. */
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
      // Where this code ended well before, the fault is likely that of the machine.
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

/** As a run ends that is given no more gas. */
const noResult: MethodResult = { exitCode: OUT_OF_GAS, stack: [] }

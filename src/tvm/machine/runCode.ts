import type { Cell } from '../../codec/cell/Cell.ts'
import { LIBRARY_REFERENCE } from '../../codec/cell/exotic.ts'
import { CellAccess } from './CellAccess.ts'
import { NO_CODE_EXIT, OutOfGas, STACK_UNDERFLOW } from './faults.ts'
import { Gas, type GasLimits } from './Gas.ts'
import { decoderFor, NEWEST_VERSION } from './instructions/table.ts'
import { type RunEnvironment, type RunObserver, Vm } from './Vm.ts'
import { type ChildPlan, Reads } from './VmStart.ts'
import { Builder, Slice, type Tuple, type Value } from './values.ts'

export type CodeRun = {
  readonly version: number
  /** `undefined` for an account without code. */
  readonly code: Cell | undefined
  readonly data: Cell | undefined
  readonly stack: Value[]
  readonly c7: Tuple
  readonly gas: GasLimits
  /** Roots of library dictionaries, tried in this order. */
  readonly libraries: readonly Cell[]
  readonly maxLibraryLoads?: number | undefined
  readonly maxDataDepth?: number
  readonly ignoreSignatures?: boolean
  readonly stopOnAccept?: boolean
  /** Ends at once, by a {@link SlowInstruction}, where an instruction would take milliseconds. */
  readonly refusesSlow?: boolean
  readonly observer?: RunObserver | undefined
}

export type CodeResult = {
  readonly exitCode: number
  readonly stack: readonly Value[]
  /** Not cut to the limit: a run that is out of gas has used a little more. */
  readonly gasUsed: number
  readonly gasLimit: number
  readonly gasCredit: number
  readonly steps: number
  readonly committed: { readonly data: Cell; readonly actions: Cell } | undefined
  /** Hashes of libraries that the code asked for in vain. */
  readonly missingLibraries: readonly Uint8Array[]
  /** Whether it asked for a library, found or not. */
  readonly usedLibraries: boolean
  readonly reads: Reads
  readonly loadedCells: Iterable<Cell>
}

const DEFAULT_MAX_DATA_DEPTH = 512

/** Code that calls itself through RUNVM keeps the outer runs here. */
type Frame = { readonly vm: Vm; readonly plan: ChildPlan; readonly endIsolation: (() => void) | undefined }

/** A run that can be stopped and gone on with. */
export class Run {
  private vm: Vm | undefined = undefined
  private readonly env: RunEnvironment
  private readonly outer: Frame[] = []
  private readonly start: CodeRun

  constructor(start: CodeRun) {
    this.start = start
    const version = Math.min(start.version, NEWEST_VERSION)
    const { libraries, maxLibraryLoads } = start
    const cellOptions = { version, libraries, maxLibraryLoads }
    this.env = {
      version,
      decoder: decoderFor(version),
      cells: start.observer?.openCells?.(cellOptions) ?? new CellAccess(cellOptions),
      reads: new Reads(),
      maxDataDepth: start.maxDataDepth ?? DEFAULT_MAX_DATA_DEPTH,
      ignoreSignatures: start.ignoreSignatures ?? false,
      stopOnAccept: start.stopOnAccept ?? false,
      allowsSlow: start.refusesSlow !== true,
      counters: { signatureChecks: 0, extraBalances: 0, freeGas: 0 },
      observer: start.observer,
    }
    if (start.code === undefined) {
      start.observer?.begin?.(undefined, undefined)
      return
    }
    const code = openCode(start.code, version, this.env.cells)
    const { stack, gas, data, c7 } = start
    this.vm = new Vm(this.env, { code, stack, gas, data, c7, sameC3: true, pushZero: false })
    start.observer?.begin?.(this.vm, start.code)
  }

  /** Goes on for about `slice` gas; the result once the run has ended. */
  advance(slice = Number.POSITIVE_INFINITY): CodeResult | undefined {
    if (this.vm === undefined) return this.resultWithoutCode()
    for (let left = slice; left > 0; ) {
      const { vm } = this
      const before = vm.gas.used
      if (vm.run(left)) {
        if (vm.child !== undefined) this.enterChild(vm)
      } else if (this.outer.length === 0) return this.result(vm)
      else this.leaveChild(vm)
      left -= Math.max(1, vm.gas.used - before)
    }
    return undefined
  }

  /** Gas that the run has used so far, runs inside it included. */
  get gasUsed(): number {
    let used = this.vm?.gas.used ?? 0
    for (const { vm } of this.outer) used += vm.gas.used
    return used
  }

  private enterChild(vm: Vm): void {
    const plan = vm.child!
    vm.child = undefined
    const { counters, cells, version } = this.env
    let endIsolation: (() => void) | undefined
    let { gas } = plan.start
    try {
      if (plan.isolateGas) {
        const { freeGas } = counters
        counters.signatureChecks = 0
        counters.extraBalances = 0
        counters.freeGas = 0
        vm.gas.charge(freeGas)
        endIsolation = cells.isolate()
      }
    } catch (error) {
      if (!(error instanceof OutOfGas)) throw error
      vm.endOutOfGas()
      return
    }
    if (version >= 10) {
      const { remaining } = vm.gas
      gas = { limit: Math.min(gas.limit, remaining), max: Math.min(gas.max, remaining), credit: 0 }
    }
    this.outer.push({ vm, plan, endIsolation })
    this.vm = new Vm(this.env, { ...plan.start, gas })
    this.env.observer?.enterChild?.(vm, this.vm)
  }

  /** Goes on with the outer run, which gets the results. */
  private leaveChild(child: Vm): void {
    const { vm, plan, endIsolation } = this.outer.pop()!
    this.vm = vm
    endIsolation?.()
    vm.steps += child.steps
    this.env.observer?.leaveChild?.(vm, child, chargedFor(child))
    try {
      giveResults(vm, child, plan)
    } catch (error) {
      if (!(error instanceof OutOfGas)) throw error
      vm.endOutOfGas()
    }
  }

  private result(vm: Vm): CodeResult {
    return {
      exitCode: vm.exitCode!,
      stack: vm.stack,
      gasUsed: vm.gas.used,
      gasLimit: vm.gas.limit,
      gasCredit: vm.gas.credit,
      steps: vm.steps,
      committed: vm.committed,
      missingLibraries: this.env.cells.missingLibraries,
      usedLibraries: this.env.cells.usedLibraries,
      reads: this.env.reads,
      loadedCells: this.env.cells.loadedCells,
    }
  }

  private resultWithoutCode(): CodeResult {
    const { gas, stack } = this.start
    const { limit, credit } = new Gas(gas, this.env.version)
    return {
      exitCode: NO_CODE_EXIT,
      stack,
      gasUsed: 0,
      gasLimit: limit,
      gasCredit: credit,
      steps: 0,
      committed: undefined,
      missingLibraries: [],
      usedLibraries: false,
      reads: this.env.reads,
      loadedCells: [],
    }
  }
}

/** Runs code to its end. */
export const runCode = (start: CodeRun): CodeResult => {
  const run = new Run(start)
  for (;;) {
    const result = run.advance()
    if (result !== undefined) return result
  }
}

/** What a run inside another costs the outer one. */
const chargedFor = ({ gas }: Vm): number => Math.min(gas.used, gas.limit + 1)

const giveResults = (vm: Vm, child: Vm, plan: ChildPlan): void => {
  vm.gas.charge(chargedFor(child))
  let exitCode = child.exitCode!
  const depth = child.stack.length
  let count = Math.min(depth, 1)
  if (exitCode === 0 || exitCode === 1) {
    count = depth
    if (plan.returnValues >= 0) {
      count = plan.returnValues
      if (depth < count) {
        count = 0
        exitCode = ~STACK_UNDERFLOW
        vm.push(0)
      }
    }
  }
  vm.gas.chargeStack(count)
  for (let k = depth - count; k < depth; k++) vm.push(child.stack[k] as Value)
  vm.push(exitCode)
  if (plan.returnData) vm.push(child.committed?.data ?? null)
  if (plan.returnActions) vm.push(child.committed?.actions ?? null)
  if (plan.returnGas) vm.push(child.gas.used)
}

/**
 * The code to begin with. A cell that cannot be opened is wrapped, so that the first step fails to jump into it; older versions leave
 * every exotic cell to that jump.
 */
const openCode = (cell: Cell, version: number, cells: CellAccess): Slice => {
  if (!cell.isExotic) return Slice.of(cell)
  const free = new Gas({ limit: Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, credit: 0 }, version)
  const isLibrary = version >= 9 && cell.exoticType === LIBRARY_REFERENCE
  const library = isLibrary ? cells.findLibrary(cell, free) : undefined
  if (library !== undefined && !library.isExotic) return Slice.of(library)
  return Slice.of(Builder.empty.withRef(cell).toCell())
}

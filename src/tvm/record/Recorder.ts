import {
  CHECKPOINT_EVERY,
  MAX_RECORDED_STEPS,
  type RecordedChildSummary,
  type RecordedRun,
  type RecordedStep,
  type RecordOptions,
  type VmRecording,
} from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { CellAccess, type CellAccessOptions } from '../machine/CellAccess.ts'
import { faultText, OUT_OF_GAS_EXIT } from '../machine/faults.ts'
import { CELL_LOAD_GAS, CELL_RELOAD_GAS, type Gas } from '../machine/Gas.ts'
import { describeInstruction } from '../machine/instructionText.ts'
import type { CodeResult } from '../machine/runCode.ts'
import type { RunObserver, Vm } from '../machine/Vm.ts'
import type { Continuation, Slice, Value } from '../machine/values.ts'
import type { VmLog } from '../VmLog.ts'
import { ActionQueue } from './ActionQueue.ts'
import { CallDepth } from './CallDepth.ts'
import { conditionOf } from './conditions.ts'
import { hashOf, PageValues } from './PageValues.ts'
import { RecordedLevel } from './RecordedLevel.ts'
import { Registers } from './Registers.ts'
import { type CodeCell, type CodePosition, Summary } from './Summary.ts'

/** Steps kept of each run inside the run, and how many such runs are listed. */
const MAX_CHILD_STEPS = 1_000
const MAX_CHILDREN = 1_000
/** Characters of a step besides its values. */
const STEP_SIZE = 150

export type RecorderFacts = {
  /** Price of gas as the configuration has it: times 65,536. */
  readonly gasPrice: bigint
  /** Whether the network charges a fixed price for the code with this hash. */
  readonly isPrecompiled: (codeHash: Uint8Array) => boolean
}

/** Records a window of the steps of a run, and adds up all of it. */
export class Recorder implements RunObserver {
  private readonly options: RecordOptions
  private readonly facts: RecorderFacts
  private readonly log: VmLog | undefined
  private readonly page: PageValues
  private readonly summary = new Summary()
  private readonly actions = new ActionQueue()
  private readonly children: RecordedChildSummary[] = []
  private readonly levels: RecordedLevel[] = []
  private readonly to: number
  private readonly from: number
  private readonly path: readonly number[]
  private entry = 0
  private isPrecompiled = false
  private firstRegisters: VmRecording['registers']
  /** Whether the page has no room for the next step. */
  private isClosed = false

  constructor(options: RecordOptions, facts: RecorderFacts, log?: VmLog) {
    this.options = options
    this.facts = facts
    this.log = log
    this.page = new PageValues(options.cells)
    const { from, count, path = [] } = options.window ?? { from: 0, count: 0 }
    this.path = path
    this.from = from
    this.to = from + Math.min(count, MAX_RECORDED_STEPS)
  }

  openCells(options: CellAccessOptions): CellAccess {
    return new ObservedCells(options, ({ arena, index }, isFirst) =>
      this.summary.noteLoad(arena, index, isFirst, this.levels.at(-1)?.place?.loadsCode === true),
    )
  }

  begin(vm: Vm | undefined, code: Cell | undefined): void {
    if (vm === undefined || code === undefined) return
    const first = vm.codePosition.code.cell
    // What cannot be opened is wrapped: such code has the name of what is inside.
    const isWrapped = first.bits === 0 && first.refCount === 1 && code.isExotic
    this.isPrecompiled = this.facts.isPrecompiled(code.hash())
    this.levels.push(new RecordedLevel(vm, hashOf(isWrapped ? code : first), 0, new CallDepth()))
    const top = vm.stack.at(-1)
    if (typeof top === 'number') this.entry = top
  }

  step(vm: Vm, word: number): void {
    this.log?.step(vm, word)
    const level = this.levels[this.levels.length - 1]!
    if (level.place !== undefined) this.endStep(level, vm.gas.used, vm.gas.remaining)
    this.beginStep(level, vm, word)
  }

  fault(vm: Vm, code: number): void {
    this.log?.fault(vm, code)
  }

  exception(vm: Vm, code: number): void {
    const caught = !isDefaultHandler(vm.c2)
    this.levels.at(-1)!.noteException({ code, text: faultText(code), caught })
  }

  enterChild(_vm: Vm, child: Vm): void {
    const codeHash = hashOf(child.codePosition.code.cell)
    this.levels.push(new RecordedLevel(child, codeHash, this.summary.frameCount, new CallDepth()))
  }

  leaveChild(_vm: Vm, child: Vm, charged: number): void {
    const level = this.levels.at(-1)!
    const exitCode = child.exitCode!
    this.endLevel(level, exitCode, charged, Math.max(0, child.gas.remaining))
    this.levels.pop()
    this.summary.leaveTo(level.firstFrame)
    const outer = this.levels.at(-1)!
    outer.childGas += charged
    const { limit, credit } = child.gas
    const from = this.levels.length === this.path.length ? this.from : 0
    const run = level.toRun(exitCode, { limit, credit, used: charged, price: this.price }, from, child.stack)
    if (outer.isKept) outer.child = run
    if (this.children.length === MAX_CHILDREN) {
      this.summary.isTruncated = true
      return
    }
    this.children.push({
      path: this.levels.map(({ index }) => index),
      code_hash: run.code_hash,
      exit_code: exitCode,
      gas_used: charged,
      steps_total: run.steps_total,
      ...(run.failure && { failure: run.failure }),
    })
  }

  /** The recording, once the run has ended. */
  end(result: CodeResult): VmRecording {
    const { exitCode, gasUsed, gasLimit, gasCredit, stack, committed } = result
    const base = gasLimit + gasCredit
    const used = Math.min(gasUsed, base)
    const gas = { limit: gasLimit, credit: gasCredit, used, price: this.price }
    const level = this.levels[0]
    const rest = {
      entry: { method_id: this.entry },
      ...(this.isPrecompiled && { precompiled: true as const }),
      ...(this.firstRegisters && { registers: this.firstRegisters }),
    }
    if (level === undefined) return { ...this.withoutCode(exitCode, gas), ...rest }
    this.endLevel(level, exitCode, used, base - used)
    const run = level.toRun(exitCode, gas, this.path[0] ?? this.from, stack)
    const { c4, c5 } = level.vm
    const final = {
      stack: this.page.writeStack(stack),
      c4: this.page.nameCell(committed?.data ?? c4),
      c5: this.page.nameCell(committed?.actions ?? c5),
    }
    return {
      ...run,
      ...rest,
      truncated: run.truncated || this.isClosed || this.page.hasCut,
      final,
      actions: committed === undefined ? [] : this.actions.stepsOf(committed.actions),
      children: this.children,
      summary: this.summary.toSummary(),
      cells: this.page.cells,
      cells_left_out: this.page.cellsLeftOut,
    }
  }

  private get price(): string {
    return String(this.facts.gasPrice)
  }

  private withoutCode(exitCode: number, gas: RecordedRun['gas']): Omit<VmRecording, 'entry'> {
    return {
      code_hash: '',
      gas,
      steps_total: 0,
      steps_from: this.from,
      truncated: false,
      exit_code: exitCode,
      steps: [],
      checkpoints: {},
      failure: { code: exitCode, text: 'no code', caught: false },
      throws: [],
      final: { stack: [], c4: '', c5: '' },
      actions: [],
      children: [],
      summary: this.summary.toSummary(),
      cells: {},
      cells_left_out: 0,
    }
  }

  private beginStep(level: RecordedLevel, vm: Vm, word: number): void {
    const { code, bit, ref } = vm.codePosition
    const cell = this.summary.cellAt(code.arena, code.index)
    const isImplicit = bit === code.bitEnd
    const place =
      this.summary.findPlace(cell, bit, isImplicit) ??
      this.summary.addPlace(cell, describePlace(vm, word, code, bit, ref))
    const d = level.depth.of(vm.c0)
    this.syncFrames(level, vm, d, code, bit, cell)
    if (place.condition !== undefined) {
      const outcome = place.condition(vm.stack)
      if (outcome === true) place.whenTrue++
      else if (outcome === false) place.whenFalse++
    }
    const cellHash = cell.hash === '' ? hashOf(code.cell) : undefined
    level.open(cell, cellHash, place, d, vm.gas.used)
    level.c5 = vm.c5
    level.isKept = this.wants(level)
    if (level.isKept) this.openStep(level, vm)
  }

  /** Whether the step that begins is one to keep. */
  private wants(level: RecordedLevel): boolean {
    const depth = this.levels.length - 1
    const isInside = depth === 0 || this.levels[depth - 1]!.isKept
    if (depth < this.path.length) return isInside && level.index === this.path[depth]
    if (depth === this.path.length && isInside) {
      if (level.index < this.from || level.index >= this.to || this.isClosed) return false
      this.isClosed = this.page.isFull
      return !this.isClosed
    }
    if (!isInside) return false
    const hasRoom = level.index < MAX_CHILD_STEPS && !this.page.isFull
    if (!hasRoom) level.isTruncated = true
    return hasRoom
  }

  private openStep(level: RecordedLevel, vm: Vm): void {
    const { stack, registers } = this.options
    const { index } = level
    if (registers) {
      level.registers = new Registers(vm)
      if (this.levels.length === 1) this.firstRegisters ??= level.registers.writeAll(this.page)
    }
    if (stack === 'none') return
    level.stackBefore = [...vm.stack]
    if (stack !== 'diff') return
    if (level.steps.length === 0 || index % CHECKPOINT_EVERY === 0) {
      level.checkpoints[index] = this.page.writeStack(vm.stack)
    }
  }

  /** Call frames follow the depth. Where the code of c3 begins, the number of a method is on the stack. */
  private syncFrames(level: RecordedLevel, vm: Vm, d: number, code: Slice, bit: number, cell: CodeCell): void {
    const count = level.firstFrame + d + 1
    const { summary } = this
    summary.leaveTo(count)
    const start = vm.c3.code
    const isSelector =
      start !== undefined && start.index === code.index && start.arena === code.arena && start.bitStart === bit
    const top = isSelector ? vm.stack[vm.stack.length - 1] : undefined
    if (typeof top === 'number') {
      summary.leaveTo(count - 1)
      while (summary.frameCount < count - 1) summary.enter(undefined, cell, bit)
      summary.enter(top, cell, bit)
    } else while (summary.frameCount < count) summary.enter(undefined, cell, bit)
  }

  private endStep(level: RecordedLevel, used: number, left: number): void {
    const { vm, cell, place } = level
    const gas = used - level.usedBefore
    // A run inside this step has been added up already.
    this.summary.add(cell!, place!, gas - level.childGas)
    let act: number | undefined
    if (this.levels.length === 1 && vm.c5 !== level.c5) act = this.actions.note(level.c5, vm.c5, level.index)
    if (level.isKept) this.keepStep(level, gas, left, act)
    level.close()
  }

  private keepStep(level: RecordedLevel, gas: number, left: number, act: number | undefined): void {
    const { vm, place, stackBefore, registers, exception, child } = level
    const { page } = this
    page.size += STEP_SIZE + place!.text.length
    const reg = registers?.writeChanges(vm, page)
    const step: RecordedStep = {
      i: level.index,
      cell: level.cellHash ?? level.cell!.hash,
      offset: place!.offset,
      op: place!.text,
      gas,
      left,
      ...(stackBefore && this.writeStack(stackBefore, vm.stack)),
      d: level.d,
      ...(reg && { reg }),
      ...(act !== undefined && { act }),
      ...(exception && { exc: exception }),
      ...(child && { child }),
    }
    level.steps.push(step)
  }

  private writeStack(before: readonly Value[], after: readonly Value[]): Partial<RecordedStep> {
    const { stack } = this.options
    const { page } = this
    if (stack === 'full') return { stack: page.writeStack(before), depth: before.length }
    if (typeof stack === 'object') {
      const top = stack.top === 0 ? [] : before.slice(-stack.top)
      return { stack: page.writeStack(top), depth: before.length }
    }
    const shared = countShared(before, after)
    return { pop: before.length - shared, push: page.writeStack(after.slice(shared)) }
  }

  private endLevel(level: RecordedLevel, exitCode: number, used: number, left: number): void {
    if (exitCode === OUT_OF_GAS_EXIT) {
      level.noteException({ code: OUT_OF_GAS_EXIT, text: 'out of gas', caught: false })
    }
    level.noteFailure(exitCode)
    if (level.place !== undefined) this.endStep(level, used, left)
  }
}

/** How many values from the bottom on are the same. */
const countShared = (a: readonly Value[], b: readonly Value[]): number => {
  const count = Math.min(a.length, b.length)
  for (let k = 0; k < count; k++) if (!Object.is(a[k], b[k])) return k
  return count
}

const isDefaultHandler = (handler: Continuation): boolean => {
  let at: Continuation | undefined = handler
  while (at?.kind === 'envelope') at = at.body
  return at?.kind === 'quitException'
}

const CODE_LOADS = /^(?:P?F?X?DICT.*(?:JMPZ?|EXECZ?|SWITCH))$/

const describePlace = (
  vm: Vm,
  word: number,
  code: Slice,
  bit: number,
  ref: number,
): Omit<CodePosition, 'instruction'> => {
  const counts = { count: 0, gas: 0, whenTrue: 0, whenFalse: 0 }
  if (bit === code.bitEnd) {
    const text = ref < code.refEnd ? 'implicit JMPREF' : 'implicit RET'
    return { ...counts, offset: bit, isImplicit: true, text, name: text, loadsCode: true, condition: undefined }
  }
  const instruction = vm.env.decoder.find(word)
  if (instruction === undefined || instruction.bits > code.bitEnd - bit) {
    const text = 'invalid opcode'
    return { ...counts, offset: bit, isImplicit: false, text, name: text, loadsCode: false, condition: undefined }
  }
  const { text } = describeInstruction(instruction, word, vm.restOfCode())
  return {
    ...counts,
    offset: bit,
    isImplicit: false,
    text,
    name: text.split(' ', 1)[0]!,
    loadsCode: instruction.operands.includes('ref') || CODE_LOADS.test(instruction.name),
    condition: conditionOf(instruction, word),
  }
}

/** Tells of each cell that is loaded. */
class ObservedCells extends CellAccess {
  private readonly onLoad: (cell: Cell, isFirst: boolean) => void

  constructor(options: CellAccessOptions, onLoad: (cell: Cell, isFirst: boolean) => void) {
    super(options)
    this.onLoad = onLoad
  }

  override registerLoad(cell: Cell, gas: Gas): void {
    gas.charge(this.registerFree(cell) ? CELL_LOAD_GAS : CELL_RELOAD_GAS)
  }

  override registerFree(cell: Cell): boolean {
    const isFirst = super.registerFree(cell)
    this.onLoad(cell, isFirst)
    return isFirst
  }
}

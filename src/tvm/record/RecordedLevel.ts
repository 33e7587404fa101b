import type {
  RecordedException,
  RecordedFailure,
  RecordedRun,
  RecordedStep,
  RecordedThrow,
  RecordedValue,
} from '../../chain/recording.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { exitArgument } from '../executor/computePhase.ts'
import { faultText } from '../machine/faults.ts'
import type { Vm } from '../machine/Vm.ts'
import type { Value } from '../machine/values.ts'
import type { CallDepth } from './CallDepth.ts'
import type { Registers } from './Registers.ts'
import type { CodeCell, CodePosition } from './Summary.ts'

const MAX_THROWS = 1_000

/** One machine of a run, the outermost or one that RUNVM started: its step under way, and what is kept of its steps. */
export class RecordedLevel {
  readonly vm: Vm
  readonly codeHash: string
  /** Call frames below those of this machine. */
  readonly firstFrame: number
  readonly depth: CallDepth
  readonly steps: RecordedStep[] = []
  readonly checkpoints: Record<string, readonly RecordedValue[]> = {}
  isTruncated = false

  /** The step under way, or the last. */
  index = -1
  cell: CodeCell | undefined = undefined
  /** Where the cell is one of too many to be told apart. */
  cellHash: string | undefined = undefined
  place: CodePosition | undefined = undefined
  d = 0
  usedBefore = 0
  childGas = 0
  isKept = false
  c5: Cell
  stackBefore: readonly Value[] | undefined = undefined
  registers: Registers | undefined = undefined
  exception: RecordedException | undefined = undefined
  child: RecordedRun | undefined = undefined

  private readonly throws: RecordedThrow[] = []
  private failure: RecordedFailure | undefined = undefined

  constructor(vm: Vm, codeHash: string, firstFrame: number, depth: CallDepth) {
    this.vm = vm
    this.codeHash = codeHash
    this.firstFrame = firstFrame
    this.depth = depth
    this.c5 = vm.c5
  }

  open(cell: CodeCell, cellHash: string | undefined, place: CodePosition, d: number, used: number): void {
    this.index++
    this.cell = cell
    this.cellHash = cellHash
    this.place = place
    this.d = d
    this.usedBefore = used
  }

  close(): void {
    this.place = undefined
    this.stackBefore = undefined
    this.registers = undefined
    this.exception = undefined
    this.child = undefined
    this.childGas = 0
  }

  noteException(exception: RecordedException): void {
    this.exception = exception
    if (this.throws.length < MAX_THROWS) this.throws.push({ step: this.index, ...exception })
  }

  /** The run has ended, at the step that is still under way. */
  noteFailure(exitCode: number): void {
    if (exitCode === 0 || exitCode === 1) return
    const thrown = this.exception
    if (thrown !== undefined) {
      // Whatever handler there was, the run did not go on.
      this.exception = { ...thrown, caught: false }
      const last = this.throws.at(-1)
      if (last?.step === this.index) this.throws[this.throws.length - 1] = { ...last, caught: false }
    }
    this.failure = {
      code: exitCode,
      text: thrown?.code === exitCode ? thrown.text : faultText(exitCode),
      caught: false,
      ...(this.index >= 0 && { step: this.index }),
      ...(this.place && { location: { cell: this.cellHash ?? this.cell!.hash, offset: this.place.offset } }),
    }
  }

  toRun(exitCode: number, gas: RecordedRun['gas'], from: number, stack: readonly Value[]): RecordedRun {
    const isSuccess = exitCode === 0 || exitCode === 1
    const argument = isSuccess ? undefined : exitArgument(stack)
    return {
      code_hash: this.codeHash,
      gas,
      steps_total: this.index + 1,
      steps_from: from,
      truncated: this.isTruncated,
      exit_code: exitCode,
      ...(argument !== undefined && { exit_arg: argument }),
      steps: this.steps,
      checkpoints: this.checkpoints,
      ...(this.failure && { failure: this.failure }),
      throws: this.throws,
    }
  }
}

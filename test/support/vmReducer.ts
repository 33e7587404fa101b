import type { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { decodeSingleBoc } from '../../src/codec/cell/decodeBoc.ts'
import { decodeVmStack } from '../../src/codec/tlb/VmStack.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { OUT_OF_GAS_EXIT, VmFault } from '../../src/tvm/machine/faults.ts'
import { decoderFor } from '../../src/tvm/machine/instructions/table.ts'
import { fromVmValue } from '../../src/tvm/machine/stackValues.ts'
import type { RunObserver, Vm } from '../../src/tvm/machine/Vm.ts'
import { Continuation, Slice, type Value } from '../../src/tvm/machine/values.ts'
import { LIBRARIES, methodContext, prefixDrop, stackText, toText, versionOf } from './vmContext.ts'
import type { VmOracle } from './vmOracles.ts'
import { compareReply, type VmReply, type VmRequest, VmRequests } from './vmRequests.ts'
import { sampleVmConfig } from './vmSamples.ts'
import { shrinkCell, shrinkCode, shrinkList, shrinkValue } from './vmShrink.ts'

/** Code and what it starts with, in the form that is made smaller. */
export type Program = {
  readonly version: number
  readonly code: Cell
  readonly stack: readonly Value[]
  readonly data: Cell
  readonly gas: NonNullable<VmRequest['gas']>
  readonly hasLibraries: boolean
  /** Runs as a get-method, with a configuration and all that c7 holds. */
  readonly hasContext: boolean
}

/** How two machines differ on one run. */
export type Difference = {
  readonly fields: readonly string[]
  readonly ours: VmReply
  readonly theirs: VmReply
  /** The last instruction of ours that raised an exception. */
  readonly faulted: string | undefined
}

export type Reduced = { readonly program: Program; readonly difference: Difference; readonly calls: number }

/** The other machine is asked at most so often about one difference. */
const MAX_CALLS = 600
const BATCH = 12
/** Where a run may be cut is looked for among so many first steps. */
const MAX_STEPS = 3000
const PLAIN_GAS = { limit: 100_000, max: 100_000, credit: 0 }
const JUDGED_VERSION = 13
/** What it costs to drop the number of a method. */
const DROP_GAS = 18

const configs = new Map<number, string>()

const configText = (version: number): string => {
  let text = configs.get(version)
  if (text === undefined) {
    text = toText(sampleVmConfig({ version }))
    configs.set(version, text)
  }
  return text
}

export const toRequest = (program: Program): VmRequest => {
  const { version, code, stack, data, gas, hasLibraries, hasContext } = program
  const values = stack.length === 0 ? {} : { stack: stackText(stack) }
  const libs = hasLibraries ? { libs: [LIBRARIES] } : {}
  if (!hasContext) {
    return { kind: 'code', version, code: toText(code), data: toText(data), gas, ...values, ...libs }
  }
  const { libs: _all, ...context } = methodContext(version, gas.limit)
  const method = { ...context, config: configText(version), data: toText(data), ...libs }
  const top = stack.at(-1)
  if (isMethodId(top)) {
    return { ...method, code: toText(code), methodId: top, stack: stackText(stack.slice(0, -1)) }
  }
  // A number of a method comes on top: it is dropped first.
  const limit = gas.limit + DROP_GAS
  return { ...method, gas: { limit, max: limit, credit: 0 }, code: toText(prefixDrop(code)), methodId: 0, ...values }
}

/** Whether a get-method can be called with this value on top of the stack, without more ado. */
const isMethodId = (value: Value | undefined): value is number => typeof value === 'number' && value === (value | 0)

const cellOf = (text: string | undefined): Cell =>
  text === undefined ? emptyCell : decodeSingleBoc(Buffer.from(text, 'base64'))

export const toProgram = (request: VmRequest): Program => {
  const { kind, code, data, gas = PLAIN_GAS, methodId, stack, libs, version, config } = request
  const values = stack === undefined ? [] : decodeVmStack(Buffer.from(stack, 'base64')).map(fromVmValue)
  return {
    version: version ?? versionOf(config!),
    code: cellOf(code),
    stack: kind === 'method' ? [...values, methodId ?? 0] : values,
    data: cellOf(data),
    gas,
    hasLibraries: libs !== undefined,
    hasContext: kind === 'method',
  }
}

/** Remembers what stood before each step of the outermost run. */
class StepRecorder implements RunObserver {
  steps: { readonly code: Slice; readonly stack: readonly Value[]; readonly gasLeft: number }[] = []
  faulted: string | undefined = undefined
  private keepsSteps = false
  private outermost: Vm | undefined = undefined
  private last: string | undefined = undefined

  reset(keepsSteps: boolean): void {
    this.keepsSteps = keepsSteps
    this.steps = []
    this.faulted = undefined
    this.outermost = undefined
  }

  step(vm: Vm, word: number): void {
    this.outermost ??= vm
    this.last = decoderFor(vm.version).find(word)?.name
    if (!this.keepsSteps || vm !== this.outermost || this.steps.length === MAX_STEPS) return
    this.steps.push({ code: vm.restOfCode(), stack: vm.stack.slice(), gasLeft: vm.gas.remaining })
  }

  fault(): void {
    this.faulted = this.last
  }
}

/** Makes runs on which two machines differ as small as they get while they still differ in the same way. */
export class Reducer {
  private readonly oracle: VmOracle
  private readonly recorder = new StepRecorder()
  private readonly machine = new VmRequests(this.recorder)

  constructor(oracle: VmOracle) {
    this.oracle = oracle
  }

  /** The smallest form; `undefined` where the run does not differ when it is repeated. */
  async reduce(request: VmRequest): Promise<Reduced | undefined> {
    const program = toProgram(request)
    const [difference] = await this.compare([program])
    if (difference === undefined) return undefined
    const reduction = new Reduction(this, program, difference)
    await reduction.run()
    return { program: reduction.program, difference: reduction.difference, calls: reduction.calls }
  }

  /** How the machines differ on each; `undefined` where they do not, or where one of them cannot run it. */
  async compare(programs: readonly Program[]): Promise<(Difference | undefined)[]> {
    const prepared = programs.map((program) => this.runOurs(program))
    const requests = prepared.flatMap((each) => (each === undefined ? [] : [each.request]))
    const answers = (await this.oracle.answer(requests))[Symbol.iterator]()
    return prepared.map((each) => {
      if (each === undefined) return undefined
      const theirs = answers.next().value as VmReply | undefined
      if (theirs === undefined) return undefined
      const fields = compareReply(each.ours, theirs).map((text) => text.slice(0, text.indexOf(':')))
      return fields.length === 0 ? undefined : { fields, ours: each.ours, theirs, faulted: each.faulted }
    })
  }

  stepsOf(program: Program): StepRecorder['steps'] {
    this.recorder.reset(true)
    this.machine.run(toRequest(program))
    return this.recorder.steps
  }

  /** What does not fit into cells cannot be asked about; nor can a stack too long to be written out. */
  private runOurs(program: Program): { request: VmRequest; ours: VmReply; faulted: string | undefined } | undefined {
    this.recorder.reset(false)
    try {
      const request = toRequest(program)
      const ours = this.machine.run(request)
      return ours['stackText'] === undefined ? undefined : { request, ours, faulted: this.recorder.faulted }
    } catch (error) {
      if (error instanceof VmFault || error instanceof CodedError) return undefined
      throw error
    }
  }
}

const CODE = 'exitCode'

type IsSame = (before: Difference, after: Difference) => boolean

/** The same fields, and both machines end with the same codes. */
const endsAlike: IsSame = (before, after) =>
  before.fields.join() === after.fields.join() &&
  before.ours[CODE] === after.ours[CODE] &&
  before.theirs[CODE] === after.theirs[CODE]

/**
 * The same kind of difference. Where exit codes differ, what the other fields say follows from it: then the machine that stopped first
 * still stops with the same code, ours at the same instruction; the other one ends with another code, as before or without a fault.
 */
const isSameKind: IsSame = (before, after) => {
  if (!before.fields.includes(CODE)) return endsAlike(before, after)
  if (!after.fields.includes(CODE)) return false
  const isTheirsFirst = Number(before.ours['steps']) > Number(before.theirs['steps'])
  const [first, second] = isTheirsFirst ? (['theirs', 'ours'] as const) : (['ours', 'theirs'] as const)
  if (before[first][CODE] !== after[first][CODE]) return false
  const end = after[second][CODE]
  return (isTheirsFirst || before.faulted === after.faulted) && (end === before[second][CODE] || end === 0 || end === 1)
}

class Reduction {
  program: Program
  difference: Difference
  calls = 1
  private readonly reducer: Reducer

  constructor(reducer: Reducer, program: Program, difference: Difference) {
    this.reducer = reducer
    this.program = program
    this.difference = difference
  }

  async run(): Promise<void> {
    await this.simplify()
    await this.cutStart()
    await this.simplify()
    for (let before: Program | undefined; before !== this.program && this.calls < MAX_CALLS; ) {
      before = this.program
      await this.shrink((p) => mapEach(shrinkCode(p.code, p.version), (code) => ({ ...p, code })))
      await this.shrink((p) =>
        mapEach(
          shrinkList(p.stack, () => []),
          (stack) => ({ ...p, stack }),
        ),
      )
      await this.shrink((p) => mapEach(shrinkList(p.stack, shrinkValue), (stack) => ({ ...p, stack })))
      await this.shrink((p) => mapEach(shrinkCell(p.data), (data) => ({ ...p, data })))
      if (before !== this.program) await this.cutStart()
    }
    await this.simplify()
  }

  /** Without context, libraries and limits, by the rules that can be judged. */
  private async simplify(): Promise<void> {
    const changes: Partial<Program>[] = [
      { hasContext: false },
      { gas: PLAIN_GAS },
      { hasLibraries: false },
      { data: emptyCell },
      { version: JUDGED_VERSION },
    ]
    const { program } = this
    const isChange = (change: Partial<Program>): boolean =>
      Object.entries(change).some(([name, value]) => program[name as keyof Program] !== value)
    const wanted = changes.filter(isChange)
    if (wanted.length === 0) return
    if (await this.tryAll([Object.assign({}, program, ...wanted)], isSameKind)) return
    for (const change of wanted) await this.tryAll([{ ...this.program, ...change }], isSameKind)
  }

  /** Leaves out all that ran before the step that matters: the stack is what it was there. */
  private async cutStart(): Promise<void> {
    const { program } = this
    const steps = this.reducer.stepsOf(program)
    const isOutOfGas =
      this.difference.ours[CODE] === OUT_OF_GAS_EXIT || this.difference.theirs[CODE] === OUT_OF_GAS_EXIT
    const cut = (k: number): Program => {
      const { code, stack, gasLeft } = steps[k]!
      const gas = isOutOfGas ? { limit: gasLeft, max: gasLeft, credit: 0 } : program.gas
      return { ...program, code: code.toCell(), stack: stack.map(askable), gas }
    }
    const skipped = program.hasContext && !isMethodId(program.stack.at(-1)) ? 1 : 0
    const end = Number(this.difference.theirs['steps'] ?? 0)
    const places = new Set<number>()
    for (let k = 0; k < 8; k++) places.add(steps.length - 1 - k).add(end - k)
    for (let back = 8; back < steps.length; back *= 1.5) places.add(steps.length - 1 - Math.floor(back))
    const order = [...places].filter((k) => k > skipped && k < steps.length).toSorted((a, b) => b - a)
    for (let from = 0; from < order.length; from += BATCH) {
      const tried = order.slice(from, from + BATCH)
      const at = await this.tryAll(tried.map(cut), endsAlike)
      if (at !== undefined) {
        await this.bisect(cut, tried[at - 1]!, order[from + at - 2])
        return
      }
    }
  }

  private async bisect(cut: (step: number) => Program, from: number, to: number | undefined): Promise<void> {
    let [low, high] = [from, to ?? from]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((await this.tryAll([cut(middle)], endsAlike)) === undefined) high = middle
      else low = middle
    }
  }

  private async shrink(candidates: (program: Program) => Iterable<Program>): Promise<void> {
    for (let isSmaller = true; isSmaller && this.calls < MAX_CALLS; ) {
      isSmaller = false
      let batch: Program[] = []
      for (const candidate of candidates(this.program)) {
        batch.push(candidate)
        if (batch.length < BATCH) continue
        isSmaller = (await this.tryAll(batch, isSameKind)) !== undefined
        batch = []
        if (isSmaller || this.calls >= MAX_CALLS) break
      }
      if (batch.length > 0) isSmaller = (await this.tryAll(batch, isSameKind)) !== undefined
    }
  }

  /** Goes on with the first that still differs in the same way; its number, from 1 on. */
  private async tryAll(programs: readonly Program[], isSame: IsSame): Promise<number | undefined> {
    this.calls += programs.length
    const differences = await this.reducer.compare(programs)
    const at = differences.findIndex((each) => each !== undefined && isSame(this.difference, each))
    if (at < 0) return undefined
    this.program = programs[at]!
    this.difference = differences[at]!
    return at + 1
  }
}

/** Not every machine takes continuations and slices of exotic cells in requests. */
const askable = (value: Value): Value =>
  value instanceof Continuation || (value instanceof Slice && value.cell.isExotic) ? null : value

const mapEach = function* <From, To>(items: Iterable<From>, change: (item: From) => To): Generator<To> {
  for (const item of items) yield change(item)
}

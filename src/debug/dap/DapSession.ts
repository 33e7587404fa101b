import { explainExitCode } from '../../chain/exitCodes.ts'
import type { CodeListing, RecordedStep } from '../../chain/recording.ts'
import { addressOf, Breakpoints, EXCEPTION_FILTERS } from './Breakpoints.ts'
import { CodeDocument } from './CodeDocument.ts'
import type { DapMessage, DapRequest } from './messages.ts'
import { type Arguments, RunSources, type SourceOptions } from './RunSources.ts'
import { type LoadSteps, StepReader } from './StepReader.ts'
import { OpenVariables, type Variable } from './variables.ts'

/** A recorded run as an editor debugs it. */
export type DebuggedRun = SourceOptions & {
  /** What to say before any step: the verdict, and that a replay is not exact. */
  readonly notes: readonly string[]
  readonly load: LoadSteps
  readonly listing: Pick<CodeListing, 'cells' | 'methods'>
}

type Frame = { readonly name: string; readonly position: number }
type StopReason = 'entry' | 'step' | 'breakpoint' | 'instruction breakpoint' | 'exception' | 'pause' | 'goto'
/** Where a movement ends: before a step, or behind the last one. */
type Stop = { readonly position: number; readonly reason: StopReason }

const THREAD = { id: 1, name: 'compute phase' }
const MAX_FRAMES = 64
const MAX_SEARCHED = 20_000
/** What the session can do besides the basics. */
const CAPABILITIES = {
  supportsConfigurationDoneRequest: true,
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsInstructionBreakpoints: true,
  supportsDisassembleRequest: true,
  supportsExceptionInfoRequest: true,
  supportsLoadedSourcesRequest: true,
  supportsEvaluateForHovers: true,
  supportsTerminateRequest: true,
  exceptionBreakpointFilters: EXCEPTION_FILTERS,
}

/** Answers an editor: the run is recorded, so it can be walked in both directions. */
export class DapSession {
  /** Set when the editor has left. */
  isOver = false
  private readonly run: DebuggedRun
  private readonly send: (message: DapMessage) => void
  private readonly variables = new OpenVariables()
  private readonly document: CodeDocument
  private readonly sources: RunSources
  private readonly breakpoints: Breakpoints
  private reader: StepReader | undefined
  private frames: readonly Frame[] = []
  private position = 0
  private stopsOnEntry = true

  constructor(run: DebuggedRun, send: (message: DapMessage) => void) {
    this.run = run
    this.send = send
    this.document = new CodeDocument(run.listing, run.map?.methods)
    this.sources = new RunSources(this.document, run)
    this.breakpoints = new Breakpoints(this.sources)
  }

  async handle({ seq, command, arguments: args = {} }: DapRequest): Promise<void> {
    const answer = { type: 'response', request_seq: seq, command } as const
    try {
      const { body, afterwards } = await this.answer(command, args)
      this.send({ ...answer, success: true, ...(body !== undefined && { body }) })
      await afterwards?.()
    } catch (error) {
      this.send({ ...answer, success: false, message: error instanceof Error ? error.message : String(error) })
    }
  }

  private async answer(
    command: string,
    args: Arguments,
  ): Promise<{ readonly body?: unknown; readonly afterwards?: () => void | Promise<void> }> {
    switch (command) {
      case 'initialize':
        return { body: CAPABILITIES, afterwards: () => this.event('initialized') }
      case 'launch':
      case 'attach':
        await this.begin(args)
        return {}
      case 'configurationDone':
        return { afterwards: () => this.start() }
      case 'setBreakpoints':
        return { body: { breakpoints: this.breakpoints.setLines(args) } }
      case 'setInstructionBreakpoints':
        return { body: { breakpoints: this.breakpoints.setInstructions(args) } }
      case 'setExceptionBreakpoints':
        this.breakpoints.setExceptions(args)
        return { body: {} }
      case 'setFunctionBreakpoints':
        return { body: { breakpoints: [] } }
      case 'threads':
        return { body: { threads: [THREAD] } }
      case 'stackTrace':
        return { body: await this.stackTrace(args) }
      case 'scopes':
        return { body: { scopes: await this.scopes(Number(args['frameId'])) } }
      case 'variables':
        return { body: { variables: await this.variables.open(Number(args['variablesReference'])) } }
      case 'evaluate':
        return { body: await this.evaluate(String(args['expression']), Number(args['frameId'] ?? 0)) }
      case 'source':
        return { body: this.sources.read(args) }
      case 'loadedSources':
        return { body: { sources: this.sources.list() } }
      case 'disassemble':
        return { body: { instructions: this.disassemble(args) } }
      case 'exceptionInfo':
        return { body: await this.exceptionInfo() }
      case 'pause':
        return { afterwards: () => this.stopAt({ position: this.position, reason: 'pause' }) }
      case 'disconnect':
      case 'terminate':
        this.isOver = true
        return { afterwards: () => (command === 'terminate' ? this.event('terminated') : undefined) }
      default: {
        const move = await this.movement(command, args)
        if (move === undefined) throw new Error(`The request ${command} is not supported.`)
        return { body: { allThreadsContinued: true }, afterwards: move }
      }
    }
  }

  private event(event: string, body?: unknown): void {
    this.send({ type: 'event', event, ...(body !== undefined && { body }) })
  }

  private say(output: string, category = 'console'): void {
    this.event('output', { category, output: `${output}\n` })
  }

  private async begin(args: Arguments): Promise<void> {
    this.stopsOnEntry = args['stopOnEntry'] !== false
    this.reader = await StepReader.open(this.run.load)
    for (const note of this.run.notes) this.say(note, 'important')
  }

  private async start(): Promise<void> {
    if (this.stopsOnEntry || this.steps.total === 0) return this.stopAt({ position: 0, reason: 'entry' })
    return this.moveTo(await this.search(0, 1, () => false))
  }

  private get steps(): StepReader {
    if (this.reader === undefined) throw new Error('Send launch first.')
    return this.reader
  }

  private async stopAt({ position, reason }: Stop): Promise<void> {
    this.position = position
    this.variables.clear()
    this.frames = await this.listFrames()
    const { total, run } = this.steps
    const text = position === total ? `The run ended with exit code ${run.exit_code}.` : undefined
    this.event('stopped', {
      reason,
      threadId: THREAD.id,
      allThreadsStopped: true,
      ...(text !== undefined && { description: text, text }),
    })
  }

  /** Behind the last step it stops once, so that one can go back, and then ends. */
  private async moveTo(stop: Stop): Promise<void> {
    const { total, run } = this.steps
    if (stop.position < total || this.position < total) return this.stopAt(stop)
    this.event('exited', { exitCode: run.exit_code })
    this.event('terminated')
  }

  /** What a request to move on does; `undefined` if it is none. */
  private async movement(command: string, args: Arguments): Promise<(() => Promise<void>) | undefined> {
    const here = await this.findStep(this.position)
    const depth = here?.d ?? 0
    const line = here && args['granularity'] !== 'instruction' ? this.sources.placeOf(here) : undefined
    /** With a source map a step is one of lines. */
    const isElsewhere = (step: RecordedStep): boolean => {
      if (line === undefined) return true
      const place = this.sources.placeOf(step)
      return place !== undefined && (place.l !== line.l || place.f !== line.f)
    }
    const forward = (ends: (step: RecordedStep) => boolean) => async () =>
      this.moveTo(await this.search(this.position + 1, 1, ends))
    const backward = (ends: (step: RecordedStep) => boolean) => async () =>
      this.moveTo(await this.search(this.position - 1, -1, ends))
    switch (command) {
      case 'continue':
        return forward(() => false)
      case 'next':
        return forward((step) => step.d <= depth && isElsewhere(step))
      case 'stepIn':
        return forward(isElsewhere)
      case 'stepOut':
        return forward(({ d }) => d < depth)
      case 'stepBack':
        return backward((step) => step.d <= depth && isElsewhere(step))
      case 'reverseContinue':
        return backward(() => false)
      default:
        return undefined
    }
  }

  /** Goes step by step until a movement ends, or a breakpoint or exception stops it. */
  private async search(from: number, by: 1 | -1, ends: (step: RecordedStep) => boolean): Promise<Stop> {
    const { total } = this.steps
    let before = await this.findStep(from - 1)
    for (let at = Math.min(from, total); at >= 0 && at < total; at += by) {
      const step = await this.steps.step(at)
      const reason = this.breakpoints.find(step, by === 1 ? before : undefined)
      if (reason !== undefined) return { position: at, reason }
      if (ends(step)) return { position: at, reason: 'step' }
      before = step
    }
    return { position: by === 1 ? total : 0, reason: by === 1 ? 'step' : 'entry' }
  }

  private async findStep(position: number): Promise<RecordedStep | undefined> {
    const { total } = this.steps
    return position < 0 || total === 0 ? undefined : this.steps.step(Math.min(position, total - 1))
  }

  /** The call stack: where the run is, and the steps that called it, innermost first. */
  private async listFrames(): Promise<Frame[]> {
    const frames: Frame[] = []
    let at = Math.min(this.position, this.steps.total - 1)
    let name: string | undefined
    let top = await this.findStep(at)
    let position = this.position
    for (let searched = 0; top !== undefined && at >= 0 && searched < MAX_SEARCHED; searched++, at--) {
      const step = await this.steps.step(at)
      if (step.d < top.d) {
        frames.push({ name: name ?? this.nameOf(top), position })
        if (frames.length >= MAX_FRAMES) return frames
        ;[top, name, position] = [step, undefined, at]
      }
      if (step.d === top.d) name ??= this.document.findMethod(step)
    }
    if (top !== undefined) frames.push({ name: name ?? this.nameOf(top), position })
    return frames
  }

  private nameOf(step: RecordedStep): string {
    const { entry } = this.steps.run
    return (
      this.sources.placeOf(step)?.fn ??
      (step.d === 0 ? (entry.name ?? this.run.name) : `${step.cell.slice(0, 8)}:${step.offset}`)
    )
  }

  private async stackTrace({ startFrame = 0, levels = 0 }: Arguments): Promise<unknown> {
    const [start, count] = [Number(startFrame), Number(levels) || MAX_FRAMES]
    const shown = this.frames.slice(start, start + count)
    const stackFrames = await Promise.all(
      shown.map(async ({ name, position }, k) => {
        const step = await this.findStep(position)
        if (step === undefined) return { id: start + k, name, line: 0, column: 0 }
        const line = this.document.lineOf(step)
        const place = this.sources.placeOf(step)
        const source = place === undefined ? this.sources.codeSource : this.sources.fileSource(place.f)
        const where = place === undefined ? { line, column: 1 } : { line: place.l, column: place.c }
        return { id: start + k, name, source, ...where, instructionPointerReference: addressOf(line) }
      }),
    )
    return { stackFrames, totalFrames: this.frames.length }
  }

  private frameAt(id: number): number {
    return this.frames[id]?.position ?? this.position
  }

  private async scopes(frameId: number): Promise<unknown[]> {
    const position = this.frameAt(frameId)
    const { steps } = this
    const findCell = (hash: string) => steps.findCell(position, hash)
    const scope = (name: string, inside: () => Promise<readonly Variable[]>) => ({
      name,
      variablesReference: this.variables.add(inside),
      expensive: false,
    })
    return [
      scope('Stack', async () => this.variables.stack(await steps.stack(position), findCell)),
      scope('Registers', async () => this.variables.registers(await steps.registers(position), findCell)),
      scope('Step', () => this.describeStep(position)),
    ]
  }

  private async describeStep(position: number): Promise<readonly Variable[]> {
    const { total, run } = this.steps
    const step = await this.findStep(position)
    const plain = (name: string, value: string | number): Variable => ({
      name,
      value: String(value),
      variablesReference: 0,
    })
    if (step === undefined) return []
    const left = position >= total ? step.left : step.left + step.gas
    return [
      plain('step', `${position} of ${total}`),
      plain('instruction', position >= total ? 'end of the run' : step.op),
      plain('gas of the step', step.gas),
      plain('gas left', left),
      plain('gas limit', run.gas.limit),
      plain('depth', step.d),
      plain('cell', step.cell),
      plain('offset', step.offset),
      ...(step.exc === undefined ? [] : [plain('throws', describeException(step.exc))]),
    ]
  }

  /** `s0`, `c4`, or the number of a step to look at. */
  private async evaluate(expression: string, frameId: number): Promise<unknown> {
    const position = this.frameAt(frameId)
    const { steps } = this
    const findCell = (hash: string) => steps.findCell(position, hash)
    const all = [
      ...this.variables.stack(await steps.stack(position), findCell),
      ...this.variables.registers(await steps.registers(position), findCell),
      ...(await this.describeStep(position)),
    ]
    const found = all.find(({ name }) => name === expression.trim())
    if (found === undefined) throw new Error('Expected s0, s1, … for the stack, or c0 to c7 for a register.')
    const { value: result, variablesReference } = found
    return { result, variablesReference }
  }

  /** Lines of the disassembly count as addresses. */
  private disassemble(args: Arguments): unknown[] {
    const { memoryReference, offset = 0, instructionOffset = 0, instructionCount = 0 } = args
    const first = Number(memoryReference) + Number(offset) + Number(instructionOffset)
    const count = Math.min(Math.max(0, Number(instructionCount)), MAX_SEARCHED)
    return Array.from({ length: count }, (_, k) => {
      const line = first + k
      const found = this.document.at(line)
      if (found === undefined)
        return { address: addressOf(Math.max(0, line)), instruction: '', presentationHint: 'invalid' }
      return { address: addressOf(line), instruction: found.text, location: this.sources.codeSource, line }
    })
  }

  private async exceptionInfo(): Promise<unknown> {
    const step = await this.findStep(this.position)
    if (step?.exc === undefined) throw new Error('The run did not stop at an exception.')
    const { code, caught } = step.exc
    const own = this.run.map?.errors[String(code)]
    return {
      exceptionId: own ?? explainExitCode(code).name,
      description: describeException(step.exc),
      breakMode: caught ? 'always' : 'unhandled',
    }
  }
}

const describeException = ({ code, text, caught }: NonNullable<RecordedStep['exc']>): string =>
  `${code}: ${text || explainExitCode(code).meaning}${caught ? ' (caught)' : ''}`

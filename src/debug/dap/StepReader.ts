import type { RecordedRegisters, RecordedStep, RecordedValue, VmRecording } from '../../chain/recording.ts'
import { stackBefore } from '../result/stackAt.ts'

/** Records the run once more, with these steps. */
export type LoadSteps = (from: number, count: number) => Promise<VmRecording>

const PAGE = 4096
const MAX_PAGES = 8

/** The state of a run before any of its steps; position `total` is its end. Steps are loaded page by page. */
export class StepReader {
  readonly total: number
  private readonly load: LoadSteps
  private readonly pages: VmRecording[]

  private constructor(load: LoadSteps, first: VmRecording) {
    this.load = load
    this.pages = [first]
    this.total = first.steps_total
  }

  static async open(load: LoadSteps): Promise<StepReader> {
    return new StepReader(load, await load(0, PAGE))
  }

  /** What does not depend on a position. */
  get run(): VmRecording {
    return this.pages[0]!
  }

  async step(position: number): Promise<RecordedStep> {
    const { steps, steps_from: from } = await this.pageOf(position)
    return steps[position - from]!
  }

  /** Bottom first. */
  async stack(position: number): Promise<readonly RecordedValue[]> {
    if (position >= this.total) return this.run.final.stack
    return stackBefore(await this.pageOf(position), position)
  }

  async registers(position: number): Promise<RecordedRegisters> {
    const at = Math.min(position, this.total - 1)
    const { steps, steps_from: from, registers = {} } = await this.pageOf(at)
    let now = registers
    for (const { reg } of steps.slice(0, position - from)) {
      if (reg !== undefined) now = { ...now, ...reg, ...(reg.c7 !== undefined && { c7: { ...now.c7, ...reg.c7 } }) }
    }
    return now
  }

  /** A cell of the stack or of a register, as a bag of cells in base64. */
  async findCell(position: number, hash: string): Promise<string | undefined> {
    return (await this.pageOf(Math.min(position, this.total - 1))).cells[hash] ?? this.run.cells[hash]
  }

  private async pageOf(position: number): Promise<VmRecording> {
    const isIn = ({ steps_from: from, steps }: VmRecording) => position >= from && position < from + steps.length
    const known = this.pages.find(isIn)
    if (known !== undefined) return known
    let page = await this.load(position - (position % PAGE), PAGE)
    // A page of large values may end early.
    if (!isIn(page)) page = await this.load(position, PAGE)
    if (!isIn(page)) throw new TypeError(`Step ${position} must be in the page that begins with it.`)
    this.pages.push(page)
    // The first one stays: it has the summary, and is asked for most.
    if (this.pages.length > MAX_PAGES) this.pages.splice(1, 1)
    return page
  }
}

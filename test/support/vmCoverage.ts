import { decoderFor, instructions } from '../../src/tvm/machine/instructions/table.ts'
import type { Instruction, RunObserver, Vm } from '../../src/tvm/machine/Vm.ts'

/** Result codes of the action phase. */
const ACTION_CODES = [0, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 50] as const

type Count = { runs: number; failed: number }

/** Counts how often each instruction ran, and how often it failed. */
export class Coverage implements RunObserver {
  private readonly counts = new Map<Instruction, Count>(instructions.map((each) => [each, { runs: 0, failed: 0 }]))
  readonly exitCodes = new Map<number, number>()
  readonly actionCodes = new Map<number, number>(ACTION_CODES.map((code) => [code, 0]))
  private last: Count | undefined = undefined

  step(vm: Vm, word: number): void {
    const { code, bit } = vm.codePosition
    this.last = undefined
    if (bit >= code.bitEnd) return
    const instruction = decoderFor(vm.version).find(word)
    if (instruction === undefined) return
    this.last = this.counts.get(instruction)!
    this.last.runs++
  }

  fault(): void {
    if (this.last !== undefined) this.last.failed++
    this.last = undefined
  }

  add(reply: { readonly [name: string]: unknown }): void {
    count(this.exitCodes, reply['exitCode'])
    count(this.actionCodes, reply['resultCode'])
  }

  /** Instructions that never ran, or always failed. */
  get missing(): { readonly never: string[]; readonly onlyFailed: string[] } {
    const entries = [...this.counts].map(([{ name }, { runs, failed }]) => ({ name, runs, failed }))
    return {
      never: entries.filter(({ runs }) => runs === 0).map(({ name }) => name),
      onlyFailed: entries.filter(({ runs, failed }) => runs > 0 && runs === failed).map(({ name }) => name),
    }
  }

  /** A line for each instruction: name, runs, runs that failed; and the codes that runs and action phases ended with. */
  report(): string {
    const lines = [...this.counts].map(([{ name, from, bits }, { runs, failed }]) => {
      const opcode = from.toString(16).padStart(Math.ceil(bits / 4), '0')
      return `${name.padEnd(32)} ${opcode.padEnd(7)} ${String(runs).padStart(9)} ${String(failed).padStart(9)}`
    })
    return [
      `${'instruction'.padEnd(32)} ${'from'.padEnd(7)} ${'runs'.padStart(9)} ${'failed'.padStart(9)}`,
      ...lines,
      this.codes(),
    ].join('\n')
  }

  codes(): string {
    return `exit codes: ${format(this.exitCodes)}\naction result codes: ${format(this.actionCodes)}`
  }
}

const count = (counts: Map<number, number>, code: unknown): void => {
  if (typeof code === 'number') counts.set(code, (counts.get(code) ?? 0) + 1)
}

const format = (counts: ReadonlyMap<number, number>): string =>
  [...counts]
    .toSorted(([a], [b]) => a - b)
    .filter(([code]) => code >= -20 && code <= 100)
    .map(([code, runs]) => `${code}: ${runs}`)
    .join(', ')

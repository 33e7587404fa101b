import { failSlow } from '../faults.ts'
import { INSTRUCTION_GAS } from '../Gas.ts'
import type { Instruction, RunInstruction } from '../Vm.ts'

export type InstructionOptions = { readonly since?: number; readonly operands?: string }

/** The run stands last, options before it. */
type RunWithOptions = readonly [RunInstruction] | readonly [InstructionOptions, RunInstruction]

/** One instruction, or a family that differs in its operands. */
export const op = (name: string, from: number, to: number, bits: number, ...rest: RunWithOptions): Instruction => {
  const [{ since = 0, operands = '' }, run] = rest.length === 1 ? [{} as InstructionOptions, rest[0]] : rest
  return { name, from, to, bits, since, gas: INSTRUCTION_GAS + bits, operands, run }
}

/** An instruction without fixed operands. */
export const op1 = (name: string, opcode: number, bits: number, ...rest: RunWithOptions): Instruction =>
  op(name, opcode, opcode, bits, ...rest)

/** The same instruction, refused in runs that must not take long on their thread. */
export const slow = (instruction: Instruction): Instruction => ({
  ...instruction,
  run: (vm, word) => {
    if (!vm.env.allowsSlow) failSlow()
    instruction.run(vm, word)
  },
})

const NONE = -1
/** Entries from here down stand for a table of the third byte. */
const FIRST_TABLE = -2

/** Finds instructions by their first bits: a table of two bytes, and further ones where the third byte counts. */
export class Decoder {
  private readonly instructions: readonly Instruction[]
  private readonly byTwo = new Int16Array(0x10000).fill(NONE)
  private readonly byThree: Int16Array[] = []

  constructor(instructions: readonly Instruction[], version: number) {
    this.instructions = instructions
    for (const [index, { from, to, bits, since }] of instructions.entries()) {
      if (since > version) continue
      const shift = 24 - bits
      this.fill(from * 2 ** shift, (to + 1) * 2 ** shift - 1, index)
    }
  }

  find(word: number): Instruction | undefined {
    let index = this.byTwo[word >> 8]!
    if (index <= FIRST_TABLE) index = this.byThree[FIRST_TABLE - index]![word & 0xff]!
    return index === NONE ? undefined : this.instructions[index]
  }

  private fill(first: number, last: number, index: number): void {
    const start = first >> 8
    const end = last >> 8
    for (let two = start; two <= end; two++) {
      const low = two === start ? first & 0xff : 0
      const high = two === end ? last & 0xff : 0xff
      if (low === 0 && high === 0xff) this.claim(this.byTwo, two, index)
      else for (let third = low; third <= high; third++) this.claim(this.third(two), third, index)
    }
  }

  private third(two: number): Int16Array {
    const entry = this.byTwo[two]!
    if (entry <= FIRST_TABLE) return this.byThree[FIRST_TABLE - entry]!
    if (entry !== NONE) this.fail(two, entry)
    const table = new Int16Array(0x100).fill(NONE)
    this.byTwo[two] = FIRST_TABLE - this.byThree.length
    this.byThree.push(table)
    return table
  }

  private claim(table: Int16Array, at: number, index: number): void {
    if (table[at] !== NONE) this.fail(at, index)
    table[at] = index
  }

  private fail(at: number, index: number): never {
    throw new TypeError(`Two instructions share an opcode: ${this.instructions[index]?.name} at ${at.toString(16)}.`)
  }
}

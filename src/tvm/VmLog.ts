import type { VmLogDetail } from '../chain/ports.ts'
import { Cell } from '../codec/cell/Cell.ts'
import { toUpperHex } from '../primitives/hex.ts'
import { faultText, OUT_OF_GAS_EXIT } from './machine/faults.ts'
import { describeInstruction } from './machine/instructionText.ts'
import type { CodeResult } from './machine/runCode.ts'
import type { RunObserver, Vm } from './machine/Vm.ts'
import { Builder, isTuple, Slice, type Value } from './machine/values.ts'

/** So much of the end is kept. */
const MAX_CHARACTERS = 1 << 20

/** Writes what a run does in the words of a node: a line for each instruction, with place, gas and stack where they are wanted. */
export class VmLog implements RunObserver {
  private readonly withGas: boolean
  private readonly withStack: boolean
  private parts: string[] = []
  private length = 0
  /** Whether the last instruction sets another gas limit. */
  private setsLimit = false
  private hasFaulted = false
  /** Whether a step is written whose gas is not. */
  private isOpen = false

  constructor(detail: VmLogDetail) {
    this.withGas = detail === 'gas' || detail === 'stack'
    this.withStack = detail === 'stack'
  }

  step(vm: Vm, word: number): void {
    this.endStep(vm)
    const { code, bit, ref } = vm.codePosition
    const { bitEnd, refEnd } = code
    if (this.withStack) this.write(`stack: ${formatStack(vm.stack)} \n`)
    if (bit === bitEnd) this.write(ref < refEnd ? 'execute implicit JMPREF\n' : 'execute implicit RET\n')
    else {
      const rest = vm.restOfCode()
      if (this.withGas) this.write(`code cell hash: ${toUpperHex(code.cell.hash())} offset: ${bit}\n`)
      const instruction = vm.env.decoder.find(word)
      const isWhole = instruction !== undefined && instruction.bits <= bitEnd - bit
      if (isWhole) this.write(`execute ${describeInstruction(instruction, word, rest).text}\n`)
      this.setsLimit = instruction?.name === 'ACCEPT' || instruction?.name === 'SETGASLIMIT'
    }
    this.hasFaulted = false
    this.isOpen = true
  }

  fault(_vm: Vm, code: number): void {
    this.write(`handling exception code ${code}: ${faultText(code)}\n`)
    this.hasFaulted = true
  }

  /** The whole text, once the run has ended. */
  end({ exitCode, gasUsed, gasLimit, gasCredit }: CodeResult): string {
    const base = gasLimit + gasCredit
    this.noteLimit(gasLimit)
    if (exitCode === OUT_OF_GAS_EXIT)
      this.write(`unhandled out-of-gas exception: gas consumed=${gasUsed}, limit=${base}\n`)
    else if (exitCode > 1) {
      this.write(`default exception handler, terminating vm with exit code ${exitCode}\n`)
    }
    if (this.withGas && this.isOpen && exitCode !== OUT_OF_GAS_EXIT && !this.hasFaulted) {
      this.write(`gas remaining: ${base - gasUsed}\n`)
    }
    return this.parts.join('')
  }

  private endStep(vm: Vm): void {
    if (!this.isOpen) return
    this.noteLimit(vm.gas.limit)
    if (this.withGas && !this.hasFaulted) this.write(`gas remaining: ${vm.gas.remaining}\n`)
  }

  private noteLimit(limit: number): void {
    if (this.setsLimit && !this.hasFaulted) this.write(`changing gas limit to ${limit}\n`)
    this.setsLimit = false
  }

  private write(text: string): void {
    this.parts.push(text)
    this.length += text.length
    if (this.length < 2 * MAX_CHARACTERS) return
    this.parts = [this.parts.join('').slice(-MAX_CHARACTERS)]
    this.length = MAX_CHARACTERS
  }
}

const MAX_STACK_TEXT = 100_000

/** Values as nodes write them; a text that grows beyond all use is cut. */
const formatStack = (stack: readonly Value[]): string => {
  const room = { left: MAX_STACK_TEXT }
  return `[${stack.map((value) => ` ${formatValue(value, room)}`).join('')} ]`
}

const formatValue = (value: Value, room: { left: number }): string => {
  if (room.left <= 0) return '...'
  if (isTuple(value)) {
    room.left -= 2
    return value.length === 0 ? '[]' : `[ ${value.map((item) => formatValue(item, room)).join(' ')} ]`
  }
  const text = formatSimple(value)
  room.left -= text.length + 1
  return text
}

const formatSimple = (value: Exclude<Value, readonly Value[]>): string => {
  if (value === null) return '(null)'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Cell) return `C{${toUpperHex(value.hash())}}`
  if (value instanceof Slice) {
    const { bitStart, bitEnd, refStart, refEnd } = value
    return `CS{Cell{${formatCell(value.cell)}} bits: ${bitStart}..${bitEnd}; refs: ${refStart}..${refEnd}}`
  }
  if (value instanceof Builder) return `BC{${formatCell(value.toCell())}}`
  const { kind } = value as { readonly kind: string }
  return `Cont{vmc_${kind === 'ordinary' ? 'std' : kind}}`
}

/** Descriptors and data. */
const formatCell = ({ arena, index }: Cell): string => {
  const bits = arena.bitLength[index]!
  const start = arena.dataStart[index]!
  const head = Uint8Array.of(arena.d1[index]!, Math.floor(bits / 8) + Math.ceil(bits / 8))
  const data = arena.bytes.slice(start, start + ((bits + 7) >> 3))
  const rest = bits & 7
  const last = data.length - 1
  if (rest !== 0) data[last] = (data[last]! & (0xff00 >> rest)) | (0x80 >> rest)
  return `${toUpperHex(head)}${toUpperHex(data)}`
}

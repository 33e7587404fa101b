import type { VmLogDetail } from '../chain/ports.ts'
import { Cell } from '../codec/cell/Cell.ts'
import { toUpperHex } from '../primitives/hex.ts'
import { faultText, OUT_OF_GAS_EXIT } from './machine/faults.ts'
import { describeInstruction } from './machine/instructionText.ts'
import type { CodeResult } from './machine/runCode.ts'
import type { RunObserver, Vm } from './machine/Vm.ts'
import { Builder, isTuple, Slice, type Value } from './machine/values.ts'

/** A log that grows to twice as much is truncated to so much of its end. */
const MAX_CHARACTERS = 1 << 20
const TRUNCATED = '... (truncated)\n'

/** Writes what a run does in the words of a node: a line for each instruction, with place, gas and stack where they are wanted. */
export class VmLog implements RunObserver {
  private readonly withGas: boolean
  private readonly withStack: boolean
  private parts: string[] = []
  private length = 0
  private isTruncated = false
  /** Characters left for stacks. When they are spent, little of each is written. */
  private stackRoom = MAX_STACKS_TEXT
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
    if (this.withStack) this.writeStack(vm.stack)
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
    const text = this.parts.join('')
    return this.isTruncated ? `${TRUNCATED}${text.slice(text.indexOf('\n') + 1)}` : text
  }

  private writeStack(stack: readonly Value[]): void {
    const text = formatStack(stack, this.stackRoom > 0 ? MAX_STACK_TEXT : SHORT_STACK_TEXT)
    this.stackRoom -= text.length
    this.write(`stack: ${text} \n`)
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
    this.isTruncated = true
  }
}

/** Characters of one stack, of all stacks of a run, and of each after that: a run may have as many steps as values on its stack. */
const MAX_STACK_TEXT = 100_000
const MAX_STACKS_TEXT = 16 << 20
const SHORT_STACK_TEXT = 200
const MAX_NESTING = 256
const OMITTED = '...'

/** Values as nodes write them. Of a stack that is too long the top is written. */
const formatStack = (stack: readonly Value[], maxLength: number): string => {
  const room = { left: maxLength }
  const texts: string[] = []
  for (let at = stack.length - 1; at >= 0 && room.left > 0; at--) texts.push(` ${formatValue(stack[at]!, room, 0)}`)
  if (texts.length < stack.length) texts.push(` ${OMITTED}`)
  return `[${texts.reverse().join('')} ]`
}

const formatValue = (value: Value, room: { left: number }, nesting: number): string => {
  if (isTuple(value)) return formatTuple(value, room, nesting)
  const text = formatSimple(value)
  room.left -= text.length + 1
  return text
}

const formatTuple = (tuple: readonly Value[], room: { left: number }, nesting: number): string => {
  room.left -= 4
  if (tuple.length === 0) return '[]'
  const texts: string[] = []
  for (const item of tuple) {
    const isOmitted = room.left <= 0 || nesting === MAX_NESTING
    texts.push(isOmitted ? OMITTED : formatValue(item, room, nesting + 1))
    if (isOmitted) break
  }
  return `[ ${texts.join(' ')} ]`
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

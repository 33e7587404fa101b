import type { Cell } from '../../codec/cell/Cell.ts'
import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { peekBits } from './bits.ts'
import type { CellAccess } from './CellAccess.ts'
import type { NodeAccess } from './dictionary.ts'
import { CELL_OVERFLOW, fault, INVALID_OPCODE, OUT_OF_GAS_EXIT, OutOfGas, STACK_UNDERFLOW, VmFault } from './faults.ts'
import { EXCEPTION_GAS, Gas, IMPLICIT_JUMP_GAS, IMPLICIT_RETURN_GAS, INSTRUCTION_GAS } from './Gas.ts'
import type { ObserverOf } from './ObserverOf.ts'
import { ValueStack } from './ValueStack.ts'
import type { ChildPlan, Reads, VmStart } from './VmStart.ts'
import {
  againLoop,
  type Builder,
  type Continuation,
  type ControlData,
  NO_CONTROL,
  NOTHING_SAVED,
  ordinary,
  QUIT_0,
  QUIT_1,
  QUIT_11,
  QUIT_EXCEPTION,
  repeatLoop,
  type SavedRegisters,
  Slice,
  type Tuple,
  untilLoop,
  type Value,
  whileBody,
  whileCondition,
} from './values.ts'

/** From the ninth continuation of one jump on each costs gas. */
const FREE_NESTED_JUMPS = 8

/** Runs an instruction; `word` is the 24 bits at the code position, the opcode first. */
export type RunInstruction = (vm: Vm, word: number) => void

export type Instruction = {
  readonly name: string
  /** First and last opcode with their fixed operands, in `bits` bits. */
  readonly from: number
  readonly to: number
  /** Length of opcode and fixed operands. */
  readonly bits: number
  /** First global version that knows it. */
  readonly since: number
  readonly gas: number
  /** How the operands are written, for the disassembler. */
  readonly operands: string
  readonly run: RunInstruction
}

/** Finds the instruction that 24 bits of code begin with. */
export interface InstructionFinder {
  find(word: number): Instruction | undefined
}

/** What is the same for a run and for all runs inside it. */
export type RunEnvironment = {
  readonly version: number
  readonly decoder: InstructionFinder
  readonly cells: CellAccess
  readonly reads: Reads
  /** The deepest cell that may be committed. */
  readonly maxDataDepth: number
  /** Takes every signature for right, as in an estimate of fees. */
  readonly ignoreSignatures: boolean
  /** Ends the run at ACCEPT, as a node does that only wants to know whether to import a message. */
  readonly stopOnAccept: boolean
  /** Whether instructions that take milliseconds may run: curves in pure JavaScript. */
  readonly allowsSlow: boolean
  readonly counters: RunCounters
  readonly observer: RunObserver | undefined
}

/** Looks at a run from inside. It must not change anything. */
export type RunObserver = ObserverOf<Vm>

/** Instructions whose first uses cost less. */
export type RunCounters = { signatureChecks: number; extraBalances: number; freeGas: number }

/** One machine: stack, registers, code position and gas. Instructions are functions over it. */
export class Vm extends ValueStack {
  readonly env: RunEnvironment
  readonly version: number
  readonly gas: Gas
  steps = 0
  /** Set when the run has ended. */
  exitCode: number | undefined = undefined
  /** Set by an instruction that starts a run inside this one. */
  child: ChildPlan | undefined = undefined
  committed: { readonly data: Cell; readonly actions: Cell } | undefined = undefined

  c0: Continuation = QUIT_0
  c1: Continuation = QUIT_1
  c2: Continuation = QUIT_EXCEPTION
  c3: Continuation
  c4: Cell
  c5: Cell = emptyCell
  c7: Tuple

  private code: Slice
  private codeBytes: Uint8Array
  /** Offset of the code's cell in its bytes, in bits. */
  private codeBase: number
  private bit: number
  private ref: number

  constructor(env: RunEnvironment, start: VmStart) {
    super(start.stack)
    this.env = env
    this.version = env.version
    this.gas = new Gas(start.gas, env.version)
    this.code = start.code
    this.codeBytes = start.code.bytes
    this.codeBase = start.code.offset - start.code.bitStart
    this.bit = start.code.bitStart
    this.ref = start.code.refStart
    this.c3 = start.sameC3 ? ordinary(start.code) : QUIT_11
    this.c4 = start.data ?? emptyCell
    this.c7 = start.c7 ?? []
    if (start.sameC3 && start.pushZero) this.stack.push(0)
  }

  // --- running

  /** Runs until it ends, starts a run inside itself, or has used about `slice` gas; whether it is still running. */
  run(slice: number): boolean {
    // A run inside this one may have used up its gas.
    if (this.exitCode !== undefined) return false
    const { gas } = this
    gas.setPause(slice)
    for (;;) {
      try {
        this.step()
        if (gas.remaining < gas.pauseAt) {
          gas.check()
          break
        }
      } catch (error) {
        this.handle(error)
      }
      if (this.exitCode !== undefined || this.child !== undefined) break
    }
    if (this.exitCode === 0 || this.exitCode === 1) this.commitAtEnd()
    return this.exitCode === undefined
  }

  private commitAtEnd(): void {
    if (this.tryCommit()) return
    this.stack = [0]
    this.exitCode = CELL_OVERFLOW
  }

  private step(): void {
    this.steps++
    const left = this.code.bitEnd - this.bit
    if (left > 0) {
      let word = peekBits(this.codeBytes, this.codeBase + this.bit, 24)
      if (left < 24) word &= -1 << (24 - left)
      if (this.env.observer !== undefined) this.env.observer.step(this, word)
      const instruction = this.env.decoder.find(word)
      if (instruction === undefined) {
        this.gas.charge(INSTRUCTION_GAS)
        fault(INVALID_OPCODE)
      } else {
        this.gas.charge(instruction.gas)
        if (left < instruction.bits) fault(INVALID_OPCODE)
        this.bit += instruction.bits
        instruction.run(this, word)
      }
    } else if (this.ref < this.code.refEnd) {
      if (this.env.observer !== undefined) this.env.observer.step(this, 0)
      const cell = this.nextRefCell()
      this.gas.chargeNow(IMPLICIT_JUMP_GAS)
      this.jump(ordinary(this.loadCell(cell)))
    } else {
      if (this.env.observer !== undefined) this.env.observer.step(this, 0)
      this.gas.chargeNow(IMPLICIT_RETURN_GAS)
      this.ret()
    }
  }

  private handle(error: unknown): void {
    if (error instanceof OutOfGas) {
      this.endOutOfGas()
      return
    }
    if (!(error instanceof VmFault)) throw error
    this.steps++
    if (this.env.observer !== undefined) this.env.observer.fault(this, error.code)
    try {
      this.throwException(error.code, 0)
    } catch (second) {
      if (second instanceof OutOfGas) {
        this.endOutOfGas()
        return
      }
      if (!(second instanceof VmFault)) throw second
      this.exitCode = second.code
    }
  }

  endOutOfGas(): void {
    this.steps++
    this.stack = [this.gas.used]
    this.exitCode = OUT_OF_GAS_EXIT
  }

  throwException(code: number, argument: Value): void {
    this.env.observer?.exception?.(this, code)
    this.stack = [argument, code]
    this.gas.chargeNow(EXCEPTION_GAS)
    this.jump(this.c2)
  }

  tryCommit(): boolean {
    const { maxDataDepth } = this.env
    for (const cell of [this.c4, this.c5]) if (cell.levelMask !== 0 || cell.depth() > maxDataDepth) return false
    this.committed = { data: this.c4, actions: this.c5 }
    return true
  }

  // --- cells

  loadCell(cell: Cell): Slice {
    return this.env.cells.load(cell, this.gas)
  }

  createCell(builder: Builder): Cell {
    return this.env.cells.create(builder, this.gas)
  }

  /** How dictionaries reach their nodes in this run. */
  readonly nodes: NodeAccess = {
    open: (cell) => this.loadCell(cell),
    create: (builder) => this.createCell(builder),
  }

  // --- code position

  get codePosition(): { readonly code: Slice; readonly bit: number; readonly ref: number } {
    return { code: this.code, bit: this.bit, ref: this.ref }
  }

  /** The code that has not run yet. */
  restOfCode(): Slice {
    const { arena, index, bitEnd, refEnd } = this.code
    return new Slice(arena, index, this.bit, bitEnd, this.ref, refEnd)
  }

  /** Inline data of an instruction. */
  takeCode(bits: number, refs: number): Slice {
    const { arena, index, bitEnd, refEnd } = this.code
    const bit = this.bit
    const ref = this.ref
    if (bitEnd - bit < bits || refEnd - ref < refs) fault(INVALID_OPCODE)
    this.bit = bit + bits
    this.ref = ref + refs
    return new Slice(arena, index, bit, bit + bits, ref, ref + refs)
  }

  /** The next reference of the code. */
  takeCodeRef(): Cell {
    if (this.ref >= this.code.refEnd) fault(INVALID_OPCODE)
    const cell = this.nextRefCell()
    this.ref++
    return cell
  }

  private nextRefCell(): Cell {
    return this.code.ref(this.ref - this.code.refStart)
  }

  private setCode(code: Slice): void {
    this.code = code
    this.codeBytes = code.bytes
    this.bit = code.bitStart
    this.codeBase = code.offset - code.bitStart
    this.ref = code.refStart
  }

  // --- control flow

  jump(continuation: Continuation): void {
    this.follow(continuation.takesStack ? this.adjustStack(continuation, -1) : continuation)
  }

  jumpWith(continuation: Continuation, pass: number): void {
    this.follow(this.adjustStack(continuation, pass))
  }

  /** Gives a continuation the stack that it wants: its own values, and the top `pass` of the present ones (−1 for all). */
  private adjustStack(continuation: Continuation, pass: number): Continuation {
    const { stack } = this
    const depth = stack.length
    const { stack: own, nargs } = continuation.control ?? NO_CONTROL
    if (pass > depth || nargs > depth || (pass >= 0 && nargs > pass)) fault(STACK_UNDERFLOW)
    const count = nargs >= 0 ? nargs : pass
    if (own !== undefined && own.length > 0) {
      this.stack = own.concat(count < 0 ? stack : stack.slice(depth - count))
      this.gas.chargeStack(this.stack.length)
    } else if (count >= 0 && count < depth) {
      this.stack = stack.slice(depth - count)
      this.gas.chargeStack(count)
    }
    return continuation
  }

  private follow(continuation: Continuation): void {
    let entered = 0
    for (let next: Continuation | undefined = continuation; next !== undefined; ) {
      next = this.enter(next)
      if (++entered > FREE_NESTED_JUMPS && this.version >= 9) this.gas.charge(1)
      if (next !== undefined && this.version >= 9 && next.takesStack) this.adjustStack(next, -1)
    }
  }

  /** Enters a continuation; returns the one to go on with. */
  private enter(continuation: Continuation): Continuation | undefined {
    switch (continuation.kind) {
      case 'ordinary':
        this.restore(continuation.control!.save)
        this.setCode(continuation.code!)
        return undefined
      case 'envelope':
        this.restore(continuation.control!.save)
        return continuation.body
      case 'quit':
        this.exitCode = continuation.number
        return undefined
      case 'quitException':
        this.exitCode = this.popExitCode()
        return undefined
      case 'pushInt':
        this.push(continuation.number)
        return continuation.body
      case 'repeat': {
        const { body, after, number: rounds } = continuation
        if (rounds <= 0) return after
        if (!body!.hasC0) this.c0 = repeatLoop(body!, after!, rounds - 1)
        return body
      }
      case 'again':
        if (!continuation.body!.hasC0) this.c0 = continuation
        return continuation.body
      case 'until':
        if (this.popBool()) return continuation.after
        if (!continuation.body!.hasC0) this.c0 = continuation
        return continuation.body
      case 'whileCondition': {
        const { condition, body, after } = continuation
        if (!this.popBool()) return after
        if (!body!.hasC0) this.c0 = whileBody(condition!, body!, after!)
        return body
      }
      case 'whileBody': {
        const { condition, body, after } = continuation
        if (!condition!.hasC0) this.c0 = whileCondition(condition!, body!, after!)
        return condition
      }
    }
  }

  private popExitCode(): number {
    try {
      return this.popSmall(0xffff)
    } catch (error) {
      if (error instanceof VmFault) return error.code
      throw error
    }
  }

  private restore(save: SavedRegisters): void {
    if (save === NOTHING_SAVED) return
    if (save.c0 !== undefined) this.c0 = save.c0
    if (save.c1 !== undefined) this.c1 = save.c1
    if (save.c2 !== undefined) this.c2 = save.c2
    if (save.c3 !== undefined) this.c3 = save.c3
    if (save.c4 !== undefined) this.c4 = save.c4
    if (save.c5 !== undefined) this.c5 = save.c5
    if (save.c7 !== undefined) this.c7 = save.c7
  }

  call(continuation: Continuation): void {
    if (continuation.hasC0) {
      this.jump(continuation)
      return
    }
    if (continuation.takesStack) {
      this.callWith(continuation, -1, -1)
      return
    }
    this.c0 = this.returnPoint(undefined, -1)
    this.follow(continuation)
  }

  /** Calls with the top `pass` values (−1 for all), of which `returned` come back (−1 for any number). */
  callWith(continuation: Continuation, pass: number, returned: number): void {
    if (continuation.hasC0) {
      this.jumpWith(continuation, pass)
      return
    }
    const { stack } = this
    const depth = stack.length
    const { stack: own, nargs } = continuation.control ?? NO_CONTROL
    if (pass > depth || nargs > depth || (pass >= 0 && nargs > pass)) fault(STACK_UNDERFLOW)
    const count = nargs >= 0 ? nargs : pass
    const dropped = nargs >= 0 && pass >= 0 ? pass - nargs : 0
    let rest: Value[] | undefined
    if (own !== undefined && own.length > 0) {
      const passed = count < 0 ? depth : count
      this.stack = own.concat(stack.slice(depth - passed))
      rest = stack.slice(0, depth - passed - dropped)
      this.gas.chargeStack(this.stack.length)
    } else if (count >= 0) {
      this.stack = stack.slice(depth - count)
      rest = stack.slice(0, depth - count - dropped)
      this.gas.chargeStack(count)
    }
    this.c0 = this.returnPoint(rest, returned)
    this.follow(continuation)
  }

  /** The rest of the code, with c0 saved. */
  private returnPoint(stack: readonly Value[] | undefined, nargs: number): Continuation {
    const save = { ...NOTHING_SAVED, c0: this.c0 }
    return ordinary(this.restOfCode(), { stack, nargs, save })
  }

  ret(): void {
    const continuation = this.c0
    this.c0 = QUIT_0
    this.jump(continuation)
  }

  retWith(count: number): void {
    const continuation = this.c0
    this.c0 = QUIT_0
    this.jumpWith(continuation, count)
  }

  retAlt(): void {
    const continuation = this.c1
    this.c1 = QUIT_1
    this.jump(continuation)
  }

  /**
   * The rest of the code as a continuation. `saved` is a set of registers (1 for c0, 2 for c1, 4 for c2). The top `copy` values stay
   * (−1 for all), the others go with the continuation.
   */
  currentContinuation(saved: number, copy = -1, nargs = -1): Continuation {
    const { stack } = this
    const depth = stack.length
    let rest: Value[] | undefined
    if (copy > depth) fault(STACK_UNDERFLOW)
    if (copy >= 0 && copy !== depth) {
      this.stack = stack.slice(depth - copy)
      rest = stack.slice(0, depth - copy)
      if (copy > 0) this.gas.chargeStack(copy)
    }
    const save = {
      ...NOTHING_SAVED,
      c0: (saved & 1) === 0 ? undefined : this.c0,
      c1: (saved & 2) === 0 ? undefined : this.c1,
      c2: (saved & 4) === 0 ? undefined : this.c2,
    }
    const control: ControlData = { stack: rest, nargs, save: saved === 0 ? NOTHING_SAVED : save }
    if ((saved & 1) !== 0) this.c0 = QUIT_0
    if ((saved & 2) !== 0) this.c1 = QUIT_1
    return ordinary(this.restOfCode(), control)
  }

  /** Makes `after` the way out of a loop by RETALT, with the present c0 and c1 restored. */
  breakTo(after: Continuation): Continuation {
    this.c1 = after.define({ c0: this.c0, c1: this.c1 })
    return this.c1
  }

  repeat(body: Continuation, after: Continuation, rounds: number): void {
    this.jump(rounds <= 0 ? after : repeatLoop(body, after, rounds))
  }

  until(body: Continuation, after: Continuation): void {
    if (!body.hasC0) this.c0 = untilLoop(body, after)
    this.jump(body)
  }

  while(condition: Continuation, body: Continuation, after: Continuation): void {
    if (!condition.hasC0) this.c0 = whileCondition(condition, body, after)
    this.jump(condition)
  }

  again(body: Continuation): void {
    this.jump(againLoop(body))
  }
}

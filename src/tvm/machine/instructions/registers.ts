import { Cell } from '../../../codec/cell/Cell.ts'
import { fault, RANGE_CHECK, STACK_OVERFLOW, TYPE_CHECK } from '../faults.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Continuation, isTuple, NO_CONTROL, ordinary, type SavedRegisters, type Value } from '../values.ts'
import { op, op1 } from './decode.ts'

type Slot = keyof SavedRegisters

const SLOTS: readonly (Slot | undefined)[] = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', undefined, 'c7']

const slotOf = (index: number): Slot => SLOTS[index] ?? fault(RANGE_CHECK)

/** A value for a register, which must be of its type. */
const fitting = (slot: Slot, value: Value): Partial<SavedRegisters> => {
  const isRight =
    slot === 'c7'
      ? isTuple(value)
      : slot === 'c4' || slot === 'c5'
        ? value instanceof Cell
        : value instanceof Continuation
  return isRight ? { [slot]: value } : fault(TYPE_CHECK)
}

const setRegister = (vm: Vm, slot: Slot, value: Value): void => void Object.assign(vm, fitting(slot, value))

const read = (vm: Vm, slot: Slot): Value => {
  if (slot === 'c7') vm.env.reads.wholeContext = true
  return vm[slot]
}

/** Saves a register in a continuation. Before version 14 a slot that is taken is an error, but for c7. */
const defineChecked = (vm: Vm, continuation: Continuation, slot: Slot, value: Value): Continuation => {
  const saved = fitting(slot, value)
  if (vm.version < 14 && slot !== 'c7' && continuation.control?.save[slot] !== undefined) fault(TYPE_CHECK)
  return continuation.define(saved)
}

const saveMany = (vm: Vm, mask: number): void => {
  if ((mask & 64) !== 0) fault(RANGE_CHECK)
  let continuation = vm.popContinuation()
  for (let k = 0; k < 8; k++) {
    if ((mask & (1 << k)) === 0) continue
    const slot = slotOf(k)
    continuation = defineChecked(vm, continuation, slot, read(vm, slot))
  }
  vm.push(continuation)
}

// --- closures

const NEVER_RUNS = 0x40000000

/** Puts the top `copy` values into a continuation, which then takes `more` further ones (−1 for any number). */
const setArguments = (vm: Vm, copy: number, more: number): void => {
  vm.need(copy + 1)
  const continuation = vm.popContinuation()
  if (copy === 0 && more < 0) {
    vm.push(continuation)
    return
  }
  let { stack, nargs, save } = continuation.control ?? NO_CONTROL
  if (copy > 0) {
    if (nargs >= 0 && nargs < copy) fault(STACK_OVERFLOW)
    stack = (stack ?? []).concat(vm.takeTop(copy))
    vm.gas.chargeStack(stack.length)
    if (nargs >= 0) nargs -= copy
  }
  if (more >= 0) {
    if (nargs > more) nargs = NEVER_RUNS
    else if (nargs < 0) nargs = more
  }
  vm.push(continuation.withControl({ stack, nargs, save }))
}

/** Leaves the top `count` values; the others go to the continuation in c0. */
const returnArguments = (vm: Vm, count: number): void => {
  vm.need(count)
  const copy = vm.stack.length - count
  if (copy === 0) return
  const below = vm.stack
  vm.stack = below.splice(copy, count)
  const { stack, nargs, save } = vm.c0.control ?? NO_CONTROL
  if (nargs >= 0 && nargs < copy) fault(STACK_OVERFLOW)
  const joined = (stack ?? []).concat(below)
  vm.gas.chargeStack(joined.length)
  vm.c0 = vm.c0.withControl({ stack: joined, nargs: nargs >= 0 ? nargs - copy : nargs, save })
}

const bless = (vm: Vm, copy: number, more: number): void => {
  vm.need(copy + 1)
  const code = vm.popSlice()
  const stack = vm.takeTop(copy)
  vm.gas.chargeStack(copy)
  vm.push(ordinary(code, { ...NO_CONTROL, stack, nargs: more }))
}

const variableArguments =
  (run: (vm: Vm, copy: number, more: number) => void): RunInstruction =>
  (vm) => {
    vm.need(2)
    const more = vm.popSmall(255, -1)
    const copy = vm.popSmall(255)
    run(vm, copy, more)
  }

const orAny = (operand: number): number => ((operand + 1) & 15) - 1

const compose =
  (define: (value: Continuation) => Partial<SavedRegisters>): RunInstruction =>
  (vm) => {
    vm.need(2)
    const value = vm.popContinuation()
    vm.push(vm.popContinuation().define(define(value)))
  }

const opCompose = (name: string, opcode: number, run: Parameters<typeof compose>[0]): Instruction =>
  op1(name, opcode, 16, compose(run))

/** An instruction over each register: c0 to c5 and c7. */
const perRegister = (name: string, opcode: number, run: (vm: Vm, slot: Slot) => void): Instruction[] => [
  op(name, opcode, opcode + 5, 16, { operands: 'c4' }, (vm, word) => run(vm, slotOf((word >> 8) & 15))),
  op(name, opcode + 7, opcode + 7, 16, { operands: 'c4' }, (vm) => run(vm, 'c7')),
]

export const registerInstructions: readonly Instruction[] = [
  op(
    'SETCONTARGS',
    0xec00,
    0xecff,
    16,
    {
      operands: 'u4,u4any',
    },
    (vm, word) => setArguments(vm, (word >> 12) & 15, orAny((word >> 8) & 15)),
  ),
  op('RETURNARGS', 0xed00, 0xed0f, 16, { operands: 'u4' }, (vm, word) => returnArguments(vm, (word >> 8) & 15)),
  op1('RETURNVARARGS', 0xed10, 16, (vm) => returnArguments(vm, vm.popSmall(255))),
  op1('SETCONTVARARGS', 0xed11, 16, variableArguments(setArguments)),
  op1('SETNUMVARARGS', 0xed12, 16, (vm) => {
    vm.need(2)
    setArguments(vm, 0, vm.popSmall(255, -1))
  }),
  op1('BLESS', 0xed1e, 16, (vm) => vm.push(ordinary(vm.popSlice()))),
  op1('BLESSVARARGS', 0xed1f, 16, variableArguments(bless)),
  ...perRegister('PUSHCTR', 0xed40, (vm, slot) => vm.push(read(vm, slot))),
  ...perRegister('POPCTR', 0xed50, (vm, slot) => setRegister(vm, slot, vm.pop())),
  ...perRegister('SETCONTCTR', 0xed60, (vm, slot) => {
    vm.need(2)
    const continuation = vm.popContinuation()
    vm.push(defineChecked(vm, continuation, slot, vm.pop()))
  }),
  ...perRegister('SETRETCTR', 0xed70, (vm, slot) => {
    const value = vm.pop()
    vm.c0 = defineChecked(vm, vm.c0, slot, value)
  }),
  ...perRegister('SETALTCTR', 0xed80, (vm, slot) => {
    const value = vm.pop()
    vm.c1 = defineChecked(vm, vm.c1, slot, value)
  }),
  ...perRegister('POPSAVE', 0xed90, (vm, slot) => {
    const value = vm.pop()
    if (slot === 'c0' && !(value instanceof Continuation)) fault(TYPE_CHECK)
    const c0 = vm.c0.define({ [slot]: vm[slot] })
    if (slot === 'c0') vm.c0 = c0
    setRegister(vm, slot, value)
    if (slot !== 'c0') vm.c0 = c0
  }),
  ...perRegister('SAVECTR', 0xeda0, (vm, slot) => {
    vm.c0 = defineChecked(vm, vm.c0, slot, vm[slot])
  }),
  ...perRegister('SAVEALTCTR', 0xedb0, (vm, slot) => {
    vm.c1 = defineChecked(vm, vm.c1, slot, vm[slot])
  }),
  ...perRegister('SAVEBOTHCTR', 0xedc0, (vm, slot) => {
    const saved = { [slot]: vm[slot] }
    const c1 = vm.c1.define(saved)
    vm.c0 = vm.c0.define(saved)
    vm.c1 = c1
  }),
  op1('PUSHCTRX', 0xede0, 16, (vm) => vm.push(read(vm, slotOf(vm.popSmall(16))))),
  op1('POPCTRX', 0xede1, 16, (vm) => {
    vm.need(2)
    const slot = slotOf(vm.popSmall(16))
    setRegister(vm, slot, vm.pop())
  }),
  op1('SETCONTCTRX', 0xede2, 16, (vm) => {
    vm.need(3)
    const slot = slotOf(vm.popSmall(16))
    const continuation = vm.popContinuation()
    vm.push(defineChecked(vm, continuation, slot, vm.pop()))
  }),
  op('SETCONTCTRMANY', 0xede300, 0xede3ff, 24, { since: 9, operands: 'u8' }, (vm, word) => saveMany(vm, word & 255)),
  op1('SETCONTCTRMANYX', 0xede4, 16, { since: 9 }, (vm) => {
    vm.need(2)
    saveMany(vm, vm.popSmall(255))
  }),
  opCompose('BOOLAND', 0xedf0, (c0) => ({ c0 })),
  opCompose('BOOLOR', 0xedf1, (c1) => ({ c1 })),
  opCompose('COMPOSBOTH', 0xedf2, (both) => ({ c0: both, c1: both })),
  op1('ATEXIT', 0xedf3, 16, (vm) => {
    vm.c0 = vm.popContinuation().define({ c0: vm.c0 })
  }),
  op1('ATEXITALT', 0xedf4, 16, (vm) => {
    vm.c1 = vm.popContinuation().define({ c1: vm.c1 })
  }),
  op1('SETEXITALT', 0xedf5, 16, (vm) => {
    vm.c1 = vm.popContinuation().define({ c0: vm.c0, c1: vm.c1 })
  }),
  op1('THENRET', 0xedf6, 16, (vm) => vm.push(vm.popContinuation().define({ c0: vm.c0 }))),
  op1('THENRETALT', 0xedf7, 16, (vm) => vm.push(vm.popContinuation().define({ c0: vm.c1 }))),
  op1('INVERT', 0xedf8, 16, (vm) => {
    const { c0, c1 } = vm
    vm.c0 = c1
    vm.c1 = c0
  }),
  op1('SAMEALT', 0xedfa, 16, (vm) => {
    vm.c1 = vm.c0
  }),
  op1('SAMEALTSAVE', 0xedfb, 16, (vm) => {
    vm.c0 = vm.c0.define({ c1: vm.c1 })
    vm.c1 = vm.c0
  }),
  op(
    'BLESSARGS',
    0xee00,
    0xeeff,
    16,
    {
      operands: 'u4,u4any',
    },
    (vm, word) => bless(vm, (word >> 12) & 15, orAny((word >> 8) & 15)),
  ),
]

import type { Cell } from '../../../codec/cell/Cell.ts'
import { fault, INVALID_OPCODE, RANGE_CHECK, TYPE_CHECK } from '../faults.ts'
import { UNLIMITED_GAS } from '../Gas.ts'
import { toBig } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { type Continuation, type Integer, isInteger, ordinary, pushInt, type Value } from '../values.ts'
import { op, op1 } from './decode.ts'

const continuationOf = (vm: Vm, cell: Cell): Continuation => ordinary(vm.loadCell(cell))

const MAX_ARGUMENTS = 254

/** Four bits of which 15 means "any number". */
const orAny = (operand: number): number => ((operand + 1) & 15) - 1

// --- calls and jumps

const callCurrent = (vm: Vm, pass: number, returned: number): void => {
  const continuation = vm.popContinuation()
  const current = vm.currentContinuation(3, pass, returned)
  vm.push(current)
  vm.jump(continuation)
}

const runVm = (vm: Vm, flags: number): void => {
  if (flags >= 512) fault(RANGE_CHECK)
  vm.gas.charge(40)
  const givenMax = (flags & 64) === 0 ? undefined : vm.popLong()
  const limit = (flags & 8) === 0 ? UNLIMITED_GAS : vm.popLong()
  const max = givenMax === undefined ? limit : Math.max(givenMax, limit)
  const c7 = (flags & 16) === 0 ? undefined : vm.popTuple(Number.MAX_SAFE_INTEGER)
  const data = (flags & 4) === 0 ? undefined : vm.popCell()
  const returnValues = (flags & 256) === 0 ? -1 : vm.popSmall(2 ** 30)
  const code = vm.popSlice()
  const count = vm.popSmall(vm.stack.length - 1)
  const stack = vm.takeTop(count)
  vm.gas.chargeStack(count)
  const { remaining } = vm.gas
  vm.child = {
    start: {
      code,
      stack,
      gas: { limit: Math.min(limit, remaining), max: Math.min(max, remaining), credit: 0 },
      data,
      c7,
      sameC3: (flags & 1) !== 0,
      pushZero: (flags & 2) !== 0,
    },
    returnData: (flags & 4) !== 0,
    returnActions: (flags & 32) !== 0,
    returnGas: (flags & 8) !== 0,
    isolateGas: (flags & 128) !== 0,
    returnValues,
  }
}

const jumpInstructions: readonly Instruction[] = [
  op1('EXECUTE', 0xd8, 8, (vm) => vm.call(vm.popContinuation())),
  op1('JMPX', 0xd9, 8, (vm) => vm.jump(vm.popContinuation())),
  op('CALLXARGS', 0xda00, 0xdaff, 16, { operands: 'u4,u4' }, (vm, word) =>
    vm.callWith(vm.popContinuation(), (word >> 12) & 15, (word >> 8) & 15),
  ),
  op(
    'CALLXARGS_VAR',
    0xdb00,
    0xdb0f,
    16,
    {
      operands: 'u4,-1',
    },
    (vm, word) => vm.callWith(vm.popContinuation(), (word >> 8) & 15, -1),
  ),
  op('JMPXARGS', 0xdb10, 0xdb1f, 16, { operands: 'u4' }, (vm, word) =>
    vm.jumpWith(vm.popContinuation(), (word >> 8) & 15),
  ),
  op('RETARGS', 0xdb20, 0xdb2f, 16, { operands: 'u4' }, (vm, word) => vm.retWith((word >> 8) & 15)),
  op1('RET', 0xdb30, 16, (vm) => vm.ret()),
  op1('RETALT', 0xdb31, 16, (vm) => vm.retAlt()),
  op1('RETBOOL', 0xdb32, 16, (vm) => (vm.popBool() ? vm.ret() : vm.retAlt())),
  op1('CALLCC', 0xdb34, 16, (vm) => callCurrent(vm, -1, -1)),
  op1('JMPXDATA', 0xdb35, 16, (vm) => {
    const continuation = vm.popContinuation()
    vm.push(vm.restOfCode())
    vm.jump(continuation)
  }),
  op('CALLCCARGS', 0xdb3600, 0xdb36ff, 24, { operands: 'u4,u4any' }, (vm, word) => {
    const pass = (word >> 4) & 15
    vm.need(pass + 1)
    callCurrent(vm, pass, orAny(word & 15))
  }),
  op1('CALLXVARARGS', 0xdb38, 16, (vm) => {
    vm.need(3)
    const returned = vm.popSmall(MAX_ARGUMENTS, -1)
    const pass = vm.popSmall(MAX_ARGUMENTS, -1)
    vm.callWith(vm.popContinuation(), pass, returned)
  }),
  op1('RETVARARGS', 0xdb39, 16, (vm) => vm.retWith(vm.popSmall(MAX_ARGUMENTS, -1))),
  op1('JMPXVARARGS', 0xdb3a, 16, (vm) => {
    vm.need(2)
    const pass = vm.popSmall(MAX_ARGUMENTS, -1)
    vm.need(pass + 1)
    vm.jumpWith(vm.popContinuation(), pass)
  }),
  op1('CALLCCVARARGS', 0xdb3b, 16, (vm) => {
    vm.need(3)
    const returned = vm.popSmall(MAX_ARGUMENTS, -1)
    const pass = vm.popSmall(MAX_ARGUMENTS, -1)
    vm.need(pass + 1)
    callCurrent(vm, pass, returned)
  }),
  op1('CALLREF', 0xdb3c, 16, { operands: 'ref' }, (vm) => vm.call(continuationOf(vm, vm.takeCodeRef()))),
  op1('JMPREF', 0xdb3d, 16, { operands: 'ref' }, (vm) => vm.jump(continuationOf(vm, vm.takeCodeRef()))),
  op1('JMPREFDATA', 0xdb3e, 16, { operands: 'ref' }, (vm) => {
    const continuation = continuationOf(vm, vm.takeCodeRef())
    vm.push(vm.restOfCode())
    vm.jump(continuation)
  }),
  op1('RETDATA', 0xdb3f, 16, (vm) => {
    vm.push(vm.restOfCode())
    vm.ret()
  }),
  op('RUNVM', 0xdb4000, 0xdb4fff, 24, { since: 4, operands: 'u12' }, (vm, word) => runVm(vm, word & 4095)),
  op1('RUNVMX', 0xdb50, 16, { since: 4 }, (vm) => runVm(vm, vm.popSmall(4095))),
]

// --- conditions

type Enter = (vm: Vm, continuation: Continuation) => void

const call: Enter = (vm, continuation) => vm.call(continuation)
const jump: Enter = (vm, continuation) => vm.jump(continuation)

const enterIf =
  (wanted: boolean, enter: Enter): RunInstruction =>
  (vm) => {
    vm.need(2)
    const continuation = vm.popContinuation()
    if (vm.popBool() === wanted) enter(vm, continuation)
  }

/** The reference is loaded only where it is taken. */
const enterRefIf =
  (wanted: boolean, enter: Enter): RunInstruction =>
  (vm) => {
    const cell = vm.takeCodeRef()
    if (vm.popBool() === wanted) enter(vm, continuationOf(vm, cell))
  }

const ifElseRef =
  (refIfTrue: boolean): RunInstruction =>
  (vm) => {
    const cell = vm.takeCodeRef()
    vm.need(2)
    const continuation = vm.popContinuation()
    vm.call(vm.popBool() === refIfTrue ? continuationOf(vm, cell) : continuation)
  }

export const bitOf = (x: Integer, bit: number): boolean =>
  typeof x === 'number' ? Math.floor(x / 2 ** bit) % 2 !== 0 : ((x >> BigInt(bit)) & 1n) === 1n

const jumpIfBit =
  (wanted: boolean): RunInstruction =>
  (vm, word) => {
    vm.need(2)
    const continuation = vm.popContinuation()
    const x = vm.popFinite()
    vm.push(x)
    if (bitOf(x, (word >> 8) & 31) === wanted) vm.jump(continuation)
  }

const jumpRefIfBit =
  (wanted: boolean): RunInstruction =>
  (vm, word) => {
    const cell = vm.takeCodeRef()
    const x = vm.popFinite()
    vm.push(x)
    if (bitOf(x, (word >> 8) & 31) === wanted) vm.jump(continuationOf(vm, cell))
  }

/** Kinds of values that may not be mixed in CONDSELCHK. */
const typeOf = (value: Value): unknown => {
  if (isInteger(value)) return 'integer'
  return value === null ? null : (value as object).constructor
}

const conditionInstructions: readonly Instruction[] = [
  op1('IFRET', 0xdc, 8, (vm) => vm.popBool() && vm.ret()),
  op1('IFNOTRET', 0xdd, 8, (vm) => vm.popBool() || vm.ret()),
  op1('IF', 0xde, 8, enterIf(true, call)),
  op1('IFNOT', 0xdf, 8, enterIf(false, call)),
  op1('IFJMP', 0xe0, 8, enterIf(true, jump)),
  op1('IFNOTJMP', 0xe1, 8, enterIf(false, jump)),
  op1('IFELSE', 0xe2, 8, (vm) => {
    vm.need(3)
    const otherwise = vm.popContinuation()
    const then = vm.popContinuation()
    vm.call(vm.popBool() ? then : otherwise)
  }),
  op1('IFREF', 0xe300, 16, { operands: 'ref' }, enterRefIf(true, call)),
  op1('IFNOTREF', 0xe301, 16, { operands: 'ref' }, enterRefIf(false, call)),
  op1('IFJMPREF', 0xe302, 16, { operands: 'ref' }, enterRefIf(true, jump)),
  op1('IFNOTJMPREF', 0xe303, 16, { operands: 'ref' }, enterRefIf(false, jump)),
  op1('CONDSEL', 0xe304, 16, (vm) => {
    vm.need(3)
    const y = vm.pop()
    const x = vm.pop()
    vm.push(vm.popBool() ? x : y)
  }),
  op1('CONDSELCHK', 0xe305, 16, (vm) => {
    vm.need(3)
    const y = vm.pop()
    const x = vm.pop()
    if (typeOf(x) !== typeOf(y)) fault(TYPE_CHECK)
    vm.push(vm.popBool() ? x : y)
  }),
  op1('IFRETALT', 0xe308, 16, (vm) => vm.popBool() && vm.retAlt()),
  op1('IFNOTRETALT', 0xe309, 16, (vm) => vm.popBool() || vm.retAlt()),
  op1('IFREFELSE', 0xe30d, 16, { operands: 'ref' }, ifElseRef(true)),
  op1('IFELSEREF', 0xe30e, 16, { operands: 'ref' }, ifElseRef(false)),
  op1('IFREFELSEREF', 0xe30f, 16, { operands: 'ref,ref' }, (vm) => {
    const inline = vm.takeCode(0, 2)
    vm.call(continuationOf(vm, inline.ref(vm.popBool() ? 0 : 1)))
  }),
  op('IFBITJMP', 0xe380, 0xe39f, 16, { operands: 'u5' }, jumpIfBit(true)),
  op('IFNBITJMP', 0xe3a0, 0xe3bf, 16, { operands: 'u5' }, jumpIfBit(false)),
  op('IFBITJMPREF', 0xe3c0, 0xe3df, 16, { operands: 'u5,ref' }, jumpRefIfBit(true)),
  op('IFNBITJMPREF', 0xe3e0, 0xe3ff, 16, { operands: 'u5,ref' }, jumpRefIfBit(false)),
]

// --- loops

const popRounds = (vm: Vm): number => vm.popSmall(0x7fffffff, -0x80000000)

/** What follows the loop; with a break RETALT leads there as well. */
const way = (vm: Vm, after: Continuation, hasBreak: boolean): Continuation => (hasBreak ? vm.breakTo(after) : after)

const repeat =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const body = vm.popContinuation()
    const rounds = popRounds(vm)
    if (rounds > 0) vm.repeat(body, way(vm, vm.currentContinuation(1), hasBreak), rounds)
  }

const repeatEnd =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    const rounds = popRounds(vm)
    if (rounds <= 0) return vm.ret()
    const body = vm.currentContinuation(0)
    vm.repeat(body, way(vm, vm.c0, hasBreak), rounds)
  }

const until =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    const body = vm.popContinuation()
    vm.until(body, way(vm, vm.currentContinuation(1), hasBreak))
  }

const untilEnd =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    const body = vm.currentContinuation(0)
    vm.until(body, way(vm, vm.c0, hasBreak))
  }

const whileLoop =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const body = vm.popContinuation()
    const condition = vm.popContinuation()
    vm.while(condition, body, way(vm, vm.currentContinuation(1), hasBreak))
  }

const whileEnd =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    const condition = vm.popContinuation()
    const body = vm.currentContinuation(0)
    vm.while(condition, body, way(vm, vm.c0, hasBreak))
  }

const again =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    if (hasBreak) vm.c1 = vm.currentContinuation(3)
    vm.again(vm.popContinuation())
  }

const againEnd =
  (hasBreak: boolean): RunInstruction =>
  (vm) => {
    if (hasBreak) {
      vm.c0 = vm.c0.define({ c1: vm.c1 })
      vm.c1 = vm.c0
    }
    vm.again(vm.currentContinuation(0))
  }

const LOOPS = [
  ['REPEAT', repeat],
  ['REPEATEND', repeatEnd],
  ['UNTIL', until],
  ['UNTILEND', untilEnd],
  ['WHILE', whileLoop],
  ['WHILEEND', whileEnd],
  ['AGAIN', again],
  ['AGAINEND', againEnd],
] as const

const loopInstructions = LOOPS.flatMap(([name, make], k): Instruction[] => [
  op1(name, 0xe4 + k, 8, make(false)),
  op1(`${name}BRK`, 0xe314 + k, 16, make(true)),
])

// --- methods by number, exceptions, code page

const callMethod = (vm: Vm, number: number): void => {
  vm.push(number)
  vm.call(vm.c3)
}

/** Throws always (`undefined`), or where the condition on the stack is `wanted`. */
const throwFixed =
  (mask: number, shift: number, hasArgument: boolean, wanted: boolean | undefined): RunInstruction =>
  (vm, word) => {
    if (hasArgument) vm.need(wanted === undefined ? 1 : 2)
    const isTaken = wanted === undefined || vm.popBool() === wanted
    const argument = hasArgument ? vm.pop() : 0
    if (isTaken) vm.throwException((word >> shift) & mask, argument)
  }

const throwAny =
  (mode: number): RunInstruction =>
  (vm) => {
    const hasArgument = (mode & 1) !== 0
    const hasCondition = (mode & 6) !== 0
    const wanted = (mode & 2) !== 0
    vm.need(1 + Number(hasCondition) + Number(hasArgument))
    const isTaken = !hasCondition || vm.popBool() === wanted
    const code = vm.popSmall(0xffff)
    const argument = hasArgument ? vm.pop() : 0
    if (isTaken) vm.throwException(code, argument)
  }

const tryWith = (vm: Vm, pass: number, returned: number): void => {
  const handler = vm.popContinuation()
  const body = vm.popContinuation()
  const oldC2 = vm.c2
  const current = vm.currentContinuation(7, pass, returned)
  vm.c0 = current
  vm.c2 = handler.define({ c2: oldC2, c0: current })
  vm.jump(body)
}

const setCodePage = (page: number): void => {
  if (page !== 0) fault(INVALID_OPCODE)
}

const THROW_ANY = [
  'THROWANY',
  'THROWARGANY',
  'THROWANYIF',
  'THROWARGANYIF',
  'THROWANYIFNOT',
  'THROWARGANYIFNOT',
] as const

const exceptionInstructions: readonly Instruction[] = [
  op('CALLDICT', 0xf000, 0xf0ff, 16, { operands: 'u8' }, (vm, word) => callMethod(vm, (word >> 8) & 255)),
  op('CALLDICT_LONG', 0xf10000, 0xf13fff, 24, { operands: 'u14' }, (vm, word) => callMethod(vm, word & 0x3fff)),
  op('JMPDICT', 0xf14000, 0xf17fff, 24, { operands: 'u14' }, (vm, word) => {
    vm.push(word & 0x3fff)
    vm.jump(vm.c3)
  }),
  op('PREPAREDICT', 0xf18000, 0xf1bfff, 24, { operands: 'u14' }, (vm, word) => {
    vm.push(word & 0x3fff)
    vm.push(vm.c3)
  }),
  op('THROW_SHORT', 0xf200, 0xf23f, 16, { operands: 'u6' }, throwFixed(63, 8, false, undefined)),
  op('THROWIF_SHORT', 0xf240, 0xf27f, 16, { operands: 'u6' }, throwFixed(63, 8, false, true)),
  op('THROWIFNOT_SHORT', 0xf280, 0xf2bf, 16, { operands: 'u6' }, throwFixed(63, 8, false, false)),
  op('THROW', 0xf2c000, 0xf2c7ff, 24, { operands: 'u11' }, throwFixed(0x7ff, 0, false, undefined)),
  op('THROWARG', 0xf2c800, 0xf2cfff, 24, { operands: 'u11' }, throwFixed(0x7ff, 0, true, undefined)),
  op('THROWIF', 0xf2d000, 0xf2d7ff, 24, { operands: 'u11' }, throwFixed(0x7ff, 0, false, true)),
  op('THROWARGIF', 0xf2d800, 0xf2dfff, 24, { operands: 'u11' }, throwFixed(0x7ff, 0, true, true)),
  op('THROWIFNOT', 0xf2e000, 0xf2e7ff, 24, { operands: 'u11' }, throwFixed(0x7ff, 0, false, false)),
  op('THROWARGIFNOT', 0xf2e800, 0xf2efff, 24, { operands: 'u11' }, throwFixed(0x7ff, 0, true, false)),
  ...THROW_ANY.map((name, mode) => op1(name, 0xf2f0 + mode, 16, throwAny(mode))),
  op1('TRY', 0xf2ff, 16, (vm) => {
    vm.need(2)
    tryWith(vm, -1, -1)
  }),
  op('TRYARGS', 0xf300, 0xf3ff, 16, { operands: 'u4,u4' }, (vm, word) => {
    const pass = (word >> 12) & 15
    vm.need(pass + 2)
    tryWith(vm, pass, (word >> 8) & 15)
  }),
  op('DEBUG', 0xfe00, 0xfeef, 16, { operands: 'u8' }, () => undefined),
  op(
    'DEBUGSTR',
    0xfef0,
    0xfeff,
    16,
    { operands: 'text' },
    (vm, word) => void vm.takeCode(8 * (((word >> 8) & 15) + 1), 0),
  ),
  op('SETCP', 0xff00, 0xffef, 16, { operands: 'u8' }, (_vm, word) => setCodePage((word >> 8) & 255)),
  op1('SETCPX', 0xfff0, 16, (vm) => setCodePage(vm.popSmall(0x7fff, -0x8000))),
  op('SETCP_SPECIAL', 0xfff1, 0xffff, 16, { operands: 'i4-' }, (_vm, word) => setCodePage(((word >> 8) & 15) - 16)),
]

export const controlInstructions: readonly Instruction[] = [
  ...jumpInstructions,
  ...conditionInstructions,
  ...loopInstructions,
  ...exceptionInstructions,
  op1('BOOLEVAL', 0xedf9, 16, (vm) => {
    const continuation = vm.popContinuation()
    const current = vm.currentContinuation(3)
    vm.c0 = pushInt(-1, current)
    vm.c1 = pushInt(0, current)
    vm.jump(continuation)
  }),
]

/** SETGASLIMIT and the like take any integer: what is below zero counts as zero. */
export const toGas = (x: Integer): number => {
  const value = toBig(x)
  if (value <= 0n) return 0
  return value >= 1n << 63n ? UNLIMITED_GAS : Number(value)
}

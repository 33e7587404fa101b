import { shrink } from '../bits.ts'
import { fault, INTEGER_OVERFLOW, INVALID_OPCODE, RANGE_CHECK } from '../faults.ts'
import {
  add,
  compare,
  divide,
  fitsSigned,
  fitsUnsigned,
  isNan,
  multiply,
  negate,
  powerOfTwo,
  pushInteger,
  shiftLeft,
  shiftNanLeft,
  shiftNanRight,
  shiftRight,
  signedSize,
  subtract,
  toBig,
  unsignedSize,
  WORD_BITS,
} from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import type { Integer } from '../values.ts'
import { type InstructionOptions, op, op1 } from './decode.ts'

type QuietRun = (vm: Vm, quiet: boolean, operand: number) => void

/** An instruction and its quiet form, which has the byte B7 before it. `operandBits` are at the end of the opcode. */
const withQuiet = (
  name: string,
  opcode: number,
  bits: number,
  run: QuietRun,
  operandBits = 0,
  options: InstructionOptions = {},
): Instruction[] => {
  const last = 2 ** operandBits - 1
  const make = (prefix: number, length: number, quiet: boolean): Instruction => {
    const shift = 24 - length
    const from = prefix * 2 ** operandBits
    const runIt: RunInstruction = (vm, word) => run(vm, quiet, (word >> shift) & last)
    return op(quiet ? `Q${name}` : name, from, from + last, length, options, runIt)
  }
  return [make(opcode, bits + operandBits, false), make(0xb7 * 2 ** bits + opcode, 8 + bits + operandBits, true)]
}

const signedByte = (operand: number): number => (operand << 24) >> 24

const binary =
  (compute: (x: Integer, y: Integer) => Integer): QuietRun =>
  (vm, quiet) => {
    vm.need(2)
    const y = vm.popInt()
    const x = vm.popInt()
    pushInteger(vm, compute(x, y), quiet)
  }

const unary =
  (compute: (x: Integer, operand: number, vm: Vm) => Integer): QuietRun =>
  (vm, quiet, operand) => {
    vm.need(1)
    pushInteger(vm, compute(vm.popInt(), operand, vm), quiet)
  }

const quietUnary = (name: string, opcode: number, compute: Parameters<typeof unary>[0]): Instruction[] =>
  withQuiet(name, opcode, 8, unary(compute))

/** With an operand of a signed byte. */
const quietByte = (name: string, opcode: number, compute: Parameters<typeof unary>[0]): Instruction[] =>
  withQuiet(name, opcode, 8, unary(compute), 8, { operands: 'i8' })

const quietBinary = (name: string, opcode: number, compute: Parameters<typeof binary>[0]): Instruction[] =>
  withQuiet(name, opcode, 8, binary(compute))

const bitwise = (
  x: Integer,
  y: Integer,
  small: (a: number, b: number) => number,
  big: (a: bigint, b: bigint) => bigint,
): Integer => {
  if (typeof x === 'number' && typeof y === 'number' && (x | 0) === x && (y | 0) === y) return small(x, y)
  return big(toBig(x), toBig(y))
}

/** NaN and another number, below version 13: a number that decides the result alone does so. */
const bitwiseNan = (vm: Vm, x: Integer, y: Integer, deciding: number): Integer | undefined => {
  if (!isNan(x) && !isNan(y)) return undefined
  return vm.version < 13 && (x === deciding || y === deciding) ? deciding : Number.NaN
}

const and: QuietRun = (vm, quiet) => {
  vm.need(2)
  const y = vm.popInt()
  const x = vm.popInt()
  const result =
    bitwiseNan(vm, x, y, 0) ??
    bitwise(
      x,
      y,
      (a, b) => a & b,
      (a, b) => a & b,
    )
  pushInteger(vm, result, quiet)
}

const or: QuietRun = (vm, quiet) => {
  vm.need(2)
  const y = vm.popInt()
  const x = vm.popInt()
  const result =
    bitwiseNan(vm, x, y, -1) ??
    bitwise(
      x,
      y,
      (a, b) => a | b,
      (a, b) => a | b,
    )
  pushInteger(vm, result, quiet)
}

const xor = binary((x, y) =>
  isNan(x) || isNan(y)
    ? Number.NaN
    : bitwise(
        x,
        y,
        (a, b) => a ^ b,
        (a, b) => a ^ b,
      ),
)

const MAX_SHIFT = 1023

/** A shift from the stack; `undefined` where it is out of range and the version lets quiet forms give NaN for that. */
const popShift = (vm: Vm, max: number, quiet: boolean, since: number): number | undefined => {
  const shift = vm.popInt()
  if (typeof shift === 'number' && shift >= 0 && shift <= max) return shift
  return vm.version < since || !quiet ? fault(RANGE_CHECK) : undefined
}

/** Words of the reference's integers of 257 bits, and of the products of two. */
const WORDS = 5
const DOUBLE_WORDS = 10

const nanLeft = (bits: number): number => shiftNanLeft(bits, WORDS)
const nanRight = (bits: number): number => shiftNanRight(bits, 'floor')

/** The reference moves words: zero beyond the last one is too large as well. */
const shiftWithin = (x: Integer, bits: number): Integer =>
  x === 0 && bits >= WORDS * WORD_BITS ? Number.NaN : shiftLeft(x, bits)

const shiftBy =
  (shift: (x: Integer, bits: number) => Integer, shiftNan: (bits: number) => number): QuietRun =>
  (vm, quiet) => {
    vm.need(2)
    const bits = popShift(vm, MAX_SHIFT, quiet, 13)
    const x = vm.popInt()
    if (bits === undefined) pushInteger(vm, Number.NaN, quiet)
    else if (isNan(x)) pushInteger(vm, vm.version >= 13 ? x : shiftNan(bits), quiet)
    else pushInteger(vm, shift(x, bits), quiet)
  }

const shiftFixed = (shift: (x: Integer, bits: number) => Integer, shiftNan: (bits: number) => number): QuietRun =>
  unary((x, operand, vm) => {
    if (isNan(x)) return vm.version >= 14 ? x : shiftNan(operand + 1)
    return shift(x, operand + 1)
  })

const fits =
  (test: (x: Integer, bits: number) => boolean): QuietRun =>
  (vm, quiet, operand) => {
    vm.need(1)
    const x = vm.popInt()
    pushInteger(vm, test(x, operand + 1) ? x : Number.NaN, quiet)
  }

const fitsVariable =
  (test: (x: Integer, bits: number) => boolean): QuietRun =>
  (vm, quiet) => {
    vm.need(2)
    const bits = vm.popSmall(MAX_SHIFT)
    const x = vm.popInt()
    pushInteger(vm, test(x, bits) ? x : Number.NaN, quiet)
  }

const size =
  (measure: (x: Integer) => number, isSigned: boolean): QuietRun =>
  (vm, quiet) => {
    vm.need(1)
    const x = vm.popInt()
    if (!isNan(x) && (isSigned || x >= 0)) vm.push(measure(x))
    else if (quiet) vm.push(Number.NaN)
    else fault(RANGE_CHECK)
  }

const minMax =
  (wants: 'min' | 'max' | 'both'): QuietRun =>
  (vm, quiet) => {
    vm.need(2)
    let x = vm.popInt()
    let y = vm.popInt()
    if (isNan(x) || isNan(y)) {
      x = Number.NaN
      y = Number.NaN
    } else if (compare(x, y) > 0) [x, y] = [y, x]
    if (wants !== 'max') pushInteger(vm, x, quiet)
    if (wants !== 'min') pushInteger(vm, y, quiet)
  }

const signOf = (x: Integer): number => (x > 0 ? 1 : x < 0 ? -1 : 0)

const comparison =
  (less: number, equal: number, greater: number): QuietRun =>
  (vm, quiet) => {
    vm.need(2)
    const y = vm.popInt()
    const x = vm.popInt()
    if (isNan(x) || isNan(y)) pushInteger(vm, Number.NaN, quiet)
    else vm.push(x < y ? less : x > y ? greater : equal)
  }

const comparisonWith =
  (less: number, equal: number, greater: number): QuietRun =>
  (vm, quiet, operand) => {
    vm.need(1)
    const x = vm.popInt()
    const y = signedByte(operand)
    if (isNan(x)) pushInteger(vm, x, quiet)
    else vm.push(x < y ? less : x > y ? greater : equal)
  }

const ROUNDINGS = ['floor', 'nearest', 'ceiling'] as const
const ROUNDING_NAMES = ['', 'R', 'C'] as const

/** What a division is made of: a product or a shifted number over a number or a power of two. */
type DivisionKind = {
  readonly opcode: number
  readonly hasQuiet: boolean
  /** Whether the shift is a byte of the instruction. */
  readonly immediate: boolean
  readonly multiplies: boolean
  readonly shifts: 'none' | 'left' | 'right'
  /** Names for quotient, remainder, both, and both with a summand. */
  readonly names: readonly [string, string, string, string]
}

const DIVISIONS: readonly DivisionKind[] = [
  {
    opcode: 0xa90,
    hasQuiet: true,
    immediate: false,
    multiplies: false,
    shifts: 'none',
    names: ['DIV', 'MOD', 'DIVMOD', 'ADDDIVMOD'],
  },
  {
    opcode: 0xa92,
    hasQuiet: true,
    immediate: false,
    multiplies: false,
    shifts: 'right',
    names: ['RSHIFT', 'MODPOW2', 'RSHIFTMOD', 'ADDRSHIFTMOD'],
  },
  {
    opcode: 0xa93,
    hasQuiet: false,
    immediate: true,
    multiplies: false,
    shifts: 'right',
    names: ['RSHIFT', 'MODPOW2', 'RSHIFTMOD', 'ADDRSHIFTMOD'],
  },
  {
    opcode: 0xa98,
    hasQuiet: true,
    immediate: false,
    multiplies: true,
    shifts: 'none',
    names: ['MULDIV', 'MULMOD', 'MULDIVMOD', 'MULADDDIVMOD'],
  },
  {
    opcode: 0xa9a,
    hasQuiet: true,
    immediate: false,
    multiplies: true,
    shifts: 'right',
    names: ['MULRSHIFT', 'MULMODPOW2', 'MULRSHIFTMOD', 'MULADDRSHIFTMOD'],
  },
  {
    opcode: 0xa9b,
    hasQuiet: false,
    immediate: true,
    multiplies: true,
    shifts: 'right',
    names: ['MULRSHIFT', 'MULMODPOW2', 'MULRSHIFTMOD', 'MULADDRSHIFTMOD'],
  },
  {
    opcode: 0xa9c,
    hasQuiet: true,
    immediate: false,
    multiplies: false,
    shifts: 'left',
    names: ['LSHIFTDIV', 'LSHIFTMOD', 'LSHIFTDIVMOD', 'LSHIFTADDDIVMOD'],
  },
  {
    opcode: 0xa9d,
    hasQuiet: false,
    immediate: true,
    multiplies: false,
    shifts: 'left',
    names: ['LSHIFTDIV', 'LSHIFTMOD', 'LSHIFTDIVMOD', 'LSHIFTADDDIVMOD'],
  },
]

const MAX_DIVISION_SHIFT = 256

/** Takes the operands of a division from the stack and computes it. */
const runDivision = (vm: Vm, kind: DivisionKind, variant: number, quiet: boolean, fixedShift: number): void => {
  const { multiplies, shifts, immediate } = kind
  const rounding = ROUNDINGS[variant & 3]
  const adds = variant >> 2 === 0
  if (rounding === undefined || (adds && vm.version < 4)) {
    fault(INVALID_OPCODE)
    return
  }
  const wants = adds ? 3 : variant >> 2
  const takesShift = shifts !== 'none' && !immediate
  vm.need(1 + Number(multiplies) + Number(shifts !== 'right') + Number(takesShift) + Number(adds))
  let shift: number | undefined = fixedShift
  if (takesShift) {
    shift = popShift(vm, MAX_DIVISION_SHIFT, quiet, shifts === 'right' && !multiplies ? 14 : 13)
  }
  const divisor = shifts === 'right' ? undefined : vm.popInt()
  const summand = adds ? vm.popInt() : 0
  const factor = multiplies ? vm.popInt() : 1
  const x = vm.popInt()
  if (shift === undefined) {
    pushDivision(vm, wants, Number.NaN, Number.NaN, quiet)
    return
  }
  let value = multiplies ? multiply(x, factor) : x
  const looksForNan = vm.version >= (shifts === 'right' && !multiplies ? 14 : 13)
  if (shifts === 'left') {
    if (!isNan(value)) value = shiftLeft(value, shift)
    else if (!looksForNan) value = shiftNanLeft(shift, DOUBLE_WORDS)
  }
  if (adds) value = add(value, summand)
  if (shifts === 'right') {
    const rounded = shift === 0 ? 'floor' : rounding
    if (isNan(value)) {
      pushDivision(vm, wants, looksForNan ? value : shiftNanRight(shift, rounded), Number.NaN, quiet)
      return
    }
    const { quotient, remainder } = divide(value, powerOfTwo(shift), rounded)
    pushDivision(vm, wants, quotient, remainder, quiet)
    return
  }
  const { quotient, remainder } = divide(value, divisor as Integer, rounding)
  pushDivision(vm, wants, quotient, remainder, quiet)
}

const pushDivision = (vm: Vm, wants: number, quotient: Integer, remainder: Integer, quiet: boolean): void => {
  if ((wants & 1) !== 0) pushInteger(vm, quotient, quiet)
  if ((wants & 2) !== 0) pushInteger(vm, remainder, quiet)
}

const divisionInstructions = DIVISIONS.flatMap((kind): Instruction[] => {
  const { opcode, hasQuiet, immediate, names } = kind
  const operandBits = immediate ? 8 : 0
  return Array.from({ length: 16 }, (_, variant) => {
    const name = `${names[((variant >> 2) + 3) & 3]}${immediate ? '#' : ''}${ROUNDING_NAMES[variant & 3] ?? '?'}`
    const run: QuietRun = (vm, quiet, operand) => runDivision(vm, kind, variant, quiet, operand + 1)
    const [plain, quiet] = withQuiet(
      name,
      opcode * 16 + variant,
      16,
      run,
      operandBits,
      immediate ? { operands: 'u8+1' } : {},
    )
    return hasQuiet ? [plain!, quiet!] : [plain!]
  }).flat()
})

const pushLong: RunInstruction = (vm, word) => {
  const bits = 8 * ((word >> 11) & 31) + 19
  const slice = vm.takeCode(bits, 0)
  pushInteger(vm, slice.int(bits), false)
}

export const arithmeticInstructions: readonly Instruction[] = [
  op('PUSHINT_4', 0x70, 0x7f, 8, { operands: 'i4' }, (vm, word) => vm.push(((((word >> 16) & 15) + 5) & 15) - 5)),
  op('PUSHINT_8', 0x8000, 0x80ff, 16, { operands: 'i8' }, (vm, word) => vm.push(signedByte(word >> 8))),
  op('PUSHINT_16', 0x810000, 0x81ffff, 24, { operands: 'i16' }, (vm, word) => vm.push((word << 16) >> 16)),
  op('PUSHINT_LONG', 0x82 * 32, 0x82 * 32 + 30, 13, { operands: 'long' }, pushLong),
  op('PUSHPOW2', 0x8300, 0x83fe, 16, { operands: 'u8+1' }, (vm, word) => vm.push(powerOfTwo(((word >> 8) & 255) + 1))),
  op1('PUSHNAN', 0x83ff, 16, (vm) => vm.push(Number.NaN)),
  op('PUSHPOW2DEC', 0x8400, 0x84ff, 16, { operands: 'u8+1' }, (vm, word) =>
    vm.push(shrink((1n << BigInt(((word >> 8) & 255) + 1)) - 1n)),
  ),
  op('PUSHNEGPOW2', 0x8500, 0x85ff, 16, { operands: 'u8+1' }, (vm, word) =>
    vm.push(negate(powerOfTwo(((word >> 8) & 255) + 1))),
  ),
  ...withQuiet('ADD', 0xa0, 8, binary(add)),
  ...withQuiet('SUB', 0xa1, 8, binary(subtract)),
  ...quietBinary('SUBR', 0xa2, (x, y) => subtract(y, x)),
  ...withQuiet('NEGATE', 0xa3, 8, unary(negate)),
  ...quietUnary('INC', 0xa4, (x) => add(x, 1)),
  ...quietUnary('DEC', 0xa5, (x) => subtract(x, 1)),
  ...quietByte('ADDINT', 0xa6, (x, operand) => add(x, signedByte(operand))),
  ...quietByte('MULINT', 0xa7, (x, operand) => multiply(x, signedByte(operand))),
  ...withQuiet('MUL', 0xa8, 8, binary(multiply)),
  ...divisionInstructions,
  ...withQuiet('LSHIFT#', 0xaa, 8, shiftFixed(shiftLeft, nanLeft), 8, { operands: 'u8+1' }),
  ...withQuiet('RSHIFT#', 0xab, 8, shiftFixed(shiftRight, nanRight), 8, { operands: 'u8+1' }),
  ...withQuiet('LSHIFT', 0xac, 8, shiftBy(shiftWithin, nanLeft)),
  ...withQuiet('RSHIFT', 0xad, 8, shiftBy(shiftRight, nanRight)),
  ...withQuiet('POW2', 0xae, 8, (vm, quiet) => {
    vm.need(1)
    const bits = popShift(vm, MAX_SHIFT, quiet, 13)
    pushInteger(vm, bits === undefined ? Number.NaN : powerOfTwo(bits), quiet)
  }),
  ...withQuiet('AND', 0xb0, 8, and),
  ...withQuiet('OR', 0xb1, 8, or),
  ...withQuiet('XOR', 0xb2, 8, xor),
  ...quietUnary('NOT', 0xb3, (x) => (typeof x === 'number' ? -1 - x : ~x)),
  ...withQuiet('FITS', 0xb4, 8, fits(fitsSigned), 8, { operands: 'u8+1' }),
  ...withQuiet('UFITS', 0xb5, 8, fits(fitsUnsigned), 8, { operands: 'u8+1' }),
  ...withQuiet('FITSX', 0xb600, 16, fitsVariable(fitsSigned)),
  ...withQuiet('UFITSX', 0xb601, 16, fitsVariable(fitsUnsigned)),
  ...withQuiet('BITSIZE', 0xb602, 16, size(signedSize, true)),
  ...withQuiet('UBITSIZE', 0xb603, 16, size(unsignedSize, false)),
  ...withQuiet('MIN', 0xb608, 16, minMax('min')),
  ...withQuiet('MAX', 0xb609, 16, minMax('max')),
  ...withQuiet('MINMAX', 0xb60a, 16, minMax('both')),
  ...withQuiet(
    'ABS',
    0xb60b,
    16,
    unary((x) => (x < 0 ? negate(x) : x)),
  ),
  ...quietUnary('SGN', 0xb8, (x) => (isNan(x) ? x : signOf(x))),
  ...withQuiet('LESS', 0xb9, 8, comparison(-1, 0, 0)),
  ...withQuiet('EQUAL', 0xba, 8, comparison(0, -1, 0)),
  ...withQuiet('LEQ', 0xbb, 8, comparison(-1, -1, 0)),
  ...withQuiet('GREATER', 0xbc, 8, comparison(0, 0, -1)),
  ...withQuiet('NEQ', 0xbd, 8, comparison(-1, 0, -1)),
  ...withQuiet('GEQ', 0xbe, 8, comparison(0, -1, -1)),
  ...withQuiet('CMP', 0xbf, 8, comparison(-1, 0, 1)),
  ...withQuiet('EQINT', 0xc0, 8, comparisonWith(0, -1, 0), 8, { operands: 'i8' }),
  ...withQuiet('LESSINT', 0xc1, 8, comparisonWith(-1, 0, 0), 8, { operands: 'i8' }),
  ...withQuiet('GTINT', 0xc2, 8, comparisonWith(0, 0, -1), 8, { operands: 'i8' }),
  ...withQuiet('NEQINT', 0xc3, 8, comparisonWith(-1, 0, -1), 8, { operands: 'i8' }),
  op1('ISNAN', 0xc4, 8, (vm) => vm.pushBool(isNan(vm.popInt()))),
  op1('CHKNAN', 0xc5, 8, (vm) => {
    const x = vm.popInt()
    if (isNan(x)) fault(INTEGER_OVERFLOW)
    vm.push(x)
  }),
]

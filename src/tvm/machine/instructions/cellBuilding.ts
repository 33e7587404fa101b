import type { Cell } from '../../../codec/cell/Cell.ts'
import { CELL_OVERFLOW, fault, RANGE_CHECK } from '../faults.ts'
import { fitsSigned, fitsUnsigned, toBig } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Builder, type Integer, MAX_BUILDER_BITS, MAX_BUILDER_REFS, Slice, type Value } from '../values.ts'
import { op, op1 } from './decode.ts'

/** How an integer is stored: unsigned, with the builder below it, and without an exception when it does not fit. */
type StoreMode = { readonly unsigned: boolean; readonly reversed: boolean; readonly quiet: boolean }

const storeModeOf = (mode: number): StoreMode => ({
  unsigned: (mode & 1) !== 0,
  reversed: (mode & 2) !== 0,
  quiet: (mode & 4) !== 0,
})

const FAIL_NO_ROOM = -1
const FAIL_DOES_NOT_FIT = 1

const storeInteger = (vm: Vm, bits: number, { unsigned, reversed, quiet }: StoreMode): void => {
  let builder: Builder
  let x: Integer
  if (reversed) {
    x = vm.popInt()
    builder = vm.popBuilder()
  } else {
    builder = vm.popBuilder()
    x = vm.popInt()
  }
  const fits = unsigned ? fitsUnsigned(x, bits) : fitsSigned(x, bits)
  if (builder.hasRoom(bits) && fits) {
    vm.push(builder.withInteger(x, bits))
    if (quiet) vm.push(0)
    return
  }
  const failure = builder.hasRoom(bits) ? FAIL_DOES_NOT_FIT : FAIL_NO_ROOM
  if (!quiet) fault(failure === FAIL_NO_ROOM ? CELL_OVERFLOW : RANGE_CHECK)
  vm.push(reversed ? builder : x)
  vm.push(reversed ? x : builder)
  vm.push(failure)
}

const storeFixed =
  (mode: StoreMode, shift: number): RunInstruction =>
  (vm, word) => {
    vm.need(2)
    storeInteger(vm, ((word >> shift) & 255) + 1, mode)
  }

const storeVariable =
  (mode: StoreMode): RunInstruction =>
  (vm) => {
    vm.need(3)
    storeInteger(vm, vm.popSmall(mode.unsigned ? 256 : 257), mode)
  }

type StoredKind = {
  readonly pop: (vm: Vm) => Value
  readonly fits: (builder: Builder, value: Value) => boolean
  readonly store: (vm: Vm, builder: Builder, value: Value) => Builder
}

const storedRef: StoredKind = {
  pop: (vm) => vm.popCell(),
  fits: (builder) => builder.hasRoom(0, 1),
  store: (_vm, builder, cell) => builder.withRef(cell as Cell),
}

const storedBuilderRef: StoredKind = {
  pop: (vm) => vm.popBuilder(),
  fits: (builder) => builder.hasRoom(0, 1),
  store: (vm, builder, inner) => builder.withRef(vm.createCell(inner as Builder)),
}

const storedSlice: StoredKind = {
  pop: (vm) => vm.popSlice(),
  fits: (builder, slice) => builder.hasRoom((slice as Slice).bits, (slice as Slice).refs),
  store: (_vm, builder, slice) => builder.withSlice(slice as Slice),
}

const storedBuilder: StoredKind = {
  pop: (vm) => vm.popBuilder(),
  fits: (builder, inner) => builder.hasRoom((inner as Builder).bits, (inner as Builder).refs.length),
  store: (_vm, builder, inner) => builder.withBuilder(inner as Builder),
}

/** Appends a cell, slice or builder. Reversed: the builder is below it. */
const storeValue =
  ({ pop, fits, store }: StoredKind, reversed: boolean, quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    let builder: Builder
    let value: Value
    if (reversed) {
      value = pop(vm)
      builder = vm.popBuilder()
    } else {
      builder = vm.popBuilder()
      value = pop(vm)
    }
    if (fits(builder, value)) {
      vm.push(store(vm, builder, value))
      if (quiet) vm.push(0)
      return
    }
    if (!quiet) fault(CELL_OVERFLOW)
    vm.push(reversed ? builder : value)
    vm.push(reversed ? value : builder)
    vm.push(-1)
  }

const storedKinds = [
  ['STREF', storedRef],
  ['STBREF', storedBuilderRef],
  ['STSLICE', storedSlice],
  ['STB', storedBuilder],
] as const

/** CF10 to CF1F: four kinds, each plain and reversed, then the same quiet. */
const storeInstructions = storedKinds.flatMap(([name, kind], k): Instruction[] => [
  op1(`${name}_ALT`, 0xcf10 + k, 16, storeValue(kind, false, false)),
  op1(`${name}R`, 0xcf14 + k, 16, storeValue(kind, true, false)),
  op1(`${name}Q`, 0xcf18 + k, 16, storeValue(kind, false, true)),
  op1(`${name}RQ`, 0xcf1c + k, 16, storeValue(kind, true, true)),
])

const storeConstRefs =
  (count: number): RunInstruction =>
  (vm) => {
    const inline = vm.takeCode(0, count)
    vm.need(1)
    const builder = vm.popBuilder()
    if (!builder.hasRoom(0, count)) fault(CELL_OVERFLOW)
    vm.push(builder.withSlice(inline))
  }

const storeConstSlice: RunInstruction = (vm, word) => {
  const operand = (word >> 10) & 31
  const slice = vm.takeCode((operand & 7) * 8 + 2, operand >> 3).withoutCompletion()
  const builder = vm.popBuilder()
  if (!builder.hasRoom(slice.bits, slice.refs)) fault(CELL_OVERFLOW)
  vm.push(builder.withSlice(slice))
}

/** Bytes from the lowest on. */
const swapBytes = (x: Integer, length: number): bigint => {
  let rest = BigInt.asUintN(8 * length, toBig(x))
  let swapped = 0n
  for (let k = 0; k < length; k++) {
    swapped = (swapped << 8n) | (rest & 0xffn)
    rest >>= 8n
  }
  return swapped
}

const storeLittleEndian =
  (unsigned: boolean, length: number): RunInstruction =>
  (vm) => {
    vm.need(2)
    const builder = vm.popBuilder()
    const x = vm.popInt()
    if (!builder.hasRoom(8 * length)) fault(CELL_OVERFLOW)
    if (!(unsigned ? fitsUnsigned(x, 8 * length) : fitsSigned(x, 8 * length))) fault(RANGE_CHECK)
    vm.push(builder.withInteger(swapBytes(x, length), 8 * length))
  }

const measure =
  (values: (builder: Builder) => readonly number[]): RunInstruction =>
  (vm) => {
    for (const value of values(vm.popBuilder())) vm.push(value)
  }

const opMeasure = (name: string, opcode: number, run: Parameters<typeof measure>[0]): Instruction =>
  op1(name, opcode, 16, measure(run))

const checkRoom =
  (takesBits: boolean, takesRefs: boolean, quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(1 + Number(takesBits) + Number(takesRefs))
    const refs = takesRefs ? vm.popSmall(7) : 0
    const bits = takesBits ? vm.popSmall(1023) : 0
    answerRoom(vm, vm.popBuilder().hasRoom(bits, refs), quiet)
  }

const checkFixedRoom =
  (quiet: boolean): RunInstruction =>
  (vm, word) =>
    answerRoom(vm, vm.popBuilder().hasRoom((word & 255) + 1), quiet)

const answerRoom = (vm: Vm, hasRoom: boolean, quiet: boolean): void => {
  if (quiet) vm.pushBool(hasRoom)
  else if (!hasRoom) fault(CELL_OVERFLOW)
}

const storeSame =
  (bit: number | undefined): RunInstruction =>
  (vm) => {
    vm.need(bit === undefined ? 3 : 2)
    const value = bit ?? vm.popSmall(1)
    const bits = vm.popSmall(1023)
    const builder = vm.popBuilder()
    if (!builder.hasRoom(bits)) fault(CELL_OVERFLOW)
    vm.push(builder.withSame(value, bits))
  }

const VARIABLE_NAMES = ['STIX', 'STUX', 'STIXR', 'STUXR', 'STIXQ', 'STUXQ', 'STIXRQ', 'STUXRQ'] as const
const FIXED_NAMES = ['STI_ALT', 'STU_ALT', 'STIR', 'STUR', 'STIQ', 'STUQ', 'STIRQ', 'STURQ'] as const

export const cellBuildingInstructions: readonly Instruction[] = [
  op1('NEWC', 0xc8, 8, (vm) => vm.push(Builder.empty)),
  op1('ENDC', 0xc9, 8, (vm) => vm.push(vm.createCell(vm.popBuilder()))),
  op('STI', 0xca00, 0xcaff, 16, { operands: 'u8+1' }, storeFixed(storeModeOf(0), 8)),
  op('STU', 0xcb00, 0xcbff, 16, { operands: 'u8+1' }, storeFixed(storeModeOf(1), 8)),
  op1('STREF', 0xcc, 8, storeValue(storedRef, false, false)),
  op1('ENDCST', 0xcd, 8, storeValue(storedBuilderRef, true, false)),
  op1('STSLICE', 0xce, 8, storeValue(storedSlice, false, false)),
  ...VARIABLE_NAMES.map((name, mode) => op1(name, 0xcf00 + mode, 16, storeVariable(storeModeOf(mode)))),
  ...FIXED_NAMES.map((name, mode) =>
    op(
      name,
      (0xcf08 + mode) * 256,
      (0xcf08 + mode) * 256 + 255,
      24,
      { operands: 'u8+1' },
      storeFixed(storeModeOf(mode), 0),
    ),
  ),
  ...storeInstructions,
  op1('STREFCONST', 0xcf20, 16, { operands: 'ref' }, storeConstRefs(1)),
  op1('STREF2CONST', 0xcf21, 16, { operands: 'ref,ref' }, storeConstRefs(2)),
  op1('ENDXC', 0xcf23, 16, (vm) => {
    vm.need(2)
    const isExotic = vm.popBool()
    const builder = vm.popBuilder()
    vm.push(isExotic ? vm.env.cells.createExotic(builder, vm.gas) : vm.createCell(builder))
  }),
  op1('STILE4', 0xcf28, 16, storeLittleEndian(false, 4)),
  op1('STULE4', 0xcf29, 16, storeLittleEndian(true, 4)),
  op1('STILE8', 0xcf2a, 16, storeLittleEndian(false, 8)),
  op1('STULE8', 0xcf2b, 16, storeLittleEndian(true, 8)),
  opMeasure('BDEPTH', 0xcf30, (builder) => [builder.depth()]),
  opMeasure('BBITS', 0xcf31, ({ bits }) => [bits]),
  opMeasure('BREFS', 0xcf32, ({ refs }) => [refs.length]),
  opMeasure('BBITREFS', 0xcf33, ({ bits, refs }) => [bits, refs.length]),
  opMeasure('BREMBITS', 0xcf35, ({ bits }) => [MAX_BUILDER_BITS - bits]),
  opMeasure('BREMREFS', 0xcf36, ({ refs }) => [MAX_BUILDER_REFS - refs.length]),
  opMeasure('BREMBITREFS', 0xcf37, ({ bits, refs }) => [MAX_BUILDER_BITS - bits, MAX_BUILDER_REFS - refs.length]),
  op('BCHKBITS', 0xcf3800, 0xcf38ff, 24, { operands: 'u8+1' }, checkFixedRoom(false)),
  op1('BCHKBITS_VAR', 0xcf39, 16, checkRoom(true, false, false)),
  op1('BCHKREFS', 0xcf3a, 16, checkRoom(false, true, false)),
  op1('BCHKBITREFS', 0xcf3b, 16, checkRoom(true, true, false)),
  op('BCHKBITSQ', 0xcf3c00, 0xcf3cff, 24, { operands: 'u8+1' }, checkFixedRoom(true)),
  op1('BCHKBITSQ_VAR', 0xcf3d, 16, checkRoom(true, false, true)),
  op1('BCHKREFSQ', 0xcf3e, 16, checkRoom(false, true, true)),
  op1('BCHKBITREFSQ', 0xcf3f, 16, checkRoom(true, true, true)),
  op1('STZEROES', 0xcf40, 16, storeSame(0)),
  op1('STONES', 0xcf41, 16, storeSame(1)),
  op1('STSAME', 0xcf42, 16, storeSame(undefined)),
  op1('BTOS', 0xcf50, 16, { since: 12 }, (vm) => vm.push(Slice.of(finish(vm.popBuilder())))),
  op('STSLICECONST', 0x19f * 32, 0x19f * 32 + 31, 14, { operands: 'slice2' }, storeConstSlice),
]

/** A cell that costs nothing, as BTOS and the hash of a builder need it. */
export const finish = (builder: Builder): Cell => {
  if (builder.depth() > 1024) fault(CELL_OVERFLOW)
  return builder.toCell()
}

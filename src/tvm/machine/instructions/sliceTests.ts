import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import type { Slice } from '../values.ts'
import { ordinary } from '../values.ts'
import { op, op1 } from './decode.ts'

// --- constants in the code

const inlineSlice = (vm: Vm, bits: number, refs: number): void => vm.push(vm.takeCode(bits, refs).withoutCompletion())

const inlineContinuation = (vm: Vm, bits: number, refs: number): void => vm.push(ordinary(vm.takeCode(bits, refs)))

// --- comparisons of bits

/** Pushes what a test of one slice says. */
export const test1 =
  (test: (slice: Slice) => number): RunInstruction =>
  (vm) =>
    vm.push(test(vm.popSlice()))

const test2 =
  (test: (a: Slice, b: Slice) => number): RunInstruction =>
  (vm) => {
    vm.need(2)
    const b = vm.popSlice()
    const a = vm.popSlice()
    vm.push(test(a, b))
  }

const truth = (value: boolean): number => (value ? -1 : 0)

/** Constants that stand in the code, and comparisons of slices. */
export const sliceTestInstructions: readonly Instruction[] = [
  op1('PUSHREF', 0x88, 8, (vm) => vm.push(vm.takeCodeRef()), { operands: 'ref' }),
  op1('PUSHREFSLICE', 0x89, 8, (vm) => vm.push(vm.loadCell(vm.takeCodeRef())), { operands: 'ref' }),
  op1('PUSHREFCONT', 0x8a, 8, (vm) => vm.push(ordinary(vm.loadCell(vm.takeCodeRef()))), { operands: 'ref' }),
  op('PUSHSLICE', 0x8b0, 0x8bf, 12, (vm, word) => inlineSlice(vm, ((word >> 12) & 15) * 8 + 4, 0), {
    operands: 'slice4',
  }),
  op(
    'PUSHSLICE_REFS',
    0x8c * 128,
    0x8c * 128 + 127,
    15,
    (vm, word) => inlineSlice(vm, ((word >> 9) & 31) * 8 + 1, ((word >> 14) & 3) + 1),
    { operands: 'slice1' },
  ),
  op(
    'PUSHSLICE_LONG',
    0x8d * 1024,
    0x8d * 1024 + 5 * 128 - 1,
    18,
    (vm, word) => inlineSlice(vm, ((word >> 6) & 127) * 8 + 6, (word >> 13) & 7),
    { operands: 'slice6' },
  ),
  op('PUSHCONT', 0x8e00, 0x8fff, 16, (vm, word) => inlineContinuation(vm, ((word >> 8) & 127) * 8, (word >> 15) & 3), {
    operands: 'cont',
  }),
  op('PUSHCONT_SHORT', 0x90, 0x9f, 8, (vm, word) => inlineContinuation(vm, ((word >> 16) & 15) * 8, 0), {
    operands: 'contShort',
  }),
  op1(
    'SEMPTY',
    0xc700,
    16,
    test1((s) => truth(s.isEmpty)),
  ),
  op1(
    'SDEMPTY',
    0xc701,
    16,
    test1((s) => truth(s.bits === 0)),
  ),
  op1(
    'SREMPTY',
    0xc702,
    16,
    test1((s) => truth(s.refs === 0)),
  ),
  op1(
    'SDFIRST',
    0xc703,
    16,
    test1((s) => truth(s.bits > 0 && s.small(1) === 1)),
  ),
  op1(
    'SDLEXCMP',
    0xc704,
    16,
    test2((a, b) => a.compare(b)),
  ),
  op1(
    'SDEQ',
    0xc705,
    16,
    test2((a, b) => truth(a.compare(b) === 0)),
  ),
  op1(
    'SDPFX',
    0xc708,
    16,
    test2((a, b) => truth(b.startsWith(a))),
  ),
  op1(
    'SDPFXREV',
    0xc709,
    16,
    test2((a, b) => truth(a.startsWith(b))),
  ),
  op1(
    'SDPPFX',
    0xc70a,
    16,
    test2((a, b) => truth(a.bits < b.bits && b.startsWith(a))),
  ),
  op1(
    'SDPPFXREV',
    0xc70b,
    16,
    test2((a, b) => truth(b.bits < a.bits && a.startsWith(b))),
  ),
  op1(
    'SDSFX',
    0xc70c,
    16,
    test2((a, b) => truth(b.endsWith(a))),
  ),
  op1(
    'SDSFXREV',
    0xc70d,
    16,
    test2((a, b) => truth(a.endsWith(b))),
  ),
  op1(
    'SDPSFX',
    0xc70e,
    16,
    test2((a, b) => truth(a.bits < b.bits && b.endsWith(a))),
  ),
  op1(
    'SDPSFXREV',
    0xc70f,
    16,
    test2((a, b) => truth(b.bits < a.bits && a.endsWith(b))),
  ),
  op1(
    'SDCNTLEAD0',
    0xc710,
    16,
    test1((s) => s.countLeading(0)),
  ),
  op1(
    'SDCNTLEAD1',
    0xc711,
    16,
    test1((s) => s.countLeading(1)),
  ),
  op1(
    'SDCNTTRAIL0',
    0xc712,
    16,
    test1((s) => s.countTrailing(0)),
  ),
  op1(
    'SDCNTTRAIL1',
    0xc713,
    16,
    test1((s) => s.countTrailing(1)),
  ),
]

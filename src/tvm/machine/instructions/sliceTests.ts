import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import type { Slice } from '../values.ts'
import { ordinary } from '../values.ts'
import { op, op1 } from './decode.ts'

// --- constants in the code

const inlineSlice = (vm: Vm, bits: number, refs: number): void => vm.push(vm.takeCode(bits, refs).withoutCompletion())

const inlineContinuation = (vm: Vm, bits: number, refs: number): void => vm.push(ordinary(vm.takeCode(bits, refs)))

// --- comparisons of bits

/** Pushes what a test of one slice says. */
const test1 =
  (test: (slice: Slice) => number): RunInstruction =>
  (vm) =>
    vm.push(test(vm.popSlice()))

export const opTest1 = (name: string, opcode: number, run: Parameters<typeof test1>[0]): Instruction =>
  op1(name, opcode, 16, test1(run))

const test2 =
  (test: (a: Slice, b: Slice) => number): RunInstruction =>
  (vm) => {
    vm.need(2)
    const b = vm.popSlice()
    const a = vm.popSlice()
    vm.push(test(a, b))
  }

const opTest2 = (name: string, opcode: number, run: Parameters<typeof test2>[0]): Instruction =>
  op1(name, opcode, 16, test2(run))

const truth = (value: boolean): number => (value ? -1 : 0)

/** Constants that stand in the code, and comparisons of slices. */
export const sliceTestInstructions: readonly Instruction[] = [
  op1('PUSHREF', 0x88, 8, { operands: 'ref' }, (vm) => vm.push(vm.takeCodeRef())),
  op1('PUSHREFSLICE', 0x89, 8, { operands: 'ref' }, (vm) => vm.push(vm.loadCell(vm.takeCodeRef()))),
  op1('PUSHREFCONT', 0x8a, 8, { operands: 'ref' }, (vm) => vm.push(ordinary(vm.loadCell(vm.takeCodeRef())))),
  op('PUSHSLICE', 0x8b0, 0x8bf, 12, { operands: 'slice4' }, (vm, word) =>
    inlineSlice(vm, ((word >> 12) & 15) * 8 + 4, 0),
  ),
  op('PUSHSLICE_REFS', 0x8c * 128, 0x8c * 128 + 127, 15, { operands: 'slice1' }, (vm, word) =>
    inlineSlice(vm, ((word >> 9) & 31) * 8 + 1, ((word >> 14) & 3) + 1),
  ),
  op('PUSHSLICE_LONG', 0x8d * 1024, 0x8d * 1024 + 5 * 128 - 1, 18, { operands: 'slice6' }, (vm, word) =>
    inlineSlice(vm, ((word >> 6) & 127) * 8 + 6, (word >> 13) & 7),
  ),
  op('PUSHCONT', 0x8e00, 0x8fff, 16, { operands: 'cont' }, (vm, word) =>
    inlineContinuation(vm, ((word >> 8) & 127) * 8, (word >> 15) & 3),
  ),
  op('PUSHCONT_SHORT', 0x90, 0x9f, 8, { operands: 'contShort' }, (vm, word) =>
    inlineContinuation(vm, ((word >> 16) & 15) * 8, 0),
  ),
  opTest1('SEMPTY', 0xc700, (s) => truth(s.isEmpty)),
  opTest1('SDEMPTY', 0xc701, (s) => truth(s.bits === 0)),
  opTest1('SREMPTY', 0xc702, (s) => truth(s.refs === 0)),
  opTest1('SDFIRST', 0xc703, (s) => truth(s.bits > 0 && s.small(1) === 1)),
  opTest2('SDLEXCMP', 0xc704, (a, b) => a.compare(b)),
  opTest2('SDEQ', 0xc705, (a, b) => truth(a.compare(b) === 0)),
  opTest2('SDPFX', 0xc708, (a, b) => truth(b.startsWith(a))),
  opTest2('SDPFXREV', 0xc709, (a, b) => truth(a.startsWith(b))),
  opTest2('SDPPFX', 0xc70a, (a, b) => truth(a.bits < b.bits && b.startsWith(a))),
  opTest2('SDPPFXREV', 0xc70b, (a, b) => truth(b.bits < a.bits && a.startsWith(b))),
  opTest2('SDSFX', 0xc70c, (a, b) => truth(b.endsWith(a))),
  opTest2('SDSFXREV', 0xc70d, (a, b) => truth(a.endsWith(b))),
  opTest2('SDPSFX', 0xc70e, (a, b) => truth(a.bits < b.bits && b.endsWith(a))),
  opTest2('SDPSFXREV', 0xc70f, (a, b) => truth(b.bits < a.bits && a.endsWith(b))),
  opTest1('SDCNTLEAD0', 0xc710, (s) => s.countLeading(0)),
  opTest1('SDCNTLEAD1', 0xc711, (s) => s.countLeading(1)),
  opTest1('SDCNTTRAIL0', 0xc712, (s) => s.countTrailing(0)),
  opTest1('SDCNTTRAIL1', 0xc713, (s) => s.countTrailing(1)),
]

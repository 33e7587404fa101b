import { LIBRARY_REFERENCE } from '../../../codec/cell/exotic.ts'
import { bytesToBigint } from '../../../primitives/bytes.ts'
import { shrink } from '../bits.ts'
import { CELL_UNDERFLOW, fault } from '../faults.ts'
import { shiftLeft, toBig } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { type Integer, Slice } from '../values.ts'
import { op, op1 } from './decode.ts'
import { opTest1 } from './sliceTests.ts'

// --- loading

/** How a value is loaded: unsigned, leaving the slice where it is, and without an exception where bits are missing. */
type LoadMode = { readonly unsigned: boolean; readonly preload: boolean; readonly quiet: boolean }

const loadModeOf = (mode: number): LoadMode => ({
  unsigned: (mode & 1) !== 0,
  preload: (mode & 2) !== 0,
  quiet: (mode & 4) !== 0,
})

const failLoad = (vm: Vm, slice: Slice, preload: boolean, quiet: boolean): void => {
  if (!quiet) fault(CELL_UNDERFLOW)
  if (!preload) vm.push(slice)
  vm.push(0)
}

const loadInteger = (vm: Vm, bits: number, { unsigned, preload, quiet }: LoadMode): void => {
  const slice = vm.popSlice()
  if (slice.bits < bits) {
    failLoad(vm, slice, preload, quiet)
    return
  }
  vm.push(unsigned ? slice.uint(bits) : slice.int(bits))
  if (!preload) vm.push(slice.skip(bits))
  if (quiet) vm.push(-1)
}

const loadFixed =
  (mode: LoadMode, shift: number): RunInstruction =>
  (vm, word) =>
    loadInteger(vm, ((word >> shift) & 255) + 1, mode)

const loadVariable =
  (mode: LoadMode): RunInstruction =>
  (vm) => {
    vm.need(2)
    loadInteger(vm, vm.popSmall(mode.unsigned ? 256 : 257), mode)
  }

const loadSlice = (vm: Vm, bits: number, preload: boolean, quiet: boolean): void => {
  const slice = vm.popSlice()
  if (slice.bits < bits) {
    failLoad(vm, slice, preload, quiet)
    return
  }
  vm.push(slice.first(bits))
  if (!preload) vm.push(slice.skip(bits))
  if (quiet) vm.push(-1)
}

/** Missing bits count as zeros. */
const loadZeroExtended: RunInstruction = (vm, word) => {
  const bits = (((word >> 8) & 7) + 1) * 32
  const slice = vm.popSlice()
  const there = Math.min(bits, slice.bits)
  const value = shiftLeft(slice.uint(there), bits - there)
  vm.push(slice)
  vm.push(typeof value === 'bigint' ? shrink(value) : value)
}

const cut =
  (run: (slice: Slice, bits: number) => Slice | undefined): RunInstruction =>
  (vm) => {
    vm.need(2)
    const bits = vm.popSmall(1023)
    vm.push(run(vm.popSlice(), bits) ?? fault(CELL_UNDERFLOW))
  }

const opCut = (name: string, opcode: number, run: Parameters<typeof cut>[0]): Instruction =>
  op1(name, opcode, 16, cut(run))

const cutBoth =
  (run: (slice: Slice, bits: number, refs: number) => Slice): RunInstruction =>
  (vm) => {
    vm.need(3)
    const refs = vm.popSmall(4)
    const bits = vm.popSmall(1023)
    const slice = vm.popSlice()
    vm.push(slice.bits < bits || slice.refs < refs ? fault(CELL_UNDERFLOW) : run(slice, bits, refs))
  }

const opCutBoth = (name: string, opcode: number, run: Parameters<typeof cutBoth>[0]): Instruction =>
  op1(name, opcode, 16, cutBoth(run))

const beginsWith = (vm: Vm, prefix: Slice, quiet: boolean): void => {
  const slice = vm.popSlice()
  if (!slice.startsWith(prefix)) {
    failLoad(vm, slice, false, quiet)
    return
  }
  vm.push(slice.skip(prefix.bits))
  if (quiet) vm.push(-1)
}

const subSlice: RunInstruction = (vm) => {
  vm.need(5)
  const refs = vm.popSmall(4)
  const bits = vm.popSmall(1023)
  const skippedRefs = vm.popSmall(4)
  const skippedBits = vm.popSmall(1023)
  const slice = vm.popSlice()
  if (slice.bits < skippedBits + bits || slice.refs < skippedRefs + refs) fault(CELL_UNDERFLOW)
  vm.push(slice.skip(skippedBits, skippedRefs).first(bits, refs))
}

const split =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(3)
    const refs = vm.popSmall(4)
    const bits = vm.popSmall(1023)
    const slice = vm.popSlice()
    if (slice.bits < bits || slice.refs < refs) return failLoad(vm, slice, false, quiet)
    vm.push(slice.first(bits, refs))
    vm.push(slice.skip(bits, refs))
    if (quiet) vm.push(-1)
  }

const check =
  (takesBits: boolean, takesRefs: boolean, quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(1 + Number(takesBits) + Number(takesRefs))
    const refs = takesRefs ? vm.popSmall(takesBits ? 4 : 1023) : 0
    const bits = takesBits ? vm.popSmall(1023) : 0
    const slice = vm.popSlice()
    const isThere = slice.bits >= bits && slice.refs >= refs
    if (quiet) vm.pushBool(isThere)
    else if (!isThere) fault(CELL_UNDERFLOW)
  }

const preloadRef = (vm: Vm, index: number): void => {
  const slice = vm.popSlice()
  vm.push(slice.refs > index ? slice.ref(index) : fault(CELL_UNDERFLOW))
}

const loadLittleEndian =
  (mode: number): RunInstruction =>
  (vm) => {
    const length = (mode & 2) === 0 ? 4 : 8
    const preload = (mode & 4) !== 0
    const quiet = (mode & 8) !== 0
    const slice = vm.popSlice()
    if (slice.bits < 8 * length) return failLoad(vm, slice, preload, quiet)
    const value = bytesToBigint(slice.toBytes(length).reverse())
    vm.push(shrink((mode & 1) === 0 ? BigInt.asIntN(8 * length, value) : value))
    if (!preload) vm.push(slice.skip(8 * length))
    if (quiet) vm.push(-1)
  }

const loadSame =
  (bit: number | undefined): RunInstruction =>
  (vm) => {
    vm.need(bit === undefined ? 2 : 1)
    const value = bit ?? vm.popSmall(1)
    const slice = vm.popSlice()
    const count = slice.countLeading(value)
    vm.push(count)
    vm.push(slice.skip(count))
  }

/** Resolves a library reference to the cell it stands for, without opening that. */
const resolve =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    let cell = vm.popCell()
    if (vm.version >= 5) {
      const { cells } = vm.env
      cells.registerLoad(cell, vm.gas)
      if (cell.isExotic) {
        const found = cell.exoticType === LIBRARY_REFERENCE ? cells.findLibrary(cell, vm.gas) : undefined
        if (found === undefined) {
          if (!quiet) fault(CELL_UNDERFLOW)
          return vm.push(0)
        }
        cell = found
      }
    }
    vm.push(cell)
    if (quiet) vm.push(-1)
  }

const hashAt = (vm: Vm, level: number): void => vm.push(hashInteger(vm.popCell().hash(level)))

export const hashInteger = (hash: Uint8Array): Integer => shrink(bytesToBigint(hash))

export const integerBytes = (value: Integer, length: number): Uint8Array => {
  const out = new Uint8Array(length)
  let rest = toBig(value)
  for (let k = length - 1; k >= 0; k--) {
    out[k] = Number(rest & 0xffn)
    rest >>= 8n
  }
  return out
}

const VARIABLE_NAMES = ['LDIX', 'LDUX', 'PLDIX', 'PLDUX', 'LDIXQ', 'LDUXQ', 'PLDIXQ', 'PLDUXQ'] as const
const FIXED_NAMES = ['LDI_ALT', 'LDU_ALT', 'PLDI', 'PLDU', 'LDIQ', 'LDUQ', 'PLDIQ', 'PLDUQ'] as const
const SLICE_NAMES = ['LDSLICE_ALT', 'PLDSLICE', 'LDSLICEQ', 'PLDSLICEQ'] as const

const littleEndianName = (mode: number): string =>
  `${(mode & 4) === 0 ? '' : 'P'}LD${(mode & 1) === 0 ? 'I' : 'U'}LE${(mode & 2) === 0 ? 4 : 8}${(mode & 8) === 0 ? '' : 'Q'}`

export const cellReadingInstructions: readonly Instruction[] = [
  op1('CTOS', 0xd0, 8, (vm) => vm.push(vm.loadCell(vm.popCell()))),
  op1('ENDS', 0xd1, 8, (vm) => {
    if (!vm.popSlice().isEmpty) fault(CELL_UNDERFLOW)
  }),
  op('LDI', 0xd200, 0xd2ff, 16, { operands: 'u8+1' }, loadFixed(loadModeOf(0), 8)),
  op('LDU', 0xd300, 0xd3ff, 16, { operands: 'u8+1' }, loadFixed(loadModeOf(1), 8)),
  op1('LDREF', 0xd4, 8, (vm) => {
    const slice = vm.popSlice()
    if (slice.refs === 0) fault(CELL_UNDERFLOW)
    vm.push(slice.ref(0))
    vm.push(slice.skip(0, 1))
  }),
  op1('LDREFRTOS', 0xd5, 8, (vm) => {
    const slice = vm.popSlice()
    if (slice.refs === 0) fault(CELL_UNDERFLOW)
    vm.push(slice.skip(0, 1))
    vm.push(vm.loadCell(slice.ref(0)))
  }),
  op('LDSLICE', 0xd600, 0xd6ff, 16, { operands: 'u8+1' }, (vm, word) =>
    loadSlice(vm, ((word >> 8) & 255) + 1, false, false),
  ),
  ...VARIABLE_NAMES.map((name, mode) => op1(name, 0xd700 + mode, 16, loadVariable(loadModeOf(mode)))),
  ...FIXED_NAMES.map((name, mode) =>
    op(
      name,
      (0xd708 + mode) * 256,
      (0xd708 + mode) * 256 + 255,
      24,
      { operands: 'u8+1' },
      loadFixed(loadModeOf(mode), 0),
    ),
  ),
  op('PLDUZ', 0xd710, 0xd717, 16, { operands: 'u3+1*32' }, loadZeroExtended),
  ...['LDSLICEX', 'PLDSLICEX', 'LDSLICEXQ', 'PLDSLICEXQ'].map((name, mode) =>
    op1(name, 0xd718 + mode, 16, (vm) => {
      vm.need(2)
      loadSlice(vm, vm.popSmall(1023), (mode & 1) !== 0, (mode & 2) !== 0)
    }),
  ),
  ...SLICE_NAMES.map((name, mode) =>
    op(name, (0xd71c + mode) * 256, (0xd71c + mode) * 256 + 255, 24, { operands: 'u8+1' }, (vm, word) =>
      loadSlice(vm, (word & 255) + 1, (mode & 1) !== 0, (mode & 2) !== 0),
    ),
  ),
  opCut('SDCUTFIRST', 0xd720, (s, bits) => (s.bits < bits ? undefined : s.first(bits))),
  opCut('SDSKIPFIRST', 0xd721, (s, bits) => (s.bits < bits ? undefined : s.skip(bits))),
  opCut('SDCUTLAST', 0xd722, (s, bits) => (s.bits < bits ? undefined : s.last(bits))),
  opCut('SDSKIPLAST', 0xd723, (s, bits) => (s.bits < bits ? undefined : s.first(s.bits - bits, s.refs))),
  op1('SDSUBSTR', 0xd724, 16, (vm) => {
    vm.need(3)
    const bits = vm.popSmall(1023)
    const skipped = vm.popSmall(1023)
    const slice = vm.popSlice()
    if (slice.bits < skipped + bits) fault(CELL_UNDERFLOW)
    vm.push(slice.skip(skipped).first(bits))
  }),
  op1('SDBEGINSX', 0xd726, 16, (vm) => {
    vm.need(2)
    beginsWith(vm, vm.popSlice(), false)
  }),
  op1('SDBEGINSXQ', 0xd727, 16, (vm) => {
    vm.need(2)
    beginsWith(vm, vm.popSlice(), true)
  }),
  op('SDBEGINS', 0xd728 * 32, 0xd728 * 32 + 255, 21, { operands: 'slice3' }, (vm, word) => {
    const prefix = vm.takeCode(((word >> 3) & 127) * 8 + 3, 0).withoutCompletion()
    beginsWith(vm, prefix, ((word >> 10) & 1) === 1)
  }),
  opCutBoth('SCUTFIRST', 0xd730, (s, bits, refs) => s.first(bits, refs)),
  opCutBoth('SSKIPFIRST', 0xd731, (s, bits, refs) => s.skip(bits, refs)),
  opCutBoth('SCUTLAST', 0xd732, (s, bits, refs) => s.last(bits, refs)),
  opCutBoth('SSKIPLAST', 0xd733, (s, bits, refs) => s.first(s.bits - bits, s.refs - refs)),
  op1('SUBSLICE', 0xd734, 16, subSlice),
  op1('SPLIT', 0xd736, 16, split(false)),
  op1('SPLITQ', 0xd737, 16, split(true)),
  op1('XCTOS', 0xd739, 16, (vm) => {
    const cell = vm.popCell()
    vm.env.cells.registerLoad(cell, vm.gas)
    vm.push(Slice.of(cell))
    vm.pushBool(cell.isExotic)
  }),
  op1('XLOAD', 0xd73a, 16, resolve(false)),
  op1('XLOADQ', 0xd73b, 16, resolve(true)),
  op1('SCHKBITS', 0xd741, 16, check(true, false, false)),
  op1('SCHKREFS', 0xd742, 16, check(false, true, false)),
  op1('SCHKBITREFS', 0xd743, 16, check(true, true, false)),
  op1('SCHKBITSQ', 0xd745, 16, check(true, false, true)),
  op1('SCHKREFSQ', 0xd746, 16, check(false, true, true)),
  op1('SCHKBITREFSQ', 0xd747, 16, check(true, true, true)),
  op1('PLDREFVAR', 0xd748, 16, (vm) => {
    vm.need(2)
    preloadRef(vm, vm.popSmall(3))
  }),
  opTest1('SBITS', 0xd749, (s) => s.bits),
  opTest1('SREFS', 0xd74a, (s) => s.refs),
  op1('SBITREFS', 0xd74b, 16, (vm) => {
    const { bits, refs } = vm.popSlice()
    vm.push(bits)
    vm.push(refs)
  }),
  op('PLDREFIDX', 0xd74c, 0xd74f, 16, { operands: 'u2' }, (vm, word) => preloadRef(vm, (word >> 8) & 3)),
  ...Array.from({ length: 16 }, (_, mode) => op1(littleEndianName(mode), 0xd750 + mode, 16, loadLittleEndian(mode))),
  op1('LDZEROES', 0xd760, 16, loadSame(0)),
  op1('LDONES', 0xd761, 16, loadSame(1)),
  op1('LDSAME', 0xd762, 16, loadSame(undefined)),
  op1('SDEPTH', 0xd764, 16, (vm) => vm.push(vm.popSlice().depth())),
  op1('CDEPTH', 0xd765, 16, (vm) => vm.push(vm.popMaybeCell()?.depth() ?? 0)),
  op1('CLEVEL', 0xd766, 16, { since: 6 }, (vm) => vm.push(vm.popCell().level)),
  op1('CLEVELMASK', 0xd767, 16, { since: 6 }, (vm) => vm.push(vm.popCell().levelMask)),
  op('CHASHI', 0xd768, 0xd76b, 16, { since: 6, operands: 'u2' }, (vm, word) => hashAt(vm, (word >> 8) & 3)),
  op(
    'CDEPTHI',
    0xd76c,
    0xd76f,
    16,
    {
      since: 6,
      operands: 'u2',
    },
    (vm, word) => vm.push(vm.popCell().depth((word >> 8) & 3)),
  ),
  op1('CHASHIX', 0xd770, 16, { since: 6 }, (vm) => hashAt(vm, vm.popSmall(3))),
  op1('CDEPTHIX', 0xd771, 16, { since: 6 }, (vm) => {
    const level = vm.popSmall(3)
    vm.push(vm.popCell().depth(level))
  }),
]

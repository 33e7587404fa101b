import type { Cell } from '../../../codec/cell/Cell.ts'
import { copyBits, peekInt, peekUint, putInteger } from '../bits.ts'
import {
  cutSubdictionary,
  deleteFromDictionary,
  deleteFromPrefixDictionary,
  findExtreme,
  findInDictionary,
  findNearest,
  findPrefix,
  newKey,
  type SetMode,
  type StoreValue,
  setInDictionary,
  setInPrefixDictionary,
} from '../dictionary.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, DICTIONARY_ERROR, fault, RANGE_CHECK } from '../faults.ts'
import { fitsSigned, fitsUnsigned } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Builder, type Integer, ordinary, Slice, type Value } from '../values.ts'
import { op, op1 } from './decode.ts'

const MAX_KEY_BITS = 1023

/** What a key is on the stack. */
type KeyKind = 'slice' | 'signed' | 'unsigned'

const KEY_KINDS: readonly KeyKind[] = ['slice', 'signed', 'unsigned']
const KIND_NAMES = { slice: '', signed: 'I', unsigned: 'U' } as const

const integerKey = (x: Integer, bits: number, kind: KeyKind): Uint8Array | undefined => {
  if (!(kind === 'signed' ? fitsSigned(x, bits) : fitsUnsigned(x, bits))) return undefined
  const key = newKey()
  if (bits > 0) putInteger(key, 0, x, bits)
  return key
}

const sliceKey = (slice: Slice, bits: number): Uint8Array | undefined => {
  if (slice.bits < bits) return undefined
  const key = newKey()
  copyBits(slice.bytes, slice.offset, key, 0, bits)
  return key
}

/** A key to look up; `undefined` for an integer that is no key of this length. */
const popSearchKey = (vm: Vm, bits: number, kind: KeyKind): Uint8Array | undefined =>
  kind === 'slice' ? (sliceKey(vm.popSlice(), bits) ?? fault(CELL_UNDERFLOW)) : integerKey(vm.popFinite(), bits, kind)

/** A key to write. A slice that is too short is found out only after the value was taken. */
const popWriteKey = (vm: Vm, bits: number, kind: KeyKind): Uint8Array | undefined =>
  kind === 'slice' ? sliceKey(vm.popSlice(), bits) : (integerKey(vm.popInt(), bits, kind) ?? fault(RANGE_CHECK))

/** A value that must be one reference and nothing else. */
const refOf = (value: Slice): Cell => (value.bits === 0 && value.refs === 1 ? value.ref(0) : fault(DICTIONARY_ERROR))

const loadedValue = (value: Slice, isRef: boolean): Value => (isRef ? refOf(value) : value)

const pushKey = (vm: Vm, key: Uint8Array, bits: number, kind: KeyKind): void => {
  if (kind === 'signed') vm.push(peekInt(key, 0, bits))
  else if (kind === 'unsigned') vm.push(peekUint(key, 0, bits))
  else vm.push(Slice.of(vm.createCell(Builder.empty.withBits(key, 0, bits))))
}

/** The name of a dictionary instruction: DICT, the kind of key, the operation, and REF for values that are references. */
const nameOf = (kind: KeyKind, operation: string, isRef = false): string =>
  `DICT${KIND_NAMES[kind]}${operation}${isRef ? 'REF' : ''}`

/** An operation for all kinds of keys, with values as slices and as references: six opcodes. */
const sixForms = (
  operation: string,
  opcode: number,
  make: (kind: KeyKind, isRef: boolean) => RunInstruction,
): Instruction[] =>
  KEY_KINDS.flatMap((kind, k) => [
    op1(nameOf(kind, operation), opcode + 2 * k, 16, make(kind, false)),
    op1(nameOf(kind, operation, true), opcode + 2 * k + 1, 16, make(kind, true)),
  ])

/** An operation for all kinds of keys: three opcodes. */
const threeForms = (operation: string, opcode: number, make: (kind: KeyKind) => RunInstruction): Instruction[] =>
  KEY_KINDS.map((kind, k) => op1(nameOf(kind, operation), opcode + k, 16, make(kind)))

const get =
  (kind: KeyKind, isRef: boolean): RunInstruction =>
  (vm) => {
    vm.need(3)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const key = popSearchKey(vm, bits, kind)
    const found = key && findInDictionary(root, bits, key, 0, vm.nodes.open)
    if (found === undefined) return vm.push(0)
    vm.push(loadedValue(found, isRef))
    vm.push(-1)
  }

const getOptional =
  (kind: KeyKind): RunInstruction =>
  (vm) => {
    vm.need(3)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const key = popSearchKey(vm, bits, kind)
    const found = key && findInDictionary(root, bits, key, 0, vm.nodes.open)
    vm.push(found === undefined ? null : refOf(found))
  }

/** What a value is on the stack: a slice, a builder, or a cell to refer to. */
type StoredAs = 'slice' | 'builder' | 'ref'

const popStored = (vm: Vm, storedAs: StoredAs): StoreValue => {
  if (storedAs === 'ref') {
    const cell = vm.popCell()
    return (leaf) => leaf.withRef(cell)
  }
  if (storedAs === 'builder') {
    const builder = vm.popBuilder()
    return (leaf) =>
      leaf.hasRoom(builder.bits, builder.refs.length) ? leaf.withBuilder(builder) : fault(CELL_OVERFLOW)
  }
  const slice = vm.popSlice()
  return (leaf) => (leaf.hasRoom(slice.bits, slice.refs) ? leaf.withSlice(slice) : fault(CELL_OVERFLOW))
}

const set =
  (mode: SetMode, kind: KeyKind, storedAs: StoredAs, wantsOld: boolean): RunInstruction =>
  (vm) => {
    vm.need(4)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const key = popWriteKey(vm, bits, kind)
    const store = popStored(vm, storedAs)
    const changed = setInDictionary(root, bits, key ?? fault(CELL_UNDERFLOW), store, mode, vm.nodes)
    const old = wantsOld && changed.old !== undefined ? loadedValue(changed.old, storedAs === 'ref') : undefined
    vm.push(changed.root ?? root)
    if (wantsOld) {
      if (old !== undefined) vm.push(old)
      vm.pushBool((old !== undefined) === (mode !== 'add'))
    } else if (mode !== 'set') vm.pushBool(changed.root !== undefined)
  }

const remove =
  (kind: KeyKind): RunInstruction =>
  (vm) => {
    const { root, result } = popAndDelete(vm, kind)
    vm.push(result === undefined ? root : result.root)
    vm.pushBool(result !== undefined)
  }

const removeGet =
  (kind: KeyKind, isRef: boolean): RunInstruction =>
  (vm) => {
    const { root, result } = popAndDelete(vm, kind)
    const old = result && loadedValue(result.old, isRef)
    vm.push(result === undefined ? root : result.root)
    if (old !== undefined) vm.push(old)
    vm.pushBool(old !== undefined)
  }

const popAndDelete = (vm: Vm, kind: KeyKind) => {
  vm.need(3)
  const bits = vm.popSmall(MAX_KEY_BITS)
  const root = vm.popMaybeCell()
  const key = popSearchKey(vm, bits, kind) ?? fault(RANGE_CHECK)
  return { root, result: deleteFromDictionary(root, bits, key, vm.nodes) }
}

const setGetOptional =
  (kind: KeyKind): RunInstruction =>
  (vm) => {
    vm.need(4)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const short = popWriteKey(vm, bits, kind)
    const value = vm.popMaybeCell()
    const key = short ?? fault(CELL_UNDERFLOW)
    if (value === null) {
      const result = deleteFromDictionary(root, bits, key, vm.nodes)
      const old = result === undefined ? null : refOf(result.old)
      vm.push(result === undefined ? root : result.root)
      return vm.push(old)
    }
    const changed = setInDictionary(root, bits, key, (leaf) => leaf.withRef(value), 'set', vm.nodes)
    const old = changed.old === undefined ? null : refOf(changed.old)
    vm.push(changed.root ?? root)
    vm.push(old)
  }

const maxKeyBits = (kind: KeyKind): number => (kind === 'slice' ? MAX_KEY_BITS : kind === 'signed' ? 257 : 256)

/** Which side to take: all bits alike, the first the other way round for signed keys. */
const sidesOf = (toMax: boolean, isSigned: boolean): number => (toMax ? -1 : 0) ^ (isSigned ? 1 : 0)

const extreme =
  (kind: KeyKind, isRef: boolean, toMax: boolean, removes: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const bits = vm.popSmall(maxKeyBits(kind))
    const root = vm.popMaybeCell()
    const key = newKey()
    // Slice keys are taken by their bits like unsigned ones.
    const found = findExtreme(root, bits, key, 0, sidesOf(toMax, kind === 'signed'), vm.nodes.open)
    let rest = root
    if (found !== undefined && removes) rest = deleteFromDictionary(root, bits, key, vm.nodes)!.root
    const value = found && loadedValue(found, isRef)
    if (removes) vm.push(rest)
    if (value === undefined) return vm.push(0)
    vm.push(value)
    pushKey(vm, key, bits, kind)
    vm.push(-1)
  }

const nearest =
  (kind: KeyKind, toNext: boolean, allowEqual: boolean): RunInstruction =>
  (vm) => {
    vm.need(3)
    const bits = vm.popSmall(maxKeyBits(kind))
    const root = vm.popMaybeCell()
    const isSigned = kind === 'signed'
    let key: Uint8Array
    let found: Slice | undefined
    if (kind === 'slice') {
      key = sliceKey(vm.popSlice(), bits) ?? fault(CELL_UNDERFLOW)
      found = findNearest(root, bits, key, allowEqual, sidesOf(toNext, false), vm.nodes.open)
    } else {
      const x = vm.popFinite()
      const near = integerKey(x, bits, kind)
      key = near ?? newKey()
      if (near !== undefined) found = findNearest(root, bits, key, allowEqual, sidesOf(toNext, isSigned), vm.nodes.open)
      else if (x >= 0 !== toNext) found = findExtreme(root, bits, key, 0, sidesOf(!toNext, isSigned), vm.nodes.open)
    }
    if (found === undefined) return vm.push(0)
    vm.push(found)
    pushKey(vm, key, bits, kind)
    vm.push(-1)
  }

/** Runs the value of a key as code. */
const execute =
  (kind: KeyKind, calls: boolean, keepsMissing: boolean): RunInstruction =>
  (vm) => {
    vm.need(3)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const index = vm.popFinite()
    const key = integerKey(index, bits, kind)
    const code = key && findInDictionary(root, bits, key, 0, vm.nodes.open)
    if (code !== undefined) {
      if (calls) vm.call(ordinary(code))
      else vm.jump(ordinary(code))
    } else if (keepsMissing) vm.push(index)
  }

const constantDictionary = (vm: Vm, word: number): { readonly root: Cell; readonly bits: number } => ({
  root: vm.takeCodeRef(),
  bits: word & 1023,
})

const prefixSet =
  (mode: SetMode): RunInstruction =>
  (vm) => {
    vm.need(vm.version >= 9 ? 4 : 3)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const slice = vm.popSlice()
    const store = popStored(vm, 'slice')
    const key = sliceKey(slice, slice.bits)!
    const changed = setInPrefixDictionary(root, bits, key, slice.bits, store, mode, vm.nodes)
    vm.push(changed ?? root)
    vm.pushBool(changed !== undefined)
  }

const prefixDelete: RunInstruction = (vm) => {
  vm.need(vm.version >= 9 ? 3 : 2)
  const bits = vm.popSmall(MAX_KEY_BITS)
  const root = vm.popMaybeCell()
  const slice = vm.popSlice()
  const result = deleteFromPrefixDictionary(root, bits, sliceKey(slice, slice.bits)!, slice.bits, vm.nodes)
  vm.push(result === undefined ? root : result.root)
  vm.pushBool(result !== undefined)
}

type PrefixGet = 'getQuiet' | 'get' | 'jump' | 'call'

const prefixGet =
  (wants: PrefixGet): RunInstruction =>
  (vm) => {
    vm.need(3)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const text = vm.popSlice()
    const found = findPrefix(root, bits, text, vm.nodes.open)
    if (found === undefined) {
      if (wants === 'get' || wants === 'call') fault(CELL_UNDERFLOW)
      vm.push(text)
      if (wants === 'getQuiet') vm.push(0)
      return
    }
    vm.push(text.first(found.length))
    if (wants === 'get' || wants === 'getQuiet') vm.push(found.value)
    vm.push(text.skip(found.length))
    if (wants === 'getQuiet') vm.push(-1)
    else if (wants === 'jump') vm.jump(ordinary(found.value))
    else if (wants === 'call') vm.call(ordinary(found.value))
  }

const prefixSwitch: RunInstruction = (vm, word) => {
  const { root, bits } = constantDictionary(vm, word)
  const text = vm.popSlice()
  const found = findPrefix(root, bits, text, vm.nodes.open)
  if (found === undefined) return vm.push(text)
  vm.push(text.first(found.length))
  vm.push(text.skip(found.length))
  vm.jump(ordinary(found.value))
}

const subdictionary =
  (kind: KeyKind, removesPrefix: boolean): RunInstruction =>
  (vm) => {
    vm.need(4)
    const bits = vm.popSmall(MAX_KEY_BITS)
    const root = vm.popMaybeCell()
    const prefixBits = vm.popSmall(Math.min(maxKeyBits(kind), bits))
    const prefix = popSearchKey(vm, prefixBits, kind) ?? fault(CELL_UNDERFLOW)
    vm.push(cutSubdictionary(root, bits, prefix, prefixBits, removesPrefix, vm.nodes))
  }

/** Whether a `HashmapE` stands at the start of a slice, as 0 or 1 references; `undefined` where bits are missing. */
const dictionaryRefs = (slice: Slice): number | undefined => {
  if (slice.bits === 0) return undefined
  const refs = slice.small(1)
  return slice.refs < refs ? undefined : refs
}

const loadDictionary =
  (asSlice: boolean, preload: boolean, quiet: boolean): RunInstruction =>
  (vm) => {
    const slice = vm.popSlice()
    const refs = dictionaryRefs(slice)
    if (refs === undefined) {
      if (!quiet) fault(CELL_UNDERFLOW)
      if (!preload) vm.push(slice)
      return vm.push(0)
    }
    vm.push(asSlice ? slice.first(1, refs) : refs === 1 ? slice.ref(0) : null)
    if (!preload) vm.push(slice.skip(1, refs))
    if (quiet) vm.push(-1)
  }

const MODES = [
  ['SET', 'set'],
  ['REPLACE', 'replace'],
  ['ADD', 'add'],
] as const

const setInstructions = MODES.flatMap(([name, mode], k): Instruction[] => [
  ...sixForms(name, 0xf412 + 16 * k, (kind, isRef) => set(mode, kind, isRef ? 'ref' : 'slice', false)),
  ...sixForms(`${name}GET`, 0xf41a + 16 * k, (kind, isRef) => set(mode, kind, isRef ? 'ref' : 'slice', true)),
  ...threeForms(`${name}B`, 0xf441 + 8 * k, (kind) => set(mode, kind, 'builder', false)),
  ...threeForms(`${name}GETB`, 0xf445 + 8 * k, (kind) => set(mode, kind, 'builder', true)),
])

const nearInstructions = KEY_KINDS.flatMap((kind, k): Instruction[] =>
  ['GETNEXT', 'GETNEXTEQ', 'GETPREV', 'GETPREVEQ'].map((name, mode) =>
    op1(nameOf(kind, name), 0xf474 + 4 * k + mode, 16, nearest(kind, mode < 2, (mode & 1) === 1)),
  ),
)

const executeInstructions = (['GETJMP', 'GETEXEC'] as const).flatMap((name, k): Instruction[] => [
  op1(`DICTI${name}`, 0xf4a0 + 2 * k, 16, execute('signed', k === 1, false)),
  op1(`DICTU${name}`, 0xf4a1 + 2 * k, 16, execute('unsigned', k === 1, false)),
  op1(`DICTI${name}Z`, 0xf4bc + 2 * k, 16, execute('signed', k === 1, true)),
  op1(`DICTU${name}Z`, 0xf4bd + 2 * k, 16, execute('unsigned', k === 1, true)),
])

export const dictionaryInstructions: readonly Instruction[] = [
  op1('STDICT', 0xf400, 16, (vm) => {
    vm.need(2)
    const builder = vm.popBuilder()
    const root = vm.popMaybeCell()
    if (!builder.hasRoom(1, root === null ? 0 : 1)) fault(CELL_OVERFLOW)
    const marked = builder.withInteger(root === null ? 0 : 1, 1)
    vm.push(root === null ? marked : marked.withRef(root))
  }),
  op1('SKIPDICT', 0xf401, 16, (vm) => {
    const slice = vm.popSlice()
    vm.push(slice.skip(1, dictionaryRefs(slice) ?? fault(CELL_UNDERFLOW)))
  }),
  op1('LDDICTS', 0xf402, 16, loadDictionary(true, false, false)),
  op1('PLDDICTS', 0xf403, 16, loadDictionary(true, true, false)),
  op1('LDDICT', 0xf404, 16, loadDictionary(false, false, false)),
  op1('PLDDICT', 0xf405, 16, loadDictionary(false, true, false)),
  op1('LDDICTQ', 0xf406, 16, loadDictionary(false, false, true)),
  op1('PLDDICTQ', 0xf407, 16, loadDictionary(false, true, true)),
  ...sixForms('GET', 0xf40a, get),
  ...setInstructions,
  ...threeForms('DEL', 0xf459, remove),
  ...sixForms('DELGET', 0xf462, removeGet),
  ...threeForms('GETOPTREF', 0xf469, getOptional),
  ...threeForms('SETGETOPTREF', 0xf46d, setGetOptional),
  op1('PFXDICTSET', 0xf470, 16, prefixSet('set')),
  op1('PFXDICTREPLACE', 0xf471, 16, prefixSet('replace')),
  op1('PFXDICTADD', 0xf472, 16, prefixSet('add')),
  op1('PFXDICTDEL', 0xf473, 16, prefixDelete),
  ...nearInstructions,
  ...sixForms('MIN', 0xf482, (kind, isRef) => extreme(kind, isRef, false, false)),
  ...sixForms('MAX', 0xf48a, (kind, isRef) => extreme(kind, isRef, true, false)),
  ...sixForms('REMMIN', 0xf492, (kind, isRef) => extreme(kind, isRef, false, true)),
  ...sixForms('REMMAX', 0xf49a, (kind, isRef) => extreme(kind, isRef, true, true)),
  ...executeInstructions,
  op('DICTPUSHCONST', 0xf4a400, 0xf4a7ff, 24, { operands: 'ref,u10' }, (vm, word) => {
    const { root, bits } = constantDictionary(vm, word)
    vm.push(root)
    vm.push(bits)
  }),
  op1('PFXDICTGETQ', 0xf4a8, 16, prefixGet('getQuiet')),
  op1('PFXDICTGET', 0xf4a9, 16, prefixGet('get')),
  op1('PFXDICTGETJMP', 0xf4aa, 16, prefixGet('jump')),
  op1('PFXDICTGETEXEC', 0xf4ab, 16, prefixGet('call')),
  op('PFXDICTCONSTGETJMP', 0xf4ac00, 0xf4afff, 24, { operands: 'ref,u10' }, prefixSwitch),
  ...KEY_KINDS.map((kind, k) => op1(`SUBDICT${KIND_NAMES[kind]}GET`, 0xf4b1 + k, 16, subdictionary(kind, false))),
  ...KEY_KINDS.map((kind, k) => op1(`SUBDICT${KIND_NAMES[kind]}RPGET`, 0xf4b5 + k, 16, subdictionary(kind, true))),
]

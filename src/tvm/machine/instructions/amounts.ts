import type { Cell } from '../../../codec/cell/Cell.ts'
import { CELL_OVERFLOW, CELL_UNDERFLOW, fault, RANGE_CHECK, TYPE_CHECK } from '../faults.ts'
import { fitsUnsigned, isNan, signedSize, unsignedSize } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Builder, type Integer, Slice, type Value } from '../values.ts'
import { op1 } from './decode.ts'

// --- sizes

/** Counts cells, each once, with a charge for every load. */
export class CellCounter {
  cells = 0
  bits = 0
  refs = 0
  private readonly vm: Vm
  private readonly limit: number
  private readonly seen = new Set<string>()

  constructor(vm: Vm, limit: number) {
    this.vm = vm
    this.limit = limit
  }

  /** False where there are more cells than the limit. */
  addCell(cell: Cell): boolean {
    const pending = [cell]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const key = Buffer.from(next.hash()).toString('latin1')
      if (this.seen.has(key)) continue
      this.seen.add(key)
      if (this.cells >= this.limit) return false
      this.cells++
      this.vm.env.cells.registerLoad(next, this.vm.gas)
      this.bits += next.bits
      this.refs += next.refCount
      for (let k = next.refCount - 1; k >= 0; k--) pending.push(next.ref(k))
    }
    return true
  }

  addSlice(slice: Slice): boolean {
    this.bits += slice.bits
    this.refs += slice.refs
    for (let k = 0; k < slice.refs; k++) if (!this.addCell(slice.ref(k))) return false
    return true
  }
}

const dataSize =
  (ofSlice: boolean, quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const bound = vm.popInt()
    const source = ofSlice ? vm.popSlice() : vm.popMaybeCell()
    if (isNan(bound) || bound < 0) fault(RANGE_CHECK)
    const counter = new CellCounter(vm, fitsUnsigned(bound, 63) ? Number(bound) : 2 ** 63)
    const fits = source === null || (source instanceof Slice ? counter.addSlice(source) : counter.addCell(source))
    if (fits) {
      vm.push(counter.cells)
      vm.push(counter.bits)
      vm.push(counter.refs)
    } else if (!quiet) fault(CELL_OVERFLOW)
    if (quiet) vm.pushBool(fits)
  }

// --- amounts

/** A length in bytes, then that many bytes; `undefined` where bits are missing. */
export const loadVarInteger = (
  slice: Slice,
  lengthBits: number,
  isSigned: boolean,
): { readonly value: Integer; readonly rest: Slice } | undefined => {
  if (slice.bits < lengthBits) return undefined
  const bits = 8 * slice.small(lengthBits)
  const body = slice.skip(lengthBits)
  if (body.bits < bits) return undefined
  return { value: isSigned ? body.int(bits) : body.uint(bits), rest: body.skip(bits) }
}

const load =
  (lengthBits: number, isSigned: boolean): RunInstruction =>
  (vm) => {
    const loaded = loadVarInteger(vm.popSlice(), lengthBits, isSigned) ?? fault(CELL_UNDERFLOW)
    vm.push(loaded.value)
    vm.push(loaded.rest)
  }

const store =
  (lengthBits: number, isSigned: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const x = vm.popInt()
    const builder = vm.popBuilder()
    if (isNan(x) || (!isSigned && x < 0)) fault(RANGE_CHECK)
    const length = ((isSigned ? signedSize(x) : unsignedSize(x)) + 7) >> 3
    if (length >= 2 ** lengthBits) fault(RANGE_CHECK)
    if (!builder.hasRoom(lengthBits + 8 * length)) fault(CELL_OVERFLOW)
    vm.push(builder.withInteger(length, lengthBits).withInteger(x, 8 * length))
  }

// --- addresses

type ParsedAddress = {
  readonly kind: number
  readonly prefix: Slice | null
  readonly workchain: number
  readonly address: Slice | undefined
  readonly rest: Slice
}

/** `Maybe Anycast`; from version 10 on there is none. */
const parseAnycast = (
  slice: Slice,
  version: number,
): { readonly prefix: Slice | null; readonly rest: Slice } | undefined => {
  if (slice.bits < 1) return undefined
  const rest = slice.skip(1)
  if (slice.small(1) === 0) return { prefix: null, rest }
  if (version >= 10 || rest.bits < 5) return undefined
  const depth = rest.small(5)
  if (depth < 1 || depth > 30 || rest.bits < 5 + depth) return undefined
  const bits = rest.skip(5)
  return { prefix: bits.first(depth), rest: bits.skip(depth) }
}

const NONE = 0
const EXTERNAL = 1
const STANDARD = 2
const VARIABLE = 3

/** A `MsgAddress` at the start of a slice. */
export const parseAddress = (slice: Slice, version: number): ParsedAddress | undefined => {
  if (slice.bits < 2) return undefined
  const kind = slice.small(2)
  const body = slice.skip(2)
  if (kind === NONE) return { kind, prefix: null, workchain: 0, address: undefined, rest: body }
  if (kind === EXTERNAL) {
    if (body.bits < 9) return undefined
    const bits = body.small(9)
    const text = body.skip(9)
    if (text.bits < bits) return undefined
    return { kind, prefix: null, workchain: 0, address: text.first(bits), rest: text.skip(bits) }
  }
  if (kind === VARIABLE && version >= 10) return undefined
  const anycast = parseAnycast(body, version)
  if (anycast === undefined) return undefined
  let { prefix, rest } = anycast
  let bits = 256
  let workchainBits = 8
  if (kind === VARIABLE) {
    if (rest.bits < 9) return undefined
    bits = rest.small(9)
    rest = rest.skip(9)
    workchainBits = 32
  }
  if (rest.bits < workchainBits + bits) return undefined
  const workchain = rest.int(workchainBits) as number
  const address = rest.skip(workchainBits).first(bits)
  return { kind, prefix, workchain, address, rest: rest.skip(workchainBits + bits) }
}

const loadAddress =
  (onlyStandard: boolean, quiet: boolean): RunInstruction =>
  (vm) =>
    takeAddress(vm, vm.popSlice(), onlyStandard, quiet)

const takeAddress = (vm: Vm, slice: Slice, onlyStandard: boolean, quiet: boolean): void => {
  const parsed = parseAddress(slice, vm.version)
  if (parsed === undefined || (onlyStandard && parsed.kind !== STANDARD)) {
    if (!quiet) fault(CELL_UNDERFLOW)
    vm.push(slice)
    vm.push(0)
    return
  }
  vm.push(slice.first(slice.bits - parsed.rest.bits))
  vm.push(parsed.rest)
  if (quiet) vm.push(-1)
}

const loadOptionalAddress =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    const slice = vm.popSlice()
    if (slice.bits < 2 || slice.small(2) !== NONE) return takeAddress(vm, slice, true, quiet)
    vm.push(null)
    vm.push(slice.skip(2))
    if (quiet) vm.push(-1)
  }

/** Pops a slice that must be one address and nothing else. */
const popWholeAddress = (vm: Vm): ParsedAddress | undefined => {
  const parsed = parseAddress(vm.popSlice(), vm.version)
  return parsed?.rest.isEmpty === true ? parsed : undefined
}

const failAddress = (vm: Vm, quiet: boolean): void => (quiet ? vm.push(0) : fault(CELL_UNDERFLOW))

const parse =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    const parsed = popWholeAddress(vm)
    if (parsed === undefined) return failAddress(vm, quiet)
    const { kind, prefix, workchain, address } = parsed
    if (kind === NONE) vm.push([NONE])
    else if (kind === EXTERNAL) vm.push([EXTERNAL, address!])
    else vm.push([kind, prefix, workchain, address!])
    if (quiet) vm.push(-1)
  }

const rewriteStandard =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    const parsed = popWholeAddress(vm)
    if (parsed === undefined || parsed.kind < STANDARD || parsed.address!.bits !== 256) return failAddress(vm, quiet)
    const { prefix, workchain, address } = parsed
    vm.push(workchain)
    vm.push(rewritten(address!, prefix).uint(256))
    if (quiet) vm.push(-1)
  }

const rewriteVariable =
  (quiet: boolean): RunInstruction =>
  (vm) => {
    const parsed = popWholeAddress(vm)
    if (parsed === undefined || parsed.kind < STANDARD) return failAddress(vm, quiet)
    const { prefix, workchain } = parsed
    let address = parsed.address!
    if (prefix !== null && prefix.bits > 0) {
      if (prefix.bits > address.bits) return failAddress(vm, quiet)
      if (prefix.bits === address.bits) address = prefix
      else {
        const joined = Builder.empty.withSlice(prefix).withSlice(address.skip(prefix.bits))
        address = vm.loadCell(vm.createCell(joined))
      }
    }
    vm.push(workchain)
    vm.push(address)
    if (quiet) vm.push(-1)
  }

/** An address whose first bits are those of the prefix. */
const rewritten = (address: Slice, prefix: Slice | null): Slice =>
  prefix === null ? address : Slice.of(Builder.empty.withSlice(prefix).withSlice(address.skip(prefix.bits)).toCell())

const isStandard = (slice: Slice, version: number): boolean => {
  const parsed = parseAddress(slice, version)
  return parsed !== undefined && parsed.kind === STANDARD && parsed.rest.isEmpty
}

/** Stores one standard address, or with `optional` null as `addr_none`. */
const storeAddress =
  (optional: boolean, quiet: boolean): RunInstruction =>
  (vm) => {
    vm.need(2)
    const builder = vm.popBuilder()
    const value: Value = optional ? vm.pop() : vm.popSlice()
    const failWith = (code: number): void => {
      if (!quiet) fault(code)
      vm.push(value instanceof Slice || value === null || vm.version >= 14 ? value : null)
      vm.push(builder)
      vm.push(-1)
    }
    if (value !== null && !(value instanceof Slice)) return failWith(TYPE_CHECK)
    if (
      value === null ? !builder.hasRoom(2) : !builder.hasRoom(value.bits, value.refs) || !isStandard(value, vm.version)
    ) {
      return failWith(CELL_OVERFLOW)
    }
    vm.push(value === null ? builder.withInteger(0, 2) : builder.withSlice(value))
    if (quiet) vm.push(0)
  }

export const amountInstructions: readonly Instruction[] = [
  op1('CDATASIZEQ', 0xf940, 16, dataSize(false, true)),
  op1('CDATASIZE', 0xf941, 16, dataSize(false, false)),
  op1('SDATASIZEQ', 0xf942, 16, dataSize(true, true)),
  op1('SDATASIZE', 0xf943, 16, dataSize(true, false)),
  op1('LDGRAMS', 0xfa00, 16, load(4, false)),
  op1('LDVARINT16', 0xfa01, 16, load(4, true)),
  op1('STGRAMS', 0xfa02, 16, store(4, false)),
  op1('STVARINT16', 0xfa03, 16, store(4, true)),
  op1('LDVARUINT32', 0xfa04, 16, load(5, false)),
  op1('LDVARINT32', 0xfa05, 16, load(5, true)),
  op1('STVARUINT32', 0xfa06, 16, store(5, false)),
  op1('STVARINT32', 0xfa07, 16, store(5, true)),
  op1('LDMSGADDR', 0xfa40, 16, loadAddress(false, false)),
  op1('LDMSGADDRQ', 0xfa41, 16, loadAddress(false, true)),
  op1('PARSEMSGADDR', 0xfa42, 16, parse(false)),
  op1('PARSEMSGADDRQ', 0xfa43, 16, parse(true)),
  op1('REWRITESTDADDR', 0xfa44, 16, rewriteStandard(false)),
  op1('REWRITESTDADDRQ', 0xfa45, 16, rewriteStandard(true)),
  op1('REWRITEVARADDR', 0xfa46, 16, rewriteVariable(false)),
  op1('REWRITEVARADDRQ', 0xfa47, 16, rewriteVariable(true)),
  op1('LDSTDADDR', 0xfa48, 16, { since: 12 }, loadAddress(true, false)),
  op1('LDSTDADDRQ', 0xfa49, 16, { since: 12 }, loadAddress(true, true)),
  op1('LDOPTSTDADDR', 0xfa50, 16, { since: 12 }, loadOptionalAddress(false)),
  op1('LDOPTSTDADDRQ', 0xfa51, 16, { since: 12 }, loadOptionalAddress(true)),
  op1('STSTDADDR', 0xfa52, 16, { since: 12 }, storeAddress(false, false)),
  op1('STSTDADDRQ', 0xfa53, 16, { since: 12 }, storeAddress(false, true)),
  op1('STOPTSTDADDR', 0xfa54, 16, { since: 12 }, storeAddress(true, false)),
  op1('STOPTSTDADDRQ', 0xfa55, 16, { since: 12 }, storeAddress(true, true)),
]

import type { Cell } from '../../../codec/cell/Cell.ts'
import { CELL_OVERFLOW, fault, RANGE_CHECK, TYPE_CHECK, UNKNOWN_ERROR } from '../faults.ts'
import { fitsUnsigned, pushInteger, toBig, unsignedSize } from '../integers.ts'
import type { Instruction, RunInstruction, Vm } from '../Vm.ts'
import { Builder, type Integer, isInteger, isTuple, MAX_BUILDER_BITS, MAX_BUILDER_REFS, Slice } from '../values.ts'
import { CellCounter, loadVarInteger, parseAddress } from './amounts.ts'
import { contextParam, findConfigParam, unpackedConfig } from './context.ts'
import { op1 } from './decode.ts'
import { type MsgPrices, readMaxMessageCells, readMsgPrices } from './prices.ts'

const SEND_MESSAGE = 0x0ec3c86d
const RESERVE = 0x36e6b809
const SET_CODE = 0xad4de08e
const CHANGE_LIBRARY = 0x26fa1dd4

/** Puts an action before those that are in c5. */
const addAction = (vm: Vm, tag: number, write: (node: Builder) => Builder): void => {
  vm.c5 = vm.createCell(write(Builder.empty.withRef(vm.c5).withInteger(tag, 32)))
}

const addMessage = (vm: Vm, mode: number, message: Cell): void =>
  addAction(vm, SEND_MESSAGE, (node) => node.withInteger(mode, 8).withRef(message))

const withGrams = (node: Builder, amount: Integer): Builder => {
  const bytes = (unsignedSize(amount) + 7) >> 3
  if (bytes > 15) fault(CELL_OVERFLOW)
  return node.withInteger(bytes, 4).withInteger(amount, 8 * bytes)
}

const reserve =
  (withCurrencies: boolean): RunInstruction =>
  (vm) => {
    vm.need(withCurrencies ? 3 : 2)
    const mode = vm.popSmall(vm.version >= 4 ? 31 : 15)
    const currencies = withCurrencies ? vm.popMaybeCell() : null
    const amount = vm.popFinite()
    if (amount < 0) fault(RANGE_CHECK)
    addAction(vm, RESERVE, (node) => {
      const head = withGrams(node.withInteger(mode, 8), amount).withInteger(currencies === null ? 0 : 1, 1)
      return currencies === null ? head : head.withRef(currencies)
    })
  }

const popLibraryMode = (vm: Vm): number => {
  if (vm.version < 4) return vm.popSmall(2)
  const mode = vm.popSmall(31)
  return (mode & ~16) > 2 ? fault(RANGE_CHECK) : mode
}

// --- the fee of a message

/** What the fee of a message depends on. */
type MessageShape = {
  readonly isExternal: boolean
  readonly destination: Slice
  readonly value: bigint
  readonly hasCurrencies: boolean
  readonly ihrDisabled: boolean
  readonly writtenForwardFee: bigint
  readonly writtenIhrFee: bigint
  /** Bits of the extra flags, which from version 12 on stand where the IHR fee was. */
  readonly flagBits: number
  /** `undefined` without a StateInit. */
  readonly init: { readonly isRef: boolean; readonly bits: number; readonly refs: number } | undefined
  readonly body: { readonly isRef: boolean; readonly bits: number; readonly refs: number }
}

/** Reads a `MessageRelaxed`; anything else is refused with "unknown error". */
class MessageParser {
  private at: Slice
  private readonly version: number

  constructor(slice: Slice, version: number) {
    this.at = slice
    this.version = version
  }

  private bit(): boolean {
    if (this.at.bits < 1) fault(UNKNOWN_ERROR)
    const value = this.at.small(1) === 1
    this.at = this.at.skip(1)
    return value
  }

  private skip(bits: number, refs = 0): void {
    if (this.at.bits < bits || this.at.refs < refs) fault(UNKNOWN_ERROR)
    this.at = this.at.skip(bits, refs)
  }

  /** `undefined` where it is not in the shortest form. */
  private grams(): bigint | undefined {
    const loaded = loadVarInteger(this.at, 4, false) ?? fault(UNKNOWN_ERROR)
    const bytes = this.at.small(4)
    this.at = loaded.rest
    return bytes === (unsignedSize(loaded.value) + 7) >> 3 ? toBig(loaded.value) : undefined
  }

  private address(): Slice {
    // The grammar knows anycast and variable addresses in every version.
    const parsed = parseAddress(this.at, 0) ?? fault(UNKNOWN_ERROR)
    const address = this.at.first(this.at.bits - parsed.rest.bits)
    this.at = parsed.rest
    return address
  }

  parse(): MessageShape {
    const info = this.bit() ? this.externalInfo() : this.internalInfo()
    return { ...info, ...this.initAndBody() }
  }

  private internalInfo() {
    const ihrDisabled = this.bit()
    this.skip(2)
    this.address()
    const destination = this.address()
    if (destination.small(1) !== 1) fault(UNKNOWN_ERROR)
    const value = this.grams() ?? fault(UNKNOWN_ERROR)
    const hasCurrencies = this.bit()
    if (hasCurrencies) this.skip(0, 1)
    const before = this.at.bits
    // Fees that are not in the shortest form count as none.
    const flags = this.grams() ?? 0n
    const flagBits = before - this.at.bits
    const writtenForwardFee = this.grams() ?? 0n
    this.skip(64 + 32)
    return {
      isExternal: false,
      destination,
      value,
      hasCurrencies,
      ihrDisabled: ihrDisabled || this.version >= 11,
      writtenForwardFee,
      writtenIhrFee: this.version >= 12 ? 0n : flags,
      flagBits: this.version >= 12 ? flagBits : 0,
    }
  }

  private externalInfo() {
    if (!this.bit()) fault(UNKNOWN_ERROR)
    this.address()
    const destination = this.address()
    if (destination.small(1) !== 0) fault(UNKNOWN_ERROR)
    this.skip(64 + 32)
    return {
      isExternal: true,
      destination,
      value: 0n,
      hasCurrencies: false,
      ihrDisabled: true,
      writtenForwardFee: 0n,
      writtenIhrFee: 0n,
      flagBits: 0,
    }
  }

  private initAndBody(): Pick<MessageShape, 'init' | 'body'> {
    const init = this.bit() ? this.init() : undefined
    const isRef = this.bit()
    if (isRef && (this.at.refs !== 1 || this.at.bits !== 0)) fault(UNKNOWN_ERROR)
    return { init, body: { isRef, bits: this.at.bits, refs: this.at.refs } }
  }

  private init(): MessageShape['init'] {
    if (this.bit()) {
      this.skip(0, 1)
      return { isRef: true, bits: 0, refs: 1 }
    }
    const start = this.at
    if (this.bit()) this.skip(5)
    if (this.bit()) this.skip(2)
    for (let k = 0; k < 3; k++) if (this.bit()) this.skip(0, 1)
    return { isRef: false, bits: start.bits - this.at.bits, refs: start.refs - this.at.refs }
  }
}

const isMasterchainAddress = (slice: Slice): boolean => {
  const parsed = slice.bits > 0 && slice.small(1) === 1 ? parseAddress(slice, 0) : undefined
  return (parsed ?? fault(RANGE_CHECK)).workchain === -1
}

const findPrices = (vm: Vm, isMasterchain: boolean): MsgPrices => {
  if (vm.version >= 6) return readMsgPrices(unpackedConfig(vm, isMasterchain ? 4 : 5) ?? fault(UNKNOWN_ERROR))
  const cell = findConfigParam(vm, isMasterchain ? 24 : 25) ?? fault(UNKNOWN_ERROR)
  return readMsgPrices(vm.loadCell(cell))
}

/** Grams of a balance in the context, and whether it has extra currencies. */
const balanceParam = (vm: Vm, index: number): { readonly grams: bigint; readonly hasCurrencies: boolean } => {
  const balance = contextParam(vm, index)
  if (!isTuple(balance)) return fault(TYPE_CHECK)
  const grams = balance.length === 0 ? fault(RANGE_CHECK) : balance[0]!
  if (!isInteger(grams)) return fault(TYPE_CHECK)
  const hasCurrencies = vm.version < 10 && (balance.length < 2 ? fault(RANGE_CHECK) : balance[1] !== null)
  return { grams: toBig(grams), hasCurrencies }
}

const gramsBits = (amount: bigint): number => 4 + ((unsignedSize(amount) + 7) & ~7)

const OWN_ADDRESS = 8
const BALANCE = 7
const INCOMING_VALUE = 11

/** Sends a message like SENDRAWMSG and pushes the fee it will cost; with +1024 only the fee. */
const sendMessage: RunInstruction = (vm) => {
  vm.need(2)
  const given = vm.popSmall(2047)
  const mode = given & ~1024
  if (mode >= 256) fault(RANGE_CHECK)
  const cell = vm.popCell()
  const shape = new MessageParser(vm.loadCell(cell), vm.version).parse()
  const own = contextParam(vm, OWN_ADDRESS)
  if (!(own instanceof Slice)) return fault(TYPE_CHECK)
  const isMasterchain = isMasterchainAddress(own) || (!shape.isExternal && isMasterchainAddress(shape.destination))
  const prices = findPrices(vm, isMasterchain)
  const maxCells = vm.version >= 6 ? readMaxMessageCells(unpackedConfig(vm, 6)) : 8192
  const counter = new CellCounter(vm, maxCells)
  const root = vm.loadCell(cell)
  counter.addSlice(root.skip(root.bits, vm.version >= 10 && shape.hasCurrencies ? 1 : 0))
  let { value, hasCurrencies } = shape
  if (!shape.isExternal && (mode & 192) !== 0) {
    const balance = balanceParam(vm, (mode & 128) !== 0 ? BALANCE : INCOMING_VALUE)
    value = (mode & 128) !== 0 ? balance.grams : value + balance.grams
    hasCurrencies ||= balance.hasCurrencies
  }
  const fee = feeOf(vm.version, { ...shape, value, hasCurrencies }, prices, own.bits, counter)
  pushInteger(vm, fee, false)
  if (given < 1024) addMessage(vm, mode, cell)
}

/** The fee of a message whose StateInit and body move into cells of their own where the root has no room for them. */
const feeOf = (
  version: number,
  shape: MessageShape,
  prices: MsgPrices,
  ownBits: number,
  { cells, bits }: CellCounter,
): bigint => {
  let initIsRef = shape.init?.isRef ?? false
  let bodyIsRef = shape.body.isRef
  let totalCells = BigInt(cells)
  let totalBits = BigInt(bits)
  const fees = () => {
    const computed = prices.lumpPrice + ((prices.bitPrice * totalBits + prices.cellPrice * totalCells + 0xffffn) >> 16n)
    const ihr = shape.ihrDisabled ? 0n : (computed * prices.ihrFactor) >> 16n
    if (version >= 14) return { forward: computed, ihr }
    return {
      forward: computed > shape.writtenForwardFee ? computed : shape.writtenForwardFee,
      ihr: shape.ihrDisabled || ihr > shape.writtenIhrFee ? ihr : shape.writtenIhrFee,
    }
  }
  let fee = fees()
  const fits = (): boolean => {
    let rootBits = ownBits + shape.destination.bits + 32 + 64
    let refs = 0
    if (shape.isExternal) rootBits += 2
    else {
      const kept = (fee.forward * BigInt(prices.firstFraction)) >> 16n
      rootBits += 4 + gramsBits(shape.value) + 1 + gramsBits(fee.forward - kept)
      rootBits += version >= 12 ? shape.flagBits : gramsBits(fee.ihr)
      refs += shape.hasCurrencies ? 1 : 0
    }
    rootBits += 2
    if (shape.init !== undefined) {
      rootBits += 1 + (initIsRef ? 0 : shape.init.bits)
      refs += initIsRef ? 1 : shape.init.refs
    }
    rootBits += bodyIsRef ? 0 : shape.body.bits
    refs += bodyIsRef ? 1 : shape.body.refs
    return rootBits <= MAX_BUILDER_BITS && refs <= MAX_BUILDER_REFS
  }
  if (shape.init !== undefined && !initIsRef && !fits()) {
    initIsRef = true
    totalCells += 1n
    totalBits += BigInt(shape.init.bits)
    fee = fees()
  }
  if (!bodyIsRef && !fits()) {
    bodyIsRef = true
    totalCells += 1n
    totalBits += BigInt(shape.body.bits)
    fee = fees()
  }
  return fee.forward + fee.ihr
}

export const actionInstructions: readonly Instruction[] = [
  op1('SENDRAWMSG', 0xfb00, 16, (vm) => {
    vm.need(2)
    const mode = vm.popSmall(255)
    addMessage(vm, mode, vm.popCell())
  }),
  op1('RAWRESERVE', 0xfb02, 16, reserve(false)),
  op1('RAWRESERVEX', 0xfb03, 16, reserve(true)),
  op1('SETCODE', 0xfb04, 16, (vm) => {
    const code = vm.popCell()
    addAction(vm, SET_CODE, (node) => node.withRef(code))
  }),
  op1('SETLIBCODE', 0xfb06, 16, (vm) => {
    vm.need(2)
    const mode = popLibraryMode(vm)
    const code = vm.popCell()
    addAction(vm, CHANGE_LIBRARY, (node) => node.withInteger(2 * mode + 1, 8).withRef(code))
  }),
  op1('CHANGELIB', 0xfb07, 16, (vm) => {
    vm.need(2)
    const mode = popLibraryMode(vm)
    const hash = vm.popFinite()
    if (!fitsUnsigned(hash, 256)) fault(RANGE_CHECK)
    addAction(vm, CHANGE_LIBRARY, (node) => node.withInteger(2 * mode, 8).withInteger(hash, 256))
  }),
  op1('SENDMSG', 0xfb08, 16, { since: 4 }, sendMessage),
]

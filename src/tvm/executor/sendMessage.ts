import { forwardFee } from '../../chain/fees.ts'
import { Cell, type CellSlice, cellAt } from '../../codec/cell/Cell.ts'
import { CellWriter, sliceToCell } from '../../codec/cell/CellWriter.ts'
import { CellError } from '../../codec/cell/errors.ts'
import {
  type CurrencyCollection,
  NO_EXTRA_CURRENCIES,
  writeCurrencyCollection,
} from '../../codec/tlb/CurrencyCollection.ts'
import type { ForwardPrices } from '../../codec/tlb/config/prices.ts'
import { type MsgAddress, type MsgAddressInt, writeMsgAddress } from '../../codec/tlb/MsgAddress.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { type ActionState, BOUNCE_ON_FAIL, INVALID_ACTION, NOT_ENOUGH_EXTRA, NOT_ENOUGH_GRAMS } from './ActionState.ts'
import { addExtra, firstPart, isZero, subtractExtra, withoutZeros } from './amounts.ts'
import { CellTrees, MAX_MERKLE_DEPTH } from './cellTrees.ts'
import { hasShortestAmounts, isLibraryDict, MAX_CHECKED_CELLS } from './dictionaries.ts'
import { type RelaxedMessage, readRelaxedMessage } from './relaxedMessage.ts'
import type { TransactionState } from './TransactionState.ts'

const PAY_FEES = 1
const IGNORE_ERRORS = 2
const DELETE_IF_EMPTY = 32
const ADD_INBOUND_VALUE = 64
const SEND_ALL = 128
const KNOWN_MODES = 0xe3

const BAD_SOURCE = 35
const BAD_DESTINATION = 36
const DOES_NOT_FIT = 39
const TOO_LARGE = 40
const TOO_MANY_CURRENCIES = 44
const BAD_EXTRA_FLAGS = 45
const TOO_LARGE_TOGETHER = 47

/** The message does not fit into its root cell: to be tried again with parts of it moved out. */
const AGAIN = -2

/** Which parts of a message were moved into cells of their own to make room. */
type Layout = { readonly initInRef: boolean; readonly bodyInRef: boolean }

/** Sends a message; 0, or the code of what went wrong. */
export const sendMessage = (tx: TransactionState, actions: ActionState, mode: number, cell: Cell): number => {
  const { version } = tx
  let flags = mode
  if ((flags & BOUNCE_ON_FAIL) !== 0 && version >= 4) {
    flags &= ~BOUNCE_ON_FAIL
    actions.bouncesOnFail = true
  }
  const sending = new Sending(tx, actions, flags)
  if ((flags & ~KNOWN_MODES) !== 0 || (flags & (ADD_INBOUND_VALUE | SEND_ALL)) === (ADD_INBOUND_VALUE | SEND_ALL)) {
    return version >= 13 ? sending.fail(INVALID_ACTION) : INVALID_ACTION
  }
  const message = readRelaxedMessage(cell)
  if (message === undefined) return INVALID_ACTION
  if (!hasValidLibraries(message)) return version >= 13 ? sending.fail(INVALID_ACTION) : INVALID_ACTION
  let layout: Layout = { initInRef: message.init?.inRef ?? false, bodyInRef: message.body.inRef }
  let isLast = false
  for (let round = 0; ; round++) {
    const code = sending.attempt(message, layout, isLast)
    if (code !== AGAIN) return code
    // First a StateInit with two references or more, then the body.
    const movesInit = round === 0 && !layout.initInRef && refsOf(message.init?.slice) >= 2
    if (movesInit) layout = { ...layout, initInRef: true }
    else {
      const hasBody = message.body.slice.bitEnd > message.body.slice.bitStart || refsOf(message.body.slice) > 0
      layout = { ...layout, bodyInRef: layout.bodyInRef || hasBody }
      isLast = true
    }
  }
}

const refsOf = (slice: CellSlice | undefined): number => (slice === undefined ? 0 : slice.refEnd - slice.refStart)

const hasValidLibraries = ({ init }: RelaxedMessage): boolean =>
  init === undefined || isLibraryDict(init.value.library, init.inRef ? MAX_CHECKED_CELLS - 1 : MAX_CHECKED_CELLS)

/** Values that a message gets on its way out. */
type Rewritten = {
  readonly source: MsgAddress
  readonly destination: MsgAddress
  readonly value: CurrencyCollection
  readonly ihrDisabled: boolean
  readonly extraFlags: bigint
  readonly forwardFee: bigint
}

/** One message on its way out, with the rules of its mode. */
class Sending {
  private readonly tx: TransactionState
  private readonly actions: ActionState
  private readonly mode: number
  private fine = 0n

  constructor(tx: TransactionState, actions: ActionState, mode: number) {
    this.tx = tx
    this.actions = actions
    this.mode = mode
  }

  private has(flag: number): boolean {
    return (this.mode & flag) !== 0
  }

  /** Ends with an error, or skips the action where errors are to be ignored. */
  fail(code: number): number {
    if (!this.has(IGNORE_ERRORS)) return code
    if (this.tx.version >= 8) this.actions.skippedActions++
    return 0
  }

  /** The same, with the fine for the work done so far. */
  private failFined(code: number): number {
    const { actions } = this
    const { grams } = actions.remaining
    const taken = this.fine < grams ? this.fine : grams
    actions.fine += taken
    actions.remaining = { ...actions.remaining, grams: grams - taken }
    return this.fail(code)
  }

  attempt(message: RelaxedMessage, layout: Layout, isLast: boolean): number {
    const { tx } = this
    const { version, config } = tx
    if (message.isExternal && (this.mode & ~3) !== 0) return INVALID_ACTION
    if (!message.isExternal) {
      if (!message.value.isShortest || !hasShortestAmounts(message.extra)) return INVALID_ACTION
      if (version < 8 && !(message.forwardFee.isShortest && message.extraFlags.isShortest)) return INVALID_ACTION
      const { value: flags, isShortest } = message.extraFlags
      if (version >= 12 && (!isShortest || flags > 3n)) return this.fail(BAD_EXTRA_FLAGS)
    }
    const source = this.sourceOf(message.source)
    if (source === undefined) return version >= 13 ? this.fail(BAD_SOURCE) : BAD_SOURCE
    const destination = resolveDestination(tx, message.destination, version < 10)
    if (destination === undefined) return this.fail(BAD_DESTINATION)
    let extra = message.extra
    if (!message.isExternal && version >= 10) {
      if (extra.entries().length > config.limits.maxMsgExtraCurrencies) return this.fail(TOO_MANY_CURRENCIES)
      extra = withoutZeros(extra)
    }
    const toMasterchain = isInternal(destination) && destination.workchain === masterchain
    const prices = config.forwardPrices(toMasterchain || tx.isMasterchain)
    const size = this.measure(message, layout, prices, { grams: message.value.value, extra })
    if (typeof size === 'number') return size
    const ihrDisabled = message.ihrDisabled || version >= 11
    const fees = this.feesOf(message, prices, size, ihrDisabled)
    const parts = { source, destination, ihrDisabled }
    return message.isExternal
      ? this.sendOutside(message, layout, isLast, size, fees.forward, parts)
      : this.sendInside(message, layout, isLast, size, fees, prices, { grams: message.value.value, extra }, parts)
  }

  private sourceOf(source: MsgAddress): MsgAddress | undefined {
    const own = this.tx.address
    if (source.kind === 'none') return own
    if (source.kind !== 'std' || source.anycast !== undefined) return undefined
    return source.workchain === own.workchain && bytesEqual(source.hash, own.hash) ? own : undefined
  }

  /** Counts the cells of a message as far as the account can pay for it; an error code where that is too far. */
  private measure(
    message: RelaxedMessage,
    layout: Layout,
    prices: ForwardPrices,
    value: CurrencyCollection,
  ): CellTrees | number {
    const { tx, actions } = this
    const { limits } = tx.config
    const isFined = tx.version >= 4 && !tx.isSpecial
    const finePerCell = isFined ? (prices.cellPrice >> 16n) / 4n : 0n
    let maxCells = limits.maxMsgCells
    if (isFined) {
      let funds = actions.remaining.grams
      if (!message.isExternal && !this.has(SEND_ALL) && !this.has(PAY_FEES)) {
        let available = value.grams
        if (this.has(ADD_INBOUND_VALUE)) {
          available += tx.messageBalance.grams - tx.gasFees - actions.fine
          if (available < 0n) return this.fail(NOT_ENOUGH_GRAMS)
        }
        if (available < funds) funds = available
      }
      if (funds < BigInt(maxCells) * finePerCell) maxCells = Number(funds / finePerCell)
    }
    const size = new CellTrees(maxCells)
    addParts(size, message, layout)
    if (!message.isExternal && tx.version < 10) {
      const { root } = value.extra
      if (root instanceof Cell) size.add(root)
    }
    this.fine = finePerCell * BigInt(Math.min(maxCells, size.cells))
    if (size.isOverLimit || size.bits > limits.maxMsgBits || size.merkleDepth > MAX_MERKLE_DEPTH) {
      return this.failFined(TOO_LARGE)
    }
    return size
  }

  private feesOf(message: RelaxedMessage, prices: ForwardPrices, size: CellTrees, ihrDisabled: boolean) {
    const { version, isSpecial } = this.tx
    const computed = isSpecial ? 0n : forwardFee(prices, { cells: BigInt(size.cells), bits: BigInt(size.bits) })
    const computedIhr = isSpecial || ihrDisabled ? 0n : (computed * BigInt(prices.ihrPriceFactor)) >> 16n
    const written = version >= 8 ? 0n : message.forwardFee.value
    const writtenIhr = version >= 8 || ihrDisabled ? 0n : message.extraFlags.value
    return {
      forward: written > computed ? written : computed,
      ihr: writtenIhr > computedIhr ? writtenIhr : computedIhr,
    }
  }

  private sendInside(
    message: RelaxedMessage,
    layout: Layout,
    isLast: boolean,
    size: CellTrees,
    fees: { readonly forward: bigint; readonly ihr: bigint },
    prices: ForwardPrices,
    written: CurrencyCollection,
    parts: Pick<Rewritten, 'source' | 'destination' | 'ihrDisabled'>,
  ): number {
    const { tx, actions } = this
    const { version } = tx
    const paysFees = this.has(PAY_FEES) && !this.has(SEND_ALL)
    const value = this.valueOf(written, paysFees)
    if (value === undefined) return this.failFined(NOT_ENOUGH_GRAMS)
    const total = fees.forward + fees.ihr
    let { grams } = value
    const paid = paysFees ? grams + total : grams
    if (!paysFees) {
      if (grams < total) return this.failFined(NOT_ENOUGH_GRAMS)
      grams -= total
    }
    if (actions.remaining.grams < paid) return this.failFined(NOT_ENOUGH_GRAMS)
    if (version >= 10 && value.extra.entries().length > tx.config.limits.maxMsgExtraCurrencies) {
      return this.fail(TOO_MANY_CURRENCIES)
    }
    const restExtra = subtractExtra(actions.remaining.extra, value.extra)
    if (restExtra === undefined) return this.failFined(NOT_ENOUGH_EXTRA)
    const collected = firstPart(prices, fees.forward)
    const extraFlags = version >= 12 ? message.extraFlags.value : fees.ihr
    const cell = this.build(message, layout, {
      ...parts,
      value: { grams, extra: value.extra },
      extraFlags,
      forwardFee: fees.forward - collected,
    })
    if (cell === undefined) return isLast ? this.failFined(DOES_NOT_FIT) : AGAIN
    if (this.isTooMuch(size, cell)) return this.failFined(TOO_LARGE_TOGETHER)
    if (this.has(ADD_INBOUND_VALUE) || this.has(SEND_ALL)) {
      tx.messageBalance = { grams: 0n, extra: version >= 10 ? tx.messageBalance.extra : NO_EXTRA_CURRENCIES }
    }
    actions.remaining = { grams: actions.remaining.grams - paid, extra: restExtra }
    this.finish(cell, size, collected, total)
    if (this.has(DELETE_IF_EMPTY) && this.has(SEND_ALL)) {
      actions.deletesAccount = version >= 10 ? actions.reserved.grams === 0n : isZero(actions.reserved)
    }
    return 0
  }

  /** What the message carries before fees; `undefined` where the inbound value is used up. */
  private valueOf(written: CurrencyCollection, paysFees: boolean): CurrencyCollection | undefined {
    const { tx, actions } = this
    const onlyGrams = tx.version >= 10
    if (this.has(SEND_ALL)) {
      return onlyGrams ? { grams: actions.remaining.grams, extra: written.extra } : actions.remaining
    }
    if (!this.has(ADD_INBOUND_VALUE)) return written
    // Tick and tock bring no value, not even zero.
    if (tx.message === undefined) return undefined
    const { grams, extra } = tx.messageBalance
    let sum = written.grams + grams
    if (!paysFees) sum -= actions.fine + tx.gasFees
    if (sum < 0n) return undefined
    return { grams: sum, extra: onlyGrams ? written.extra : addExtra(written.extra, extra) }
  }

  private sendOutside(
    message: RelaxedMessage,
    layout: Layout,
    isLast: boolean,
    size: CellTrees,
    fee: bigint,
    parts: Pick<Rewritten, 'source' | 'destination' | 'ihrDisabled'>,
  ): number {
    const { actions } = this
    if (actions.remaining.grams < fee) return this.failFined(NOT_ENOUGH_GRAMS)
    const nothing = { grams: 0n, extra: message.extra }
    const cell = this.build(message, layout, { ...parts, value: nothing, extraFlags: 0n, forwardFee: 0n })
    if (cell === undefined) return isLast ? this.failFined(DOES_NOT_FIT) : AGAIN
    if (this.isTooMuch(size, cell)) return this.failFined(TOO_LARGE_TOGETHER)
    actions.remaining = { ...actions.remaining, grams: actions.remaining.grams - fee }
    this.finish(cell, size, fee, fee)
    return 0
  }

  private isTooMuch({ bits, cells }: CellTrees, message: Cell): boolean {
    const { actions, tx } = this
    const { maxTotalMsgBits, maxTotalMsgCells } = tx.config.limits
    if (tx.version < 15) return false
    return (
      actions.messageBits + bits + message.bits > maxTotalMsgBits || actions.messageCells + cells + 1 > maxTotalMsgCells
    )
  }

  private finish(message: Cell, { bits, cells }: CellTrees, collected: bigint, total: bigint): void {
    const { actions } = this
    actions.messages.push(message)
    actions.endLt++
    actions.totalActionFees += collected
    actions.totalForwardFees += total
    actions.messageBits += bits + message.bits
    actions.messageCells += cells + 1
    if (this.tx.version >= 15) actions.failFine += this.fine
  }

  /** The message as it leaves; `undefined` where it does not fit. */
  private build(message: RelaxedMessage, layout: Layout, parts: Rewritten): Cell | undefined {
    const w = new CellWriter()
    try {
      if (message.isExternal) w.writeUint(0b11, 2)
      else w.writeBit(false).writeBit(parts.ihrDisabled).writeBit(message.bounce).writeBit(false)
      writeMsgAddress(w, parts.source)
      writeMsgAddress(w, parts.destination)
      if (!message.isExternal) {
        writeCurrencyCollection(w, parts.value)
        w.writeCoins(parts.extraFlags).writeCoins(parts.forwardFee)
      }
      w.writeUint64(this.actions.endLt).writeUint(this.tx.input.now, 32)
      writeParts(w, message, layout)
      return w.toCell()
    } catch (error) {
      if (error instanceof CellError) return undefined
      throw error
    }
  }
}

const isInternal = (address: MsgAddress): address is MsgAddressInt => address.kind === 'std' || address.kind === 'var'

/** References of a slice, which may be the whole of a message's part. */
const refsIn = function* ({ arena, index, refStart, refEnd }: CellSlice): Generator<Cell> {
  const base = arena.refStart[index]!
  for (let k = refStart; k < refEnd; k++) yield cellAt(arena, arena.refs[base + k]!)
}

const addParts = (size: CellTrees, { init, body }: RelaxedMessage, layout: Layout): void => {
  if (init !== undefined) addPart(size, init.slice, !init.inRef && layout.initInRef)
  addPart(size, body.slice, !body.inRef && layout.bodyInRef)
}

const addPart = (size: CellTrees, slice: CellSlice, isMoved: boolean): void => {
  if (isMoved) size.add(sliceToCell(slice))
  else for (const ref of refsIn(slice)) size.add(ref)
}

const writeParts = (w: CellWriter, { init, body }: RelaxedMessage, layout: Layout): void => {
  w.writeBit(init !== undefined)
  if (init !== undefined) {
    w.writeBit(layout.initInRef)
    writePart(w, init.slice, !init.inRef && layout.initInRef)
  }
  w.writeBit(layout.bodyInRef)
  writePart(w, body.slice, !body.inRef && layout.bodyInRef)
}

const writePart = (w: CellWriter, slice: CellSlice, isMoved: boolean): void => {
  if (isMoved) w.writeRef(sliceToCell(slice))
  else w.writeSlice(slice)
}

/** Where a message goes: the address as it is to be written, or `undefined` where it cannot go there. */
export const resolveDestination = (
  tx: TransactionState,
  destination: MsgAddress,
  allowsAnycast: boolean,
): MsgAddress | undefined => {
  if (!isInternal(destination)) return destination
  const bits = destination.kind === 'std' ? 256 : destination.bits
  const { workchain, anycast } = destination
  if (workchain === masterchain ? bits !== 256 : !tx.config.acceptsMessages(workchain, bits)) return undefined
  if (anycast !== undefined && !allowsAnycast) return undefined
  const rewritten = anycast && { depth: anycast.depth, prefix: firstBits(tx.address.hash, anycast.depth) }
  if (destination.kind === 'var') {
    if (bits !== 256 || workchain < -128 || workchain > 127) return { ...destination, anycast: rewritten }
    return { kind: 'std', workchain, hash: destination.value, anycast: rewritten }
  }
  return { ...destination, anycast: rewritten }
}

const firstBits = (hash: Uint8Array, bits: number): Uint8Array => {
  const out = hash.slice(0, (bits + 7) >> 3)
  if ((bits & 7) !== 0) out[out.length - 1]! &= 0xff00 >> (bits & 7)
  return out
}

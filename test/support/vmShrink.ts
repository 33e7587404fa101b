import { Cell } from '../../src/codec/cell/Cell.ts'
import { emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { decoderFor } from '../../src/tvm/machine/instructions/table.ts'
import { describeInstruction, wordAt } from '../../src/tvm/machine/instructionText.ts'
import { Builder, Continuation, isTuple, ordinary, Slice, type Value } from '../../src/tvm/machine/values.ts'

/** Smaller forms of cells, values and code, those that leave out most first. */

const EMPTY = Slice.of(emptyCell)
/** Bits are left out in pieces, at the finest this many of a cell. */
const MOST_PIECES = 16

export const shrinkCell = function* (cell: Cell): Generator<Cell> {
  if (cell.bits === 0 && cell.refCount === 0) return
  yield emptyCell
  if (cell.isExotic) return
  const whole = Slice.of(cell)
  for (let k = 0; k < whole.refs; k++) yield whole.ref(k)
  for (let k = 0; k < whole.refs; k++) yield withRefs(whole, k, undefined)
  for (const piece of piecesOf(whole.bits)) yield withoutBits(whole, piece)
  if (whole.bits > 0 && whole.countLeading(0) < whole.bits)
    yield withRefsOf(Builder.empty.withSame(0, whole.bits), whole)
  for (let k = 0; k < whole.refs; k++) for (const ref of shrinkCell(whole.ref(k))) yield withRefs(whole, k, ref)
}

type Piece = { readonly from: number; readonly to: number }

const piecesOf = function* (bits: number): Generator<Piece> {
  for (let size = bits; size >= 1; size = size >> 1) {
    if (size < bits / MOST_PIECES) return
    for (let from = 0; from < bits; from += size) yield { from, to: Math.min(bits, from + size) }
  }
}

const withoutBits = (whole: Slice, { from, to }: Piece): Cell =>
  withRefsOf(Builder.empty.withSlice(whole.first(from)).withSlice(whole.skip(to).first(whole.bits - to)), whole)

const withRefsOf = (start: Builder, whole: Slice): Cell => {
  let builder = start
  for (let k = 0; k < whole.refs; k++) builder = builder.withRef(whole.ref(k))
  return builder.toCell()
}

/** The same with another reference at `position`, or without it. */
const withRefs = (whole: Slice, position: number, ref: Cell | undefined): Cell => {
  let builder = Builder.empty.withSlice(whole.first(whole.bits))
  for (let k = 0; k < whole.refs; k++) {
    if (k !== position) builder = builder.withRef(whole.ref(k))
    else if (ref !== undefined) builder = builder.withRef(ref)
  }
  return builder.toCell()
}

const sizeOf = (value: number | bigint): number => {
  if (Number.isNaN(value)) return 300
  const wide = BigInt(value)
  return (wide < 0n ? -wide : wide).toString(2).length
}

export const shrinkValue = function* (value: Value): Generator<Value> {
  if (value === null) return
  if (typeof value === 'number' || typeof value === 'bigint') {
    for (const small of [0, 1, -1]) {
      if (value === small) return
      yield small
    }
    if (Number.isNaN(value)) return
    const wide = BigInt(value)
    const bits = BigInt(sizeOf(value))
    for (const shift of [bits / 2n, bits / 4n, 8n, 1n]) {
      if (shift > 0n && shift < bits) yield narrow(wide >> shift)
    }
    yield narrow(wide > 0n ? wide - 1n : wide + 1n)
  } else if (value instanceof Cell) {
    yield* shrinkCell(value)
  } else if (value instanceof Slice) {
    // A slice that is a window on a cell becomes a whole one first.
    if (value.bitStart > 0 || value.refStart > 0 || value.bits < value.cell.bits) yield Slice.of(value.toCell())
    for (const cell of shrinkCell(value.toCell())) if (!cell.isExotic) yield Slice.of(cell)
  } else if (value instanceof Builder) {
    for (const cell of shrinkCell(value.toCell())) yield Builder.empty.withSlice(Slice.of(cell))
  } else if (isTuple(value)) {
    if (value.length > 0) yield []
    for (const items of shrinkList(value, shrinkValue)) yield items
  } else if (value instanceof Continuation && (value.kind !== 'ordinary' || !value.code!.isEmpty)) {
    yield ordinary(EMPTY)
  }
}

const narrow = (value: bigint): Value => (BigInt.asIntN(54, value) === value ? Number(value) : value)

/** A list with fewer items, then one with an item made smaller. */
export const shrinkList = function* (
  items: readonly Value[],
  shrink: (value: Value) => Iterable<Value>,
): Generator<Value[]> {
  for (let size = items.length; size >= 1; size = size >> 1) {
    for (let from = 0; from < items.length; from += size) {
      yield [...items.slice(0, from), ...items.slice(from + size)]
    }
  }
  for (const [k, item] of items.entries()) {
    for (const smaller of shrink(item)) yield [...items.slice(0, k), smaller, ...items.slice(k + 1)]
  }
}

export type Listed = { readonly name: string; readonly code: Slice }

/** The instructions of a cell, one after another, as far as they can be read. */
export const listInstructions = (cell: Cell, version: number): Listed[] => {
  const listed: Listed[] = []
  if (cell.isExotic) return listed
  for (let code = Slice.of(cell); code.bits > 0; ) {
    const word = wordAt(code)
    const instruction = decoderFor(version).find(word)
    const { bits, refs } =
      instruction === undefined ? { bits: code.bits, refs: code.refs } : describeInstruction(instruction, word, code)
    if (instruction === undefined || bits > code.bits || refs > code.refs) {
      listed.push({ name: instruction === undefined ? 'invalid opcode' : `${instruction.name} cut off`, code })
      break
    }
    listed.push({ name: instruction.name, code: code.first(bits, refs) })
    code = code.skip(bits, refs)
  }
  return listed
}

/** Code with fewer instructions, or less behind them. */
export const shrinkCode = function* (cell: Cell, version: number): Generator<Cell> {
  if (cell.isExotic) return
  const listed = listInstructions(cell, version)
  for (const keep of [1, 2, 3, 4, 6, 8, 12, 16]) {
    if (keep < listed.length) yield joinCode(listed.slice(0, keep))
  }
  for (let size = listed.length; size >= 1; size = size >> 1) {
    for (let from = 0; from < listed.length; from += size) {
      yield joinCode([...listed.slice(0, from), ...listed.slice(from + size)])
    }
  }
  const whole = joinCode(listed)
  // What is no operand of an instruction.
  if (whole.refCount < cell.refCount) yield whole
  for (let k = 0; k < cell.refCount; k++) {
    yield withRefs(Slice.of(cell), k, undefined)
    for (const ref of shrinkCode(cell.ref(k), version)) yield withRefs(Slice.of(cell), k, ref)
    for (const ref of shrinkCell(cell.ref(k))) yield withRefs(Slice.of(cell), k, ref)
  }
  for (const [k, { code }] of listed.entries()) {
    for (const smaller of smallerOperands(code)) yield joinCode(listed.with(k, { name: '', code: smaller }))
  }
}

const joinCode = (listed: readonly Listed[]): Cell => {
  let builder = Builder.empty
  for (const { code } of listed) builder = builder.withSlice(code)
  return builder.toCell()
}

/** A long constant becomes a small one. */
const smallerOperands = function* (code: Slice): Generator<Slice> {
  if (code.small(8) !== 0x82 && code.small(8) !== 0x81 && code.small(8) !== 0x80) return
  for (const byte of [0x70, 0x71, 0x7f]) yield Slice.of(Builder.empty.withInteger(byte, 8).toCell())
}

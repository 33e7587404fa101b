import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Builder, beginCell } from '@ton/core'
import { fromCoreCell, toCoreCell } from '../../../test/support/coreCell.ts'
import { plainVm } from '../../../test/support/vmValues.ts'
import { fromHex, toHex } from '../../primitives/hex.ts'
import { type Cell, wholeSlice } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter, emptyCell } from '../cell/CellWriter.ts'
import { CellError, PrunedBranchError } from '../cell/errors.ts'
import { pruneCell } from '../cell/merkle.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import {
  decodeVmStack,
  encodeVmStack,
  readVmStack,
  readVmStackValue,
  type VmStack,
  writeVmStack,
  writeVmStackValue,
} from './VmStack.ts'
import {
  DEFAULT_VM_STACK_LIMITS,
  REQUEST_VM_STACK_LIMITS,
  type VmCont,
  type VmControlData,
  VmStackLimitError,
  type VmValue,
} from './VmValue.ts'

const int = (value: bigint): VmValue => ({ kind: 'int', value })
const tuple = (...items: VmValue[]): VmValue => ({ kind: 'tuple', items })
const NULL: VmValue = { kind: 'null' }

const hexOf = (cell: Cell): string => toHex(cell.hash())
const checkValue = (value: VmValue, expected: Builder): void => {
  const cell = writeWhole(writeVmStackValue, value)
  assert.equal(toCoreCell(cell).toString(), expected.endCell().toString())
  assert.deepEqual(plainVm(readWhole(cell, readVmStackValue, 'A value')), plainVm(value))
}

const leaf = new CellWriter().writeUint(0xabcdef, 24).toCell()
const parent = new CellWriter().writeUint(0x5, 3).writeRef(leaf).writeRef(emptyCell).toCell()

test('integers take the short form exactly where 64 bits hold them', () => {
  const tiny = ['010000000000000000', '01ffffffffffffffff', '017fffffffffffffff', '018000000000000000']
  const values = [0n, -1n, (1n << 63n) - 1n, -(1n << 63n)]
  for (const [k, value] of values.entries())
    checkValue(int(value), beginCell().storeBuffer(Buffer.from(tiny[k]!, 'hex')))
  const wide = (value: bigint): Builder =>
    beginCell()
      .storeUint(0x0200 >> 1, 15)
      .storeInt(value, 257)
  for (const value of [1n << 63n, -(1n << 63n) - 1n, (1n << 256n) - 1n, -(1n << 256n)])
    checkValue(int(value), wide(value))
  // Byte 1 reads 00 or 01 with the sign.
  const bytes = openCell(writeWhole(writeVmStackValue, int(-(1n << 100n)))).readBytes(2)
  assert.equal(toHex(bytes), '0201')
  assert.throws(() => writeWhole(writeVmStackValue, int(1n << 256n)), CellError)
})

test('a small integer in the wide form is read all the same', () => {
  const cell = fromCoreCell(beginCell().storeUint(0x0100, 15).storeInt(-7, 257).endCell())
  assert.deepEqual(readWhole(cell, readVmStackValue, 'A value'), int(-7n))
})

test('null, NaN, cell and builder', () => {
  checkValue(NULL, beginCell().storeUint(0, 8))
  checkValue({ kind: 'nan' }, beginCell().storeUint(0x02ff, 16))
  checkValue({ kind: 'cell', cell: leaf }, beginCell().storeUint(3, 8).storeRef(toCoreCell(leaf)))
  checkValue({ kind: 'builder', cell: leaf }, beginCell().storeUint(5, 8).storeRef(toCoreCell(leaf)))
})

test('a slice is a cell and the part of it that is meant', () => {
  const { arena, index } = parent
  const slice = { arena, index, bitStart: 1, bitEnd: 3, refStart: 1, refEnd: 2 }
  checkValue(
    { kind: 'slice', slice },
    beginCell().storeUint(4, 8).storeRef(toCoreCell(parent)).storeUint(1, 10).storeUint(3, 10).storeUint(0b001010, 6),
  )
  const outside = [
    [2, 1, 0, 0],
    [0, 4, 0, 0],
    [0, 0, 2, 1],
    [0, 0, 0, 3],
    [0, 0, 0, 7],
  ] as const
  for (const [bitStart, bitEnd, refStart, refEnd] of outside) {
    const w = new CellWriter().writeUint(4, 8).writeRef(parent).writeUint(bitStart, 10).writeUint(bitEnd, 10)
    const cell = w.writeUint(refStart, 3).writeUint(refEnd, 3).toCell()
    assert.throws(() => readWhole(cell, readVmStackValue, 'A value'), CellError)
  }
})

test('a slice may be of an exotic cell, but not of one that the proof has left out', () => {
  const library = new CellWriter().writeUint(2, 8).writeBytes(new Uint8Array(32)).toExoticCell()
  const value: VmValue = { kind: 'slice', slice: wholeSlice(library) }
  const again = readWhole(writeWhole(writeVmStackValue, value), readVmStackValue, 'A value')
  assert.equal(again.kind === 'slice' && again.slice.bitEnd, 264)
  const pruned = pruneCell(leaf, 0)
  const cell = writeWhole(writeVmStackValue, { kind: 'slice', slice: { ...wholeSlice(pruned), bitEnd: 24 } })
  assert.throws(() => readWhole(cell, readVmStackValue, 'A value'), PrunedBranchError)
})

test('tuples of each shape', () => {
  const entry = (n: number): Builder => beginCell().storeUint(1, 8).storeInt(n, 64)
  const head = (n: number) => beginCell().storeUint(7, 8).storeUint(n, 16)
  const pair = (a: Builder, b: Builder): Builder => beginCell().storeRef(a).storeRef(b)
  checkValue(tuple(), head(0))
  checkValue(tuple(int(1n)), head(1).storeRef(entry(1)))
  checkValue(tuple(int(1n), int(2n)), head(2).storeRef(entry(1)).storeRef(entry(2)))
  checkValue(
    tuple(int(1n), int(2n), int(3n)),
    head(3)
      .storeRef(pair(entry(1), entry(2)))
      .storeRef(entry(3)),
  )
  checkValue(
    tuple(int(1n), int(2n), int(3n), int(4n)),
    head(4)
      .storeRef(pair(pair(entry(1), entry(2)), entry(3)))
      .storeRef(entry(4)),
  )
})

test('the top of a stack stands in its root, and an empty cell ends it', () => {
  const stack = [int(1n), NULL, int(3n)]
  const expected = beginCell()
    .storeUint(3, 24)
    .storeRef(beginCell().storeRef(beginCell().storeRef(beginCell()).storeUint(1, 8).storeInt(1, 64)).storeUint(0, 8))
    .storeUint(1, 8)
    .storeInt(3, 64)
    .endCell()
  const cell = writeWhole(writeVmStack, stack)
  assert.equal(hexOf(cell), expected.hash().toString('hex'))
  assert.deepEqual(readWhole(cell, readVmStack, 'A stack'), stack)
  assert.equal(hexOf(writeWhole(writeVmStack, [])), beginCell().storeUint(0, 24).endCell().hash().toString('hex'))
})

test('no bytes are an empty stack, and so are three zero bytes in a cell', () => {
  assert.deepEqual(decodeVmStack(new Uint8Array(0)), [])
  assert.deepEqual(decodeVmStack(fromHex('b5ee9c72010101010005000006000000')), [])
  assert.equal(toHex(encodeVmStack([])), 'b5ee9c72010101010005000006000000')
  // The argument of get_nft_address_by_index, and the result of seqno, as a node has them.
  for (const [hex, value] of [
    ['b5ee9c72010102010011000118000001010000000000000001010000', 1n],
    ['b5ee9c72010102010011000118000001010000000000000032010000', 50n],
  ] as const) {
    assert.deepEqual(decodeVmStack(fromHex(hex)), [int(value)])
    assert.equal(toHex(encodeVmStack([int(value)])), hex)
  }
})

const control = (fields: Partial<VmControlData> = {}): VmControlData => ({
  argCount: undefined,
  stack: undefined,
  savedRegisters: [],
  codePage: undefined,
  ...fields,
})
const cont = (continuation: VmCont): VmValue => ({ kind: 'continuation', continuation })
const quit: VmCont = { kind: 'quit', exitCode: -3 }
const quitCell = (): Builder => beginCell().storeUint(0b1000, 4).storeInt(-3, 32)
const exception: VmCont = { kind: 'quitException' }
const exceptionCell = (): Builder => beginCell().storeUint(0b1001, 4)
const tagged = (): Builder => beginCell().storeUint(6, 8)

test('continuations without code', () => {
  checkValue(cont(quit), tagged().storeUint(0b1000, 4).storeInt(-3, 32))
  checkValue(cont(exception), tagged().storeUint(0b1001, 4))
  checkValue(
    cont({ kind: 'repeat', count: (1n << 63n) - 1n, body: quit, after: exception }),
    tagged()
      .storeUint(0b10100, 5)
      .storeUint((1n << 63n) - 1n, 63)
      .storeRef(quitCell())
      .storeRef(exceptionCell()),
  )
  checkValue(
    cont({ kind: 'until', body: quit, after: exception }),
    tagged().storeUint(0b110000, 6).storeRef(quitCell()).storeRef(exceptionCell()),
  )
  checkValue(cont({ kind: 'again', body: quit }), tagged().storeUint(0b110001, 6).storeRef(quitCell()))
  for (const [kind, tag] of [
    ['whileCondition', 0b110010],
    ['whileBody', 0b110011],
  ] as const) {
    checkValue(
      cont({ kind, condition: quit, body: exception, after: { kind: 'pushInt', value: 9, next: quit } }),
      tagged()
        .storeUint(tag, 6)
        .storeRef(quitCell())
        .storeRef(exceptionCell())
        .storeRef(beginCell().storeUint(0b1111, 4).storeInt(9, 32).storeRef(quitCell())),
    )
  }
  checkValue(
    cont({ kind: 'pushInt', value: -2147483648, next: exception }),
    tagged().storeUint(0b1111, 4).storeInt(-2147483648, 32).storeRef(exceptionCell()),
  )
})

test('a continuation with code, arguments, a stack, registers and a code page', () => {
  const code = wholeSlice(leaf)
  checkValue(
    cont({ kind: 'ordinary', control: control(), code }),
    tagged().storeUint(0b000000, 6).storeRef(toCoreCell(leaf)).storeUint(0, 10).storeUint(24, 10).storeUint(0, 6),
  )
  const savedRegisters = [
    { register: 0, value: cont(quit) },
    { register: 4, value: { kind: 'cell', cell: leaf } as const },
    { register: 7, value: tuple(int(1n)) },
  ]
  // Keys 0000, 0100, 0111: a fork behind the first bit, then one behind the second.
  const dict = beginCell()
    .storeUint(0b0100, 4)
    .storeRef(beginCell().storeUint(0b11010, 5).storeUint(6, 8).storeUint(0b1000, 4).storeInt(-3, 32))
    .storeRef(
      beginCell()
        .storeUint(0b00, 2)
        .storeRef(beginCell().storeUint(0b0100, 4).storeUint(3, 8).storeRef(toCoreCell(leaf)))
        .storeRef(
          beginCell()
            .storeUint(0b0101, 4)
            .storeUint(7, 8)
            .storeUint(1, 16)
            .storeRef(beginCell().storeUint(1, 8).storeInt(1, 64)),
        ),
    )
  const full = control({ argCount: 8191, stack: [int(1n), int(2n)], savedRegisters, codePage: -2 })
  const cell = writeWhole(writeVmStackValue, cont({ kind: 'envelope', control: full, next: quit }))
  const root = toCoreCell(cell).beginParse()
  assert.equal(root.loadUint(8 + 2 + 1), 0b110_01_1)
  assert.deepEqual([root.loadUint(13), root.loadUint(1), root.loadUint(24)], [8191, 1, 2])
  const rest = root.loadRef().beginParse()
  assert.equal(rest.remainingRefs, 1)
  assert.deepEqual([rest.loadUint(8), rest.loadInt(64)], [1, 1])
  assert.deepEqual([root.loadUint(8), root.loadInt(64)], [1, 2])
  assert.deepEqual([root.loadUint(1), root.loadUint(1), root.loadInt(16)], [1, 1, -2])
  assert.equal(root.remainingBits, 0)
  assert.equal(root.loadRef().toString(), dict.endCell().toString())
  assert.equal(root.loadRef().toString(), quitCell().endCell().toString())
  const again = readWhole(cell, readVmStackValue, 'A value')
  assert.deepEqual(plainVm(again), plainVm(cont({ kind: 'envelope', control: full, next: quit })))
})

test('a register cannot be saved twice, nor one beyond the last', () => {
  const withRegisters = (...registers: number[]): VmValue =>
    cont({
      kind: 'ordinary',
      control: control({ savedRegisters: registers.map((register) => ({ register, value: NULL })) }),
      code: wholeSlice(leaf),
    })
  assert.throws(() => writeWhole(writeVmStackValue, withRegisters(3, 3)), /register 3 is saved twice/)
  assert.throws(() => writeWhole(writeVmStackValue, withRegisters(16)), CellError)
  const again = readWhole(writeWhole(writeVmStackValue, withRegisters(15, 7, 0)), readVmStackValue, 'A value')
  assert.deepEqual(plainVm(again), plainVm(withRegisters(0, 7, 15)))
})

test('unknown tags and leftovers are refused', () => {
  const bad: Builder[] = [
    beginCell().storeUint(8, 8),
    beginCell().storeUint(0x02fe, 16),
    beginCell().storeUint(0x0202, 16).storeUint(0, 256),
    tagged().storeUint(0b10101, 5).storeUint(0, 64),
    tagged().storeUint(0b110100, 6),
    tagged().storeUint(0b1110, 4).storeUint(0, 32),
    beginCell().storeUint(0, 9),
    beginCell().storeUint(7, 8).storeUint(1, 16).storeRef(beginCell().storeUint(0, 16)),
    beginCell().storeUint(7, 8).storeUint(1, 16),
    beginCell(),
  ]
  for (const builder of bad) {
    const cell = fromCoreCell(builder.endCell())
    assert.throws(() => readWhole(cell, readVmStackValue, 'A value'), CellError, toHex(cell.hash()))
  }
  const stacks: Builder[] = [
    beginCell().storeUint(0, 24).storeRef(beginCell()),
    beginCell().storeUint(1, 24).storeRef(beginCell().storeBit(0)).storeUint(0, 8),
    beginCell().storeUint(1, 24).storeRef(beginCell().storeRef(beginCell()).storeUint(0, 8)).storeUint(0, 8),
    beginCell().storeUint(2, 24).storeRef(beginCell()).storeUint(0, 8),
    beginCell().storeUint(1, 24).storeUint(0, 8),
  ]
  for (const builder of stacks) {
    const cell = fromCoreCell(builder.endCell())
    assert.throws(() => readWhole(cell, readVmStack, 'A stack'), CellError, toHex(cell.hash()))
  }
})

test('a stack of 1024 entries is the deepest, a tuple of 255 the longest', () => {
  const deepest = new Array<VmValue>(1024).fill(int(5n))
  assert.deepEqual(decodeVmStack(encodeVmStack(deepest)), deepest)
  assert.throws(() => encodeVmStack([...deepest, NULL]), VmStackLimitError)
  const stated = fromCoreCell(beginCell().storeUint(1025, 24).storeRef(beginCell()).storeUint(0, 8).endCell())
  assert.throws(() => readWhole(stated, readVmStack, 'A stack'), /at most 1024 entries, this one has 1025/)

  const longest = tuple(...new Array<VmValue>(255).fill(NULL))
  assert.deepEqual(decodeVmStack(encodeVmStack([longest])), [longest])
  assert.throws(() => encodeVmStack([tuple(...new Array<VmValue>(256).fill(NULL))]), VmStackLimitError)
  const wide = fromCoreCell(beginCell().storeUint(7, 8).storeUint(256, 16).storeRef(beginCell()).endCell())
  assert.throws(() => readWhole(wide, readVmStackValue, 'A value'), /at most 255 entries, this one has 256/)
})

const nest = (levels: number): VmValue => {
  let value: VmValue = tuple()
  for (let k = 1; k < levels; k++) value = tuple(int(BigInt(k)), value)
  return value
}

test('values may be nested as deep as cells may, and calls do not follow them down', () => {
  const deep = nest(1023)
  const bytes = encodeVmStack([deep])
  assert.equal(toHex(encodeVmStack(decodeVmStack(bytes))), toHex(bytes))
  assert.throws(() => encodeVmStack([nest(1025)]), VmStackLimitError)
  const roomy = { ...DEFAULT_VM_STACK_LIMITS, maxNesting: 1e6, maxValues: 1e6 }
  assert.throws(() => encodeVmStack([nest(200_000)], roomy), CellError)
  assert.throws(() => decodeVmStack(bytes, { ...DEFAULT_VM_STACK_LIMITS, maxNesting: 1000 }), /nested more than 1000/)
  // Loops within loops, registers within registers, and continuations that hold each other in one cell.
  let loop: VmCont = quit
  for (let k = 0; k < 1000; k++) loop = { kind: 'again', body: loop }
  assert.equal(hexOf(writeWhole(writeVmStackValue, cont(loop))), hexOf(rewriteValue(cont(loop))))
  let saved = cont(quit)
  for (let k = 0; k < 340; k++) {
    const savedRegisters = [{ register: k % 16, value: saved }]
    saved = cont({ kind: 'ordinary', control: control({ savedRegisters }), code: wholeSlice(emptyCell) })
  }
  assert.equal(hexOf(writeWhole(writeVmStackValue, saved)), hexOf(rewriteValue(saved)))
  let inline = cont(quit)
  for (let k = 0; k < 100_000; k++) {
    inline = cont({ kind: 'ordinary', control: control({ stack: [inline] }), code: wholeSlice(emptyCell) })
  }
  assert.throws(() => writeWhole((w, value: VmValue) => writeVmStackValue(w, value, roomy), inline), CellError)
})

const rewriteValue = (value: VmValue): Cell =>
  writeWhole(writeVmStackValue, readWhole(writeWhole(writeVmStackValue, value), readVmStackValue, 'A value'))

test('few cells that spell out endlessly many values are refused in time', () => {
  // A tuple of 255 times the same tuple of 255 times the same …: 255 to the fourth values in a thousand cells.
  let entry = writeWhole(writeVmStackValue, int(1n))
  const tupleOf = (each: Cell): CellWriter => {
    let head = each
    for (let k = 0; k < 253; k++) head = new CellWriter().writeRef(head).writeRef(each).toCell()
    return new CellWriter().writeUint(7, 8).writeUint(255, 16).writeRef(head).writeRef(each)
  }
  for (let level = 0; level < 3; level++) entry = tupleOf(entry).toCell()
  const start = performance.now()
  assert.throws(() => readWhole(entry, readVmStackValue, 'A value'), VmStackLimitError)
  assert.ok(performance.now() - start < 5000)
  // Continuations share as well: 2 to the thousandth of them.
  let loop = new CellWriter().writeUint(0b1001, 4).toCell()
  for (let k = 0; k < 1000; k++) loop = new CellWriter().writeUint(0b110000, 6).writeRef(loop).writeRef(loop).toCell()
  const both = new CellWriter().writeUint(6, 8).writeUint(0b110000, 6).writeRef(loop).writeRef(loop).toCell()
  assert.throws(() => readWhole(both, readVmStackValue, 'A value'), VmStackLimitError)
  // The same for values that are shared as objects.
  let shared: VmValue = tuple()
  for (let k = 0; k < 60; k++) shared = tuple(shared, shared)
  assert.throws(() => encodeVmStack([shared]), VmStackLimitError)
})

test('arguments for a node are held to a thousand values', () => {
  const stack = new Array<VmValue>(1000).fill(NULL)
  assert.equal(encodeVmStack(stack, REQUEST_VM_STACK_LIMITS).length, encodeVmStack(stack).length)
  assert.throws(() => encodeVmStack([...stack, NULL], REQUEST_VM_STACK_LIMITS), VmStackLimitError)
  assert.throws(() => decodeVmStack(encodeVmStack([...stack, NULL]), REQUEST_VM_STACK_LIMITS), VmStackLimitError)
})

test('a stack is written behind what the cell already holds, and read from among other things', () => {
  const w = new CellWriter().writeUint(1, 1).writeRef(parent)
  const stack: VmStack = [{ kind: 'cell', cell: leaf }, tuple(int(4n))]
  writeVmStack(w, stack)
  const r = openCell(w.writeUint(1, 1).writeRef(emptyCell).toCell())
  r.skipBits(1)
  assert.equal(hexOf(r.readRefCell()), hexOf(parent))
  assert.deepEqual(plainVm(readVmStack(r)), plainVm(stack))
  assert.equal(r.readBit(), true)
  assert.equal(hexOf(r.readRefCell()), hexOf(emptyCell))
  r.expectEnd('All of it')
})

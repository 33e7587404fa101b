import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromCell, merkleProofOf, ordinary, prunedBranch, toCell } from '../../../test/support/referenceCell.ts'
import { type Cell, wholeSlice } from './Cell.ts'
import { openCell } from './CellReader.ts'
import { CellWriter, emptyCell, sliceToCell } from './CellWriter.ts'
import { CellError } from './errors.ts'

const bitsOf = (w: CellWriter): string => fromCell(w.toCell()).bits

const prefixed = (shift: number): CellWriter => {
  const w = new CellWriter()
  for (let k = 0; k < shift; k++) w.writeBit(k % 2 === 0)
  return w
}

const written: readonly (readonly [string, (w: CellWriter) => CellWriter, string])[] = [
  ['a bit', (w) => w.writeBit(true).writeBit(false), '10'],
  ['nothing', (w) => w.writeUint(0, 0).writeInt(0, 0).writeUintWide(0n, 0).writeIntWide(0n, 0), ''],
  ['5 in 3 bits', (w) => w.writeUint(5, 3), '101'],
  ['a 24-bit number', (w) => w.writeUint(0x800001, 24), '100000000000000000000001'],
  ['a 25-bit number', (w) => w.writeUint(0x1000003, 25), '1000000000000000000000011'],
  ['a 32-bit number', (w) => w.writeUint(0xdeadbeef, 32), '11011110101011011011111011101111'],
  ['a 48-bit number', (w) => w.writeUint(2 ** 47 + 1, 48), `1${'0'.repeat(46)}1`],
  ['a 49-bit number', (w) => w.writeUint(2 ** 48 + 1, 49), `1${'0'.repeat(47)}1`],
  ['the greatest 53-bit number', (w) => w.writeUint(Number.MAX_SAFE_INTEGER, 53), '1'.repeat(53)],
  ['-1 in 5 bits', (w) => w.writeInt(-1, 5), '11111'],
  ['-16 in 5 bits', (w) => w.writeInt(-16, 5), '10000'],
  ['15 in 5 bits', (w) => w.writeInt(15, 5), '01111'],
  ['the least 53-bit number', (w) => w.writeInt(-(2 ** 52), 53), `1${'0'.repeat(52)}`],
  ['a wide number', (w) => w.writeUintWide(2n ** 255n + 1n, 256), `1${'0'.repeat(254)}1`],
  ['a wide negative number', (w) => w.writeIntWide(-2n, 257), `${'1'.repeat(256)}0`],
  ['64 bits', (w) => w.writeUint64(2n ** 64n - 1n), '1'.repeat(64)],
  ['no coins', (w) => w.writeCoins(0n), '0000'],
  ['255 coins', (w) => w.writeCoins(255n), '000111111111'],
  ['256 coins', (w) => w.writeCoins(256n), '00100000000100000000'],
  ['most coins', (w) => w.writeCoins(2n ** 120n - 1n), '1'.repeat(124)],
  ['VarInteger 0', (w) => w.writeVarInt(0n, 4), '0000'],
  ['VarInteger 127', (w) => w.writeVarInt(127n, 4), '000101111111'],
  ['VarInteger 128', (w) => w.writeVarInt(128n, 4), '00100000000010000000'],
  ['VarInteger -128', (w) => w.writeVarInt(-128n, 4), '000110000000'],
  ['VarInteger -129', (w) => w.writeVarInt(-129n, 4), '00101111111101111111'],
  ['bytes', (w) => w.writeBytes(Uint8Array.of(0xa5, 0x0f)), '1010010100001111'],
  ['the first bits of bytes', (w) => w.writeBits(Uint8Array.of(0xa5, 0xff), 11), '10100101111'],
  ['no bytes', (w) => w.writeBytes(new Uint8Array(0)).writeBits(Uint8Array.of(1), 0), ''],
]

for (const [name, write, expected] of written) {
  test(`${name} at every place in a byte`, () => {
    for (let shift = 0; shift < 8; shift++) {
      const w = write(prefixed(shift))
      assert.equal(bitsOf(w), '10101010'.slice(0, shift) + expected)
      assert.equal(w.usedBits, shift + expected.length)
    }
  })
}

const refused: readonly (readonly [string, (w: CellWriter) => unknown, string])[] = [
  ['16 in 4 bits', (w) => w.writeUint(16, 4), '16 does not fit an unsigned integer of 4 bits.'],
  ['-1 unsigned', (w) => w.writeUint(-1, 4), '-1 does not fit an unsigned integer of 4 bits.'],
  ['a fraction', (w) => w.writeUint(1.5, 4), '1.5 does not fit an unsigned integer of 4 bits.'],
  ['NaN', (w) => w.writeUint(Number.NaN, 4), 'NaN does not fit an unsigned integer of 4 bits.'],
  ['infinity', (w) => w.writeInt(Number.POSITIVE_INFINITY, 4), 'Infinity does not fit a signed integer of 4 bits.'],
  ['54 bits', (w) => w.writeUint(1, 54), '1 does not fit an unsigned integer of 54 bits.'],
  ['54 signed bits', (w) => w.writeInt(-1, 54), '-1 does not fit a signed integer of 54 bits.'],
  ['1 in 0 bits', (w) => w.writeUint(1, 0), '1 does not fit an unsigned integer of 0 bits.'],
  ['8 in 4 signed bits', (w) => w.writeInt(8, 4), '8 does not fit a signed integer of 4 bits.'],
  ['-9 in 4 signed bits', (w) => w.writeInt(-9, 4), '-9 does not fit a signed integer of 4 bits.'],
  ['-1 wide', (w) => w.writeUintWide(-1n, 64), '-1 does not fit an unsigned integer of 64 bits.'],
  ['2^64', (w) => w.writeUint64(2n ** 64n), `${2n ** 64n} does not fit an unsigned integer of 64 bits.`],
  ['128 in 8 signed bits', (w) => w.writeIntWide(128n, 8), '128 does not fit a signed integer of 8 bits.'],
  ['-129 in 8 signed bits', (w) => w.writeIntWide(-129n, 8), '-129 does not fit a signed integer of 8 bits.'],
  ['2^120 coins', (w) => w.writeCoins(2n ** 120n), `${2n ** 120n} does not fit an unsigned integer of 120 bits.`],
  ['-1 coins', (w) => w.writeCoins(-1n), '-1 does not fit an unsigned integer of 120 bits.'],
  ['VarInteger 2^119', (w) => w.writeVarInt(2n ** 119n, 4), `${2n ** 119n} does not fit a signed integer of 120 bits.`],
  [
    'more bits than bytes',
    (w) => w.writeBits(new Uint8Array(2), 17),
    '17 bits were to be written from 2 bytes, which hold fewer.',
  ],
]

for (const [name, write, message] of refused) {
  test(`${name} is refused and nothing is written`, () => {
    const w = prefixed(3)
    assert.throws(() => write(w), new CellError(message))
    assert.equal(bitsOf(w), '101')
  })
}

const fillTo = (bits: number): CellWriter => {
  const w = new CellWriter()
  while (w.usedBits + 8 <= bits) w.writeUint(0xff, 8)
  while (w.usedBits < bits) w.writeBit(true)
  return w
}

const overflows: readonly (readonly [string, number, (w: CellWriter) => unknown])[] = [
  ['writeBit', 1, (w) => w.writeBit(true)],
  ['writeUint', 24, (w) => w.writeUint(1, 24)],
  ['writeUint', 53, (w) => w.writeUint(1, 53)],
  ['writeInt', 32, (w) => w.writeInt(-1, 32)],
  ['writeUintWide', 256, (w) => w.writeUintWide(1n, 256)],
  ['writeIntWide', 257, (w) => w.writeIntWide(-1n, 257)],
  ['writeUint64', 64, (w) => w.writeUint64(1n)],
  ['writeBytes', 32, (w) => w.writeBytes(new Uint8Array(4))],
  ['writeBits', 9, (w) => w.writeBits(new Uint8Array(2), 9)],
  ['writeSlice', 7, (w) => w.writeSlice(wholeSlice(new CellWriter().writeUint(1, 7).toCell()))],
]

for (const [name, bits, write] of overflows) {
  test(`${name} of ${bits} bits fills a cell to its last bit and is refused one bit later`, () => {
    const exact = fillTo(1023 - bits)
    write(exact)
    assert.equal(exact.toCell().bits, 1023)
    const over = fillTo(1024 - bits)
    assert.throws(
      () => write(over),
      new CellError(`A cell holds at most 1023 bits; ${1024 - bits} are written and ${bits} more do not fit.`),
    )
    assert.equal(bitsOf(over), '1'.repeat(1024 - bits))
  })
}

test('a cell takes four references', () => {
  const w = new CellWriter().writeRef(emptyCell).writeRef(emptyCell).writeMaybeRef(emptyCell).writeRef(emptyCell)
  assert.equal(w.usedRefs, 4)
  const refusal = new CellError('A cell holds at most 4 references, a fifth was to be written.')
  assert.throws(() => w.writeRef(emptyCell), refusal)
  assert.equal(w.writeMaybeRef(undefined).toCell().refCount, 4)
  assert.throws(() => w.writeSlice(wholeSlice(new CellWriter().writeRef(emptyCell).toCell())), refusal)
})

test('a writer may be written on after a cell was made', () => {
  const w = new CellWriter().writeUint(5, 3)
  const first = w.toCell()
  const second = w.writeUint(1, 8).writeRef(first).toCell()
  assert.deepEqual([fromCell(first).bits, first.refCount], ['101', 0])
  assert.deepEqual([fromCell(second).bits, second.refCount], ['10100000001', 1])
  const w2 = new CellWriter().writeRef(first)
  const one = w2.toCell()
  w2.writeRef(second)
  assert.equal(one.refCount, 1)
})

test('a slice is written with its bits and references, from any place to any place', () => {
  const source = new CellWriter().writeUintWide(0xfedcba9876543210fedcba9876543210n, 128)
  for (const ref of [emptyCell, new CellWriter().writeBit(true).toCell()]) source.writeRef(ref)
  const cell = source.toCell()
  const text = fromCell(cell).bits
  for (let from = 0; from < 16; from++) {
    for (let shift = 0; shift < 8; shift++) {
      const r = openCell(cell)
      r.skipBits(from)
      r.skipRef()
      const w = prefixed(shift).writeSlice(r.rest())
      assert.equal(bitsOf(w), '10101010'.slice(0, shift) + text.slice(from))
      assert.ok(w.toCell().ref(0).equals(cell.ref(1)))
      assert.equal(w.usedRefs, 1)
    }
  }
})

test('a slice that is a whole ordinary cell is that cell; any other becomes a new one', () => {
  const cell = new CellWriter().writeUint(0xabc, 12).writeRef(emptyCell).toCell()
  const whole = sliceToCell(wholeSlice(cell))
  assert.deepEqual([whole.arena === cell.arena, whole.index], [true, cell.index])
  const r = openCell(cell)
  r.skipBits(4)
  assert.equal(fromCell(sliceToCell(r.rest())).bits, '10111100')
  const library = toCell(merkleProofOf(ordinary('')))
  const plain = sliceToCell(wholeSlice(library))
  assert.deepEqual([plain.isExotic, plain.bits, plain.refCount], [false, 280, 1])
})

test('exotic cells are checked as they are made', () => {
  const exotic = (bytes: number[], refs: Cell[] = []): Cell => {
    const w = new CellWriter().writeBytes(Uint8Array.from(bytes))
    for (const ref of refs) w.writeRef(ref)
    return w.toExoticCell()
  }
  const zeros = (count: number): number[] => new Array<number>(count).fill(0)
  assert.equal(exotic([2, ...zeros(32)]).exoticType, 2)
  assert.equal(exotic([1, 4, ...zeros(34)]).levelMask, 4)
  const branch = exotic([1, 3, ...zeros(68)])
  assert.equal(exotic([3, ...zeros(34)], [branch]).levelMask, 1)
  assert.equal(exotic([4, ...zeros(68)], [branch, exotic([1, 4, ...zeros(34)])]).levelMask, 3)
  const refusals: readonly (readonly [number[], string])[] = [
    [[], 'an exotic cell needs at least 8 data bits for its type, it has 0'],
    [[0], 'exotic cells have type 1 to 4, it is 0'],
    [[5], 'exotic cells have type 1 to 4, it is 5'],
    [[1, 9, ...zeros(34)], 'the level mask of a pruned branch is 1 to 7, it is 9'],
    [[1, 3, ...zeros(34)], 'a pruned branch with level mask 3 has 560 bits, it has 288'],
    [[2, ...zeros(31)], 'a library reference has 264 bits and no references, it has 256 and 0'],
    [[3, ...zeros(34)], 'a Merkle proof has 280 bits and 1 reference, it has 280 and 0'],
    [[4, ...zeros(68)], 'a Merkle update has 552 bits and 2 references, it has 552 and 0'],
  ]
  for (const [bytes, fault] of refusals) {
    assert.throws(() => exotic(bytes), new CellError(`An exotic cell was written wrongly: ${fault}.`))
  }
})

test('trees are built up to depth 1024', () => {
  let cell = emptyCell
  for (let depth = 1; depth <= 1024; depth++) cell = new CellWriter().writeRef(cell).toCell()
  assert.equal(cell.arena.fullDepth(cell.index), 1024)
  assert.throws(
    () => new CellWriter().writeRef(cell).toCell(),
    new CellError('A cell tree would be 1025 deep; at most 1024 is allowed.'),
  )
})

test('a pruned branch counts as a leaf of the tree as it stands', () => {
  const branch = toCell(prunedBranch(1, ['11'.repeat(32)], [700]))
  const cell = new CellWriter().writeRef(branch).toCell()
  assert.deepEqual([cell.arena.fullDepth(cell.index), cell.depth(), cell.depth(0)], [1, 1, 701])
})

test('cells go on into the next slab when bytes, references or places run out', () => {
  const big = Array.from({ length: 400 }, (_, k) =>
    new CellWriter().writeUint(k, 32).writeBytes(new Uint8Array(120)).toCell(),
  )
  const wide = big.map((cell) =>
    new CellWriter().writeRef(cell).writeRef(cell).writeRef(cell).writeRef(big[0]!).toCell(),
  )
  const many = Array.from({ length: 1500 }, (_, k) => new CellWriter().writeUint(k, 16).toCell())
  for (const [k, cell] of big.entries()) assert.equal(openCell(cell).readUint(32), k)
  for (const [k, cell] of wide.entries()) assert.equal(openCell(cell.ref(2)).readUint(32), k)
  for (const [k, cell] of many.entries()) assert.equal(openCell(cell).readUint(16), k)
  assert.ok(new Set([...big, ...wide, ...many].map(({ arena }) => arena)).size > 4)
})

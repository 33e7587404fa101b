import assert from 'node:assert/strict'
import { test } from 'node:test'
import { branch, decodes, flip, full, leaf, proof, replaceCell, tree } from '../../../test/support/bocSamples.ts'
import { assembleBag, type RawBag, type RawCell, rawCell, rawCells } from '../../../test/support/RawBag.ts'
import { hashOf, listCells, ordinary, prunedBranch } from '../../../test/support/referenceCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { type BocOptions, decodeBoc, decodeSingleBoc } from './decodeBoc.ts'
import { BocError, ProofError } from './errors.ts'

const flags = [false, true]

for (const index of flags) {
  for (const crc of flags) {
    for (const cacheBits of index ? flags : [false]) {
      for (const stored of flags) {
        const named = Object.entries({ index, crc, cacheBits, stored }).flatMap(([name, on]) => (on ? name : []))
        test(`b5ee9c72 with ${named.join(', ') || 'nothing'}, in every size of numbers`, () => {
          for (let refSize = 1; refSize <= 4; refSize++) {
            for (let offsetSize = 2; offsetSize <= 8; offsetSize++) {
              const bag = { index, crc, cacheBits, refSize, offsetSize }
              for (const root of [leaf, tree, full]) {
                decodes({ ...bag, ...rawCells([root], () => stored) }, [root], { strict: true })
              }
            }
          }
        })
      }
    }
  }
}

for (const magic of ['68ff65f3', 'acc3a728'] as const) {
  test(`${magic}, with and without stored hashes`, () => {
    for (const stored of flags) {
      for (let refSize = 1; refSize <= 4; refSize++) {
        decodes({ magic, refSize, ...rawCells([full], () => stored) }, [full], { strict: true })
      }
    }
  })
}

test('hashes may be stored with some cells and not with others', () => {
  const all = listCells(full)
  for (let k = 0; k < all.length; k++)
    decodes(
      rawCells([full], (cell) => cell === all[k]),
      [full],
    )
})

test('several roots, equal roots, a root that is not the first cell', () => {
  const { cells } = rawCells([tree])
  const order = listCells(tree)
  decodes({ cells, roots: [0, 1, 2] }, [order[0]!, order[1]!, order[2]!])
  decodes({ cells, roots: [order.length - 1] }, [order.at(-1)!])
  decodes({ cells, roots: [1, 0, 1, 1] }, [order[1]!, order[0]!, order[1]!, order[1]!])
  decodes(rawCells([leaf, leaf, leaf]), [leaf, leaf, leaf])
  const two = assembleBag({ cells, roots: [0, 1] })
  assert.throws(() => decodeSingleBoc(two), new BocError('Expected a bag of cells with one root, but it has 2.'))
  assert.equal(toHex(decodeSingleBoc(assembleBag({ cells, roots: [0] })).hash()), hashOf(tree))
})

test('cells that nothing refers to are allowed, as the node allows them', () => {
  const { cells, roots } = rawCells([leaf, ordinary('1')])
  decodes({ cells, roots: [roots[1]!] }, [ordinary('1')])
})

test('the bytes may be a part of a larger buffer', () => {
  const bag = assembleBag(rawCells([tree]))
  const buffer = new Uint8Array(bag.length + 20).fill(0xb5)
  buffer.set(bag, 7)
  assert.equal(toHex(decodeSingleBoc(buffer.subarray(7, 7 + bag.length)).hash()), hashOf(tree))
})

type Refusal = readonly [name: string, bag: RawBag | Uint8Array, error: Error, options?: BocOptions]

const treeBag = rawCells([tree])
const one = rawCells([leaf])
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const raw = (d1: number, d2: number, data: number[] = [], refs: number[] = [], stored: number[] = []): RawCell => ({
  d1,
  d2,
  data: Uint8Array.from(data),
  refs,
  stored: Uint8Array.from(stored),
})
const badCell = (index: number, fault: string): BocError =>
  new BocError(`Cell ${index} of the bag is not acceptable: ${fault}.`)
const end = raw(0, 0)
const single = (cell: RawCell): RawBag => ({ cells: [cell], roots: [0] })
const chain = (length: number): RawBag => ({
  cells: [...Array.from({ length }, (_, k) => raw(1, 0, [], [k + 1])), end],
  roots: [0],
  refSize: 2,
})
const overrun = 'its record runs past the end of the cell area'
const zeros = (count: number): number[] => new Array<number>(count).fill(0)
const proofBag = rawCells([proof])
const hashed = rawCells([tree], () => true)

const refusals: readonly Refusal[] = [
  ['nothing at all', bytes(), new BocError('The bag of cells ends at byte 0, inside its magic number.')],
  [
    'an unknown magic number',
    bytes(0xb5, 0xee, 0x9c, 0x73, 1, 1),
    new BocError('A bag of cells starts with b5ee9c72, 68ff65f3 or acc3a728, but got b5ee9c73.'),
  ],
  [
    'a magic number that starts with zeros',
    bytes(0, 0, 0, 1, 1, 1),
    new BocError('A bag of cells starts with b5ee9c72, 68ff65f3 or acc3a728, but got 00000001.'),
  ],
  ...[0x08, 0x10, 0x18].map(
    (bit): Refusal => [
      `flag bits ${bit}`,
      { ...one, flags: bit | 1 },
      new BocError(`The flag byte of a bag of cells has unknown bits set: ${(bit | 1).toString(16).padStart(2, '0')}.`),
    ],
  ),
  [
    'a flag in an indexed bag',
    { ...one, magic: '68ff65f3', flags: 0x81 },
    new BocError('The flag byte of a bag of cells has unknown bits set: 81.'),
  ],
  [
    'cache bits without an index',
    { ...one, flags: 0x21 },
    new BocError('A bag of cells has cache bits but no index to keep them in.'),
  ],
  ...[0, 5, 6, 7].map(
    (size): Refusal => [
      `cell numbers of ${size} bytes`,
      { ...one, flags: size },
      new BocError(`Cell numbers take 1 to 4 bytes, the bag says ${size}.`),
    ],
  ),
  ...[0, 9, 255].map((size): Refusal => {
    const bag = assembleBag(one)
    bag[5] = size
    return [`offsets of ${size} bytes`, bag, new BocError(`Offsets take 1 to 8 bytes, the bag says ${size}.`)]
  }),
  ['no cells', { ...one, cellCount: 0 }, new BocError('A bag of cells holds at least one cell, this one none.')],
  ['no roots', { ...one, rootCount: 0 }, new BocError('A bag may have 1 to 4096 roots here, it says 0.')],
  [
    'more roots than are read',
    { ...one, roots: new Array<number>(4097).fill(0), refSize: 2 },
    new BocError('A bag may have 1 to 4096 roots here, it says 4097.'),
  ],
  [
    'more roots than the caller takes',
    { ...one, roots: [0, 0, 0] },
    new BocError('A bag may have 1 to 2 roots here, it says 3.'),
    { limits: { maxRoots: 2 } },
  ],
  [
    'two roots in an indexed bag',
    { ...one, magic: '68ff65f3', rootCount: 2 },
    new BocError('An indexed bag has one root, this one says 2.'),
  ],
  ['absent cells', { ...one, absentCount: 1 }, new BocError('A bag with 1 absent cells is not accepted.')],
  [
    'more bytes than the caller takes',
    one,
    new BocError('A bag of cells may have 14 bytes here, this one has 15.'),
    { limits: { maxBytes: 14 } },
  ],
  [
    'more cells than the caller takes',
    treeBag,
    new BocError('A bag may hold 4 cells here, it says 5.'),
    { limits: { maxCells: 4 } },
  ],
  [
    'more cells than are read',
    { ...one, refSize: 4, cellCount: 0x400001 },
    new BocError('A bag may hold 4194304 cells here, it says 4194305.'),
  ],
  ['too small a size', { ...one, cellsSize: 1 }, new BocError('1 cells cannot take the 1 bytes that the bag says.')],
  [
    'too great a size',
    { ...one, offsetSize: 2, cellsSize: 1025 },
    new BocError('1 cells cannot take the 1025 bytes that the bag says.'),
  ],
  [
    'the greatest size there is',
    { ...one, offsetSize: 8, cellsSize: 2 ** 64 - 2048 },
    new BocError('1 cells cannot take the 18446744073709550000 bytes that the bag says.'),
  ],
  [
    'a size beyond what came',
    { ...one, cellsSize: 5 },
    new BocError('The bag of cells should have 16 bytes, but got only 15.'),
  ],
  [
    'more cells than came',
    { ...one, cellCount: 2, cellsSize: 5 },
    new BocError('The bag of cells should have 16 bytes, but got only 15.'),
  ],
  [
    'bytes after a bag without a checksum',
    { ...one, trailing: bytes(0) },
    new BocError('The bag of cells ends at byte 15, but got 1 more bytes.'),
  ],
  [
    'bytes after a bag with a checksum, even if some are allowed',
    { ...one, crc: true, trailing: bytes(0, 0) },
    new BocError('The bag of cells ends at byte 19, but got 2 more bytes.'),
    { allowTrailing: true },
  ],
  [
    'a wrong checksum',
    { ...one, crc: true, wrongCrc: true },
    new BocError('The checksum of the bag of cells is ac79779d, its bytes give ac79779c.'),
  ],
  [
    'a wrong checksum of an indexed bag',
    { ...one, magic: 'acc3a728', wrongCrc: true },
    new BocError('The checksum of the bag of cells is 46a1fc7e, its bytes give 46a1fc7f.'),
  ],
  ['a root that is not there', { ...one, roots: [1] }, new BocError('Root 0 is cell 1, but the bag has 1.')],
  [
    'a second root that is not there',
    { ...treeBag, roots: [0, 5] },
    new BocError('Root 1 is cell 5, but the bag has 5.'),
  ],
  [
    'a cell that refers to itself',
    single(raw(1, 0, [], [0])),
    badCell(0, 'it refers to cell 0; only 1 to 0 may follow it'),
  ],
  [
    'a cell that refers back',
    { cells: [raw(1, 0, [], [1]), raw(1, 0, [], [0])], roots: [0] },
    badCell(1, 'it refers to cell 0; only 2 to 1 may follow it'),
  ],
  [
    'a cell that refers beyond the last',
    { cells: [raw(1, 0, [], [2]), end], roots: [0] },
    badCell(0, 'it refers to cell 2; only 1 to 1 may follow it'),
  ],
  ['data beyond the cell area', single(raw(0, 6, [1, 2])), badCell(0, overrun)],
  ['references beyond the cell area', single(raw(3, 0, [], [1, 1])), badCell(0, overrun)],
  ['stored hashes beyond the cell area', single(raw(16, 0, [], [], zeros(33))), badCell(0, overrun)],
  [
    'a second descriptor beyond the cell area',
    { cells: [raw(0, 6, [1, 2, 3])], roots: [0], cellCount: 2 },
    badCell(1, overrun),
  ],
  [
    'bytes left in the cell area',
    single(raw(0, 2, [1, 2])),
    new BocError('The cells end 1 bytes before the cell area does.'),
  ],
  ...[5, 6, 7, 16 + 7, 0xe0 + 16 + 7].map(
    (d1): Refusal => [
      `descriptor ${d1}`,
      single(raw(d1, 0, zeros(200))),
      badCell(0, `it states ${d1 & 7} references, at most 4 are allowed`),
    ],
  ),
  ...[0, 0x80].map(
    (last): Refusal => [
      `a last byte ${last} that should end in a completion bit`,
      single(raw(0, 3, [0xff, last])),
      badCell(
        0,
        `its last data byte is ${last.toString(16).padStart(2, '0')}, where a completion bit must follow data`,
      ),
    ],
  ),
  [
    'an exotic cell without a type',
    single(raw(8, 0)),
    badCell(0, 'an exotic cell needs at least 8 data bits for its type, it has 0'),
  ],
  ['an exotic cell of type 0', single(raw(8, 2, [0])), badCell(0, 'exotic cells have type 1 to 4, it is 0')],
  ['an exotic cell of type 5', single(raw(8, 2, [5])), badCell(0, 'exotic cells have type 1 to 4, it is 5')],
  [
    'a pruned branch of a wrong length',
    single(raw(8 + 32, 2 * 37, [1, 1, ...zeros(35)])),
    badCell(0, 'a pruned branch with level mask 1 has 288 bits, it has 296'),
  ],
  [
    'a pruned branch with a reference',
    { cells: [raw(9 + 32, 72, [1, 1, ...zeros(34)], [1]), end], roots: [0] },
    badCell(0, 'a pruned branch has no references, this one has 1'),
  ],
  [
    'a pruned branch whose descriptor says another mask',
    single(raw(8 + 32 * 2, 72, [1, 1, ...zeros(34)])),
    badCell(0, 'its level mask is 2, its content gives 1'),
  ],
  [
    'a pruned branch deeper than any tree',
    single(raw(8 + 32, 72, [1, 1, ...zeros(32), 4, 1])),
    badCell(0, 'a pruned branch stands for depth 1025, at most 1024 is allowed'),
  ],
  [
    'a library reference that is too long',
    single(raw(8, 68, [2, ...zeros(33)])),
    badCell(0, 'a library reference has 264 bits and no references, it has 272 and 0'),
  ],
  [
    'a Merkle proof without a child',
    single(raw(8, 70, [3, ...zeros(34)])),
    badCell(0, 'a Merkle proof has 280 bits and 1 reference, it has 280 and 0'),
  ],
  [
    'a Merkle update with one child',
    { cells: [raw(9, 138, [4, ...zeros(68)], [1]), end], roots: [0] },
    badCell(0, 'a Merkle update has 552 bits and 2 references, it has 552 and 1'),
  ],
  [
    'a Merkle proof of another hash',
    replaceCell(proofBag, 0, { data: flip(proofBag.cells[0]!.data, 1) }),
    new ProofError('A Merkle proof states another hash or depth for reference 0 than that cell has.'),
  ],
  [
    'a Merkle proof of another depth',
    replaceCell(proofBag, 0, { data: flip(proofBag.cells[0]!.data, 34) }),
    new ProofError('A Merkle proof states another hash or depth for reference 0 than that cell has.'),
  ],
  [
    'a level mask that the references do not give',
    replaceCell(treeBag, 0, { d1: treeBag.cells[0]!.d1 | 32 }),
    badCell(0, 'its level mask is 1, its content gives 0'),
  ],
  [
    'a level mask that leaves out a branch below',
    replaceCell(proofBag, 1, { d1: proofBag.cells[1]!.d1 & 31 }),
    badCell(1, 'its level mask is 0, its content gives 1'),
  ],
  [
    'a wrong level mask beside stored hashes, even if leniency was asked',
    { cells: [raw(16 + 32, 0, [], [], zeros(68))], roots: [0] },
    badCell(0, 'its level mask is 1, its content gives 0'),
    { lenient: true },
  ],
  [
    'a stored hash that is not that of the cell',
    replaceCell(hashed, 2, { stored: flip(hashed.cells[2]!.stored, 31) }),
    new ProofError('Cell 2 is stored with another hash or depth at level 3 than it has.'),
  ],
  [
    'a stored depth that is not that of the cell',
    replaceCell(hashed, 0, { stored: flip(hashed.cells[0]!.stored, 33) }),
    new ProofError('Cell 0 is stored with another hash or depth at level 3 than it has.'),
  ],
  [
    'a stored hash of a lower level that is not that of the cell',
    ((): RawBag => {
      const bag = rawCells([proof], () => true)
      return replaceCell(bag, 1, { stored: flip(bag.cells[1]!.stored, 0) })
    })(),
    new ProofError('Cell 1 is stored with another hash or depth at level 0 than it has.'),
  ],
  ['a chain of 1025 references', chain(1025), badCell(0, 'its tree is more than 1024 deep')],
  ['a chain of 3000 references', chain(3000), badCell(1975, 'its tree is more than 1024 deep')],
  [
    'a tree whose original is too deep',
    (() => {
      const deep = ordinary('', [prunedBranch(1, ['cd'.repeat(32)], [1024])])
      const wrap = raw(9, 70, [3, ...zeros(34)], [1])
      return { cells: [wrap, rawCell(deep, [2]), rawCell(deep.refs[0]!, [])], roots: [0] }
    })(),
    new ProofError('Pruned branches make a cell tree 1025 deep; at most 1024 is allowed.'),
  ],
  [
    'a root that is a pruned branch',
    rawCells([branch]),
    new BocError('A root cell must be of level 0, this one is a part of a proof and has level 1.'),
  ],
  [
    'a root over a pruned branch',
    rawCells([tree, ordinary('', [branch])]),
    new BocError('A root cell must be of level 0, this one is a part of a proof and has level 1.'),
  ],
]

for (const [name, bag, error, options] of refusals) {
  test(`refused: ${name}`, () => {
    const input = bag instanceof Uint8Array ? bag : assembleBag(bag)
    assert.throws(() => decodeBoc(input, options), error)
  })
}

test('a chain of 1024 references is read', () => {
  assert.equal(decodeBoc(assembleBag(chain(1024)))[0]!.depth(), 1024)
})

const indexLies: readonly (readonly [string, (entries: number[]) => number[]])[] = [
  ['entries that are starts', (entries) => [0, ...entries.slice(0, -1)]],
  ['one entry too small', (entries) => entries.map((entry, k) => (k === 2 ? entry - 2 : entry))],
  ['one entry too great', (entries) => entries.map((entry, k) => (k === 4 ? entry + 2 : entry))],
  ['zeros', (entries) => entries.map(() => 0)],
]

for (const [name, editIndex] of indexLies) {
  test(`an index with ${name} is refused, and taken leniently`, () => {
    for (const cacheBits of flags) {
      for (const magic of cacheBits ? (['b5ee9c72'] as const) : (['b5ee9c72', '68ff65f3', 'acc3a728'] as const)) {
        const bag = { ...treeBag, magic, index: true, cacheBits, editIndex }
        assert.throws(
          () => decodeBoc(assembleBag(bag)),
          /BocError: Cell \d of the bag is not acceptable: the index says/,
        )
        decodes(bag, [tree], { lenient: true })
      }
    }
  })
}

test('wrong cache bits are refused only where strictness is asked', () => {
  for (let k = 0; k < treeBag.cells.length; k++) {
    const editIndex = (entries: number[]): number[] => entries.map((entry, i) => (i === k ? entry ^ 1 : entry))
    const bag = { ...treeBag, index: true, cacheBits: true, editIndex }
    decodes(bag, [tree])
    assert.throws(() => decodeBoc(assembleBag(bag), { strict: true }), new RegExp(`BocError: Cell ${k} .* cache bit`))
  }
})

test('being a root counts for the cache bit', () => {
  const bag = { ...treeBag, roots: [0, 0, 1], index: true, cacheBits: true }
  decodes(bag, [tree, tree, listCells(tree)[1]!], { strict: true })
})

test('of trusted bytes only the hashes wait, and they are refused when they are asked for, every time', () => {
  const bad = decodeBoc(assembleBag(replaceCell(proofBag, 0, { data: flip(proofBag.cells[0]!.data, 1) })), {
    trusted: true,
  })[0]!
  assert.equal(bad.exoticType, 3)
  assert.throws(() => bad.hash(), ProofError)
  assert.throws(() => bad.hash(), ProofError)
  const lying = decodeBoc(assembleBag(replaceCell(hashed, 2, { stored: flip(hashed.cells[2]!.stored, 0) })), {
    trusted: true,
  })[0]!
  const refusal = new ProofError('Cell 2 is stored with another hash or depth at level 3 than it has.')
  assert.throws(() => lying.hash(), refusal)
  assert.throws(() => lying.hash(), refusal)
  for (const [, bag, error, options] of refusals) {
    if (error instanceof ProofError) continue
    const input = bag instanceof Uint8Array ? bag : assembleBag(bag)
    assert.throws(() => decodeBoc(input, { ...options, trusted: true }), error)
  }
})

test('a bag that is cut anywhere is refused', () => {
  const { cells, roots } = rawCells([full], (cell) => cell.exotic)
  const bags: RawBag[] = [
    { cells, roots },
    { cells, roots, index: true, crc: true, cacheBits: true },
    { cells, roots, magic: '68ff65f3' },
    { cells, roots, magic: 'acc3a728' },
  ]
  for (const bag of bags) {
    const whole = assembleBag(bag)
    for (let length = 0; length < whole.length; length++) {
      assert.throws(() => decodeBoc(whole.slice(0, length)), BocError, `${length} of ${whole.length} bytes`)
    }
  }
})

test('any changed byte of a bag with a checksum is refused', () => {
  const whole = assembleBag({ ...treeBag, index: true, crc: true, cacheBits: true })
  for (let at = 0; at < whole.length; at++) {
    const changed = whole.map((byte, k) => (k === at ? byte ^ 0x11 : byte))
    assert.throws(() => decodeBoc(changed), BocError, `byte ${at}`)
  }
})

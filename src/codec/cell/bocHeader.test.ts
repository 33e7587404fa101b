import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assembleBag, rawCells } from '../../../test/support/RawBag.ts'
import { ordinary } from '../../../test/support/referenceCell.ts'
import { DEFAULT_BOC_LIMITS, readBigEndian, readBocHeader } from './decodeBoc.ts'
import { BocError } from './errors.ts'

const two = rawCells([ordinary('1', [ordinary('')])])

test('numbers of one to eight bytes, most significant first', () => {
  const bytes = Uint8Array.of(9, 1, 2, 3, 4, 5, 6, 7, 8)
  assert.deepEqual(
    [1, 2, 4, 6].map((size) => readBigEndian(bytes, 1, size)),
    [0x01, 0x0102, 0x01020304, 0x010203040506],
  )
  assert.equal(readBigEndian(Uint8Array.of(0, 0x1f, 255, 255, 255, 255, 255, 255), 0, 8), Number.MAX_SAFE_INTEGER)
  assert.equal(readBigEndian(bytes, 0, 0), 0)
})

test('the header says where everything stands', () => {
  const bag = assembleBag({ ...two, index: true, crc: true, cacheBits: true, refSize: 2, offsetSize: 3 })
  assert.deepEqual(readBocHeader(bag, DEFAULT_BOC_LIMITS), {
    refSize: 2,
    offsetSize: 3,
    cells: 2,
    roots: [0],
    hasCacheBits: true,
    hasCrc: true,
    indexStart: 17,
    cellsStart: 23,
    cellsSize: 7,
    length: 34,
  })
  assert.deepEqual(readBocHeader(assembleBag({ ...two, magic: '68ff65f3' }), DEFAULT_BOC_LIMITS), {
    refSize: 1,
    offsetSize: 1,
    cells: 2,
    roots: [0],
    hasCacheBits: false,
    hasCrc: false,
    indexStart: 10,
    cellsStart: 12,
    cellsSize: 6,
    length: 18,
  })
  assert.equal(readBocHeader(assembleBag(two), DEFAULT_BOC_LIMITS).indexStart, undefined)
})

test('bytes after the bag are not the concern of the header', () => {
  const bag = assembleBag({ ...two, trailing: Uint8Array.of(1, 2, 3) })
  assert.equal(readBocHeader(bag, DEFAULT_BOC_LIMITS).length, bag.length - 3)
})

test('a header that promises gigabytes is refused before anything is made of it', () => {
  const huge = assembleBag({ ...two, refSize: 4, offsetSize: 8, cellCount: 4_000_000, cellsSize: 2 ** 32 })
  assert.throws(
    () => readBocHeader(huge, DEFAULT_BOC_LIMITS),
    new BocError('4000000 cells cannot take the 4294967296 bytes that the bag says.'),
  )
  const plausible = assembleBag({ ...two, refSize: 4, offsetSize: 8, cellCount: 4_000_000, cellsSize: 2 ** 25 })
  assert.throws(
    () => readBocHeader(plausible, DEFAULT_BOC_LIMITS),
    /BocError: The bag of cells should have 335\d+ bytes/,
  )
})

test('the limits are those of the caller', () => {
  const bag = assembleBag({ ...two, roots: [0, 1] })
  const limits = { maxBytes: bag.length, maxCells: 2, maxRoots: 2 }
  assert.equal(readBocHeader(bag, limits).cells, 2)
  for (const key of ['maxBytes', 'maxCells', 'maxRoots'] as const) {
    assert.throws(() => readBocHeader(bag, { ...limits, [key]: limits[key] - 1 }), BocError)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginCell } from '@ton/core'
import fc from 'fast-check'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { toHex } from '../../primitives/hex.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { ContentError } from './ContentError.ts'
import { readDnsText, writeDnsText } from './dnsText.ts'
import { encodeUtf8 } from './utf8.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)

test('a short text is one chunk, a longer one goes on in the first reference', () => {
  const short = beginCell().storeUint(1, 8).storeUint(5, 8).storeBuffer(Buffer.from('hello')).endCell()
  assert.equal(toHex(writeWhole(writeDnsText, encodeUtf8('hello')).hash()), short.hash().toString('hex'))
  const last = beginCell().storeUint(3, 8).storeBuffer(Buffer.from('def'))
  const middle = beginCell().storeUint(0, 8).storeRef(last)
  const first = beginCell().storeUint(3, 8).storeUint(3, 8).storeBuffer(Buffer.from('abc')).storeRef(middle).endCell()
  assert.equal(toHex(readWhole(fromCoreCell(first), readDnsText, 'A text')), toHex(encodeUtf8('abcdef')))
  assert.equal(
    toHex(writeWhole(writeDnsText, new Uint8Array(0)).hash()),
    beginCell().storeUint(0, 8).endCell().hash().toString('hex'),
  )
})

test('a text may stand among other things', () => {
  const w = new CellWriter().writeUint(0x1eda, 16)
  writeDnsText(w, new Uint8Array(300).fill(7))
  const r = openCell(w.toCell())
  r.skipBits(16)
  assert.equal(toHex(readDnsText(r)), '07'.repeat(300))
  r.expectEnd('All of it')
})

test('255 chunks are the most', () => {
  const longest = new Uint8Array(125 + 254 * 126).fill(1)
  assert.equal(readWhole(writeWhole(writeDnsText, longest), readDnsText, 'A text').length, longest.length)
  assert.throws(() => writeWhole(writeDnsText, new Uint8Array(longest.length + 1)), ContentError)
})

test('missing chunks and leftovers are refused', () => {
  const missing = beginCell().storeUint(2, 8).storeUint(1, 8).storeUint(0x41, 8).endCell()
  assert.throws(() => readDnsText(openCell(fromCoreCell(missing))), CellError)
  const next = beginCell().storeUint(1, 8).storeUint(0x41, 9)
  const leftover = beginCell().storeUint(2, 8).storeUint(1, 8).storeUint(0x41, 8).storeRef(next).endCell()
  assert.throws(() => readDnsText(openCell(fromCoreCell(leftover))), CellError)
  const short = beginCell().storeUint(1, 8).storeUint(9, 8).storeUint(0x41, 8).endCell()
  assert.throws(() => readDnsText(openCell(fromCoreCell(short))), CellError)
})

test('any bytes come back, and spoilt texts are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000, size: 'max' }), fc.nat(900), (bytes, offset) => {
      const w = new CellWriter().writeBits(new Uint8Array(128), offset)
      writeDnsText(w, bytes)
      const r = openCell(w.toCell())
      r.skipBits(offset)
      assert.equal(toHex(readDnsText(r)), toHex(bytes))
      r.expectEnd('A text')
    }),
    { seed, numRuns: 200 },
  )
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeDnsText, new Uint8Array(400))), ({ cell }) => {
      passesOrFailsCoded(() => readDnsText(openCell(cell)))
    }),
    { seed, numRuns: 300 },
  )
})

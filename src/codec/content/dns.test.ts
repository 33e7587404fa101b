import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Address, beginCell, Dictionary } from '@ton/core'
import fc from 'fast-check'
import { fromCoreCell } from '../../../test/support/coreCell.ts'
import { readDnsContent, writeDnsContent } from '../../../test/support/dnsContent.ts'
import { haveFixtures, listFixtures, readFixtureJson } from '../../../test/support/fixtures.ts'
import { arbitraryMutant, passesOrFailsCoded } from '../../../test/support/mutateCell.ts'
import { plainVm } from '../../../test/support/vmValues.ts'
import { formatRawAddress } from '../../primitives/Address.ts'
import { fromBase64 } from '../../primitives/base64.ts'
import { toHex } from '../../primitives/hex.ts'
import { wholeSlice } from '../cell/Cell.ts'
import { openCell } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { decodeSingleBoc } from '../cell/decodeBoc.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole, writeWhole } from '../cell/wholeCell.ts'
import { ContentError } from './ContentBudget.ts'
import { type DnsEntry, type DnsRecord, readDnsRecord, readDnsText, writeDnsRecord, writeDnsText } from './dns.ts'
import { encodeUtf8 } from './text.ts'
import { hashName } from './tokenContent.ts'

const seed = Number(process.env['FC_SEED'] ?? 1)
const hash = Uint8Array.from({ length: 32 }, (_, k) => 3 * k)
const address = { kind: 'std', workchain: -1, hash, anycast: undefined } as const
const coreAddress = new Address(-1, Buffer.from(hash))
const list = wholeSlice(new CellWriter().writeUint(0b1_0100100001010100_0, 18).toCell())

const records: [DnsRecord, ReturnType<typeof beginCell>][] = [
  [
    { kind: 'text', bytes: encodeUtf8('hi') },
    beginCell().storeUint(0x1eda, 16).storeUint(0x0102, 16).storeBuffer(Buffer.from('hi')),
  ],
  [{ kind: 'nextResolver', resolver: address }, beginCell().storeUint(0xba93, 16).storeAddress(coreAddress)],
  [
    { kind: 'adnlAddress', adnl: hash, flags: 0, list: undefined },
    beginCell().storeUint(0xad01, 16).storeBuffer(Buffer.from(hash)).storeUint(0, 8),
  ],
  [
    { kind: 'adnlAddress', adnl: hash, flags: 1, list },
    beginCell().storeUint(0xad01, 16).storeBuffer(Buffer.from(hash)).storeUint(1, 8).storeUint(0x290a8, 18),
  ],
  [
    { kind: 'smcAddress', address, flags: 0, list: undefined },
    beginCell().storeUint(0x9fd3, 16).storeAddress(coreAddress).storeUint(0, 8),
  ],
  [{ kind: 'storageAddress', bagId: hash }, beginCell().storeUint(0x7473, 16).storeBuffer(Buffer.from(hash))],
]

const plainRecord = (record: DnsRecord | DnsEntry['value']): unknown =>
  plainVm('list' in record && record.list !== undefined ? { ...record, list: 'some' } : record)

test('records of each kind, bit for bit', () => {
  for (const [record, expected] of records) {
    const cell = writeWhole(writeDnsRecord, record)
    assert.equal(toHex(cell.hash()), expected.endCell().hash().toString('hex'), record.kind)
    const again = readWhole(cell, readDnsRecord, 'A record')
    assert.deepEqual(plainRecord(again), plainRecord(record))
    assert.equal(toHex(writeWhole(writeDnsRecord, again).hash()), toHex(cell.hash()))
  }
})

test('unknown tags and flags are refused, and so is a list that the flags deny', () => {
  assert.throws(() => readDnsRecord(openCell(new CellWriter().writeUint(0x1234, 16).toCell())), /got #1234/)
  const flags = new CellWriter().writeUint(0xad01, 16).writeBytes(hash).writeUint(2, 8).toCell()
  assert.throws(() => readDnsRecord(openCell(flags)), /flags of a domain record are 0 or 1, but got 2/)
  assert.throws(() => writeWhole(writeDnsRecord, { kind: 'adnlAddress', adnl: hash, flags: 0, list }), CellError)
  const none = new CellWriter().writeUint(0x9fd3, 16).writeUint(0, 10).toCell()
  assert.throws(() => readDnsRecord(openCell(none)), CellError)
})

const entries: Omit<DnsEntry, 'name'>[] = records.map(([value], k) => ({
  category: k === 0 ? hashName('wallet') : new Uint8Array(32).fill(k),
  value,
}))

test('the content of a domain is a dictionary of references to records', () => {
  const theirs = Dictionary.empty(Dictionary.Keys.Buffer(32), Dictionary.Values.Cell())
  records.forEach(([, builder], k) => {
    theirs.set(Buffer.from(entries[k]!.category), builder.endCell())
  })
  const expected = beginCell().storeUint(0, 8).storeDict(theirs).endCell()
  const cell = writeWhole(writeDnsContent, entries)
  assert.equal(toHex(cell.hash()), expected.hash().toString('hex'))
  const again = readWhole(fromCoreCell(expected), readDnsContent, 'The content')
  assert.equal(again.find(({ name }) => name === 'wallet')?.value.kind, 'text')
  assert.equal(toHex(writeWhole(writeDnsContent, again).hash()), toHex(cell.hash()))
  assert.deepEqual(again.map(({ value }) => value.kind).toSorted(), records.map(([{ kind }]) => kind).toSorted())
})

test('a record that is none leaves the others as they are', () => {
  const odd = new CellWriter().writeUint(0xdead, 16).toCell()
  const value = { kind: 'other', slice: wholeSlice(new CellWriter().writeRef(odd).toCell()) } as const
  const cell = writeWhole(writeDnsContent, [entries[1]!, { category: hash, value }])
  const again = readWhole(cell, readDnsContent, 'The content')
  assert.deepEqual(again.map((entry) => entry.value.kind).toSorted(), ['nextResolver', 'other'])
  assert.equal(toHex(writeWhole(writeDnsContent, again).hash()), toHex(cell.hash()))
  assert.throws(() => readDnsContent(openCell(new CellWriter().writeUint(1, 8).toCell())), ContentError)
})

test('spoilt contents of domains are read or refused by one of our errors', (t) => {
  t.diagnostic(`seed ${seed}`)
  fc.assert(
    fc.property(arbitraryMutant(writeWhole(writeDnsContent, entries)), ({ cell }) => {
      passesOrFailsCoded(() => readDnsContent(openCell(cell)))
    }),
    { seed, numRuns: 600 },
  )
})

type Recorded = {
  readonly boc: string
  readonly decoded: { readonly layout: string; readonly dns: Record<string, Record<string, unknown>> }
}

/** As the recorded decodings are written down. */
const describe = (record: DnsEntry['value']): unknown => {
  switch (record.kind) {
    case 'adnlAddress':
      return { type: 'dns_adnl_address', adnl: toHex(record.adnl), flags: record.flags }
    case 'smcAddress':
      assert.ok(record.address.kind === 'std')
      return { type: 'dns_smc_address', address: formatRawAddress(record.address), flags: record.flags }
    case 'storageAddress':
      return { type: 'dns_storage_address', bag_id: toHex(record.bagId) }
    default:
      return { type: record.kind }
  }
}

test('recorded contents of domains are read as noted and written to the same hash', (t) => {
  if (!haveFixtures(t, 'mainnet/metadata/content')) return
  let checked = 0
  for (const path of listFixtures('mainnet/metadata/content', '.json').filter((name) => name.includes('/dns_'))) {
    const { boc, decoded } = readFixtureJson<Recorded>(path)
    const cell = decodeSingleBoc(fromBase64(boc))
    const found = readWhole(cell, readDnsContent, 'The content of a domain')
    assert.deepEqual(
      Object.fromEntries(found.map(({ category, name, value }) => [name ?? toHex(category), describe(value)])),
      decoded.dns,
      path,
    )
    assert.equal(toHex(writeWhole(writeDnsContent, found).hash()), toHex(cell.hash()), path)
    checked++
  }
  assert.equal(checked, 3)
})

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

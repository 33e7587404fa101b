import assert from 'node:assert/strict'
import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { encodePack, encodePackEntry, packHead } from '../../../test/support/encodePack.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { PACK_START } from '../../codec/pack/packFormat.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import {
  hasPackEntry,
  MAX_ENTRY_NAME,
  openPack,
  type PackEntry,
  parseEntryName,
  readPackEntry,
  type ScanEnd,
  scanPack,
} from './packFile.ts'

type Scanned = { readonly entries: PackEntry[]; readonly end: ScanEnd }

const scan = async (
  path: string,
  { from = PACK_START, maxEntries = 1000, size }: { from?: number; maxEntries?: number; size?: number } = {},
): Promise<Scanned> => {
  const file = await openPack(path)
  try {
    const entries: PackEntry[] = []
    const onEntry = (entry: PackEntry): void => void entries.push(entry)
    const end = await scanPack(file, { from, maxEntries, onEntry, size: size ?? (await file.stat()).size })
    return { entries, end }
  } finally {
    await file.close()
  }
}

const write = (t: TestContext, bytes: Uint8Array): string => {
  const path = join(tempFolder(t), 'some.pack')
  writeFileSync(path, bytes)
  return path
}

// Sizes around those at which the reader changes from many entries at a time to one.
const sizes = [0, 1, 300, 32_000, 33_000, 0, 262_144, 262_136, 10, 700_000, 5, 32_768 - 8 - 8, 100]
const contents = sizes.map((length, k) => ({ name: `entry_${k}`.padEnd(8, '.'), data: new Uint8Array(length).fill(k) }))
const pack = encodePack(contents.map(({ name, data }) => encodePackEntry(name, data)))

test('entries come in order, with their places', async (t) => {
  const { entries, end } = await scan(write(t, pack))
  assert.deepEqual(
    entries.map(({ name, dataLength }) => ({ name, dataLength })),
    contents.map(({ name, data }) => ({ name, dataLength: data.length })),
  )
  let offset = PACK_START
  for (const entry of entries) {
    assert.equal(entry.offset, offset)
    offset += 8 + entry.nameLength + entry.dataLength
  }
  assert.deepEqual(end, { offset: pack.length, reason: 'complete' })
})

test('a scan may start at any entry, and end after any number', async (t) => {
  const path = write(t, pack)
  const { entries } = await scan(path)
  for (const [k, { offset }] of entries.entries()) {
    assert.deepEqual((await scan(path, { from: offset })).entries, entries.slice(k))
    assert.deepEqual(await scan(path, { maxEntries: k }), {
      entries: entries.slice(0, k),
      end: { offset, reason: 'full' },
    })
  }
})

test('wherever a file ends, the entries that are whole are found and the rest is left for later', async (t) => {
  const small = encodePack([
    encodePackEntry('one', new Uint8Array(5)),
    encodePackEntry('', new Uint8Array(0)),
    encodePackEntry('three', new Uint8Array(3)),
  ])
  const path = write(t, small)
  const { entries } = await scan(path)
  const ends = [
    PACK_START,
    ...entries.map(({ offset, nameLength, dataLength }) => offset + 8 + nameLength + dataLength),
  ]
  for (let size = 0; size <= small.length; size++) {
    const whole = ends.filter((end) => end > PACK_START && end <= size).length
    const offset = ends[whole]!
    const expected = {
      entries: entries.slice(0, whole),
      end: { offset, reason: size === offset ? 'complete' : 'partial' },
    }
    assert.deepEqual(await scan(path, { size }), expected, `${size} bytes`)
    // A file that was cut after its size was asked gives nothing that was not there before.
    writeFileSync(path, small.subarray(0, size))
    const shorter = await scan(path, { size: small.length })
    assert.deepEqual(shorter.entries, entries.slice(0, shorter.entries.length))
    writeFileSync(path, small)
  }
})

test('what is no entry ends the scan where it stands', async (t) => {
  const good = encodePackEntry('good', new Uint8Array(10))
  const zeros = new Uint8Array(100)
  const cases: readonly [string, Uint8Array, number, number][] = [
    ['another magic number', concatBytes([Uint8Array.of(1, 2, 3, 4), good]), 0, PACK_START],
    ['zeros behind an entry', concatBytes([packHead, good, zeros]), 1, PACK_START + good.length],
    ['nothing but zeros', zeros, 0, PACK_START],
    [
      'a length of 2³¹',
      concatBytes([packHead, good, encodePackEntry('bad', zeros, { dataLength: 0x8000_0000 })]),
      1,
      PACK_START + good.length,
    ],
  ]
  for (const [name, bytes, count, offset] of cases) {
    const { entries, end } = await scan(write(t, bytes))
    assert.equal(entries.length, count, name)
    assert.deepEqual(end, { offset, reason: 'broken' }, name)
  }
})

test('a length that lies looks like an entry that is still being written', async (t) => {
  const lie = encodePackEntry('lie', new Uint8Array(10), { dataLength: 0x7fff_ffff })
  const path = write(t, concatBytes([packHead, lie, encodePackEntry('behind', new Uint8Array(10))]))
  assert.deepEqual(await scan(path), { entries: [], end: { offset: PACK_START, reason: 'partial' } })
})

test('huge entries are passed over without being read', async (t) => {
  const path = write(t, encodePack([encodePackEntry('huge', new Uint8Array(0), { dataLength: 0x7fff_ffff })]))
  // The file has no blocks on the disk for what it does not hold.
  truncateSync(path, PACK_START + 12 + 0x7fff_ffff)
  const before = process.memoryUsage().arrayBuffers
  const { entries, end } = await scan(path)
  assert.equal(entries[0]?.dataLength, 0x7fff_ffff)
  assert.equal(end.reason, 'complete')
  assert.ok(process.memoryUsage().arrayBuffers - before < 4 << 20)
})

test('a name that is too long for any we know is left out, not read', async (t) => {
  const name = 'n'.repeat(60_000)
  const { entries } = await scan(
    write(t, encodePack([encodePackEntry(name, new Uint8Array(1)), encodePackEntry('b', new Uint8Array(2))])),
  )
  assert.deepEqual(
    entries.map((entry) => [entry.name, entry.nameLength]),
    [
      ['', 60_000],
      ['b', 1],
    ],
  )
})

test('an entry is read whole and in a buffer of its own, or not at all', async (t) => {
  const path = write(t, pack)
  const { entries } = await scan(path)
  const file = await openPack(path)
  t.after(() => file.close())
  for (const [k, entry] of entries.entries()) {
    const read = await readPackEntry(file, entry)
    assert.equal(read?.name, contents[k]!.name)
    assert.deepEqual(read.data, contents[k]!.data)
    assert.equal(read.data.buffer.byteLength, read.data.length)
    assert.equal(await hasPackEntry(file, entry), true)
    for (const other of [
      { ...entry, offset: entry.offset + 1 },
      { ...entry, nameLength: entry.nameLength + 1 },
      { ...entry, dataLength: entry.dataLength + 1 },
      { ...entry, offset: pack.length },
    ]) {
      assert.equal(await readPackEntry(file, other), undefined)
      assert.equal(await hasPackEntry(file, other), false)
    }
    assert.equal(await hasPackEntry(file, { ...entry, name: 'another.' }), false)
  }
})

const root = '1A'.repeat(32)
const file = '2B'.repeat(32)

test('the names of blocks and proofs are read in either case', () => {
  const id = {
    workchain: -1,
    shard: 0x8000_0000_0000_0000n,
    seqno: 42,
    rootHash: filled(0x1a),
    fileHash: filled(0x2b),
  }
  const place = '(-1,8000000000000000,42)'
  const plain = (name: string) => {
    const parsed = parseEntryName(name)
    if (parsed === undefined) return undefined
    const { rootHash, fileHash } = parsed.id
    return { ...parsed, id: { ...parsed.id, rootHash: new Uint8Array(rootHash), fileHash: new Uint8Array(fileHash) } }
  }
  assert.deepEqual(plain(`block_${place}:${root}:${file}`), { kind: 'block', id })
  assert.deepEqual(plain(`proof_${place}:${root}:${file}`), { kind: 'proof', id })
  assert.deepEqual(plain(`prooflink_${place}:${root}:${file}`), { kind: 'prooflink', id })
  assert.deepEqual(plain(`PROOFLINK_${place}:${root.toLowerCase()}:${file.toLowerCase()}`), {
    kind: 'prooflink',
    id,
  })
})

test('other kinds and names that no node writes are passed over', () => {
  const names = [
    '',
    '_',
    'block',
    'block_',
    `signatures_(0,8000000000000000,1):${root}:${file}`,
    `blocks_(0,8000000000000000,1):${root}:${file}`,
    `_(0,8000000000000000,1):${root}:${file}`,
    `block_(0,8000000000000000,1):${root}:${file.slice(1)}`,
    `block_(0,8000000000000000,1):${root}:${file} `,
    `block_(0,8000000000000000,1):${root}:${'G'.repeat(64)}`,
    `block_(0,8000000000000000,4294967296):${root}:${file}`,
    `block_(0,8000000000000000,-1):${root}:${file}`,
    `block_(0,8000000000000000,1):${root}${file}0`,
    `block_(0,8000000000000000,1)${root}::${file}`,
    `block_${root}:${file}`,
    `block_:${root}:${file}`,
    // No block has such a place or such a hash.
    `block_(0,0000000000000000,1):${root}:${file}`,
    `block_(0,8000000000000001,1):${root}:${file}`,
    `block_(-1,4000000000000000,1):${root}:${file}`,
    `block_(0,8000000000000000,1):${'0'.repeat(64)}:${file}`,
  ]
  for (const name of names) assert.equal(parseEntryName(name), undefined, name)
})

test('the longest name that is read fits the limit', () => {
  const longest = `prooflink_(-2147483647,fffffffffffffff8,2147483647):${root}:${file}`
  assert.notEqual(parseEntryName(longest), undefined)
  assert.ok(longest.length <= MAX_ENTRY_NAME)
})

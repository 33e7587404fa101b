import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { encodePack, encodePackEntry, packHead } from '../../../test/support/encodePack.ts'
import { blockEntry, makeSampleBlock, type SampleBlock, zeroStateOf } from '../../../test/support/sampleChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import type { Logger } from '../../observe/Logger.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import { shardChildren, wholeShard } from '../../primitives/shard.ts'
import { EntryTable, PackIndex } from './PackIndex.ts'
import type { EntryKind } from './packFile.ts'

const blocks = [0, 1, 2, 3, 4, 5].map((seed) =>
  makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)], seed }),
)
const [a, b, c, d] = blocks as [SampleBlock, SampleBlock, SampleBlock, SampleBlock]

const packOf = (...list: readonly SampleBlock[]): Uint8Array => encodePack(list.map(blockEntry))

type Setup = { readonly path: string; readonly pack: PackIndex; readonly warnings: string[] }

const setUp = (t: TestContext, bytes?: Uint8Array): Setup => {
  const path = join(tempFolder(t), 'archive.00000.pack')
  if (bytes !== undefined) writeFileSync(path, bytes)
  const warnings: string[] = []
  const logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message, fields) => void warnings.push(`${message} at ${fields?.['offset']}`),
    error: () => undefined,
    child: () => logger,
  }
  return { path, pack: new PackIndex(path, { gate: createSemaphore(2), logger }), warnings }
}

const namesOf = (ids: readonly { readonly rootHash: Uint8Array }[]): string[] =>
  ids.map(({ rootHash }) => toHex(rootHash))

const expectBlocks = async ({ pack }: Setup, ...expected: readonly SampleBlock[]): Promise<void> => {
  await pack.update()
  assert.deepEqual(namesOf(pack.table.listBlocks()), namesOf(expected.map(({ id }) => id)))
  for (const { id, bytes } of expected) {
    const [place] = pack.table.find('block', id)
    assert.deepEqual((await pack.read(place!))?.data, bytes)
  }
}

test('a file that grows byte by byte', async (t) => {
  const bytes = packOf(a, b, c)
  const setup = setUp(t, new Uint8Array(0))
  let end = 4
  const ends = [a, b, c].map((block) => {
    end += blockEntry(block).length
    return end
  })
  for (let size = 1; size <= bytes.length; size++) {
    appendFileSync(setup.path, bytes.subarray(size - 1, size))
    // Every byte would take long: some of each entry, and all around their ends.
    if (size % 17 !== 0 && !ends.some((at) => Math.abs(at - size) < 12)) continue
    await expectBlocks(setup, ...[a, b, c].filter((_, k) => ends[k]! <= size))
  }
  assert.deepEqual(setup.warnings, [])
})

test('a file that is cut and goes on with something else', async (t) => {
  const setup = setUp(t, packOf(a, b, c))
  await expectBlocks(setup, a, b, c)
  truncateSync(setup.path, packOf(a).length + 3)
  await expectBlocks(setup, a)
  truncateSync(setup.path, packOf(a).length)
  appendFileSync(setup.path, blockEntry(d))
  await expectBlocks(setup, a, d)
})

test('a file that was cut and has outgrown its old size before anyone looked', async (t) => {
  // All blocks have the same length here, so entries even start where others did.
  const setup = setUp(t, packOf(a, b))
  await expectBlocks(setup, a, b)
  writeFileSync(setup.path, packOf(a, c, d))
  await expectBlocks(setup, a, c, d)
  // And so that they do not.
  writeFileSync(setup.path, encodePack([encodePackEntry('info_x', new Uint8Array(7)), ...blocks.map(blockEntry)]))
  await expectBlocks(setup, ...blocks)
  assert.deepEqual(setup.warnings, [])
})

test('a file that is replaced by another of the same size', async (t) => {
  const setup = setUp(t, packOf(a, b))
  await expectBlocks(setup, a, b)
  writeFileSync(`${setup.path}.new`, packOf(c, b))
  renameSync(`${setup.path}.new`, setup.path)
  await expectBlocks(setup, c, b)
})

test('a file that vanishes, comes back, or is none', async (t) => {
  const setup = setUp(t)
  await expectBlocks(setup)
  writeFileSync(setup.path, packOf(a, b))
  await expectBlocks(setup, a, b)
  const [place] = setup.pack.table.find('block', a.id)
  rmSync(setup.path)
  assert.equal(await setup.pack.read(place!), undefined)
  await expectBlocks(setup)
  mkdirSync(setup.path)
  await expectBlocks(setup)
  rmSync(setup.path, { recursive: true })
  writeFileSync(setup.path, packOf(c))
  await expectBlocks(setup, c)
})

test('a socket in the place of a package is not opened', { skip: process.platform === 'win32' }, async (t) => {
  const setup = setUp(t)
  const server = createServer().listen(setup.path)
  t.after(() => server.close())
  await once(server, 'listening')
  await expectBlocks(setup)
})

test('damage is reported once, what stands before it is used, and a repair is seen', async (t) => {
  const setup = setUp(t, concatBytes([packOf(a), new Uint8Array(50)]))
  await expectBlocks(setup, a)
  appendFileSync(setup.path, new Uint8Array(50))
  await expectBlocks(setup, a)
  assert.deepEqual(setup.warnings, [`archive package damaged at ${packOf(a).length}`])
  writeFileSync(setup.path, packOf(a, b))
  await expectBlocks(setup, a, b)
  writeFileSync(setup.path, 'something else altogether')
  await expectBlocks(setup)
  assert.deepEqual(setup.warnings, [`archive package damaged at ${packOf(a).length}`, 'archive package damaged at 4'])
})

test('entries of unknown kinds are passed over, at the end of the file too', async (t) => {
  const unknown = encodePackEntry('signatures_(0,8000000000000000,1)', new Uint8Array(9))
  const setup = setUp(t, concatBytes([packHead, unknown]))
  await expectBlocks(setup)
  appendFileSync(setup.path, concatBytes([blockEntry(a), unknown]))
  await expectBlocks(setup, a)
  appendFileSync(setup.path, blockEntry(b))
  await expectBlocks(setup, a, b)
})

test('a distrusted index is made anew', async (t) => {
  const setup = setUp(t, packOf(a, b))
  await expectBlocks(setup, a, b)
  const { table } = setup.pack
  await setup.pack.update()
  assert.equal(setup.pack.table, table)
  setup.pack.distrust()
  await expectBlocks(setup, a, b)
  assert.notEqual(setup.pack.table, table)
})

const [left, right] = shardChildren(wholeShard)

const block = (workchain: number, shard: bigint, seqno: number, twin = 0): BlockIdExt => ({
  workchain,
  shard,
  seqno,
  rootHash: filled((seqno + 7 * twin) & 255),
  fileHash: filled((seqno + 7 * twin + 1) & 255),
})

const tableOf = (entries: readonly (readonly [EntryKind, BlockIdExt])[]): EntryTable => {
  const table = new EntryTable()
  entries.forEach(([kind, id], k) => {
    table.add({ kind, id }, { offset: k * 1e10, nameLength: 100 + k, dataLength: 0x7fff_ffff - k })
  })
  return table
}

const place = (k: number) => ({ offset: k * 1e10, nameLength: 100 + k, dataLength: 0x7fff_ffff - k })

test('an entry is found by its kind and full id, the last copy first', () => {
  const one = block(0, left, 5)
  const twin = block(0, left, 5, 1)
  const table = tableOf([
    ['block', one],
    ['proof', one],
    ['block', twin],
    ['block', one],
    ['block', block(0, right, 5)],
  ])
  assert.deepEqual(table.find('block', one), [place(3), place(0)])
  assert.deepEqual(table.find('block', twin), [place(2)])
  assert.deepEqual(table.find('proof', one), [place(1)])
  assert.deepEqual(table.find('prooflink', one), [])
  assert.deepEqual(table.find('block', { ...one, fileHash: filled(9) }), [])
  assert.deepEqual(table.find('block', { ...one, rootHash: filled(9) }), [])
  assert.deepEqual(table.find('block', { ...one, workchain: 1 }), [])
  assert.deepEqual(table.find('block', { ...one, seqno: 6 }), [])
})

test('the newest masterchain block up to a seqno', () => {
  const table = tableOf([
    ['block', block(masterchain, wholeShard, 7)],
    ['block', block(masterchain, wholeShard, 5)],
    ['block', block(masterchain, wholeShard, 7, 1)],
    ['proof', block(masterchain, wholeShard, 8)],
    ['block', block(0, wholeShard, 9)],
  ])
  assert.deepEqual(table.findMasterchainBlock(100), block(masterchain, wholeShard, 7, 1))
  assert.deepEqual(table.findMasterchainBlock(6), block(masterchain, wholeShard, 5))
  assert.equal(table.findMasterchainBlock(4), undefined)
})

test('seqnos of the shards that have accounts in common', () => {
  const table = tableOf([
    ['block', block(0, wholeShard, 10)],
    ['block', block(0, left, 12)],
    ['block', block(0, right, 15)],
    ['block', block(1, left, 99)],
    ['prooflink', block(0, left, 13)],
  ])
  assert.deepEqual(table.findSeqnoRange(block(0, left, 0)), [10, 13])
  assert.deepEqual(table.findSeqnoRange(block(0, shardChildren(right)[0], 0)), [10, 15])
  assert.deepEqual(table.findSeqnoRange(block(0, wholeShard, 0)), [10, 15])
  assert.equal(table.findSeqnoRange(block(2, wholeShard, 0)), undefined)
})

test('blocks are listed once each', () => {
  const ids = [block(0, left, 1), block(0, left, 2), block(0, left, 1, 1)]
  const table = tableOf([
    ['block', ids[0]!],
    ['prooflink', ids[0]!],
    ['block', ids[1]!],
    ['block', ids[0]!],
    ['block', ids[2]!],
  ])
  assert.deepEqual(table.listBlocks(), [ids[1], ids[0], ids[2]])
})

test('it takes any number of entries', () => {
  const ids = Array.from({ length: 3000 }, (_, seqno) => block(0, wholeShard, seqno + 1))
  const table = tableOf(ids.map((id) => ['block', id] as const))
  assert.equal(table.count, 3000)
  assert.deepEqual(table.listBlocks().length, 256)
  for (const k of [0, 63, 64, 1500, 2999]) assert.equal(table.find('block', ids[k]!)[0]?.offset, k * 1e10)
})

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { writeTree } from '../../../test/support/writeTree.ts'
import { NodeUnavailableError } from '../../chain/errors.ts'
import { ArchiveLayout, FolderListing, type PackName, parsePackName } from './ArchiveLayout.ts'

// Older nodes put a colon into the names of files, which some systems do not allow.
const colon = process.platform === 'win32' ? '_' : ':'

const treeOf = (paths: readonly string[]): Record<string, string> => Object.fromEntries(paths.map((path) => [path, '']))

/** Every slice: its id and the names of its files. */
const listSlices = async (layout: ArchiveLayout): Promise<string[]> => {
  const found: string[] = []
  for (let slice = await layout.findSliceAfter(-1); slice !== undefined; ) {
    found.push(`${slice.id}: ${slice.packs.map(({ path }) => basename(path)).join(' ')}`)
    slice = await layout.findSliceAfter(slice.id)
  }
  return found
}

const nodeTree = treeOf([
  'archive/packages/arch0000/archive.00000.pack',
  'archive/packages/arch0000/archive.00000.0_8000000000000000.pack',
  'archive/packages/arch0000/archive.00000.index/CURRENT',
  `archive/packages/arch0000/archive.00103.0${colon}4000000000000000.pack`,
  `archive/packages/arch0000/archive.00103.0${colon}c000000000000000.pack`,
  'archive/packages/arch0000/archive.00103.pack',
  'archive/packages/arch0000/archive.99903.pack',
  'archive/packages/arch0002/archive.200003.pack',
  'archive/packages/arch0010/archive.1000003.pack',
  'archive/packages/key000/key.archive.000000.pack',
  'archive/packages/key000/key.archive.200000.pack',
  'archive/packages/key001/key.archive.1000000.pack',
  'archive/states/zerostate_0_AA',
  'files/packages/temp.archive.1794711600.pack',
  'files/packages/temp.archive.1794711600.index/CURRENT',
  'keyring/secret',
])

const nodeSlices = [
  '0: archive.00000.0_8000000000000000.pack archive.00000.pack',
  `103: archive.00103.0${colon}4000000000000000.pack archive.00103.0${colon}c000000000000000.pack archive.00103.pack`,
  '99903: archive.99903.pack',
  '200003: archive.200003.pack',
  '1000003: archive.1000003.pack',
]

for (const [what, below] of [
  ['the db folder of a node', ''],
  ['its archive folder', 'archive'],
  ['its packages folder', 'archive/packages'],
] as const) {
  test(`slices are found from ${what}`, async (t) => {
    const root = writeTree(t, nodeTree)
    assert.deepEqual(await listSlices(new ArchiveLayout(join(root, below))), nodeSlices)
  })
}

test('packages are found right in a folder, and one by one', async (t) => {
  const root = writeTree(t, nodeTree)
  const folder = join(root, 'archive/packages/arch0000')
  assert.deepEqual(await listSlices(new ArchiveLayout(folder)), nodeSlices.slice(0, 3))
  const files = [
    join(root, 'archive/packages/arch0010/archive.1000003.pack'),
    join(folder, 'archive.99903.pack'),
    join(root, 'files/packages/temp.archive.1794711600.pack'),
    join(root, 'archive/packages/key000/key.archive.200000.pack'),
    join(root, 'my.pack'),
  ]
  const layout = new ArchiveLayout(files)
  assert.deepEqual(await listSlices(layout), [nodeSlices[2], nodeSlices[4]])
  assert.deepEqual(await layout.listTemporaryPacks(), [files[2]])
  assert.deepEqual(await layout.listOtherPacks(), [files[4]])
  assert.equal(await layout.findKeyPack(200_000), files[3])
})

test('the slice of a seqno is the last that starts up to it', async (t) => {
  const layout = new ArchiveLayout(writeTree(t, nodeTree))
  const idUpTo = async (seqno: number): Promise<number | undefined> => (await layout.findSliceUpTo(seqno))?.id
  const cases: readonly [number, number | undefined][] = [
    [0, 0],
    [102, 0],
    [103, 103],
    [99_902, 103],
    [150_000, 99_903],
    [200_002, 99_903],
    [200_003, 200_003],
    [1_000_002, 200_003],
    [0x7fff_ffff, 1_000_003],
    [-1, undefined],
  ]
  for (const [seqno, id] of cases) assert.equal(await idUpTo(seqno), id, `${seqno}`)
})

test('key and temporary packages', async (t) => {
  const root = writeTree(t, nodeTree)
  const layout = new ArchiveLayout(root)
  const expectKey = async (seqno: number, path: string): Promise<void> =>
    assert.equal(await layout.findKeyPack(seqno), join(root, 'archive/packages', path))
  await expectKey(199_999, 'key000/key.archive.000000.pack')
  await expectKey(999_999, 'key000/key.archive.200000.pack')
  await expectKey(1_000_001, 'key001/key.archive.1000000.pack')
  assert.deepEqual(await layout.listTemporaryPacks(), [join(root, 'files/packages/temp.archive.1794711600.pack')])
  assert.deepEqual(await layout.listOtherPacks(), [])
})

test('a new slice, a new folder and what was deleted are seen after a refresh', async (t) => {
  const root = tempFolder(t)
  const packages = join(root, 'archive/packages')
  const layout = new ArchiveLayout(root)
  assert.deepEqual(await listSlices(layout), [])
  const add = (folder: string, file: string): void => {
    mkdirSync(join(packages, folder), { recursive: true })
    writeFileSync(join(packages, folder, file), '')
  }
  add('arch0000', 'archive.00000.pack')
  assert.deepEqual(await listSlices(layout), [])
  layout.refresh()
  assert.deepEqual(await listSlices(layout), ['0: archive.00000.pack'])
  assert.deepEqual(layout.listLiveFolders(), [join(packages, 'arch0000'), packages, root])
  add('arch0000', 'archive.99900.pack')
  add('arch0001', 'archive.100000.pack')
  layout.refresh()
  assert.deepEqual(await listSlices(layout), [
    '0: archive.00000.pack',
    '99900: archive.99900.pack',
    '100000: archive.100000.pack',
  ])
  assert.equal(layout.listLiveFolders()[0], join(packages, 'arch0001'))
  rmSync(join(packages, 'arch0000'), { recursive: true })
  layout.refresh()
  assert.deepEqual(await listSlices(layout), ['100000: archive.100000.pack'])
})

test('any number of folders is listed, a few at a time', async (t) => {
  const paths = Array.from({ length: 40 }, (_, k) => `arch${String(k).padStart(4, '0')}/archive.${k}00000.pack`)
  const layout = new ArchiveLayout(writeTree(t, treeOf(paths.map((path) => path.replace('.000000.', '.00000.')))))
  for (let round = 0; round < 2; round++) {
    assert.equal((await listSlices(layout)).length, 40)
    for (const k of [39, 0, 17]) assert.equal((await layout.findSliceUpTo(k * 100_000 + 5))?.id, k * 100_000)
  }
})

test('a folder that is not there says what to give instead', async (t) => {
  const root = writeTree(t, { file: '' })
  for (const path of [join(root, 'absent'), join(root, 'file'), join(root, 'file', 'below')]) {
    await assert.rejects(
      new ArchiveLayout(path).findSliceAfter(-1),
      (error) => error instanceof NodeUnavailableError && /archive\/packages/.test(error.message),
    )
  }
})

const cases: readonly [string, PackName | undefined][] = [
  ['archive.00000.pack', { kind: 'slice', id: 0, shard: undefined }],
  ['archive.00203.pack', { kind: 'slice', id: 203, shard: undefined }],
  ['archive.12345678.pack', { kind: 'slice', id: 12_345_678, shard: undefined }],
  [
    'archive.00103.0_8000000000000000.pack',
    { kind: 'slice', id: 103, shard: { workchain: 0, shard: 0x8000_0000_0000_0000n } },
  ],
  [
    'archive.00103.0:c000000000000000.pack',
    { kind: 'slice', id: 103, shard: { workchain: 0, shard: 0xc000_0000_0000_0000n } },
  ],
  [
    'archive.00103.-7_4000000000000000.pack',
    { kind: 'slice', id: 103, shard: { workchain: -7, shard: 0x4000_0000_0000_0000n } },
  ],
  ['key.archive.000000.pack', { kind: 'key', id: 0 }],
  ['key.archive.200000.pack', { kind: 'key', id: 200_000 }],
  ['temp.archive.1794711600.pack', { kind: 'temporary', id: 1_794_711_600 }],
  ['download.pack', { kind: 'other' }],
  ['archive.1.pack', { kind: 'other' }],
  ['archive.00103.0_80.pack', { kind: 'other' }],
  ['temp.archive.1794711600.0_8000000000000000.pack', { kind: 'other' }],
  ['archive.00000.index', undefined],
  ['archive.00000.pack.tmp', undefined],
  ['arch0000', undefined],
]

for (const [file, expected] of cases) {
  test(`${file} is ${expected === undefined ? 'no package' : `a package of the kind ${expected.kind}`}`, () => {
    assert.deepEqual(parsePackName(file), expected)
  })
}

test('a change that the folder shows in no other way is still seen soon after the one before', async (t) => {
  const folder = tempFolder(t)
  const time = new Date('2026-01-01')
  writeFileSync(join(folder, 'one'), '')
  utimesSync(folder, time, time)
  const listing = new FolderListing(folder)
  assert.equal(await listing.update(), true)
  writeFileSync(join(folder, 'two'), '')
  utimesSync(folder, time, time)
  assert.equal(await listing.update(), true)
  assert.deepEqual(listing.names?.toSorted(), ['one', 'two'])
})

test('a folder that has not changed for long is not listed again', async (t) => {
  t.mock.timers.enable({ apis: [] })
  let now = 1000
  t.mock.method(performance, 'now', () => now)
  const folder = tempFolder(t)
  const listing = new FolderListing(folder)
  await listing.update()
  now += 2400
  assert.equal(await listing.update(), true)
  now += 200
  assert.equal(await listing.update(), true)
  now += 1
  assert.equal(await listing.update(), false)
  writeFileSync(join(folder, 'one'), '')
  assert.equal(await listing.update(), true)
  assert.deepEqual(listing.names, ['one'])
})

test('a folder that comes and goes', async (t) => {
  const folder = join(tempFolder(t), 'packages')
  const listing = new FolderListing(folder)
  assert.equal(await listing.update(), false)
  assert.equal(listing.names, undefined)
  mkdirSync(folder)
  assert.equal(await listing.update(), true)
  assert.deepEqual(listing.names, [])
  rmSync(folder, { recursive: true })
  assert.equal(await listing.update(), true)
  assert.equal(listing.names, undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { BlockNotFoundError } from '../../src/chain/errors.ts'
import { ArchiveFolder } from '../../src/node/archive/ArchiveFolder.ts'
import { createArchiveSource } from '../../src/node/archive/createArchiveSource.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain, parseBlockIdExt } from '../../src/primitives/BlockId.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { formatShard, parseShard } from '../../src/primitives/shard.ts'
import { encodePackEntry } from '../support/encodePack.ts'
import { fixturePath, haveFixtures, listFixtures, readFixture, readFixtureJson } from '../support/fixtures.ts'
import { GrowingArchive, type Piece } from '../support/growingArchive.ts'
import { packEntries } from '../support/packEntries.ts'
import { tempFolder } from '../support/tempFolder.ts'

const NODE_DB = 'localnet/node-db'
const MAINNET = 'mainnet/archives'
const seed = Number(process.env['FC_SEED'] ?? 1)

const listNames = async (folder: ArchiveFolder): Promise<string[]> => {
  const names: string[] = []
  for await (const { id } of folder.listBlocks()) names.push(formatBlockIdExt(id))
  return names.sort()
}

const openNodeDb = (includeTemporary = false): ArchiveFolder =>
  new ArchiveFolder({ location: fixturePath(NODE_DB), includeTemporary })

type RecordedBlock = {
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
  masterchain_seqno: number
}

const idOf = ({ workchain, shard, seqno, root_hash, file_hash }: RecordedBlock): BlockIdExt => ({
  workchain,
  shard: parseShard(shard),
  seqno,
  rootHash: fromHex(root_hash),
  fileHash: fromHex(file_hash),
})

const readRecorded = (): RecordedBlock[] =>
  readFixtureJson<{ blocks: RecordedBlock[] }>('localnet/blocks/index.json').blocks

test('a node database gives its blocks, each byte for byte', async (t) => {
  const folder = openNodeDb()
  const expected = listFixtures(NODE_DB, '.pack')
    .filter((path) => path.includes('/arch0000/'))
    .flatMap((path) => Array.from(packEntries(readFixture(path)), ({ name }) => name))
    .filter((name) => name.startsWith('block_'))
    .map((name) => name.slice('block_'.length))
  const names = await listNames(folder)
  assert.deepEqual(names, [...new Set(expected)].sort())
  assert.equal(names.length, 1789)
  const ids = names.map((name) => parseBlockIdExt(name))
  assert.deepEqual(
    ids
      .filter(({ workchain }) => workchain === masterchain)
      .map(({ seqno }) => seqno)
      .sort((a, b) => a - b),
    Array.from({ length: 470 }, (_, k) => k + 1),
  )
  const recorded = readRecorded()
  const listed = new Set(names)
  for (const block of recorded) {
    const id = idOf(block)
    assert.ok(listed.has(formatBlockIdExt(id)))
    const file = `localnet/blocks/${block.workchain}_${block.shard}_${block.seqno}.boc`
    assert.deepEqual(await folder.getBlock(id), readFixture(file))
  }
  let proofs = 0
  let links = 0
  for (const id of ids) {
    const proof = await folder.findProof(id)
    if (proof?.kind === 'proof') proofs++
    else if (proof?.kind === 'prooflink') links++
  }
  assert.deepEqual([proofs, links], [470, 1319])
  t.diagnostic(
    `${names.length} blocks, ${recorded.length} equal to the recorded ones, ${proofs} proofs, ${links} links`,
  )
})

test('a node database as a source of blocks', async () => {
  const source = createArchiveSource(openNodeDb())
  assert.equal((await source.getHead()).seqno, 470)
  for (const block of readRecorded()) {
    if (block.workchain !== masterchain) continue
    assert.deepEqual(await source.getMasterchainBlockId(block.seqno), idOf(block))
  }
  await assert.rejects(source.getMasterchainBlockId(471), BlockNotFoundError)
})

test('a signed block that was dropped is in no archive, only in a temporary package', async () => {
  const temporary = listFixtures(NODE_DB, '.pack').find((path) => /temp\.archive\.[0-9]+\.pack$/.test(path))!
  const name = Array.from(packEntries(readFixture(temporary)), (entry) => entry.name).find((each) =>
    /^block_\(0,4000000000000000,98\):987D44DA/.test(each),
  )!
  const id = parseBlockIdExt(name.slice('block_'.length))
  await assert.rejects(openNodeDb().getBlock(id), BlockNotFoundError)
  const withTemporary = openNodeDb(true)
  assert.ok((await withTemporary.getBlock(id)).length > 0)
  assert.equal((await createArchiveSource(withTemporary).getHead()).seqno, 470)
})

test('proofs of key blocks come from a key package', async () => {
  const folder = new ArchiveFolder({ location: fixturePath(`${NODE_DB}/archive/packages/key000`) })
  for (const block of readRecorded()) {
    if (block.workchain !== masterchain || (block.seqno !== 66 && block.seqno !== 103)) continue
    assert.equal((await folder.findProof(idOf(block)))?.kind, 'proof')
  }
})

type ListedEntry = { id: string; root_hash: string; file_hash: string }

test('recorded packages give exactly the blocks of their indexes', async (t) => {
  if (!haveFixtures(t, MAINNET)) return
  let count = 0
  for (const index of listFixtures(MAINNET, '.entries.json')) {
    const expected = readFixtureJson<ListedEntry[]>(index).map(
      ({ id, root_hash, file_hash }) => `${id}:${root_hash.toUpperCase()}:${file_hash.toUpperCase()}`,
    )
    const folder = new ArchiveFolder({ location: fixturePath(index.replace('.entries.json', '.pack')) })
    const names = await listNames(folder)
    assert.deepEqual(names, [...new Set(expected)].sort(), index)
    for (const name of names) {
      await folder.getBlock(parseBlockIdExt(name))
      count++
    }
  }
  t.diagnostic(`${count} blocks of ${listFixtures(MAINNET, '.entries.json').length} packages`)
})

test('the first hundred blocks of the main network are complete up to the last', async (t) => {
  if (!haveFixtures(t, MAINNET)) return
  const source = createArchiveSource(new ArchiveFolder({ location: fixturePath(`${MAINNET}/mainnet`) }))
  assert.equal((await source.getHead()).seqno, 99)
})

/** The entries of a node's first two groups of packages, the second begun by a key block; numbered as the record says. */
const recordedPieces = (): Piece[] => {
  const includedBy = new Map(readRecorded().map((block) => [formatBlockIdExt(idOf(block)), block.masterchain_seqno]))
  return listFixtures(NODE_DB, '.pack').flatMap((path) =>
    /arch0000\/archive\.000(00|66).*\.pack$/.test(path)
      ? Array.from(packEntries(readFixture(path)), ({ name, data: bytes }) => ({
          file: path.slice(NODE_DB.length + 1),
          bytes: encodePackEntry(name, bytes),
          seqno: name.startsWith('block_') ? includedBy.get(name.slice('block_'.length)) : undefined,
        }))
      : [],
  )
}

test('real packages that grow, are cut and rotate: every head once, in order, none early', {
  timeout: 120_000,
}, async (t) => {
  const root = tempFolder(t)
  const archive = new GrowingArchive(root, recordedPieces())
  const source = createArchiveSource(new ArchiveFolder({ location: root }), { pollMs: 1 })
  const controller = new AbortController()
  const heads: number[] = []
  const last = 102
  let highest = 0
  const watching = (async () => {
    for await (const head of source.watchHeads(controller.signal)) {
      assert.ok(head.seqno <= highest, `${head.seqno} came, but only ${highest} was written`)
      heads.push(head.seqno)
      if (head.seqno === last) controller.abort()
    }
  })()
  let failed = false
  watching.catch(() => {
    failed = true
  })
  let random = seed
  const next = (limit: number): number => {
    random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0
    return (random >>> 8) % limit
  }
  let cuts = 0
  // Within a group both files grow; the second group begins before the first is at its end.
  const groups = ['00000', '00066'].map((id) => archive.files.filter((file) => file.includes(`archive.${id}.`)))
  for (const [k, group] of groups.entries()) {
    const files = k === 0 ? group : archive.files
    while (!group.every((file) => !archive.grow(file, 1 + next(6000)))) {
      for (const file of files) archive.grow(file, 1 + next(9000))
      if (next(12) === 0) {
        cuts++
        archive.cut(group[next(group.length)]!, next(30_000))
      }
      highest = Math.max(highest, archive.head)
      await delay(next(2))
      while (archive.head > 0 && heads.length === 0 && !failed) await delay(1)
      if (k === 0 && archive.head > 55) break
    }
  }
  for (const file of archive.files) archive.grow(file, 1 << 30)
  highest = Math.max(highest, archive.head)
  assert.equal(archive.isDone, true)
  await watching
  const first = heads[0]!
  assert.deepEqual(
    heads,
    Array.from({ length: last - first + 1 }, (_, k) => first + k),
  )
  assert.ok(first < 20 && cuts > 3)
  t.diagnostic(`seed ${seed}: heads ${first} to ${heads.at(-1)}, ${cuts} cuts`)
})

test('a block is the same from an archive and from the record, by its place', async () => {
  const folder = openNodeDb()
  const [block] = readRecorded().filter(({ workchain, seqno }) => workchain === 0 && seqno === 118)
  const id = idOf(block!)
  assert.equal(formatShard(id.shard), '8000000000000000')
  // Cold: nothing was asked before, so its slice has to be searched.
  assert.deepEqual(await folder.getBlock(id), readFixture('localnet/blocks/0_8000000000000000_118.boc'))
})

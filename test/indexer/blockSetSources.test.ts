import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { RawBlockSet } from '../../src/indexer/blockSets.ts'
import type { BlockSetSource } from '../../src/indexer/ports.ts'
import { checkRawBlock } from '../../src/indexer/sources/checkRawBlock.ts'
import { createBlockSetSource } from '../../src/indexer/sources/createBlockSetSource.ts'
import { formatBlockIdExt, masterchain } from '../../src/primitives/BlockId.ts'
import { CodedError } from '../../src/primitives/errors.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import { parseShard } from '../../src/primitives/shard.ts'
import { readFixtureJson } from '../support/fixtures.ts'
import { copyLocalnetPackages, openLocalnetNode, openPackages } from '../support/localnetSources.ts'

type IndexedBlock = {
  readonly workchain: number
  readonly shard: string
  readonly seqno: number
  readonly root_hash: string
  readonly file_hash: string
  readonly masterchain_seqno?: number
}

const LAST = 400
const { signal } = new AbortController()

const fetchAll = async (blockSets: BlockSetSource, seqnos: readonly number[]): Promise<Map<number, RawBlockSet>> => {
  const fetched = await Promise.all(seqnos.map((seqno) => blockSets.fetchBlockSet(seqno, signal)))
  return new Map(fetched.map((blockSet) => [blockSet.seqno, blockSet]))
}

const listIds = ({ masterchain: master, shards }: RawBlockSet): string[] =>
  [master, ...shards].map(({ id }) => formatBlockIdExt(id))

test('packages and a liteserver give the same block sets, those that the index of the recording tells', async (t) => {
  const archive = createBlockSetSource(openPackages(), { ownBytes: true })
  const lite = createBlockSetSource(await openLocalnetNode(t))
  const ascending = Array.from({ length: LAST }, (_, k) => k + 1)
  const fromArchive = await fetchAll(archive, ascending)
  const fromLite = await fetchAll(lite, ascending.toReversed())
  const { blocks } = readFixtureJson<{ blocks: IndexedBlock[] }>('localnet/blocks/index.json')
  const expected = new Map<number, string[]>(ascending.map((seqno) => [seqno, []]))
  for (const { workchain, shard, seqno, root_hash, file_hash, masterchain_seqno } of blocks) {
    const id = {
      workchain,
      shard: parseShard(shard),
      seqno,
      rootHash: fromHex(root_hash),
      fileHash: fromHex(file_hash),
    }
    expected.get(workchain === masterchain ? seqno : masterchain_seqno!)!.push(formatBlockIdExt(id))
  }
  let shardBlocks = 0
  for (const seqno of ascending) {
    const one = fromArchive.get(seqno)!
    const other = fromLite.get(seqno)!
    assert.deepEqual({ ...one, isOwn: false }, other)
    assert.ok(one.isOwn)
    assert.deepEqual(listIds(one).sort(), expected.get(seqno)!.sort())
    for (const { bytes } of [one.masterchain, ...one.shards])
      assert.equal(bytes.buffer.byteLength, bytes.length, 'bytes that are handed to another thread stand alone')
    shardBlocks += one.shards.length
  }
  assert.equal(shardBlocks, 1111)
  assert.equal((await lite.getHead(signal)).seqno, LAST)
  assert.equal((await archive.getHead(signal)).seqno, 470)
})

test('every block comes after those it follows', async () => {
  const blockSets = createBlockSetSource(openPackages())
  const seen = new Set<string>()
  for (let seqno = 1; seqno <= 200; seqno++) {
    const { masterchain: master, shards } = await blockSets.fetchBlockSet(seqno, signal)
    for (const { id, bytes } of [...shards, master]) {
      for (const before of checkRawBlock(id, bytes).previous)
        assert.ok(before.seqno === 0 || seen.has(formatBlockIdExt(before)), `${formatBlockIdExt(id)} comes too early`)
      seen.add(formatBlockIdExt(id))
    }
  }
  assert.ok(seen.size > 600, `${seen.size} blocks`)
})

test('a truncated package gives errors that may pass, and nothing wrong; mended, it gives the rest', async (t) => {
  const folder = copyLocalnetPackages(t)
  const [name] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('archive.00303.0_8000000000000000.pack'),
  )
  const path = join(folder, name!)
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, Math.floor(whole.length / 2)))
  const blockSets = createBlockSetSource(openPackages(folder))
  const fetched: number[] = []
  const missing: number[] = []
  for (let seqno = 295; seqno <= 400; seqno += 5) {
    try {
      const blockSet = await blockSets.fetchBlockSet(seqno, signal)
      fetched.push(blockSet.seqno)
    } catch (error) {
      assert.ok(error instanceof CodedError && error.retryable, String(error))
      missing.push(seqno)
    }
  }
  assert.ok(fetched.includes(295) && fetched.includes(305) && missing.includes(400), `${fetched} / ${missing}`)
  writeFileSync(path, whole)
  for (const seqno of missing) assert.ok((await blockSets.fetchBlockSet(seqno, signal)).seqno === seqno)
})

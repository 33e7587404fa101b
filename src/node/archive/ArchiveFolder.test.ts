import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { encodePack, encodePackEntry } from '../../../test/support/encodePack.ts'
import {
  blockEntry,
  makeSampleBlock,
  makeSampleChain,
  proofEntry,
  type SampleBlock,
  zeroStateOf,
} from '../../../test/support/sampleChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { tinyBlock } from '../../../test/support/tinyBlock.ts'
import { BlockNotFoundError, NodeAnswerError, NodeUnavailableError } from '../../chain/errors.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { createLogger } from '../../observe/Logger.ts'
import { type BlockId, type BlockIdExt, formatBlockId, formatBlockIdExt } from '../../primitives/BlockId.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { sha256 } from '../../primitives/hash.ts'
import { fromHex } from '../../primitives/hex.ts'
import { findShardParent, isShardAncestor, shardChildren, wholeShard } from '../../primitives/shard.ts'
import {
  ArchiveFolder,
  type ArchiveOptions,
  checkBlock,
  checkBlockFile,
  checkBlockProof,
  findShardSlice,
  readBlockFacts,
  type SliceSearch,
} from './ArchiveFolder.ts'

const steps = makeSampleChain('0121s21s12m0m31121s1')
const masterBlocks = steps.map(({ masterchain }) => masterchain)
const shardBlocks = steps.flatMap((step) => step.shardBlocks)
const all = [...masterBlocks, ...shardBlocks]

// Older nodes put a colon into the names of files, which some systems do not allow.
const colon = process.platform === 'win32' ? '_' : ':'

/** Slices of five masterchain blocks; as in a node that was updated, later ones have files of their own for shard blocks. */
const layOut = (root: string): void => {
  for (let from = 0; from <= steps.length; from += 5) {
    const inSlice = steps.filter((_, k) => k + 1 >= from && k + 1 < from + 5)
    const master = inSlice.flatMap(({ masterchain }) => [proofEntry(masterchain, 'proof'), blockEntry(masterchain)])
    const shard = inSlice.flatMap((step) =>
      step.shardBlocks.flatMap((block) => [blockEntry(block), proofEntry(block, 'prooflink')]),
    )
    const name = `archive/packages/arch0000/archive.${String(from).padStart(5, '0')}`
    const write = (path: string, entries: readonly Uint8Array[]): void => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), encodePack(entries))
    }
    if (from < 10) write(`${name}.pack`, [...shard, ...master])
    else {
      write(`${name}.pack`, master)
      write(`${name}.0${from < 15 ? colon : '_'}8000000000000000.pack`, shard)
    }
  }
}

const open = (t: TestContext, options: Partial<ArchiveOptions> = {}): { root: string; folder: ArchiveFolder } => {
  const root = tempFolder(t)
  layOut(root)
  return { root, folder: new ArchiveFolder({ location: root, ...options }) }
}

const namesOf = (ids: readonly BlockIdExt[]): string[] => ids.map(formatBlockIdExt).sort()

const listAll = async (folder: ArchiveFolder): Promise<BlockIdExt[]> => {
  const ids: BlockIdExt[] = []
  for await (const { id } of folder.listBlocks()) ids.push(id)
  return ids
}

test('all blocks are listed, slice by slice', async (t) => {
  const { folder } = open(t)
  const ids = await listAll(folder)
  assert.deepEqual(namesOf(ids), namesOf(all.map(({ id }) => id)))
  assert.deepEqual(
    ids.filter(({ workchain }) => workchain === -1),
    masterBlocks.map(({ id }) => id),
  )
})

for (const maxIndexedEntries of [1, 20, 500_000]) {
  test(`every block and proof is found by its id, with at most ${maxIndexedEntries} entries in memory`, async (t) => {
    const { folder } = open(t, { maxIndexedEntries })
    // From the end and in no order, so that neither the slice before nor the one after is at hand.
    for (const { id, bytes, proof } of all.toSorted((a, b) => (formatBlockId(a.id) < formatBlockId(b.id) ? 1 : -1))) {
      assert.deepEqual(await folder.getBlock(id), bytes)
      const kind = id.workchain === -1 ? 'proof' : 'prooflink'
      assert.deepEqual(await folder.findProof(id), { kind, bytes: proof })
    }
  })
}

test('a masterchain block is found by its seqno', async (t) => {
  const { folder } = open(t)
  for (const { id } of masterBlocks) assert.deepEqual(await folder.findMasterchainBlock(id.seqno), id)
  assert.deepEqual(await folder.findMasterchainBlock(0x7fff_ffff), masterBlocks.at(-1)!.id)
  assert.equal(await folder.findMasterchainBlock(0), undefined)
})

test('a block that is not there is not found, whatever is like it', async (t) => {
  const { folder } = open(t)
  for (const { id } of [masterBlocks[3]!, shardBlocks[7]!]) {
    const others: BlockIdExt[] = [
      { ...id, seqno: id.seqno + 1000 },
      { ...id, seqno: id.seqno + 1 },
      { ...id, rootHash: filled(1) },
      { ...id, fileHash: filled(1) },
      { ...id, workchain: 5 },
    ]
    for (const other of others) {
      await assert.rejects(folder.getBlock(other), BlockNotFoundError)
      assert.equal(await folder.findProof(other), undefined)
    }
  }
})

test('what was written since is found, and what was deleted is not', async (t) => {
  const root = tempFolder(t)
  const folder = new ArchiveFolder({ location: root })
  const [a, b] = shardBlocks as [SampleBlock, SampleBlock]
  const path = join(root, 'archive.00000.pack')
  await assert.rejects(folder.getBlock(a.id), BlockNotFoundError)
  writeFileSync(path, encodePack([blockEntry(a)]))
  assert.deepEqual(await folder.getBlock(a.id), a.bytes)
  appendFileSync(path, blockEntry(b))
  assert.deepEqual(await folder.getBlock(b.id), b.bytes)
  // In the place of the first block there is another one now.
  writeFileSync(path, encodePack([blockEntry(b), blockEntry(a)]))
  assert.deepEqual(await folder.getBlock(a.id), a.bytes)
  rmSync(path)
  await assert.rejects(folder.getBlock(a.id), BlockNotFoundError)
})

test('a damaged copy is passed over for a good one, and alone is an error', async (t) => {
  const root = tempFolder(t)
  const path = join(root, 'archive.00000.pack')
  const { id, bytes, proof } = shardBlocks[0]!
  const bad = bytes.slice()
  bad[bad.length >> 1]! ^= 1
  const badEntry = encodePackEntry(`block_${formatBlockIdExt(id)}`, bad)
  writeFileSync(path, encodePack([badEntry]))
  const folder = new ArchiveFolder({ location: root })
  await assert.rejects(
    folder.getBlock(id),
    (error) => error instanceof NodeAnswerError && /It was read from .*\.pack\.$/.test(error.message),
  )
  writeFileSync(path, encodePack([blockEntry(shardBlocks[0]!), badEntry]))
  assert.deepEqual(await folder.getBlock(id), bytes)
  const badProof = encodePackEntry(`proof_${formatBlockIdExt(id)}`, proof.subarray(0, -1))
  writeFileSync(path, encodePack([badProof]))
  await assert.rejects(folder.findProof(id), NodeAnswerError)
})

test('a name over the bytes of another block is an error', async (t) => {
  const root = tempFolder(t)
  const [a, b] = shardBlocks as [SampleBlock, SampleBlock]
  writeFileSync(
    join(root, 'archive.00000.pack'),
    encodePack([encodePackEntry(`block_${formatBlockIdExt(a.id)}`, b.bytes)]),
  )
  const folder = new ArchiveFolder({ location: root })
  await assert.rejects(folder.getBlock(a.id), NodeAnswerError)
  await assert.rejects(folder.getBlock(b.id), BlockNotFoundError)
})

test('an entry too large for any block is an error, and not read', async (t) => {
  const root = tempFolder(t)
  const { id } = shardBlocks[0]!
  const huge = 65 * 1024 * 1024
  const entry = encodePackEntry(`block_${formatBlockIdExt(id)}`, new Uint8Array(0), { dataLength: huge })
  writeFileSync(join(root, 'archive.00000.pack'), concatBytes([encodePack([entry]), new Uint8Array(huge)]))
  const before = process.memoryUsage().arrayBuffers
  await assert.rejects(
    new ArchiveFolder({ location: root }).getBlock(id),
    (error) => error instanceof NodeAnswerError && /68157440 bytes/.test(error.message),
  )
  assert.ok(process.memoryUsage().arrayBuffers - before < 8 << 20)
})

test('temporary packages are read only when asked for, and only by full id', async (t) => {
  const { root, folder } = open(t)
  const path = join(root, 'files/packages/temp.archive.1794711600.pack')
  const later = makeSampleChain('1'.repeat(30)).at(-1)!.masterchain
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, encodePack([blockEntry(later), proofEntry(later, 'proof')]))
  await assert.rejects(folder.getBlock(later.id), BlockNotFoundError)
  assert.equal((await listAll(folder)).length, all.length)
  const both = new ArchiveFolder({ location: root, includeTemporary: true })
  assert.deepEqual(await both.getBlock(later.id), later.bytes)
  assert.deepEqual(await both.findProof(later.id), { kind: 'proof', bytes: later.proof })
  assert.deepEqual(await both.findMasterchainBlock(0x7fff_ffff), masterBlocks.at(-1)!.id)
  const listed = []
  for await (const block of both.listBlocks()) if (block.isTemporary) listed.push(block)
  assert.deepEqual(listed, [{ id: later.id, path, isTemporary: true }])
})

test('proofs of key blocks are found in key packages', async (t) => {
  const { root, folder } = open(t)
  const { id, proof } = makeSampleChain('1'.repeat(40)).at(-1)!.masterchain
  const path = join(root, 'archive/packages/key000/key.archive.000000.pack')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, encodePack([encodePackEntry(`prooflink_${formatBlockIdExt(id)}`, proof)]))
  assert.deepEqual(await folder.findProof(id), { kind: 'prooflink', bytes: proof })
})

test('packages with any name are read from a folder or a list', async (t) => {
  const root = tempFolder(t)
  const half = masterBlocks.length >> 1
  writeFileSync(join(root, 'one.pack'), encodePack(masterBlocks.slice(0, half).map(blockEntry)))
  writeFileSync(join(root, 'two.pack'), encodePack(masterBlocks.slice(half).map(blockEntry)))
  const files = [join(root, 'two.pack'), join(root, 'one.pack')]
  for (const location of [root, files]) {
    const folder = new ArchiveFolder({ location })
    for (const { id, bytes } of masterBlocks) {
      assert.deepEqual(await folder.findMasterchainBlock(id.seqno), id)
      assert.deepEqual(await folder.getBlock(id), bytes)
    }
    assert.equal((await listAll(folder)).length, masterBlocks.length)
  }
  assert.deepEqual(
    await listAll(new ArchiveFolder({ location: files[0]! })),
    masterBlocks.slice(half).map(({ id }) => id),
  )
})

test('no descriptor stays open for long', { skip: process.platform !== 'linux' }, async (t) => {
  const { folder } = open(t)
  const openFiles = (): number => readdirSync('/proc/self/fd').length
  const before = openFiles()
  await Promise.all(all.map(({ id }) => folder.getBlock(id)))
  const deadline = performance.now() + 10_000
  // Tests before this one may have left some, too.
  while (openFiles() > before && performance.now() < deadline) await delay(20)
  assert.ok(openFiles() <= before, `${openFiles()} files are open, ${before} were`)
})

test('a folder that cannot be there is an error that says what to do', async (t) => {
  const folder = new ArchiveFolder({ location: join(tempFolder(t), 'absent') })
  await assert.rejects(folder.getBlock(all[0]!.id), NodeUnavailableError)
  await assert.rejects(folder.findMasterchainBlock(1), /Give the db folder of a node/)
})

test('a long listing reports how far it is', async (t) => {
  const lines: unknown[] = []
  const { folder } = open(t, {
    logger: createLogger({
      level: 'info',
      format: 'json',
      colours: false,
      write: (line) => void lines.push(JSON.parse(line)),
    }),
  })
  let now = 0
  t.mock.method(performance, 'now', () => (now += 2000))
  await listAll(folder)
  assert.ok(lines.length > 1)
  const { message, packages, blocks } = lines[0] as Record<string, unknown>
  assert.deepEqual(
    { message, packages: typeof packages, blocks: typeof blocks },
    { message: 'indexing archive packages', packages: 'number', blocks: 'number' },
  )
})

test('a request that was called off is not answered', async (t) => {
  const { folder } = open(t)
  const reason = new Error('enough')
  await assert.rejects(folder.getBlock(all[0]!.id, AbortSignal.abort(reason)), reason)
})

const seed = Number(process.env['FC_SEED'] ?? 1)

const place = (shard: bigint, seqno: number): BlockId => ({ workchain: 0, shard, seqno })

type Content = { readonly id: number; readonly blocks: readonly BlockId[] }

const searchIn = (contents: readonly Content[]): SliceSearch & { asked: number } => {
  const slices = contents.map(({ id }) => ({ id, packs: [] }))
  const search = {
    asked: 0,
    findSliceUpTo: async (id: number) => slices.findLast((slice) => slice.id <= id),
    findSliceAfter: async (id: number) => slices.find((slice) => slice.id > id),
    findSeqnoRange: async ({ id }: { id: number }, { shard }: BlockId) => {
      search.asked++
      const seqnos = contents
        .find((content) => content.id === id)!
        .blocks.filter((block) => isShardAncestor(block.shard, shard) || isShardAncestor(shard, block.shard))
        .map(({ seqno }) => seqno)
      return seqnos.length === 0 ? undefined : ([Math.min(...seqnos), Math.max(...seqnos)] as const)
    },
  }
  return search
}

/** Slices of a chain in which shards split, merge and go on; a slice may hold nothing at all. */
const makeSlices = (steps: readonly number[]): Content[] => {
  let tops = [place(wholeShard, 0)]
  let id = 0
  return steps.map((step, k) => {
    const blocks: BlockId[] = []
    const add = (shard: bigint, seqno: number): BlockId => {
      const block = place(shard, seqno)
      blocks.push(block)
      return block
    }
    if (step === 1 && tops.length < 16) {
      tops = tops.flatMap((top) => shardChildren(top.shard).map((shard) => add(shard, top.seqno + 1)))
    } else if (step === 2 && tops.length > 1) {
      tops = tops.flatMap((top, n) => {
        const right = tops[n + 1]!
        return n % 2 === 1 ? [] : [add(findShardParent(top.shard)!, Math.max(top.seqno, right.seqno) + 1)]
      })
    }
    if (step > 2) tops = tops.map((top, n) => (n % step === 0 ? add(top.shard, top.seqno + 1) : top))
    if (step > 3) tops = tops.map((top) => add(top.shard, top.seqno + 1))
    id += k % 7 === 3 ? 37 : 100
    return { id, blocks }
  })
}

test('every block is found in its slice, by looking into few of them', async (t) => {
  let asked = 0
  let found = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(6), { minLength: 1, maxLength: 60 }), async (steps) => {
      const contents = makeSlices(steps)
      const search = searchIn(contents)
      for (const { id, blocks } of contents) {
        for (const block of blocks) {
          assert.equal((await findShardSlice(search, block))?.id, id)
          found++
        }
      }
      asked += search.asked
    }),
    { seed, numRuns: 100 },
  )
  assert.ok(asked / found < 8, `${asked / found} slices for each block`)
  t.diagnostic(`seed ${seed}: ${found} blocks, ${(asked / found).toFixed(1)} slices looked into for each`)
})

test('what is in no slice is not found', async () => {
  const contents = makeSlices([4, 4, 0, 0, 4, 1, 4, 2, 5])
  const search = searchIn(contents)
  assert.equal(await findShardSlice(search, place(wholeShard, 1000)), undefined)
  assert.equal(await findShardSlice(search, place(wholeShard, 0)), undefined)
  assert.equal(await findShardSlice(searchIn([]), place(wholeShard, 1)), undefined)
  assert.equal(await findShardSlice(searchIn([{ id: 5, blocks: [] }]), place(wholeShard, 1)), undefined)
})

const tinyId: BlockIdExt = {
  workchain: 0,
  shard: wholeShard,
  seqno: 2,
  rootHash: decodeSingleBoc(tinyBlock).hash(),
  fileHash: sha256(tinyBlock),
}

const isRefused = (pattern: RegExp) => (error: unknown) =>
  error instanceof NodeAnswerError && pattern.test(error.message)

test('a real block and what it follows', () => {
  assert.equal(checkBlock(tinyId, tinyBlock).info.seqno, 2)
  const { previous, shardTops } = readBlockFacts(tinyId, tinyBlock)
  assert.deepEqual(previous, [
    {
      workchain: 0,
      shard: wholeShard,
      seqno: 1,
      rootHash: fromHex('4a009736fb717b8c27d29e2f21ebee67d5d2ff97338cf83fb9cbfb6686cf2f43'),
      fileHash: fromHex('196c139988f19bb86f923954392a9ead221f1fd2d6ca0a4c0991f6394eeef48d'),
    },
  ])
  assert.deepEqual(shardTops, [])
})

test('the newest blocks of the shards of a masterchain block', () => {
  const steps = makeSampleChain('1s2')
  const { masterchain } = steps[2]!
  const { previous, shardTops } = readBlockFacts(masterchain.id, masterchain.bytes)
  assert.deepEqual(previous, [steps[1]!.masterchain.id])
  assert.deepEqual(
    shardTops,
    steps[2]!.shardBlocks.slice(2).map(({ id }) => id),
  )
})

test('every byte of a block counts', () => {
  for (let at = 0; at < tinyBlock.length; at++) {
    const changed = tinyBlock.slice()
    changed[at]! ^= 1 << (at % 8)
    assert.throws(() => checkBlock(tinyId, changed), NodeAnswerError)
    // Even where the id is made to match: the bag, the root hash or the header give it away.
    assert.throws(() => checkBlock({ ...tinyId, fileHash: sha256(changed) }, changed), NodeAnswerError)
  }
  assert.throws(() => checkBlock(tinyId, tinyBlock.subarray(1)), isRefused(/file hash/))
})

test('the file hash alone already tells all bytes', () => {
  checkBlockFile(tinyId, tinyBlock)
  checkBlockFile({ ...tinyId, rootHash: filled(1) }, tinyBlock)
  assert.throws(() => checkBlockFile(tinyId, tinyBlock.subarray(1)), isRefused(/file hash/))
  assert.throws(() => checkBlockFile({ ...tinyId, fileHash: filled(1) }, tinyBlock), isRefused(/file hash/))
})

test('a block under another id is refused', () => {
  assert.throws(() => checkBlock({ ...tinyId, seqno: 3 }, tinyBlock), isRefused(/header/))
  assert.throws(() => checkBlock({ ...tinyId, shard: shardChildren(wholeShard)[0] }, tinyBlock), isRefused(/header/))
  assert.throws(() => checkBlock({ ...tinyId, workchain: -1 }, tinyBlock), isRefused(/header/))
  assert.throws(() => checkBlock({ ...tinyId, rootHash: filled(1) }, tinyBlock), isRefused(/root cell/))
})

test('a masterchain block without a list of shards is refused', () => {
  const { id, bytes } = makeSampleBlock({ workchain: -1, shard: wholeShard, previous: [zeroStateOf(-1)] })
  assert.throws(() => readBlockFacts(id, bytes), isRefused(/masterchain/))
})

test('a proof is of one block only', () => {
  const [one, two] = [1, 2].map((seed) =>
    makeSampleBlock({ workchain: 0, shard: wholeShard, previous: [zeroStateOf(0)], seed }),
  )
  checkBlockProof(one!.id, one!.proof)
  assert.throws(() => checkBlockProof(one!.id, two!.proof), NodeAnswerError)
  assert.throws(() => checkBlockProof({ ...one!.id, seqno: 5 }, one!.proof), NodeAnswerError)
  assert.throws(() => checkBlockProof(one!.id, encodeBoc([decodeSingleBoc(tinyBlock)])), NodeAnswerError)
  for (let at = 0; at < one!.proof.length; at++) {
    const changed = one!.proof.slice()
    changed[at]! ^= 0x10
    assert.throws(() => checkBlockProof(one!.id, changed), NodeAnswerError, `byte ${at}`)
  }
})

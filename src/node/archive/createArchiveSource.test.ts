import assert from 'node:assert/strict'
import { appendFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { encodePack } from '../../../test/support/encodePack.ts'
import { GrowingArchive, type Piece } from '../../../test/support/growingArchive.ts'
import {
  blockEntry,
  makeSampleBlock,
  makeSampleChain,
  type SampleStep,
  zeroStateOf,
} from '../../../test/support/sampleChain.ts'
import { filled } from '../../../test/support/sampleMessages.ts'
import { tempFolder } from '../../../test/support/tempFolder.ts'
import { BlockNotFoundError, NodeAnswerError, NodeUnavailableError } from '../../chain/errors.ts'
import type { BlockSource } from '../../chain/ports.ts'
import type { BlockIdExt } from '../../primitives/BlockId.ts'
import { ArchiveFolder } from './ArchiveFolder.ts'
import {
  type ArchiveSourceOptions,
  type BlockStatus,
  createArchiveSource,
  findNewestHead,
  type HeadSearch,
  LOST_AFTER,
} from './createArchiveSource.ts'

const sourceOf = (location: string, options: ArchiveSourceOptions = { pollMs: 2 }): BlockSource =>
  createArchiveSource(new ArchiveFolder({ location }), options)

const MASTER = 'archive.00000.pack'
const SHARD = 'archive.00000.0_8000000000000000.pack'

/** The entries of a chain, masterchain and shard blocks in a package each; or in one. */
const piecesOf = (steps: readonly SampleStep[], shardFile = SHARD): Piece[] =>
  steps.flatMap(({ masterchain, shardBlocks }) => {
    const { seqno } = masterchain.id
    return [
      { file: MASTER, bytes: blockEntry(masterchain), seqno },
      ...shardBlocks.map((block) => ({ file: shardFile, bytes: blockEntry(block), seqno })),
    ]
  })

const packOf = (steps: readonly SampleStep[]): Uint8Array =>
  encodePack(steps.flatMap(({ masterchain, shardBlocks }) => [blockEntry(masterchain), ...shardBlocks.map(blockEntry)]))

const headSeqno = async (source: BlockSource): Promise<number> => {
  try {
    return (await source.getHead()).seqno
  } catch (error) {
    if (error instanceof NodeUnavailableError) return 0
    throw error
  }
}

/** Collects what a watch gives, until it is stopped. */
const collect = (
  source: BlockSource,
): { heads: BlockIdExt[]; stop(): Promise<void>; until(seqno: number): Promise<void> } => {
  const controller = new AbortController()
  const heads: BlockIdExt[] = []
  const done = (async () => {
    for await (const head of source.watchHeads(controller.signal)) heads.push(head)
  })()
  done.catch(() => undefined)
  return {
    heads,
    stop: async () => {
      controller.abort()
      await done
    },
    until: async (seqno) => {
      const finished = done.then(() => true)
      while ((heads.at(-1)?.seqno ?? 0) < seqno) {
        if (await Promise.race([finished, delay(1, false)])) throw new Error('The watch ended early.')
      }
    },
  }
}

const chain = makeSampleChain('0121s21s12m0m3')

test('the head is the newest block with everything it includes, at every byte of a growing package', async (t) => {
  for (const shardFile of [SHARD, MASTER]) {
    const root = tempFolder(t)
    const archive = new GrowingArchive(root, piecesOf(chain.slice(0, 2), shardFile))
    const source = sourceOf(root)
    assert.equal(await headSeqno(source), 0)
    // The shard blocks first: no masterchain block may count before its own last byte. Then the other way round.
    for (const file of archive.files.toReversed()) {
      while (archive.grow(file, 1)) assert.equal(await headSeqno(source), archive.head)
    }
    assert.equal(archive.head, 2)
  }
})

test('missing shard blocks hold a head back, also where shards split and merge', async (t) => {
  const root = tempFolder(t)
  const archive = new GrowingArchive(root, piecesOf(chain))
  const source = sourceOf(root)
  while (archive.grow(MASTER, 1 << 20));
  assert.equal(archive.head, 1)
  assert.equal(await headSeqno(source), 1)
  const seen = new Set<number>()
  while (archive.grow(SHARD, 293)) {
    assert.equal(await headSeqno(source), archive.head)
    seen.add(archive.head)
  }
  assert.equal(archive.head, chain.length)
  assert.ok(seen.size > 8)
})

test('blocks are served by seqno and by id', async (t) => {
  const root = tempFolder(t)
  writeFileSync(join(root, MASTER), packOf(chain))
  const source = sourceOf(root)
  for (const { masterchain, shardBlocks } of chain) {
    assert.deepEqual(await source.getMasterchainBlockId(masterchain.id.seqno), masterchain.id)
    for (const { id, bytes } of [masterchain, ...shardBlocks]) assert.deepEqual(await source.getRawBlock(id), bytes)
  }
  const isAbsent = (error: unknown): boolean =>
    error instanceof BlockNotFoundError && error.blockId.workchain === -1 && error.blockId.seqno === 99
  await assert.rejects(source.getMasterchainBlockId(99), isAbsent)
  await assert.rejects(source.getRawBlock({ ...chain[0]!.masterchain.id, rootHash: filled(1) }), BlockNotFoundError)
})

test('a watch gives every head once and in order, and none before it is there', async (t) => {
  const root = tempFolder(t)
  const archive = new GrowingArchive(root, piecesOf(chain))
  archive.grow(MASTER, piecesOf(chain)[0]!.bytes.length + 4)
  const source = sourceOf(root, { pollMs: 1 })
  const signal = new AbortController()
  const heads: number[] = []
  const watching = (async () => {
    for await (const head of source.watchHeads(signal.signal)) {
      assert.ok(head.seqno <= archive.head, `${head.seqno} came, but only ${archive.head} is written`)
      assert.deepEqual(await source.getRawBlock(head), chain[head.seqno - 1]!.masterchain.bytes)
      heads.push(head.seqno)
      if (head.seqno === chain.length) signal.abort()
    }
  })()
  while (heads.length === 0) await delay(1)
  for (let k = 0; !archive.isDone; k++) {
    const file = archive.files[k % 2]!
    archive.grow(file, 1 + ((k * 7919) % 400))
    if (k % 3 === 0) await delay(1)
  }
  await watching
  assert.deepEqual(
    heads,
    chain.map((_, k) => k + 1),
  )
})

test('several watches of one source do not disturb each other', async (t) => {
  const root = tempFolder(t)
  writeFileSync(join(root, MASTER), packOf(chain.slice(0, 5)))
  const source = sourceOf(root)
  const watches = [collect(source), collect(source)]
  for (const watch of watches) await watch.until(5)
  writeFileSync(join(root, MASTER), packOf(chain))
  for (const watch of watches) {
    await watch.until(chain.length)
    await watch.stop()
    assert.deepEqual(
      watch.heads.map(({ seqno }) => seqno),
      chain.map((_, k) => k + 1).slice(4),
    )
  }
})

test('a package that is cut and written again repeats nothing', async (t) => {
  const root = tempFolder(t)
  const path = join(root, MASTER)
  writeFileSync(path, packOf(chain.slice(0, 6)))
  const source = sourceOf(root)
  const watch = collect(source)
  await watch.until(6)
  // What a node does after it was killed, or with a file that it lost.
  truncateSync(path, packOf(chain.slice(0, 3)).length + 11)
  await delay(10)
  assert.equal(await headSeqno(source), 3)
  await assert.rejects(source.getRawBlock(chain[5]!.masterchain.id), BlockNotFoundError)
  truncateSync(path, packOf(chain.slice(0, 3)).length)
  for (const step of chain.slice(3, 8)) {
    appendFileSync(path, packOf([step]).subarray(4))
    await delay(3)
  }
  await watch.until(8)
  rmSync(path)
  await delay(5)
  assert.equal(await headSeqno(source), 0)
  writeFileSync(path, packOf(chain.slice(0, 10)))
  await watch.until(10)
  await watch.stop()
  assert.deepEqual(
    watch.heads.map(({ seqno }) => seqno),
    [6, 7, 8, 9, 10],
  )
})

test('a shard block that was cut away again does not count as there', async (t) => {
  const root = tempFolder(t)
  const pieces = piecesOf(chain.slice(0, 2))
  const source = sourceOf(root)
  const write = (file: string, count: number): void => {
    const entries = pieces.filter((piece) => piece.file === file).map(({ bytes }) => bytes)
    writeFileSync(join(root, file), encodePack(entries.slice(0, count)))
  }
  write(MASTER, 2)
  write(SHARD, 1)
  assert.equal(await headSeqno(source), 2)
  write(SHARD, 0)
  assert.equal(await headSeqno(source), 1)
  write(SHARD, 1)
  assert.equal(await headSeqno(source), 2)
})

test('the next slice is followed, before the first is at its end', async (t) => {
  const root = tempFolder(t)
  const files = ['arch0000/archive.00000.pack', 'arch0000/archive.00004.pack']
  const pieces = chain.slice(0, 12).flatMap((step, k) =>
    [step.masterchain, ...step.shardBlocks].map((block) => ({
      file: files[k < 3 ? 0 : 1]!,
      bytes: blockEntry(block),
      seqno: k + 1,
    })),
  )
  const archive = new GrowingArchive(root, pieces)
  const source = sourceOf(root)
  archive.grow(files[0]!, 1 << 20)
  const watch = collect(source)
  await watch.until(3)
  while (archive.grow(files[1]!, 1500)) await delay(1)
  await watch.until(12)
  await watch.stop()
  assert.deepEqual(
    watch.heads.map(({ seqno }) => seqno),
    [3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  )
  assert.equal(await headSeqno(source), 12)
})

test('deleted packages are the end of history, no error', async (t) => {
  const root = tempFolder(t)
  const long = makeSampleChain('1'.repeat(30))
  writeFileSync(join(root, 'archive.00000.pack'), packOf(long.slice(0, 9)))
  writeFileSync(join(root, 'archive.00010.pack'), packOf(long.slice(9, 20)))
  const source = sourceOf(root)
  assert.equal(await headSeqno(source), 20)
  assert.deepEqual(await source.getRawBlock(long[3]!.masterchain.id), long[3]!.masterchain.bytes)
  rmSync(join(root, 'archive.00000.pack'))
  await assert.rejects(source.getRawBlock(long[3]!.masterchain.id), BlockNotFoundError)
  await assert.rejects(source.getMasterchainBlockId(4), BlockNotFoundError)
  assert.equal(await headSeqno(source), 20)
  const watch = collect(source)
  await watch.until(20)
  writeFileSync(join(root, 'archive.00021.pack'), packOf(long.slice(20)))
  await watch.until(30)
  await watch.stop()
  assert.equal(watch.heads.length, 11)
})

test('a block whose predecessor is not there is no head: nobody can say what it includes', async (t) => {
  const root = tempFolder(t)
  writeFileSync(join(root, 'archive.00003.pack'), packOf(chain.slice(2, 3)))
  const source = sourceOf(root)
  assert.equal(await headSeqno(source), 0)
  writeFileSync(join(root, 'archive.00003.pack'), packOf(chain.slice(2, 4)))
  assert.equal(await headSeqno(source), 4)
})

test('lost blocks are waited for, then left out', async (t) => {
  const root = tempFolder(t)
  const path = join(root, MASTER)
  const long = makeSampleChain('1'.repeat(3 + LOST_AFTER))
  const lost = long[1]!.shardBlocks[0]!
  const without = (count: number): Uint8Array =>
    encodePack(
      long
        .slice(0, count)
        .flatMap(({ masterchain, shardBlocks }) => [masterchain, ...shardBlocks.filter((block) => block !== lost)])
        .map(blockEntry),
    )
  writeFileSync(path, without(2 + LOST_AFTER - 1))
  const source = sourceOf(root, { pollMs: 2, lostCheckMs: 4 })
  assert.equal(await headSeqno(source), 1)
  const watch = collect(source)
  await watch.until(1)
  await delay(30)
  writeFileSync(path, without(2 + LOST_AFTER))
  await watch.until(2 + LOST_AFTER)
  writeFileSync(path, without(3 + LOST_AFTER))
  await watch.until(3 + LOST_AFTER)
  await watch.stop()
  assert.deepEqual(
    watch.heads.map(({ seqno }) => seqno),
    [1, 2 + LOST_AFTER, 3 + LOST_AFTER],
  )
})

test('a folder that goes on with another chain ends the watch with an error', async (t) => {
  const root = tempFolder(t)
  const other = makeSampleChain('2222')
  writeFileSync(join(root, MASTER), packOf(chain.slice(0, 3)))
  const watch = collect(sourceOf(root))
  await watch.until(3)
  writeFileSync(join(root, MASTER), packOf(other))
  await assert.rejects(watch.until(4), NodeAnswerError)
})

test('damaged blocks are not ready yet, and never served', async (t) => {
  const root = tempFolder(t)
  const path = join(root, MASTER)
  const good = packOf(chain.slice(0, 6))
  const size = packOf(chain.slice(0, 5)).length
  for (let at = size + 200; at < good.length; at += 97) {
    const bad = good.slice()
    bad[at]! ^= 0xff
    writeFileSync(path, bad)
    const source = sourceOf(root)
    assert.equal(await headSeqno(source), 5, `byte ${at}`)
    let refused = 0
    for (const { id, bytes } of [chain[5]!.masterchain, ...chain[5]!.shardBlocks]) {
      const answer = await source.getRawBlock(id).catch((error: unknown) => error)
      if (answer instanceof NodeAnswerError || answer instanceof BlockNotFoundError) refused++
      else assert.deepEqual(answer, bytes)
    }
    // A header that is changed also hides what stands behind it.
    assert.ok(refused >= 1)
  }
  writeFileSync(path, good)
  assert.equal(await headSeqno(sourceOf(root)), 6)
})

test('a hint from the file system comes before the next poll', async (t) => {
  const root = tempFolder(t)
  writeFileSync(join(root, MASTER), packOf(chain.slice(0, 3)))
  const watch = collect(sourceOf(root, { pollMs: 60_000 }))
  await watch.until(3)
  await delay(50)
  const start = performance.now()
  appendFileSync(join(root, MASTER), packOf(chain.slice(3, 4)).subarray(4))
  await watch.until(4)
  await watch.stop()
  assert.ok(performance.now() - start < 30_000)
})

test('a watch ends when it is told to, and leaves nothing behind', async (t) => {
  const root = tempFolder(t)
  const source = sourceOf(root, { pollMs: 60_000 })
  const aborted: BlockIdExt[] = []
  for await (const head of source.watchHeads(AbortSignal.abort())) aborted.push(head)
  assert.deepEqual(aborted, [])
  // One that waits for a first block, and one whose reader leaves.
  const waiting = collect(source)
  await delay(20)
  await waiting.stop()
  writeFileSync(join(root, MASTER), packOf(chain.slice(0, 3)))
  for await (const head of source.watchHeads(new AbortController().signal)) {
    assert.equal(head.seqno, 3)
    break
  }
  await delay(20)
  assert.deepEqual(
    process.getActiveResourcesInfo().filter((name) => /FSEvent|StatWatcher|FSReq/.test(name)),
    [],
  )
})

test('without a head there is an error that says what to do', async (t) => {
  const root = tempFolder(t)
  await assert.rejects(
    sourceOf(root).getHead(),
    (error) => error instanceof NodeUnavailableError && error.retryable && /db folder/.test(error.message),
  )
  await assert.rejects(sourceOf(join(root, 'absent')).getHead(), NodeUnavailableError)
  await assert.rejects(collect(sourceOf(join(root, 'absent'))).until(1), NodeUnavailableError)
  const reason = new Error('enough')
  await assert.rejects(sourceOf(root).getHead(AbortSignal.abort(reason)), reason)
})

test('a masterchain block that claims what no block is stays out', async (t) => {
  const root = tempFolder(t)
  const liar = makeSampleBlock({
    workchain: -1,
    shard: zeroStateOf(-1).shard,
    previous: [chain[2]!.masterchain.id],
    tops: [{ ...zeroStateOf(0), seqno: 2_000_000_000 }],
  })
  writeFileSync(
    join(root, MASTER),
    encodePack([...piecesOf(chain.slice(0, 3)).map(({ bytes }) => bytes), blockEntry(liar)]),
  )
  assert.equal(await headSeqno(sourceOf(root)), 3)
})

const seed = Number(process.env['FC_SEED'] ?? 1)

/** `c` complete, `i` incomplete, `u` unknown, `.` no block; the first letter is block 1. */
const searchIn = (letters: string): HeadSearch & { asked: number } => {
  const statuses: Record<string, BlockStatus> = { c: 'complete', i: 'incomplete', u: 'unknown' }
  const search = {
    asked: 0,
    findSeqnoUpTo: async (seqno: number) => {
      for (let n = Math.min(seqno, letters.length); n >= 1; n--) if (letters[n - 1] !== '.') return n
      return undefined
    },
    getStatus: async (seqno: number): Promise<BlockStatus> => {
      search.asked++
      return statuses[letters[seqno - 1] ?? '.'] ?? 'unknown'
    },
  }
  return search
}

const c = (count: number): string => 'c'.repeat(count)

const cases: readonly [string, string, number | undefined][] = [
  ['an empty archive', '', undefined],
  ['one block', 'c', 1],
  ['a history that begins later', `.....u${c(10)}`, 16],
  ['only the block where history begins', '...u', undefined],
  ['the newest not yet complete', `${c(30)}ii`, 30],
  ['a late one between complete ones', `${c(30)}icc`, 30],
  ['one late enough to be lost', `${c(30)}i${c(LOST_AFTER)}`, 31 + LOST_AFTER],
  ['one not quite late enough', `${c(30)}i${c(LOST_AFTER - 1)}`, 30],
  ['two late ones', `${c(30)}ic${c(3)}icc`, 30],
  ['nothing complete before the late one', `uicc`, undefined],
  ['a gap in the masterchain', `${c(30)}...u${c(3)}`, 37],
  ['nothing complete', 'iiii', undefined],
]

for (const [name, letters, expected] of cases) {
  test(`${name}: ${expected === undefined ? 'no head' : `head ${expected}`}`, async () => {
    assert.equal(await findNewestHead(searchIn(letters)), expected)
  })
}

test('masterchain blocks far ahead of their shard blocks take few looks', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30_000 }), fc.nat(30_000), async (complete, ahead) => {
      const search = searchIn(c(complete) + 'i'.repeat(ahead))
      assert.equal(await findNewestHead(search), complete)
      assert.ok(search.asked < 120, `${search.asked} looks`)
    }),
    { seed, numRuns: 60 },
  )
  t.diagnostic(`seed ${seed}`)
})

test('a head is complete, and so are those just before it', async (t) => {
  const letters = fc.string({ unit: fc.constantFrom(...'cccccccccccccccccciu.'), maxLength: 200 })
  await fc.assert(
    fc.asyncProperty(letters, async (text) => {
      const head = await findNewestHead(searchIn(text))
      if (head === undefined) return
      const before = text.slice(Math.max(0, head - LOST_AFTER), head)
      assert.match(before, /(^|[.u])c+$/)
    }),
    { seed, numRuns: 500 },
  )
  t.diagnostic(`seed ${seed}`)
})

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodePack, encodePackEntry } from '../../../test/support/encodePack.ts'
import { formatTable } from '../../../test/support/formatTable.ts'
import { median } from '../../../test/support/measure.ts'
import { blockEntry, makeSampleChain, proofEntry } from '../../../test/support/sampleChain.ts'
import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { ArchiveFolder } from './ArchiveFolder.ts'
import { createArchiveSource } from './createArchiveSource.ts'

const ROUNDS = 9

const timeMs = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const countBlocks = async (location: string): Promise<number> => {
  let count = 0
  for await (const _ of new ArchiveFolder({ location }).listBlocks()) count++
  return count
}

/** Packages of one slice, entries of this size, about as many bytes as asked for. */
const writeFiller = (folder: string, entryBytes: number, totalBytes: number): number => {
  mkdirSync(folder)
  const data = new Uint8Array(entryBytes)
  const entries = Array.from({ length: Math.round(totalBytes / entryBytes) }, (_, seqno) => {
    const rootHash = createHash('sha256').update(`${seqno}`).digest()
    const id = { workchain: 0, shard: wholeShard, seqno: seqno + 1, rootHash, fileHash: rootHash }
    return encodePackEntry(`block_${formatBlockIdExt(id)}`, data)
  })
  const pack = encodePack(entries)
  writeFileSync(join(folder, 'archive.00000.pack'), pack)
  return pack.length
}

const benchScan = async (root: string, entryBytes: number, totalBytes: number): Promise<number> => {
  const folder = join(root, `entries-${entryBytes}`)
  const bytes = writeFiller(folder, entryBytes, totalBytes)
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) samples.push(await timeMs(() => countBlocks(folder)))
  return bytes / 1e6 / (median(samples) / 1000)
}

/** Fetches every block of a made-up chain, twice through with nothing at hand the first time. */
const benchFetch = async (root: string): Promise<{ readonly blockMs: number; readonly headMs: number }> => {
  const folder = join(root, 'chain')
  mkdirSync(folder)
  const steps = makeSampleChain(`1s${'2'.repeat(98)}`)
  const blocks = steps.flatMap(({ masterchain, shardBlocks }) => [masterchain, ...shardBlocks])
  const entries = blocks.flatMap((block) => [blockEntry(block), proofEntry(block, 'prooflink')])
  writeFileSync(join(folder, 'archive.00000.pack'), encodePack(entries))
  const source = createArchiveSource(new ArchiveFolder({ location: folder }))
  const fetchAll = async (): Promise<void> => {
    for (const { id } of blocks) await source.getRawBlock(id)
  }
  const samples: number[] = []
  for (let round = 0; round < ROUNDS; round++) samples.push(await timeMs(fetchAll))
  const headMs = await timeMs(() => createArchiveSource(new ArchiveFolder({ location: folder })).getHead())
  return { blockMs: median(samples) / blocks.length, headMs }
}

export const run = async (): Promise<Record<string, number>> => {
  const root = mkdtempSync(join(tmpdir(), 'chaincenter-bench-'))
  try {
    const small = await benchScan(root, 2000, 16e6)
    const large = await benchScan(root, 100_000, 256e6)
    const { blockMs, headMs } = await benchFetch(root)
    console.log(
      formatTable([
        { work: 'scan, entries of 2 KB', figure: small, unit: 'MB/s' },
        { work: 'scan, entries of 100 KB', figure: large, unit: 'MB/s' },
        { work: 'fetch and check a block of 1 KB', figure: blockMs, unit: 'ms' },
        { work: 'first head of a cold folder', figure: headMs, unit: 'ms' },
      ]),
    )
    return { scan_small_mb_s: small, scan_large_mb_s: large, block_ms: blockMs, head_ms: headMs }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

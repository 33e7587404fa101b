import { BlockNotFoundError } from '../../chain/errors.ts'
import type { BlockSource } from '../../chain/ports.ts'
import { listNewShardBlocks } from '../../chain/shardBlocks.ts'
import {
  type BlockIdExt,
  formatBlockId,
  formatBlockIdExt,
  isValidBlockIdExt,
  masterchain,
} from '../../primitives/BlockId.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { createSemaphore } from '../../primitives/scheduling.ts'
import { isShardAncestor, wholeShard } from '../../primitives/shard.ts'
import type { RawBlock, RawBlockSet } from '../blockSets.ts'
import type { BlockSetSource } from '../ports.ts'
import {
  type BlockLinks,
  BlockSetUnavailableError,
  checkRawBlock,
  checkRootHash,
  readBlockLinks,
  SourceAnswerError,
} from './checkRawBlock.ts'
import { withTimeout } from './withRetries.ts'

export type BlockSetLinks = {
  readonly seqno: number
  /** The newest block of every shard before and at the masterchain block. */
  readonly topsBefore: readonly BlockIdExt[]
  readonly tops: readonly BlockIdExt[]
  readonly blocks: readonly { readonly id: BlockIdExt; readonly place: BlockLinks }[]
}

/** Checks that the new blocks of every shard lead from all previous tops to all current tops, and from nothing else. */
const expectContinuity = ({ seqno, topsBefore, tops, blocks }: BlockSetLinks): void => {
  const followed = new Set(blocks.flatMap(({ place }) => place.previous.map(formatBlockIdExt)))
  const present = new Set(tops.map(formatBlockIdExt))
  for (const top of topsBefore) {
    const key = formatBlockIdExt(top)
    if (followed.has(key) || present.has(key)) continue
    throw new SourceAnswerError(
      `Nothing at masterchain block ${seqno} follows ${formatBlockId(top)}, which was included before it.`,
    )
  }
  for (const { id, place } of blocks) {
    const zero = place.previous.find((each) => each.seqno === 0)
    if (zero === undefined) continue
    const known = topsBefore.find((top) => top.seqno > 0 && overlap(top, id))
    if (known === undefined) continue
    throw new SourceAnswerError(
      `Block ${formatBlockId(id)} at masterchain block ${seqno} starts its shard over, after ${formatBlockId(known)}.`,
    )
  }
}

const overlap = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain && (isShardAncestor(a.shard, b.shard) || isShardAncestor(b.shard, a.shard))

/** Enough for the block sets fetched in parallel, and their neighbours. */
const MAX_KNOWN = 1024

/** Cache of masterchain block ids, from heads and following blocks, and of their shard lists. */
class MasterBlockCache {
  private readonly ids = new LruCache<BlockIdExt, number>(MAX_KNOWN)
  private readonly tops = new LruCache<Promise<readonly BlockIdExt[]>>(MAX_KNOWN)

  findId(seqno: number): BlockIdExt | undefined {
    return this.ids.find(seqno)
  }

  addId(id: BlockIdExt): void {
    if (id.seqno > 0) this.ids.set(id.seqno, id)
  }

  add(id: BlockIdExt, tops: readonly BlockIdExt[]): void {
    this.addId(id)
    this.tops.set(formatBlockIdExt(id), Promise.resolve(tops))
  }

  /** The shards of a block: cached, in flight for another caller, or read now. */
  getTops(id: BlockIdExt, read: () => Promise<readonly BlockIdExt[]>): Promise<readonly BlockIdExt[]> {
    const key = formatBlockIdExt(id)
    const before = this.tops.find(key)
    // The other caller may abort.
    if (before !== undefined) return before.catch(() => this.getTops(id, read))
    const reading = read()
    this.tops.set(key, reading)
    reading.catch(() => {
      if (this.tops.find(key) === reading) this.tops.delete(key)
    })
    return reading
  }

  /** Removes a block and the previous one. */
  forget(seqno: number): void {
    for (const each of [seqno, seqno - 1]) {
      const id = this.ids.find(each)
      if (id !== undefined) this.tops.delete(formatBlockIdExt(id))
      this.ids.delete(each)
    }
  }

  clear(): void {
    this.ids.clear()
    this.tops.clear()
  }
}

export type BlockSetSourceOptions = {
  /** Blocks requested in parallel, over all block sets. */
  readonly parallel?: number
  /** Timeout for one block. */
  readonly timeoutMs?: number
  /** The source does not share its bytes: each block has a buffer of its own. */
  readonly ownBytes?: boolean
  /** The source has verified the file hash of the requested id; otherwise it is verified here. */
  readonly checksFileHash?: boolean
  /** Verifies the root hash of a masterchain block, the slowest check; by default in this thread. */
  readonly checkRoot?: RootCheck
}

export type RootCheck = (block: RawBlock, signal: AbortSignal) => Promise<void>

const checkRootHere: RootCheck = async ({ id, bytes }) => checkRootHash(id, bytes)

type ReadBlock = RawBlock & { readonly place: BlockLinks }

/**
 * Block sets from an untrusted source of blocks: hashes, ids and links are verified. Wrong, missing or late answers are retryable
 * errors, never an incomplete block set. Unless `ownBytes` is set, the bytes may be shared: copy them before a transfer to
 * another thread.
 */
export const createBlockSetSource = (source: BlockSource, options: BlockSetSourceOptions = {}): BlockSetSource => {
  const {
    parallel = 8,
    timeoutMs = 30_000,
    checkRoot = checkRootHere,
    ownBytes = false,
    checksFileHash = false,
  } = options
  const semaphore = createSemaphore(parallel)
  const known = new MasterBlockCache()

  const ask = <T>(what: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    semaphore(() => withTimeout(what, timeoutMs, signal, work)).catch((cause: unknown) => {
      if (!(cause instanceof BlockNotFoundError)) throw cause
      throw new BlockSetUnavailableError(`${what} is not available yet.`, { cause })
    })

  const readBlock = async (id: BlockIdExt, signal: AbortSignal): Promise<ReadBlock> => {
    const bytes = await ask(`Block ${formatBlockId(id)}`, signal, (asking) => source.getRawBlock(id, asking))
    return { id, bytes, place: checksFileHash ? readBlockLinks(id, bytes) : checkRawBlock(id, bytes) }
  }

  const findId = async (seqno: number, signal: AbortSignal): Promise<BlockIdExt> => {
    const id =
      known.findId(seqno) ??
      (await ask(`The id of masterchain block ${seqno}`, signal, (asking) =>
        source.getMasterchainBlockId(seqno, asking),
      ))
    return expectMasterId(id, seqno)
  }

  const findTops = (id: BlockIdExt, signal: AbortSignal): Promise<readonly BlockIdExt[]> =>
    known.getTops(id, async () => (await readBlock(id, signal)).place.tops)

  const fetchBlockSet = async (seqno: number, signal: AbortSignal): Promise<RawBlockSet> => {
    const master = await readBlock(await findId(seqno, signal), signal)
    const { previous, tops } = master.place
    const checked = checkRoot(master, signal)
    // Awaited below; until then it must not count as unhandled.
    checked.catch(() => undefined)
    const before = expectMasterId(previous[0]!, seqno - 1)
    expectSame(known.findId(before.seqno), before)
    known.add(master.id, tops)
    known.addId(before)
    // The zero state has no shard blocks: all that the first block includes is new.
    const topsBefore = before.seqno === 0 ? [] : await findTops(before, signal)
    const read = new Map<string, ReadBlock>()
    const ids = await listNewShardBlocks(topsBefore, tops, async (id) => {
      const block = await readBlock(id, signal)
      read.set(formatBlockIdExt(id), block)
      return block.place.previous
    })
    const blocks = ids.map((id) => read.get(formatBlockIdExt(id))!)
    expectContinuity({ seqno, topsBefore, tops, blocks })
    await checked
    return { seqno, masterchain: rawOf(master), shards: blocks.map(rawOf), tops, isOwn: ownBytes }
  }

  return {
    getHead: async (signal) => {
      const head = await ask('The newest block', signal, (asking) => source.getHead(asking))
      return expectMasterId(head, head.seqno)
    },
    getBlockId: findId,
    watchHeads: (signal) => watchHeads(source, known, signal),
    fetchBlockSet: async (seqno, signal) => {
      if (!Number.isInteger(seqno) || seqno < 1) throw new RangeError(`There is no masterchain block ${seqno}.`)
      try {
        return await fetchBlockSet(seqno, signal)
      } catch (error) {
        // A retry starts over: a cached id may be wrong.
        known.forget(seqno)
        throw error
      }
    },
  }
}

/** The heads of a source; skips repeated ones and refuses a step back. */
async function* watchHeads(
  source: BlockSource,
  known: MasterBlockCache,
  signal: AbortSignal,
): AsyncGenerator<BlockIdExt> {
  let last: BlockIdExt | undefined
  for await (const head of source.watchHeads(signal)) {
    expectMasterId(head, head.seqno)
    if (last !== undefined && formatBlockIdExt(head) === formatBlockIdExt(last)) continue
    if (last !== undefined && head.seqno <= last.seqno) {
      known.clear()
      throw new SourceAnswerError(`The head went back from ${formatBlockIdExt(last)} to ${formatBlockIdExt(head)}.`)
    }
    last = head
    known.addId(head)
    yield head
  }
}

const expectSame = (known: BlockIdExt | undefined, stated: BlockIdExt): void => {
  if (known === undefined || formatBlockIdExt(known) === formatBlockIdExt(stated)) return
  throw new SourceAnswerError(
    `Masterchain block ${stated.seqno + 1} follows ${formatBlockIdExt(stated)}, expected ${formatBlockIdExt(known)}.`,
  )
}

const rawOf = ({ id, bytes }: ReadBlock): RawBlock => ({ id, bytes })

const expectMasterId = (id: BlockIdExt, seqno: number): BlockIdExt => {
  const isMaster = id.workchain === masterchain && id.shard === wholeShard && id.seqno === seqno
  if (isMaster && isValidBlockIdExt(id)) return id
  throw new SourceAnswerError(`Expected the id of masterchain block ${seqno}, got ${formatBlockIdExt(id)}.`)
}

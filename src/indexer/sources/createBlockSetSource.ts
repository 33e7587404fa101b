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
import type { RawBlock, RawUnit } from '../blockSets.ts'
import type { UnitSource } from '../ports.ts'
import {
  type BlockPlace,
  checkRawBlock,
  checkRootHash,
  readBlockPlace,
  SourceAnswerError,
  UnitUnavailableError,
} from './checkRawBlock.ts'
import { withinTime } from './withRetries.ts'

export type UnitLinks = {
  readonly seqno: number
  /** The newest block of every shard before and at the masterchain block. */
  readonly topsBefore: readonly BlockIdExt[]
  readonly tops: readonly BlockIdExt[]
  readonly blocks: readonly { readonly id: BlockIdExt; readonly place: BlockPlace }[]
}

/** Checks that the new blocks of every shard lead from all that was there to all that is there, and from nothing else. */
const expectContinuity = ({ seqno, topsBefore, tops, blocks }: UnitLinks): void => {
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
      `Block ${formatBlockId(id)} at masterchain block ${seqno} begins its shard anew, where ${formatBlockId(known)} was known.`,
    )
  }
}

const overlap = (a: BlockIdExt, b: BlockIdExt): boolean =>
  a.workchain === b.workchain && (isShardAncestor(a.shard, b.shard) || isShardAncestor(b.shard, a.shard))

/** Enough for the units that are fetched at once, and for those that come next to them. */
const MAX_KNOWN = 1024

/** Masterchain blocks of which the id is known from a head or from the block after, and those whose list of shards was read. */
class KnownMasters {
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

  /** The shards of a block: known, being read for another, or read now. */
  getTops(id: BlockIdExt, read: () => Promise<readonly BlockIdExt[]>): Promise<readonly BlockIdExt[]> {
    const key = formatBlockIdExt(id)
    const before = this.tops.find(key)
    // Whoever reads it may give up where this caller would not.
    if (before !== undefined) return before.catch(() => this.getTops(id, read))
    const reading = read()
    this.tops.set(key, reading)
    reading.catch(() => {
      if (this.tops.find(key) === reading) this.tops.delete(key)
    })
    return reading
  }

  /** Forgets a block and the one before it. */
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

export type UnitSourceOptions = {
  /** How many blocks are asked for at once, over all units. */
  readonly parallel?: number
  /** How long the source may take for one block. */
  readonly timeoutMs?: number
  /** The source keeps nothing of the bytes that it gives, and gives them in buffers of their own. */
  readonly ownBytes?: boolean
  /** The source has held the bytes against the file hash of the id that was asked for; otherwise it is done here. */
  readonly checksFileHash?: boolean
  /** Checks the root hash of a masterchain block, which takes longer than all else here; by default, in this thread. */
  readonly checkRoot?: RootCheck
}

export type RootCheck = (block: RawBlock, signal: AbortSignal) => Promise<void>

const checkRootHere: RootCheck = async ({ id, bytes }) => checkRootHash(id, bytes)

type ReadBlock = RawBlock & { readonly place: BlockPlace }

/**
 * Units from a source of blocks that need not be honest: of everything that it gives, hashes, places and links are checked. What is
 * wrong, absent or late is an error that may pass, never a unit with a hole. Unless `ownBytes` is given, the bytes may be the
 * source's own, or a part of something larger: whoever hands them on to another thread copies them.
 */
export const createUnitSource = (source: BlockSource, options: UnitSourceOptions = {}): UnitSource => {
  const {
    parallel = 8,
    timeoutMs = 30_000,
    checkRoot = checkRootHere,
    ownBytes = false,
    checksFileHash = false,
  } = options
  const gate = createSemaphore(parallel)
  const known = new KnownMasters()

  const ask = <T>(what: string, signal: AbortSignal, question: (signal: AbortSignal) => Promise<T>): Promise<T> =>
    gate(() => withinTime(what, timeoutMs, signal, question)).catch((cause: unknown) => {
      if (!(cause instanceof BlockNotFoundError)) throw cause
      throw new UnitUnavailableError(`${what} is not there, or not yet.`, { cause })
    })

  const readBlock = async (id: BlockIdExt, signal: AbortSignal): Promise<ReadBlock> => {
    const bytes = await ask(`Block ${formatBlockId(id)}`, signal, (asking) => source.getRawBlock(id, asking))
    return { id, bytes, place: checksFileHash ? readBlockPlace(id, bytes) : checkRawBlock(id, bytes) }
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

  const fetchUnit = async (seqno: number, signal: AbortSignal): Promise<RawUnit> => {
    const master = await readBlock(await findId(seqno, signal), signal)
    const { previous, tops } = master.place
    const checked = checkRoot(master, signal)
    // It is waited for below; until then nobody else must call it unhandled.
    checked.catch(() => undefined)
    const before = expectMasterId(previous[0]!, seqno - 1)
    expectSame(known.findId(before.seqno), before)
    known.add(master.id, tops)
    known.addId(before)
    // The zero state names no blocks: all that the first block includes is new.
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
    fetchUnit: async (seqno, signal) => {
      if (!Number.isInteger(seqno) || seqno < 1) throw new RangeError(`There is no masterchain block ${seqno}.`)
      try {
        return await fetchUnit(seqno, signal)
      } catch (error) {
        // A next try asks afresh: what was known may be what is wrong.
        known.forget(seqno)
        throw error
      }
    },
  }
}

/** The heads of a source, of which one that is repeated is left out and one that goes back is refused. */
async function* watchHeads(source: BlockSource, known: KnownMasters, signal: AbortSignal): AsyncGenerator<BlockIdExt> {
  let last: BlockIdExt | undefined
  for await (const head of source.watchHeads(signal)) {
    expectMasterId(head, head.seqno)
    if (last !== undefined && formatBlockIdExt(head) === formatBlockIdExt(last)) continue
    if (last !== undefined && head.seqno <= last.seqno) {
      known.clear()
      throw new SourceAnswerError(
        `The chain went back: after ${formatBlockIdExt(last)}, ${formatBlockIdExt(head)} came as the newest block.`,
      )
    }
    last = head
    known.addId(head)
    yield head
  }
}

const expectSame = (known: BlockIdExt | undefined, stated: BlockIdExt): void => {
  if (known === undefined || formatBlockIdExt(known) === formatBlockIdExt(stated)) return
  throw new SourceAnswerError(
    `Masterchain block ${stated.seqno + 1} follows ${formatBlockIdExt(stated)}, where ${formatBlockIdExt(known)} was known.`,
  )
}

const rawOf = ({ id, bytes }: ReadBlock): RawBlock => ({ id, bytes })

const expectMasterId = (id: BlockIdExt, seqno: number): BlockIdExt => {
  const isMaster = id.workchain === masterchain && id.shard === wholeShard && id.seqno === seqno
  if (isMaster && isValidBlockIdExt(id)) return id
  throw new SourceAnswerError(`The id of masterchain block ${seqno} was expected, ${formatBlockIdExt(id)} came.`)
}

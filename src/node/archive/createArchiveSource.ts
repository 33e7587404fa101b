import { type FSWatcher, watch } from 'node:fs'
import { BlockNotFoundError, NodeAnswerError, NodeUnavailableError } from '../../chain/errors.ts'
import type { BlockSource } from '../../chain/ports.ts'
import { listNewShardBlocks } from '../../chain/shardBlocks.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { LruCache } from '../../primitives/LruCache.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { type ArchiveFolder, type BlockFacts, readBlockFacts } from './ArchiveFolder.ts'
import { locationAdvice } from './fileErrors.ts'

export type ArchiveSourceOptions = {
  /** Poll interval of the folder without file system events. */
  readonly pollMs?: number
  /** How often to check whether the next block is lost and the chain continues above it. */
  readonly lostCheckMs?: number
}

/** Blocks from the packages of a node: of one that runs beside, or of files that no longer change. */
export const createArchiveSource = (
  folder: ArchiveFolder,
  { pollMs = 500, lostCheckMs = 5000 }: ArchiveSourceOptions = {},
): BlockSource => {
  const heads = new ArchiveHeads(folder)
  return {
    getHead: async (signal) => {
      signal?.throwIfAborted()
      folder.refresh()
      const head = await findPresentHead(heads)
      if (head === undefined) {
        throw new NodeUnavailableError(
          `The archive has no masterchain block with all its shard blocks yet. If that stays so: ${locationAdvice}`,
        )
      }
      return head.id
    },
    getMasterchainBlockId: async (seqno, signal) => {
      signal?.throwIfAborted()
      const known = await folder.findMasterchainBlock(seqno)
      if (known?.seqno === seqno) return known
      folder.refresh()
      const found = await folder.findMasterchainBlock(seqno)
      if (found?.seqno === seqno) return found
      throw new BlockNotFoundError({ workchain: masterchain, shard: wholeShard, seqno })
    },
    getRawBlock: (id, signal) => folder.getBlock(id, signal),
    watchHeads: (signal) => watchHeads(folder, heads, { pollMs, lostCheckMs, signal }),
  }
}

/** Whether all shard blocks of a masterchain block are there; `unknown` if their list is not available. */
export type BlockStatus = 'complete' | 'incomplete' | 'unknown'

export type HeadSearch = {
  /** The highest seqno up to this one that has a masterchain block. */
  findSeqnoUpTo(seqno: number): Promise<number | undefined>
  getStatus(seqno: number): Promise<BlockStatus>
}

/** An incomplete block is given up as lost when so many after it are complete; until then they wait for it. */
export const LOST_AFTER = 16
// Bounds the search in an archive full of gaps.
const MAX_LOST = 1024

/**
 * The seqno of the newest complete masterchain block that does not have to wait for an earlier one. A node that is catching up
 * may have masterchain blocks far ahead of its shard blocks, so the search takes ever larger steps down, then bisects.
 */
export const findNewestHead = async (search: HeadSearch): Promise<number | undefined> => {
  const top = await search.findSeqnoUpTo(0xffff_ffff)
  const found = top === undefined ? undefined : await findSomeComplete(search, top)
  if (found === undefined) return undefined
  return waitForEarlier(search, await bisect(search, found.complete, found.incomplete))
}

const findSomeComplete = async (
  search: HeadSearch,
  top: number,
): Promise<{ readonly complete: number; readonly incomplete: number } | undefined> => {
  let incomplete = top + 1
  let step = 1
  for (let seqno: number | undefined = top, tries = 0; seqno !== undefined; tries++) {
    if ((await search.getStatus(seqno)) === 'complete') return { complete: seqno, incomplete }
    incomplete = seqno
    if (tries >= LOST_AFTER) step *= 2
    seqno = await search.findSeqnoUpTo(incomplete - step)
    while (seqno === undefined && step > 1) {
      step = Math.floor(step / 2)
      seqno = await search.findSeqnoUpTo(incomplete - step)
    }
  }
  return undefined
}

const bisect = async (search: HeadSearch, complete: number, incomplete: number): Promise<number> => {
  let newest = complete
  let low = complete
  let high = incomplete
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const seqno = await search.findSeqnoUpTo(middle)
    if (seqno === undefined || seqno <= newest) low = middle
    else if ((await search.getStatus(seqno)) === 'complete') {
      newest = seqno
      low = middle
    } else high = seqno
  }
  return newest
}

const waitForEarlier = async (search: HeadSearch, complete: number): Promise<number | undefined> => {
  let newest: number | undefined = complete
  for (let seqno = complete - 1, lost = 0; seqno > (newest ?? seqno) - LOST_AFTER && lost < MAX_LOST; seqno--) {
    const status = await search.getStatus(seqno)
    if (status === 'unknown') break
    if (status === 'incomplete') {
      newest = undefined
      lost++
    } else newest ??= seqno
  }
  return newest
}

/** A masterchain block that may be a head: it and every shard block it includes were read and checked. */
type ArchiveHead = { readonly id: BlockIdExt; readonly previous: BlockIdExt }

const MAX_FACTS_BYTES = 16 * 1024 * 1024
const ID_BYTES = 320

/** Tells which masterchain blocks have all their shard blocks in the archive. */
class ArchiveHeads {
  private readonly folder: ArchiveFolder
  private readonly facts = new LruCache<BlockFacts>(MAX_FACTS_BYTES)

  constructor(folder: ArchiveFolder) {
    this.folder = folder
  }

  async findSeqnoUpTo(seqno: number): Promise<number | undefined> {
    return (await this.folder.findMasterchainBlock(seqno))?.seqno
  }

  /** `unknown` if the block or the previous one is missing, so that its shard blocks are not known. */
  async getStatus(seqno: number): Promise<BlockStatus> {
    const examined = await this.examine(seqno)
    return typeof examined === 'string' ? examined : 'complete'
  }

  async findHead(seqno: number): Promise<ArchiveHead | undefined> {
    const examined = await this.examine(seqno)
    return typeof examined === 'string' ? undefined : examined
  }

  private async examine(seqno: number): Promise<ArchiveHead | Exclude<BlockStatus, 'complete'>> {
    const id = await this.folder.findMasterchainBlock(seqno)
    if (id?.seqno !== seqno) return 'unknown'
    try {
      const { previous, shardTops } = await this.getFacts(id, seqno)
      const [before] = previous
      if (before === undefined) return 'unknown'
      // The zero state has no list of shards: all that the first block includes is new.
      const tops = before.seqno === 0 ? [] : (await this.findPreviousFacts(before))?.shardTops
      if (tops === undefined) return 'unknown'
      await listNewShardBlocks(tops, shardTops, async (block) => (await this.getFacts(block, seqno)).previous)
      return { id, previous: before }
    } catch (error) {
      // Missing or incomplete: a later attempt may find more.
      if (error instanceof BlockNotFoundError || error instanceof NodeAnswerError) return 'incomplete'
      throw error
    }
  }

  private async findPreviousFacts(id: BlockIdExt): Promise<BlockFacts | undefined> {
    try {
      return await this.getFacts(id, id.seqno)
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined
      throw error
    }
  }

  private async getFacts(id: BlockIdExt, near: number): Promise<BlockFacts> {
    const key = toHex(id.fileHash)
    const known = this.facts.find(key)
    // A previous find is not enough: a package may have been truncated since.
    if (known !== undefined && (await this.folder.hasBlock(id, near))) return known
    const facts = await this.folder.findEntry(
      'block',
      id,
      (bytes) => readBlockFacts(id, bytes, this.folder.fileHashOnly),
      {
        near,
      },
    )
    if (facts === undefined) throw new BlockNotFoundError(id)
    this.facts.set(key, facts, ID_BYTES * (1 + facts.previous.length + facts.shardTops.length))
    return facts
  }
}

/** A node writes an entry in several pieces: after the first sign of it, the rest gets this long to come. */
const GATHER_MS = 20

/**
 * Wakes a poll up early when something happens in a folder. Only a hint: file systems drop such events, some have none, and
 * the number of watches is limited, so a folder that cannot be watched is not an error.
 */
class ChangeHints {
  private readonly watchers = new Map<string, FSWatcher>()
  private isHinted = false
  private wake: (() => void) | undefined

  /** Watches these folders and no others. */
  watch(folders: readonly string[]): void {
    for (const [folder, watcher] of this.watchers) if (!folders.includes(folder)) this.drop(folder, watcher)
    for (const folder of folders) {
      if (this.watchers.has(folder)) continue
      try {
        const watcher = watch(folder, { persistent: false }, () => this.hint())
        this.watchers.set(folder, watcher)
        watcher.on('error', () => this.drop(folder, watcher))
      } catch {
        // Polling covers it.
      }
    }
  }

  /** Resolves after the given time, soon after an event since the last call, or on abort. */
  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (!this.isHinted) await this.sleep(timeoutMs, signal)
    if (this.isHinted) await this.sleep(Math.min(GATHER_MS, timeoutMs), signal, false)
    this.isHinted = false
  }

  close(): void {
    for (const [folder, watcher] of this.watchers) this.drop(folder, watcher)
  }

  private hint(): void {
    this.isHinted = true
    this.wake?.()
  }

  private drop(folder: string, watcher: FSWatcher): void {
    watcher.close()
    if (this.watchers.get(folder) === watcher) this.watchers.delete(folder)
  }

  private sleep(ms: number, signal: AbortSignal, endsOnHint = true): Promise<void> {
    if (signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        this.wake = undefined
        resolve()
      }
      const timer = setTimeout(finish, ms)
      signal.addEventListener('abort', finish, { once: true })
      if (endsOnHint) this.wake = finish
    })
  }
}

const findPresentHead = async (heads: ArchiveHeads): Promise<ArchiveHead | undefined> => {
  const seqno = await findNewestHead(heads)
  return seqno === undefined ? undefined : heads.findHead(seqno)
}

type WatchOptions = { readonly pollMs: number; readonly lostCheckMs: number; readonly signal: AbortSignal }

/** The current head, then each block as it becomes complete. Only lost blocks are skipped. */
async function* watchHeads(
  folder: ArchiveFolder,
  heads: ArchiveHeads,
  { pollMs, lostCheckMs, signal }: WatchOptions,
): AsyncGenerator<BlockIdExt> {
  const hints = new ChangeHints()
  let last: BlockIdExt | undefined
  let checkedAt = performance.now()
  try {
    while (!signal.aborted) {
      folder.refresh()
      const next = await findNext(heads, last)
      if (next !== undefined && !signal.aborted) {
        checkedAt = performance.now()
        last = next.id
        yield next.id
        continue
      }
      if (last !== undefined && performance.now() - checkedAt >= lostCheckMs) {
        checkedAt = performance.now()
        const head = await findPresentHead(heads)
        if (head !== undefined && head.id.seqno > last.seqno + LOST_AFTER && !signal.aborted) {
          last = head.id
          yield head.id
        }
      }
      hints.watch(folder.listLiveFolders())
      await hints.wait(pollMs, signal)
    }
  } finally {
    hints.close()
  }
}

const findNext = async (heads: ArchiveHeads, last: BlockIdExt | undefined): Promise<ArchiveHead | undefined> => {
  if (last === undefined) return findPresentHead(heads)
  const next = await heads.findHead(last.seqno + 1)
  if (next !== undefined && !bytesEqual(next.previous.rootHash, last.rootHash)) {
    throw new NodeAnswerError(
      `Block ${formatBlockId(next.id)} in the archive does not follow the block ${formatBlockId(last)} that was there. ` +
        'These are packages of another network, or of one that began anew.',
    )
  }
  return next
}

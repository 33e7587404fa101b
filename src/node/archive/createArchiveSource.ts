import { BlockNotFoundError, NodeAnswerError, NodeUnavailableError } from '../../chain/errors.ts'
import type { BlockSource } from '../../chain/ports.ts'
import { type BlockIdExt, formatBlockId, masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { ArchiveFolder } from './ArchiveFolder.ts'
import { type ArchiveHead, ArchiveHeads } from './ArchiveHeads.ts'
import { ChangeHints } from './ChangeHints.ts'
import { locationAdvice } from './fileErrors.ts'
import { findNewestHead, LOST_AFTER } from './findNewestHead.ts'

export type ArchiveSourceOptions = {
  /** How often the folder is looked at when nothing hints at a change. */
  readonly pollMs?: number
  /** How often to look whether the next block is lost, and the chain goes on further up. */
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

const findPresentHead = async (heads: ArchiveHeads): Promise<ArchiveHead | undefined> => {
  const seqno = await findNewestHead(heads)
  return seqno === undefined ? undefined : heads.findHead(seqno)
}

type WatchOptions = { readonly pollMs: number; readonly lostCheckMs: number; readonly signal: AbortSignal }

/** The present head, then one block after another as each becomes complete. Only blocks that are lost are left out. */
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

import type { ExtBlkRef } from '../codec/tlb/ExtBlkRef.ts'
import type { McStateHistory } from '../codec/tlb/McStateHistory.ts'
import { type BlockIdExt, masterchain } from '../primitives/BlockId.ts'
import { wholeShard } from '../primitives/shard.ts'
import type { PreviousBlocks } from './ports.ts'

const MAX_BLOCKS = 16
/** The global version from which on code sees every hundredth block, too. */
const HUNDREDS_SINCE = 9

/**
 * The masterchain blocks that code may ask for in a run after the block `id`, which is the newest of them, by the state after
 * it. `undefined` where one is not on record: code is then told nothing.
 */
export const readPreviousBlocks = (
  id: BlockIdExt,
  { prevBlocks, afterKeyBlock, lastKeyBlock }: McStateHistory,
  globalVersion: number,
): PreviousBlocks | undefined => {
  const find = (seqno: number): BlockIdExt | undefined => {
    if (seqno === id.seqno) return id
    const found = prevBlocks.find(seqno)
    return found && toBlockId(found.block)
  }
  const last = countDown(id.seqno, 1, find)
  const lastHundreds = globalVersion < HUNDREDS_SINCE ? [] : countDown(id.seqno - (id.seqno % 100), 100, find)
  const keyBlock = afterKeyBlock ? id : lastKeyBlock && toBlockId(lastKeyBlock)
  return last && lastHundreds && keyBlock && { last, keyBlock, lastHundreds }
}

const countDown = (
  from: number,
  step: number,
  find: (seqno: number) => BlockIdExt | undefined,
): readonly BlockIdExt[] | undefined => {
  const blocks: BlockIdExt[] = []
  for (let seqno = from; seqno >= 0 && blocks.length < MAX_BLOCKS; seqno -= step) {
    const block = find(seqno)
    if (block === undefined) return undefined
    blocks.push(block)
  }
  return blocks
}

const toBlockId = ({ seqno, rootHash, fileHash }: ExtBlkRef): BlockIdExt => ({
  workchain: masterchain,
  shard: wholeShard,
  seqno,
  rootHash: rootHash.slice(),
  fileHash: fileHash.slice(),
})

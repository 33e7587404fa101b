import type { PreviousBlocks } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import type { ExtBlkRef } from '../../codec/tlb/ExtBlkRef.ts'
import { openMcStateHistory } from '../../codec/tlb/McStateHistory.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { openMasterExtra, openState } from './openState.ts'

const MAX_BLOCKS = 16

// A state serves many runs, and whoever gets the same list again can keep what was made of it.
const known = new WeakMap<Cell, { readonly blocks: PreviousBlocks | undefined }>()

/** The masterchain blocks that code may ask for in a run after this one, which is the newest of them. */
export const previousBlocks = (id: BlockIdExt, state: Cell): PreviousBlocks | undefined => {
  const before = known.get(state)
  if (before !== undefined) return before.blocks
  const blocks = readPreviousBlocks(id, state)
  known.set(state, { blocks })
  return blocks
}

/** Code is told nothing where a block is not on record. */
const readPreviousBlocks = (id: BlockIdExt, state: Cell): PreviousBlocks | undefined => {
  const { prevBlocks, afterKeyBlock, lastKeyBlock } = openMcStateHistory(openMasterExtra(openState(state)).history)
  const find = (seqno: number): BlockIdExt | undefined => {
    if (seqno === id.seqno) return id
    const found = prevBlocks.find(seqno)
    return found && toBlockId(found.block)
  }
  const last = countDown(id.seqno, 1, find)
  const lastHundreds = countDown(id.seqno - (id.seqno % 100), 100, find)
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

import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readWhole } from '../cell/wholeCell.ts'
import {
  readShardStateUnsplit,
  SHARD_STATE_TAG,
  type ShardStateUnsplit,
  writeShardStateUnsplit,
} from './ShardStateUnsplit.ts'
import { unknownTag } from './unknownTag.ts'

/** Two states side by side: what a block that merges two shards takes as its previous state. */
export type SplitState = {
  readonly kind: 'split'
  /** Cell of the ShardStateUnsplit of the left shard. */
  readonly left: Cell
  readonly right: Cell
}

export type ShardState = ShardStateUnsplit | SplitState

const SPLIT_STATE_TAG = 0x5f327da5

/** _ ShardStateUnsplit = ShardState; split_state#5f327da5 left:^ShardStateUnsplit right:^ShardStateUnsplit = ShardState; */
export const readShardState = (r: CellReader): ShardState => {
  const tag = r.peekUint(32)
  if (tag === SHARD_STATE_TAG) return readShardStateUnsplit(r)
  if (tag !== SPLIT_STATE_TAG) throw unknownTag('A ShardState', '#9023afe2 or #5f327da5', tag, 32)
  r.skipBits(32)
  return { kind: 'split', left: r.readRefCell(), right: r.readRefCell() }
}

export const writeShardState = (w: CellWriter, state: ShardState): void => {
  if (state.kind === 'unsplit') writeShardStateUnsplit(w, state)
  else w.writeUint(SPLIT_STATE_TAG, 32).writeRef(state.left).writeRef(state.right)
}

/** Reads the state that fills a cell. */
export const openShardState = (cell: Cell): ShardState => readWhole(cell, readShardState, 'A ShardState')

import { readAugDict, writeAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type BlockCreateStats, readBlockCreateStats, writeBlockCreateStats } from './BlockCreateStats.ts'
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './ExtBlkRef.ts'
import { readMaybe, writeMaybe } from './maybe.ts'
import { type OldMcBlocks, oldMcBlocksType } from './OldMcBlocks.ts'
import { readValidatorInfo, type ValidatorInfo, writeValidatorInfo } from './ValidatorInfo.ts'

/** What a McStateExtra keeps in a cell beside its shards and its configuration. */
export type McStateHistory = {
  readonly validatorInfo: ValidatorInfo
  readonly prevBlocks: OldMcBlocks
  /** The block of this state is a key block; true in the zerostate too. */
  readonly afterKeyBlock: boolean
  /** The newest key block before this one; the zerostate counts as one. */
  readonly lastKeyBlock: ExtBlkRef | undefined
  /** Kept where the network has capability 2. */
  readonly blockCreateStats: BlockCreateStats | undefined
}

const HAS_CREATE_STATS = 1

/**
 * ^[ flags:(## 16) { flags <= 1 } validator_info:ValidatorInfo prev_blocks:OldMcBlocksInfo after_key_block:Bool
 *    last_key_block:(Maybe ExtBlkRef) block_create_stats:(flags . 0)?BlockCreateStats ]
 */
export const readMcStateHistory = (r: CellReader): McStateHistory => {
  const flags = r.readUint(16)
  if (flags > HAS_CREATE_STATS) throw new CellError(`The flags of a McStateExtra are 0 or 1, ${flags} came.`)
  return {
    validatorInfo: readValidatorInfo(r),
    prevBlocks: readAugDict(r, oldMcBlocksType),
    afterKeyBlock: r.readBit(),
    lastKeyBlock: readMaybe(r, readExtBlkRef),
    blockCreateStats: flags === HAS_CREATE_STATS ? readBlockCreateStats(r) : undefined,
  }
}

export const writeMcStateHistory = (w: CellWriter, history: McStateHistory): void => {
  w.writeUint(history.blockCreateStats === undefined ? 0 : HAS_CREATE_STATS, 16)
  writeValidatorInfo(w, history.validatorInfo)
  writeAugDict(w, history.prevBlocks)
  w.writeBit(history.afterKeyBlock)
  writeMaybe(w, writeExtBlkRef, history.lastKeyBlock)
  if (history.blockCreateStats !== undefined) writeBlockCreateStats(w, history.blockCreateStats)
}

/** Reads the history that fills a cell, which is `history` of a McStateExtra. */
export const openMcStateHistory = (cell: Cell): McStateHistory =>
  readWhole(cell, readMcStateHistory, 'The history in a McStateExtra')

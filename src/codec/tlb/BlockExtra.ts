import { openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type AccountBlocks, accountBlocksType } from './AccountBlock.ts'

export type BlockExtra = {
  /** Root of the incoming messages: see `openInMsgDescr`. */
  readonly inMsgDescr: Cell
  /** Root of the outgoing messages: see `openOutMsgDescr`. */
  readonly outMsgDescr: Cell
  /** Root of the transactions by account: see {@link openAccountBlocks}. */
  readonly accountBlocks: Cell
  readonly randSeed: Uint8Array
  readonly createdBy: Uint8Array
  /** What masterchain blocks have besides: see `openMcBlockExtra`. */
  readonly custom: Cell | undefined
}

/**
 * block_extra#4a33f6fd in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr account_blocks:^ShardAccountBlocks
 *   rand_seed:bits256 created_by:bits256 custom:(Maybe ^McBlockExtra) = BlockExtra;
 */
export const readBlockExtra = (r: CellReader): BlockExtra => {
  r.expectTag(0x4a33f6fd, 32)
  return {
    inMsgDescr: r.readRefCell(),
    outMsgDescr: r.readRefCell(),
    accountBlocks: r.readRefCell(),
    randSeed: r.readBytes(32),
    createdBy: r.readBytes(32),
    custom: r.readMaybeRefCell(),
  }
}

export const writeBlockExtra = (w: CellWriter, extra: BlockExtra): void => {
  w.writeUint(0x4a33f6fd, 32).writeRef(extra.inMsgDescr).writeRef(extra.outMsgDescr).writeRef(extra.accountBlocks)
  w.writeBytes(extra.randSeed).writeBytes(extra.createdBy).writeMaybeRef(extra.custom)
}

export const openBlockExtra = (cell: Cell): BlockExtra => readWhole(cell, readBlockExtra, 'A BlockExtra')

export const openAccountBlocks = ({ accountBlocks }: BlockExtra): AccountBlocks =>
  openAugDict(accountBlocks, accountBlocksType)

import { formatShard, wholeShard } from '../../primitives/shard.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readDict, writeDict } from '../cell/Dict.ts'
import { CellError } from '../cell/errors.ts'
import { readWhole } from '../cell/wholeCell.ts'
import {
  type ExtBlkRef,
  readExtBlkRef,
  readShardIdent,
  type ShardIdent,
  writeExtBlkRef,
  writeShardIdent,
} from './BlockInfo.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type Libraries, librariesType } from './StateInit.ts'
import { readMaybe, unknownTag, writeMaybe } from './scalars.ts'

const SHARD_STATE_TAG = 0x9023afe2

/** The state of a shard, its large parts not entered: most readers need one of them, and proofs hold no others. */
export type ShardStateUnsplit = {
  readonly kind: 'unsplit'
  readonly globalId: number
  readonly shard: ShardIdent
  /** The terminating 1 of the shard is written out: true in the zerostates of workchains, and nowhere else. */
  readonly isShardEndWritten: boolean
  readonly seqno: number
  readonly vertSeqno: number
  readonly genUtime: number
  readonly genLt: bigint
  readonly minRefMcSeqno: number
  /** Cell of the OutMsgQueueInfo. */
  readonly outMsgQueueInfo: Cell
  readonly beforeSplit: boolean
  /** Cell of the ShardAccounts; open it with `openShardAccounts`. */
  readonly accounts: Cell
  /** Cell of the StateTotals; open it with `openStateTotals`. */
  readonly totals: Cell
  /** Cell of the McStateExtra, in the masterchain. */
  readonly custom: Cell | undefined
}

/** Whether the ShardIdent ahead has prefix length 0 and yet a prefix, the one bit that elsewhere is left out. */
const isShardEndAhead = (r: CellReader): boolean => {
  const ahead = r.clone()
  const lengthBits = ahead.readUint(8)
  ahead.skipBits(32)
  return lengthBits === 0 && ahead.readUint64() === wholeShard
}

const readStateShard = (r: CellReader, isShardEndWritten: boolean): ShardIdent => {
  if (!isShardEndWritten) return readShardIdent(r)
  r.skipBits(8)
  return { workchain: r.readInt(32), shard: r.readUint64() }
}

const writeStateShard = (w: CellWriter, shard: ShardIdent, isShardEndWritten: boolean): void => {
  if (!isShardEndWritten) {
    writeShardIdent(w, shard)
    return
  }
  if (shard.shard !== wholeShard) {
    throw new CellError(
      `Only the shard of a whole workchain is written with its end, but got ${formatShard(shard.shard)}.`,
    )
  }
  w.writeUint(0, 8).writeInt(shard.workchain, 32).writeUint64(wholeShard)
}

/**
 * shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
 *   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
 *   ^[ overload_history:uint64 … ]
 *   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
 */
export const readShardStateUnsplit = (r: CellReader): ShardStateUnsplit => {
  r.expectTag(SHARD_STATE_TAG, 32)
  const globalId = r.readInt(32)
  const isShardEndWritten = isShardEndAhead(r)
  return {
    kind: 'unsplit',
    globalId,
    shard: readStateShard(r, isShardEndWritten),
    isShardEndWritten,
    seqno: r.readUint(32),
    vertSeqno: r.readUint(32),
    genUtime: r.readUint(32),
    genLt: r.readUint64(),
    minRefMcSeqno: r.readUint(32),
    outMsgQueueInfo: r.readRefCell(),
    beforeSplit: r.readBit(),
    accounts: r.readRefCell(),
    totals: r.readRefCell(),
    custom: r.readMaybeRefCell(),
  }
}

export const writeShardStateUnsplit = (w: CellWriter, state: ShardStateUnsplit): void => {
  w.writeUint(SHARD_STATE_TAG, 32).writeInt(state.globalId, 32)
  writeStateShard(w, state.shard, state.isShardEndWritten)
  w.writeUint(state.seqno, 32).writeUint(state.vertSeqno, 32).writeUint(state.genUtime, 32).writeUint64(state.genLt)
  w.writeUint(state.minRefMcSeqno, 32).writeRef(state.outMsgQueueInfo)
  w.writeBit(state.beforeSplit).writeRef(state.accounts).writeRef(state.totals)
  w.writeMaybeRef(state.custom)
}

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

/** The cell of a ShardStateUnsplit beside its accounts and its queue. */
export type StateTotals = {
  /** One bit for each of the last 64 blocks, the newest lowest. */
  readonly overloadHistory: bigint
  readonly underloadHistory: bigint
  readonly totalBalance: CurrencyCollection
  readonly totalValidatorFees: CurrencyCollection
  /** Public libraries; only the masterchain has any. */
  readonly libraries: Libraries
  /** The masterchain block last referred to; absent in the masterchain and in zerostates. */
  readonly masterRef: ExtBlkRef | undefined
}

/**
 * ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
 *    total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
 */
const readStateTotals = (r: CellReader): StateTotals => ({
  overloadHistory: r.readUint64(),
  underloadHistory: r.readUint64(),
  totalBalance: readCurrencyCollection(r),
  totalValidatorFees: readCurrencyCollection(r),
  libraries: readDict(r, librariesType),
  masterRef: readMaybe(r, readExtBlkRef),
})

export const writeStateTotals = (w: CellWriter, totals: StateTotals): void => {
  w.writeUint64(totals.overloadHistory).writeUint64(totals.underloadHistory)
  writeCurrencyCollection(w, totals.totalBalance)
  writeCurrencyCollection(w, totals.totalValidatorFees)
  writeDict(w, totals.libraries)
  writeMaybe(w, writeExtBlkRef, totals.masterRef)
}

/** Reads the totals that fill a cell, which is `totals` of a state. */
export const openStateTotals = (cell: Cell): StateTotals => readWhole(cell, readStateTotals, 'The totals of a state')

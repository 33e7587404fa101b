import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readDict, writeDict } from '../cell/Dict.ts'
import { readWholeRef, writeWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './ExtBlkRef.ts'
import { type Libraries, librariesType } from './LibDescr.ts'
import { readMaybe, writeMaybe } from './maybe.ts'
import { readShardIdent, type ShardIdent, writeShardIdent } from './ShardIdent.ts'

export const SHARD_STATE_TAG = 0x9023afe2

/** The part of a state that stands in a cell of its own. */
type StateTotals = {
  readonly overloadHistory: bigint
  readonly underloadHistory: bigint
  readonly totalBalance: CurrencyCollection
  readonly totalValidatorFees: CurrencyCollection
  /** Public libraries; only the masterchain has any. */
  readonly libraries: Libraries
  /** The masterchain block last referred to; absent in the masterchain and in zerostates. */
  readonly masterRef: ExtBlkRef | undefined
}

export type ShardStateUnsplit = StateTotals & {
  readonly kind: 'unsplit'
  readonly globalId: number
  readonly shard: ShardIdent
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
  /** Cell of the McStateExtra, in the masterchain. */
  readonly custom: Cell | undefined
}

const readTotals = (r: CellReader): StateTotals => ({
  overloadHistory: r.readUint64(),
  underloadHistory: r.readUint64(),
  totalBalance: readCurrencyCollection(r),
  totalValidatorFees: readCurrencyCollection(r),
  libraries: readDict(r, librariesType),
  masterRef: readMaybe(r, readExtBlkRef),
})

const writeTotals = (w: CellWriter, totals: StateTotals): void => {
  w.writeUint64(totals.overloadHistory).writeUint64(totals.underloadHistory)
  writeCurrencyCollection(w, totals.totalBalance)
  writeCurrencyCollection(w, totals.totalValidatorFees)
  writeDict(w, totals.libraries)
  writeMaybe(w, writeExtBlkRef, totals.masterRef)
}

/**
 * shard_state#9023afe2 global_id:int32 shard_id:ShardIdent seq_no:uint32 vert_seq_no:# gen_utime:uint32 gen_lt:uint64
 *   min_ref_mc_seqno:uint32 out_msg_queue_info:^OutMsgQueueInfo before_split:(## 1) accounts:^ShardAccounts
 *   ^[ overload_history:uint64 underload_history:uint64 total_balance:CurrencyCollection
 *      total_validator_fees:CurrencyCollection libraries:(HashmapE 256 LibDescr) master_ref:(Maybe BlkMasterInfo) ]
 *   custom:(Maybe ^McStateExtra) = ShardStateUnsplit;
 */
export const readShardStateUnsplit = (r: CellReader): ShardStateUnsplit => {
  r.expectTag(SHARD_STATE_TAG, 32)
  return {
    kind: 'unsplit',
    globalId: r.readInt(32),
    shard: readShardIdent(r),
    seqno: r.readUint(32),
    vertSeqno: r.readUint(32),
    genUtime: r.readUint(32),
    genLt: r.readUint64(),
    minRefMcSeqno: r.readUint(32),
    outMsgQueueInfo: r.readRefCell(),
    beforeSplit: r.readBit(),
    accounts: r.readRefCell(),
    ...readWholeRef(r, readTotals, 'The totals of a shard state'),
    custom: r.readMaybeRefCell(),
  }
}

export const writeShardStateUnsplit = (w: CellWriter, state: ShardStateUnsplit): void => {
  w.writeUint(SHARD_STATE_TAG, 32).writeInt(state.globalId, 32)
  writeShardIdent(w, state.shard)
  w.writeUint(state.seqno, 32).writeUint(state.vertSeqno, 32).writeUint(state.genUtime, 32).writeUint64(state.genLt)
  w.writeUint(state.minRefMcSeqno, 32).writeRef(state.outMsgQueueInfo)
  w.writeBit(state.beforeSplit).writeRef(state.accounts).writeRef(writeWhole(writeTotals, state))
  w.writeMaybeRef(state.custom)
}

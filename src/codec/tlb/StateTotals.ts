import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readDict, writeDict } from '../cell/Dict.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './ExtBlkRef.ts'
import { type Libraries, librariesType } from './LibDescr.ts'
import { readMaybe, writeMaybe } from './maybe.ts'

/** What a ShardStateUnsplit keeps in a cell beside its accounts and its queue. */
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
export const readStateTotals = (r: CellReader): StateTotals => ({
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

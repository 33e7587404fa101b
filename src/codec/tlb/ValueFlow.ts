import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { unknownTag } from './unknownTag.ts'

const TAG_V1 = 0xb8e48dfb
const TAG_V2 = 0x3ebf98b7

export type ValueFlow = {
  readonly fromPrevBlk: CurrencyCollection
  readonly toNextBlk: CurrencyCollection
  readonly imported: CurrencyCollection
  readonly exported: CurrencyCollection
  readonly feesCollected: CurrencyCollection
  /** Only the second version of the layout has it. A node writes that version where something was burned, and only there. */
  readonly burned: CurrencyCollection | undefined
  readonly feesImported: CurrencyCollection
  readonly recovered: CurrencyCollection
  readonly created: CurrencyCollection
  readonly minted: CurrencyCollection
}

/**
 * value_flow#b8e48dfb ^[ from_prev_blk:CurrencyCollection to_next_blk:CurrencyCollection imported:CurrencyCollection
 *   exported:CurrencyCollection ] fees_collected:CurrencyCollection ^[ fees_imported:CurrencyCollection
 *   recovered:CurrencyCollection created:CurrencyCollection minted:CurrencyCollection ] = ValueFlow;
 * value_flow_v2#3ebf98b7 … fees_collected:CurrencyCollection burned:CurrencyCollection ^[ … ] = ValueFlow;
 */
export const readValueFlow = (r: CellReader): ValueFlow => {
  const tag = r.readUint(32)
  if (tag !== TAG_V1 && tag !== TAG_V2) throw unknownTag('A ValueFlow', '#b8e48dfb or #3ebf98b7', tag, 32)
  const through = r.readRef()
  const fromPrevBlk = readCurrencyCollection(through)
  const toNextBlk = readCurrencyCollection(through)
  const imported = readCurrencyCollection(through)
  const exported = readCurrencyCollection(through)
  through.expectEnd('The first part of a ValueFlow')
  const feesCollected = readCurrencyCollection(r)
  const burned = tag === TAG_V2 ? readCurrencyCollection(r) : undefined
  const added = r.readRef()
  const feesImported = readCurrencyCollection(added)
  const recovered = readCurrencyCollection(added)
  const created = readCurrencyCollection(added)
  const minted = readCurrencyCollection(added)
  added.expectEnd('The last part of a ValueFlow')
  return {
    fromPrevBlk,
    toNextBlk,
    imported,
    exported,
    feesCollected,
    burned,
    feesImported,
    recovered,
    created,
    minted,
  }
}

export const writeValueFlow = (w: CellWriter, flow: ValueFlow): void => {
  w.writeUint(flow.burned === undefined ? TAG_V1 : TAG_V2, 32)
  w.writeRef(amountsCell(flow.fromPrevBlk, flow.toNextBlk, flow.imported, flow.exported))
  writeCurrencyCollection(w, flow.feesCollected)
  if (flow.burned !== undefined) writeCurrencyCollection(w, flow.burned)
  w.writeRef(amountsCell(flow.feesImported, flow.recovered, flow.created, flow.minted))
}

const amountsCell = (...amounts: readonly CurrencyCollection[]): Cell => {
  const w = new CellWriter()
  for (const amount of amounts) writeCurrencyCollection(w, amount)
  return w.toCell()
}

export const openValueFlow = (cell: Cell): ValueFlow => readWhole(cell, readValueFlow, 'A ValueFlow')

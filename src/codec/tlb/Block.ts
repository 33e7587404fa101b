import { openAugDict } from '../cell/AugDict.ts'
import type { Cell } from '../cell/Cell.ts'
import type { CellReader } from '../cell/CellReader.ts'
import { CellWriter } from '../cell/CellWriter.ts'
import { readWhole } from '../cell/wholeCell.ts'
import { type CurrencyCollection, readCurrencyCollection, writeCurrencyCollection } from './CurrencyCollection.ts'
import { unknownTag } from './scalars.ts'
import { type AccountBlocks, accountBlocksType } from './Transaction.ts'

/**
 * A block, its parts not entered: most readers need one of them, and proofs hold no others. Open them with `openBlockInfo`,
 * `openValueFlow`, `readMerkleUpdate` and `openBlockExtra`.
 */
export type Block = {
  readonly globalId: number
  readonly info: Cell
  readonly valueFlow: Cell
  readonly stateUpdate: Cell
  readonly extra: Cell
}

/**
 * block#11ef55aa global_id:int32 info:^BlockInfo value_flow:^ValueFlow state_update:^(MERKLE_UPDATE ShardState)
 *   extra:^BlockExtra = Block;
 */
export const readBlock = (r: CellReader): Block => {
  r.expectTag(0x11ef55aa, 32)
  return {
    globalId: r.readInt(32),
    info: r.readRefCell(),
    valueFlow: r.readRefCell(),
    stateUpdate: r.readRefCell(),
    extra: r.readRefCell(),
  }
}

export const writeBlock = (w: CellWriter, { globalId, info, valueFlow, stateUpdate, extra }: Block): void => {
  w.writeUint(0x11ef55aa, 32).writeInt(globalId, 32)
  w.writeRef(info).writeRef(valueFlow).writeRef(stateUpdate).writeRef(extra)
}

/** The block in a root cell: of a block file, or from inside a Merkle proof. */
export const openBlock = (root: Cell): Block => readWhole(root, readBlock, 'A Block')

export type BlockExtra = {
  /** Root of the incoming messages: see `openInMsgDescr`. */
  readonly inMsgDescr: Cell
  /** Root of the outgoing messages: see `openOutMsgDescr`. */
  readonly outMsgDescr: Cell
  /** Root of the transactions by account: see {@link openAccountBlocks}. */
  readonly accountBlocks: Cell
  readonly randSeed: Uint8Array
  readonly createdBy: Uint8Array
  /** Masterchain blocks only: see `openMcBlockExtra`. */
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

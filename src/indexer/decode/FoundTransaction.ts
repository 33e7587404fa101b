import type { Cell } from '../../codec/cell/Cell.ts'
import { type CellReader, openCell } from '../../codec/cell/CellReader.ts'
import { type Dict, readDict } from '../../codec/cell/Dict.ts'
import { type CurrencyCollection, readCurrencyCollection } from '../../codec/tlb/CurrencyCollection.ts'
import { outMsgsType } from '../../codec/tlb/Transaction.ts'
import type { AccountAfter } from './accountAfter.ts'
import type { BlockParts } from './BlockParts.ts'

/** A transaction with its place, all but its messages and description read. */
export type FoundTransaction = {
  readonly block: BlockParts
  readonly cell: Cell
  /** 33 bytes. */
  readonly account: Uint8Array
  readonly lt: bigint
  /** The same, as near as a number comes to it. */
  readonly ltNumber: number
  readonly prevHash: Uint8Array
  readonly prevLt: bigint
  readonly now: number
  readonly outMsgCount: number
  readonly origStatus: number
  readonly endStatus: number
  readonly inMsg: Cell | undefined
  readonly outMsgs: Dict<number, Cell>
  readonly totalFees: CurrencyCollection
  readonly stateBefore: Uint8Array
  readonly stateAfter: Uint8Array
  readonly description: Cell
  /** Of the last transaction of an account in a block. */
  after: AccountAfter | undefined
  /** Its hash as the block states it, in the next transaction of the account or in the account after it. */
  statedHash: Uint8Array | undefined
}

/** As `readTransaction`, but the description stays a cell, as it is kept, and statuses the numbers that they are. */
export const readFoundTransaction = (block: BlockParts, account: Uint8Array, cell: Cell): FoundTransaction => {
  const r = openCell(cell)
  r.expectTag(0b0111, 4)
  r.skipBits(256)
  const lt = r.readUint64()
  const prevHash = r.readBytes(32)
  const prevLt = r.readUint64()
  const now = r.readUint(32)
  const outMsgCount = r.readUint(15)
  const origStatus = r.readUint(2)
  const endStatus = r.readUint(2)
  const messages = r.readRef()
  const inMsg = messages.readMaybeRefCell()
  const outMsgs = readDict(messages, outMsgsType)
  const totalFees = readCurrencyCollection(r)
  const update = openHashUpdate(r)
  return {
    block,
    cell,
    account,
    lt,
    ltNumber: Number(lt),
    prevHash,
    prevLt,
    now,
    outMsgCount,
    origStatus,
    endStatus,
    inMsg,
    outMsgs,
    totalFees,
    stateBefore: update.readBytes(32),
    stateAfter: update.readBytes(32),
    description: r.readRefCell(),
    after: undefined,
    statedHash: undefined,
  }
}

/** update_hashes#72 */
const openHashUpdate = (r: CellReader): CellReader => {
  const update = r.readRef()
  update.expectTag(0x72, 8)
  return update
}

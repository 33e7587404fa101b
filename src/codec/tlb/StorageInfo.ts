import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readMaybeCoins, writeMaybeCoins } from './maybe.ts'
import { readStorageUsed, type StorageUsed, writeStorageUsed } from './StorageUsed.ts'
import { unknownTag } from './unknownTag.ts'

export type StorageInfo = {
  readonly used: StorageUsed
  /** Hash of the dictionary of the account's cells, kept for large accounts since global version 11. */
  readonly dictHash: Uint8Array | undefined
  readonly lastPaid: number
  readonly duePayment: bigint | undefined
}

/**
 * storage_extra_none$000 = StorageExtraInfo; storage_extra_info$001 dict_hash:uint256 = StorageExtraInfo;
 * Before version 11 the three bits were public_cells:(VarUInteger 7), always zero.
 */
const readStorageExtra = (r: CellReader): Uint8Array | undefined => {
  const tag = r.readUint(3)
  if (tag === 0b000) return undefined
  if (tag === 0b001) return r.readBytes(32)
  throw unknownTag('A StorageExtraInfo', '$000 or $001', tag, 3)
}

/** storage_info$_ used:StorageUsed storage_extra:StorageExtraInfo last_paid:uint32 due_payment:(Maybe Grams) = StorageInfo; */
export const readStorageInfo = (r: CellReader): StorageInfo => ({
  used: readStorageUsed(r),
  dictHash: readStorageExtra(r),
  lastPaid: r.readUint(32),
  duePayment: readMaybeCoins(r),
})

export const writeStorageInfo = (w: CellWriter, { used, dictHash, lastPaid, duePayment }: StorageInfo): void => {
  writeStorageUsed(w, used)
  w.writeUint(dictHash === undefined ? 0b000 : 0b001, 3)
  if (dictHash !== undefined) w.writeBytes(dictHash)
  w.writeUint(lastPaid, 32)
  writeMaybeCoins(w, duePayment)
}

import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readVarUint7, writeVarUint7 } from './varUint.ts'

export type StorageUsed = { readonly cells: bigint; readonly bits: bigint }

/** storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed; */
export const readStorageUsed = (r: CellReader): StorageUsed => ({ cells: readVarUint7(r), bits: readVarUint7(r) })

export const writeStorageUsed = (w: CellWriter, { cells, bits }: StorageUsed): void => {
  writeVarUint7(w, cells)
  writeVarUint7(w, bits)
}

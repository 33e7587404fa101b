import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type StorageUsed = { readonly cells: bigint; readonly bits: bigint }

/** storage_used$_ cells:(VarUInteger 7) bits:(VarUInteger 7) = StorageUsed; */
export const readStorageUsed = (r: CellReader): StorageUsed => ({ cells: r.readVarUint(3), bits: r.readVarUint(3) })

export const writeStorageUsed = (w: CellWriter, { cells, bits }: StorageUsed): void => {
  w.writeVarUint(cells, 3).writeVarUint(bits, 3)
}

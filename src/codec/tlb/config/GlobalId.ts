import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'

/** _ global_id:int32 = ConfigParam 19; */
export const readGlobalId = (r: CellReader): number => r.readInt(32)

export const writeGlobalId = (w: CellWriter, globalId: number): void => {
  w.writeInt(globalId, 32)
}

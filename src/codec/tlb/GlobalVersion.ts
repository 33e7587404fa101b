import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

/** A version and its capability bits: those in force (parameter 8), or those of the software that made a block. */
export type GlobalVersion = { readonly version: number; readonly capabilities: bigint }

/** capabilities#c4 version:uint32 capabilities:uint64 = GlobalVersion; */
export const readGlobalVersion = (r: CellReader): GlobalVersion => {
  r.expectTag(0xc4, 8)
  return { version: r.readUint(32), capabilities: r.readUint64() }
}

export const writeGlobalVersion = (w: CellWriter, { version, capabilities }: GlobalVersion): void => {
  w.writeUint(0xc4, 8).writeUint(version, 32).writeUint64(capabilities)
}

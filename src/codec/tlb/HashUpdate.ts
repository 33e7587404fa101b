import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type HashUpdate = { readonly oldHash: Uint8Array; readonly newHash: Uint8Array }

/** update_hashes#72 {X:Type} old_hash:bits256 new_hash:bits256 = HASH_UPDATE X; */
export const readHashUpdate = (r: CellReader): HashUpdate => {
  r.expectTag(0x72, 8)
  return { oldHash: r.readBytes(32), newHash: r.readBytes(32) }
}

export const writeHashUpdate = (w: CellWriter, { oldHash, newHash }: HashUpdate): void => {
  w.writeUint(0x72, 8).writeBytes(oldHash).writeBytes(newHash)
}

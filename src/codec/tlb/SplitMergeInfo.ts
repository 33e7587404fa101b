import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'

export type SplitMergeInfo = {
  readonly curShardPfxLen: number
  readonly accSplitDepth: number
  readonly thisAddr: Uint8Array
  readonly siblingAddr: Uint8Array
}

/** split_merge_info$_ cur_shard_pfx_len:(## 6) acc_split_depth:(## 6) this_addr:bits256 sibling_addr:bits256 = SplitMergeInfo; */
export const readSplitMergeInfo = (r: CellReader): SplitMergeInfo => ({
  curShardPfxLen: r.readUint(6),
  accSplitDepth: r.readUint(6),
  thisAddr: r.readBytes(32),
  siblingAddr: r.readBytes(32),
})

export const writeSplitMergeInfo = (w: CellWriter, info: SplitMergeInfo): void => {
  w.writeUint(info.curShardPfxLen, 6).writeUint(info.accSplitDepth, 6)
  w.writeBytes(info.thisAddr).writeBytes(info.siblingAddr)
}

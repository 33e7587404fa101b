import type { AugDict, AugDictType } from '../cell/AugDict.ts'
import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { uintKey } from '../cell/dictTypes.ts'
import { type ExtBlkRef, readExtBlkRef, writeExtBlkRef } from './ExtBlkRef.ts'

export type KeyExtBlkRef = { readonly isKey: boolean; readonly block: ExtBlkRef }

export type KeyMaxLt = { readonly hasKey: boolean; readonly maxEndLt: bigint }

/** Earlier masterchain blocks by seqno; the zerostate is entry 0 and counts as a key block. */
export type OldMcBlocks = AugDict<number, KeyExtBlkRef, KeyMaxLt>

/** _ key:Bool blk_ref:ExtBlkRef = KeyExtBlkRef; */
export const readKeyExtBlkRef = (r: CellReader): KeyExtBlkRef => ({ isKey: r.readBit(), block: readExtBlkRef(r) })

export const writeKeyExtBlkRef = (w: CellWriter, { isKey, block }: KeyExtBlkRef): void => {
  w.writeBit(isKey)
  writeExtBlkRef(w, block)
}

/** _ key:Bool max_end_lt:uint64 = KeyMaxLt; */
export const readKeyMaxLt = (r: CellReader): KeyMaxLt => ({ hasKey: r.readBit(), maxEndLt: r.readUint64() })

export const writeKeyMaxLt = (w: CellWriter, { hasKey, maxEndLt }: KeyMaxLt): void => {
  w.writeBit(hasKey).writeUint64(maxEndLt)
}

/** _ (HashmapAugE 32 KeyExtBlkRef KeyMaxLt) = OldMcBlocksInfo; */
export const oldMcBlocksType: AugDictType<number, KeyExtBlkRef, KeyMaxLt> = {
  key: uintKey(32),
  value: { read: readKeyExtBlkRef, write: writeKeyExtBlkRef },
  extra: {
    codec: { read: readKeyMaxLt, write: writeKeyMaxLt },
    empty: { hasKey: false, maxEndLt: 0n },
    combine: (left, right) => ({
      hasKey: left.hasKey || right.hasKey,
      maxEndLt: left.maxEndLt > right.maxEndLt ? left.maxEndLt : right.maxEndLt,
    }),
    ofLeaf: ({ isKey, block }) => ({ hasKey: isKey, maxEndLt: block.endLt }),
  },
}

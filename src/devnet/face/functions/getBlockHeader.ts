import { isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import { encodeHeaderProof } from '../headerProof.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { getBlockRoot } from '../referenceBlock.ts'

/** The header of a block, proven. */
export const getBlockHeader: LiteFunction<'liteServer.getBlockHeader'> = ({ store }, { id, mode }) => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid BlockIdExt')
  return { id, mode, headerProof: encodeHeaderProof(getBlockRoot(store, id), mode) }
}

import { isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, REQUEST_ERROR } from '../LiteRefusal.ts'
import { getBlockBytes } from '../referenceBlock.ts'

/** The bytes of a block, exactly as its file hash has them. */
export const getBlock: LiteFunction<'liteServer.getBlock'> = ({ store }, { id }) => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid BlockIdExt')
  return { id, data: getBlockBytes(store, id) }
}

import { type BlockIdExt, formatBlockIdExt } from '../../primitives/BlockId.ts'
import type { BlockFiles } from './ChainStore.ts'

/** Block files kept in memory: for chains that are read from elsewhere, and for those that leave nothing behind. */
export const createMemoryFiles = (): BlockFiles => {
  const files = new Map<string, Uint8Array>()
  return {
    put: (id, bytes) => void files.set(formatBlockIdExt(id), bytes),
    get: (id: BlockIdExt) => files.get(formatBlockIdExt(id)),
  }
}

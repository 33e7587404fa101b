import { formatBlockIdExt } from '../../primitives/BlockId.ts'
import type { BlockFiles } from './ChainStore.ts'

/** Block files kept in memory: for chains that are read from elsewhere, and for those that leave nothing behind. */
export const createMemoryFiles = (): BlockFiles => {
  const files = new Map<string, Uint8Array>()
  return {
    startGroup: () => undefined,
    put: (kind, id, bytes) => {
      if (kind === 'block') files.set(formatBlockIdExt(id), bytes)
    },
    get: (id) => files.get(formatBlockIdExt(id)),
  }
}

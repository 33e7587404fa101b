import { BLOCK_BOC, encodeBoc } from '../../../codec/cell/encodeBoc.ts'
import type { TlResults } from '../../../codec/tl/tlTypes.ts'
import { type BlockIdExt, formatBlockIdExt, isValidBlockIdExt } from '../../../primitives/BlockId.ts'
import { sha256 } from '../../../primitives/hash.ts'
import type { ChainStore } from '../../store/ChainStore.ts'
import type { LiteFunction } from '../LiteFunction.ts'
import { LiteRefusal, NOT_READY, REQUEST_ERROR } from '../LiteRefusal.ts'
import { getState as findState } from '../referenceBlock.ts'

/** States of later blocks may be too large to hand out. */
const MAX_SEQNO = 1000

/** A whole state. Only that of a first state has a file hash that means anything. */
export const getState: LiteFunction<'liteServer.getState'> = ({ store }, { id }) => {
  if (!isValidBlockIdExt(id)) throw new LiteRefusal(REQUEST_ERROR, 'invalid BlockIdExt')
  if (id.seqno > MAX_SEQNO) {
    throw new LiteRefusal(REQUEST_ERROR, 'cannot request total state: possibly too large')
  }
  if (id.seqno === 0) return getZeroState(store, id)
  const root = findState(store, id)
  const data = encodeBoc([root], BLOCK_BOC)
  return { id, rootHash: root.hash(), fileHash: sha256(data), data }
}

const getZeroState = ({ zeroStates }: ChainStore, id: BlockIdExt): TlResults['liteServer.getState'] => {
  const name = formatBlockIdExt(id)
  const found = zeroStates.find((state) => formatBlockIdExt(state.id) === name)
  if (found === undefined) throw new LiteRefusal(NOT_READY, 'zerostate not in db')
  return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: found.bytes }
}

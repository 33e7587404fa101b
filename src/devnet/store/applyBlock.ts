import { listPreviousBlocks, listShardTops } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { applyMerkleUpdate, readMerkleUpdate } from '../../codec/cell/merkle.ts'
import { writeWhole } from '../../codec/cell/wholeCell.ts'
import { openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import type { BlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openMcBlockExtra } from '../../codec/tlb/McBlockExtra.ts'
import { writeShardState } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import { ChainDataError } from './errors.ts'

type ReadBlock = { readonly id: BlockIdExt; readonly root: Cell; readonly info: BlockInfo }

/** The state after a block, from the state or states before it. */
export const applyBlock = ({ id, info, root }: ReadBlock, findState: (id: BlockIdExt) => Cell | undefined): Cell => {
  const before = listPreviousBlocks(info).map((prev) => {
    const state = findState(prev)
    if (state === undefined)
      throw new ChainDataError(`Block ${formatBlockId(id)} follows ${formatBlockId(prev)}, which is missing.`)
    return state
  })
  const [left, right] = before
  const old = right === undefined ? left! : joinStates(left!, right)
  try {
    return applyMerkleUpdate(old, openBlock(root).stateUpdate)
  } catch (cause) {
    if (!(cause instanceof CodedError)) throw cause
    throw new ChainDataError(`The state update of block ${formatBlockId(id)} does not fit: ${cause.message}`, { cause })
  }
}

const joinStates = (left: Cell, right: Cell): Cell => writeWhole(writeShardState, { kind: 'split', left, right })

/** The hash of the state after a block. */
export const stateHashAfter = (root: Cell): Uint8Array => readMerkleUpdate(openBlock(root).stateUpdate).after.hash(0)

/** The newest block of every shard, as a masterchain block names them. */
export const topsOf = ({ id, root }: { readonly id: BlockIdExt; readonly root: Cell }): readonly BlockIdExt[] => {
  const { custom } = openBlockExtra(openBlock(root).extra)
  if (custom === undefined) throw new ChainDataError(`Masterchain block ${formatBlockId(id)} has no shard list.`)
  return listShardTops(openMcBlockExtra(custom).shardHashes)
}

import { listPreviousBlocks } from '../../chain/shardBlocks.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { decodeSingleBoc } from '../../codec/cell/decodeBoc.ts'
import { CellError } from '../../codec/cell/errors.ts'
import { readMerkleUpdate } from '../../codec/cell/merkle.ts'
import { type BlockExtra, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { type BlockInfo, openBlockInfo } from '../../codec/tlb/BlockInfo.ts'
import { openShardAccounts, type ShardAccounts } from '../../codec/tlb/ShardAccounts.ts'
import { openShardState } from '../../codec/tlb/ShardState.ts'
import { type BlockIdExt, formatBlockId } from '../../primitives/BlockId.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { RawBlock } from '../RawUnit.ts'
import { BlockUndecodableError } from './errors.ts'

/** A block with the parts that are indexed. */
export type BlockParts = {
  readonly id: BlockIdExt
  readonly globalId: number
  readonly info: BlockInfo
  readonly previous: readonly BlockIdExt[]
  readonly extra: BlockExtra
  /** The Merkle update of the state. */
  readonly stateUpdate: Cell
}

/** Opens a block whose bytes were compared with its file hash before. */
export const openBlockParts = ({ id, bytes }: RawBlock): BlockParts => {
  const block = openBlock(decodeSingleBoc(bytes, { trusted: true, skipChecksum: true }))
  const info = openBlockInfo(block.info)
  if (info.workchain !== id.workchain || info.shard !== id.shard || info.seqno !== id.seqno) {
    throw new CellError(`It calls itself ${formatBlockId(info)}.`)
  }
  if ((id.workchain << 24) >> 24 !== id.workchain) {
    throw new CellError(`Workchains from -128 to 127 are indexed, this is ${id.workchain}.`)
  }
  return {
    id,
    globalId: block.globalId,
    info,
    previous: listPreviousBlocks(info),
    extra: openBlockExtra(block.extra),
    stateUpdate: block.stateUpdate,
  }
}

/** The accounts after a block, as far as its update of the state shows them: those with transactions in it are all there. */
export const openAccountsAfter = ({ stateUpdate }: BlockParts): ShardAccounts => {
  const state = openShardState(readMerkleUpdate(stateUpdate).after)
  if (state.kind !== 'unsplit') throw new CellError('The state after a block is that of two shards.')
  return openShardAccounts(state.accounts)
}

/** Does something with a block; what is wrong with it is told with its name. */
export const naming = <T>(getId: () => BlockIdExt, work: () => T): T => {
  try {
    return work()
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause instanceof BlockUndecodableError) throw cause
    throw new BlockUndecodableError(getId(), cause.message, { cause })
  }
}

import { ProofFailedError } from '../../chain/errors.ts'
import type { KeyExtBlkRef, McStateHistory } from '../../codec/tlb/McStateExtra.ts'
import { type BlockIdExt, formatBlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import { blockIdOf, blockIdsEqual } from './blockIds.ts'
import { proving } from './proving.ts'

const MASTERCHAIN = { workchain: masterchain, shard: wholeShard }

/** The entry of an earlier masterchain block in a later state, which must be the block with exactly this id. */
export const expectOldBlock = ({ prevBlocks }: McStateHistory, id: BlockIdExt): KeyExtBlkRef => {
  const entry = proving('an earlier masterchain block', () => prevBlocks.find(id.seqno))
  if (entry === undefined || !blockIdsEqual(blockIdOf(MASTERCHAIN, entry.block), id)) {
    throw new ProofFailedError(`Block ${formatBlockIdExt(id)} is not among the earlier blocks of the masterchain.`)
  }
  return entry
}

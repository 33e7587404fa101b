import type { LiveNode } from '../../chain/LiveChain.ts'
import { type BlockIdExt, masterchain } from '../../primitives/BlockId.ts'
import { wholeShard } from '../../primitives/shard.ts'
import type { Lifetime } from '../core/Endpoint.ts'

/** The masterchain block with a number; the newest one where there is none. */
export const getMasterchainBlock = async (node: LiveNode, seqno: number | undefined): Promise<BlockIdExt> => {
  const head = await node.getHead(seqno)
  if (seqno === undefined || seqno === head.seqno) return head
  const { id } = await node.lookupBlock({ workchain: masterchain, shard: wholeShard }, { seqno })
  return id
}

/** How long an answer about that block stays right. */
export const lifetimeAt = ({ seqno }: { readonly seqno?: number | undefined }): Lifetime =>
  seqno === undefined ? 'head' : 'forever'

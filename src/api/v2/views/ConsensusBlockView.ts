import { type Static, Type } from 'typebox'
import { typeName } from './scalars.ts'

export const ConsensusBlockView = Type.Object(
  {
    '@type': typeName('ext.blocks.consensusBlock'),
    consensus_block: Type.Integer({ description: 'The number of a masterchain block.', examples: [57_442_406] }),
    timestamp: Type.Integer({ description: 'When that was found, in seconds.', examples: [1_770_841_000] }),
  },
  { $id: 'ConsensusBlock', description: 'How far most nodes are.' },
)

export const toConsensusBlockView = (seqno: number, nowMs: number): Static<typeof ConsensusBlockView> => ({
  '@type': 'ext.blocks.consensusBlock',
  consensus_block: seqno,
  timestamp: Math.floor(nowMs / 1000),
})

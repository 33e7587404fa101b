import { NodeClientError } from '../NodeClientError.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { ConsensusBlockView, toConsensusBlockView } from '../views/ConsensusBlockView.ts'

export const getConsensusBlock = v2LocalEndpoint({
  name: 'getConsensusBlock',
  tags: ['blocks'],
  summary: 'The newest masterchain block that most nodes know.',
  params: {},
  result: ConsensusBlockView,
  errors: [],
  async handle({ chain, call }) {
    const seqno = await chain.getConsensusSeqno(call.signal)
    if (seqno === undefined) throw new NodeClientError('no workers alive')
    return toConsensusBlockView(seqno, Date.now())
  },
})

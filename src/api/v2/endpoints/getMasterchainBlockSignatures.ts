import { masterchain } from '../../../primitives/BlockId.ts'
import { wholeShard } from '../../../primitives/shard.ts'
import { whenMissing } from '../../core/Param.ts'
import { NodeClientError } from '../NodeClientError.ts'
import { SeqnoParam } from '../params.ts'
import { outOfRange } from '../RefusedRequestError.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { BlockSignaturesView, toBlockSignaturesView } from '../views/BlockSignaturesView.ts'

export const getMasterchainBlockSignatures = v2Endpoint({
  name: 'getMasterchainBlockSignatures',
  tags: ['blocks'],
  summary: 'The signatures of validators under a masterchain block.',
  params: { seqno: whenMissing(SeqnoParam, outOfRange('seqno should be positive')) },
  result: BlockSignaturesView,
  errors: [],
  lifetime: () => 'forever',
  async handle({ node }, { seqno }) {
    const place = { workchain: masterchain, shard: wholeShard }
    const { id: previous } = await node.lookupBlock(place, { seqno: seqno - 1 })
    const { id } = await node.lookupBlock(place, { seqno })
    const { steps } = await node.getBlockProof(previous, id)
    const last = steps.at(-1)
    if (last?.kind !== 'liteServer.blockLinkForward' || last.to.seqno !== seqno) {
      throw new NodeClientError(`The node has no link forward to block ${seqno}.`)
    }
    return toBlockSignaturesView(id, last.signatures)
  },
})

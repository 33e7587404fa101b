import { optional } from '../../core/Param.ts'
import { configRoot } from '../configRoot.ts'
import { getMasterchainBlock, lifetimeAt } from '../masterchainBlock.ts'
import { SeqnoParam } from '../params.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ConfigInfoView, toConfigInfoView } from '../views/ConfigInfoView.ts'

export const getConfigAll = v2Endpoint({
  name: 'getConfigAll',
  tags: ['configuration'],
  summary: 'All parameters of the network: the root of their dictionary.',
  params: { seqno: optional(SeqnoParam) },
  result: ConfigInfoView,
  errors: [],
  lifetime: lifetimeAt,
  async handle({ node }, { seqno }) {
    const config = await node.getConfig(undefined, await getMasterchainBlock(node, seqno))
    return toConfigInfoView(configRoot(config))
  },
})

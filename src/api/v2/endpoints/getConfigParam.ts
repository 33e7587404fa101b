import { optional } from '../../core/Param.ts'
import { getMasterchainBlock, lifetimeAt } from '../masterchainBlock.ts'
import { CountParam, SeqnoParam } from '../params.ts'
import { outOfRange } from '../RefusedRequestError.ts'
import { v2Endpoint } from '../v2Endpoint.ts'
import { ConfigInfoView, toConfigInfoView } from '../views/ConfigInfoView.ts'

export const getConfigParam = v2Endpoint({
  name: 'getConfigParam',
  tags: ['configuration'],
  summary: 'One parameter of the network; the cell is empty where the network has none of this number.',
  description: 'The number goes by the name `param` or by `config_id`.',
  params: { param: optional(CountParam), config_id: optional(CountParam), seqno: optional(SeqnoParam) },
  result: ConfigInfoView,
  errors: [],
  lifetime: lifetimeAt,
  check: ({ param, config_id }) => {
    if ((param === undefined) === (config_id === undefined)) {
      throw outOfRange('only one of config_id or param should be specified')
    }
  },
  async handle({ node }, { param, config_id, seqno }) {
    const id = (param ?? config_id)!
    const config = await node.getConfig([id], await getMasterchainBlock(node, seqno))
    return toConfigInfoView(config.find(id))
  },
})

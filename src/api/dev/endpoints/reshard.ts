import { Type } from 'typebox'
import { param } from '../../core/Param.ts'
import { devEndpoint } from '../devEndpoint.ts'
import { StatusView, toStatusView } from '../views/StatusView.ts'

export const reshard = devEndpoint({
  name: 'reshard',
  methods: ['POST'],
  tags: ['network'],
  summary: 'Splits or merges all shards of the basechain, over the next blocks and as far as the configuration allows.',
  params: { wish: param(Type.Union([Type.Literal('split'), Type.Literal('merge')])) },
  result: StatusView,
  errors: ['dev_input_invalid', 'dev_network_closed'],
  async handle(network, { wish }) {
    await network.reshard(wish)
    return toStatusView(network.getStatus())
  },
})

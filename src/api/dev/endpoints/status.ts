import { devEndpoint } from '../devEndpoint.ts'
import { StatusView, toStatusView } from '../views/StatusView.ts'

export const status = devEndpoint({
  name: 'status',
  methods: ['GET'],
  tags: ['network'],
  summary: 'How the network stands: its newest blocks, its clock, and when it makes blocks.',
  params: {},
  result: StatusView,
  errors: [],
  handle: (network) => toStatusView(network.getStatus()),
})

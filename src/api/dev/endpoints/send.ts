import { devEndpoint } from '../devEndpoint.ts'
import { CellParam } from '../params.ts'
import { SentView, toSentView } from '../views/SentView.ts'

export const send = devEndpoint({
  name: 'send',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Takes an external message, as a liteserver does.',
  params: { boc: CellParam },
  result: SentView,
  errors: ['lite_refusal', 'dev_network_closed'],
  handle: async (network, { boc }) => toSentView(await network.send(boc)),
})

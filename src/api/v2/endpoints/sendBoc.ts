import { MessageParam, OkView, sendMessage } from '../sendMessage.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'

export const sendBoc = v2LocalEndpoint({
  name: 'sendBoc',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Sends an external message. That it was taken does not say that it will be executed.',
  params: { boc: MessageParam },
  result: OkView,
  errors: ['node_refused', 'node_unavailable'],
  async handle(context, { boc }) {
    await sendMessage(context, boc)
    return { '@type': 'ok' as const }
  },
})

import { MessageParam, sendMessage } from '../sendMessage.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { SentMessageView, toSentMessageView } from '../views/SentMessageView.ts'

export const sendBocReturnHash = v2LocalEndpoint({
  name: 'sendBocReturnHash',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Sends an external message, and tells the hashes by which it can be found later.',
  params: { boc: MessageParam },
  result: SentMessageView,
  errors: ['node_refused', 'node_unavailable'],
  handle: async (context, { boc }) => toSentMessageView(await sendMessage(context, boc)),
})

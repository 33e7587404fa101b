import { NodeRefusedError } from '../../../chain/errors.ts'
import { describeNodeError } from '../describeFailure.ts'
import { MessageRefusedError } from '../errors.ts'
import { NodeClientError } from '../NodeClientError.ts'
import { MessageParam, sendMessage } from '../sendMessage.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { SentMessageView, toSentMessageView } from '../views/SentMessageView.ts'

export const sendBocReturnHashNoError = v2LocalEndpoint({
  name: 'sendBocReturnHashNoError',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'As sendBocReturnHash; a message that is not taken is a fault of the request, not of the server.',
  params: { boc: MessageParam },
  result: SentMessageView,
  errors: ['message_refused', 'node_unavailable'],
  async handle(context, { boc }) {
    try {
      return toSentMessageView(await sendMessage(context, boc))
    } catch (error) {
      if (error instanceof NodeClientError) throw new MessageRefusedError(error.message, { cause: error })
      if (error instanceof NodeRefusedError) throw new MessageRefusedError(describeNodeError(error), { cause: error })
      throw error
    }
  },
})

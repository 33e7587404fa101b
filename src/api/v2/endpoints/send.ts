import { type Static, Type } from 'typebox'
import { NodeRefusedError } from '../../../chain/errors.ts'
import { normalizedExternalHash } from '../../../codec/tlb/Message.ts'
import { toBase64 } from '../../../primitives/base64.ts'
import { describeNodeError } from '../envelope.ts'
import { MessageRefusedError, NodeClientError } from '../errors.ts'
import { bagQueryParams, decodeBagQuery, objectQueryParams, readObjectQuery, sendQueryParts } from '../externalQuery.ts'
import { MessageParam, OkView, type SentMessage, sendMessage } from '../sendMessage.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'
import { HashView, typeName } from '../views/scalars.ts'

export const sendBoc = v2LocalEndpoint({
  name: 'sendBoc',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an external message. Acceptance by a node does not mean that it will be executed.',
  params: { boc: MessageParam },
  result: OkView,
  errors: ['node_refused', 'node_unavailable'],
  async handle(context, { boc }) {
    await sendMessage(context, boc)
    return { '@type': 'ok' as const }
  },
})

const SentMessageView = Type.Object(
  { '@type': typeName('raw.extMessageInfo'), hash: HashView, hash_norm: HashView },
  {
    $id: 'SentMessage',
    description: 'Hash of the message as sent, and its normalized hash.',
  },
)

export const toSentMessageView = ({ root, message }: SentMessage): Static<typeof SentMessageView> => ({
  '@type': 'raw.extMessageInfo',
  hash: toBase64(root.hash()),
  hash_norm: toBase64(normalizedExternalHash(message)),
})

export const sendBocReturnHash = v2LocalEndpoint({
  name: 'sendBocReturnHash',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Send an external message and return its hashes.',
  params: { boc: MessageParam },
  result: SentMessageView,
  errors: ['node_refused', 'node_unavailable'],
  handle: async (context, { boc }) => toSentMessageView(await sendMessage(context, boc)),
})

export const sendBocReturnHashNoError = v2LocalEndpoint({
  name: 'sendBocReturnHashNoError',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Like sendBocReturnHash, but a refused message is a client error.',
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

export const sendQuery = v2LocalEndpoint({
  name: 'sendQuery',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Build an external message from its parts and send it.',
  params: bagQueryParams,
  result: OkView,
  errors: ['node_refused', 'node_unavailable'],
  handle: (context, { address, ...parts }) => sendQueryParts(context, address, decodeBagQuery(parts)),
})

export const sendQuerySimple = v2LocalEndpoint({
  name: 'sendQuerySimple',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Deprecated: sendQuery with cells as JSON objects.',
  params: objectQueryParams,
  result: OkView,
  errors: ['cell_object_invalid', 'node_refused', 'node_unavailable'],
  handle: (context, { address, ...parts }) => sendQueryParts(context, address, readObjectQuery(parts)),
})

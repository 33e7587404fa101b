import { bagQueryParams, decodeBagQuery, sendQueryParts } from '../externalQuery.ts'
import { OkView } from '../sendMessage.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'

export const sendQuery = v2LocalEndpoint({
  name: 'sendQuery',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'Packs an external message from its parts, and sends it.',
  params: bagQueryParams,
  result: OkView,
  errors: ['node_refused', 'node_unavailable'],
  handle: (context, { address, ...parts }) => sendQueryParts(context, address, decodeBagQuery(parts)),
})

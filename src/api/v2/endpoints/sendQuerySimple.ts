import { objectQueryParams, readObjectQuery, sendQueryParts } from '../externalQuery.ts'
import { OkView } from '../sendMessage.ts'
import { v2LocalEndpoint } from '../v2Endpoint.ts'

export const sendQuerySimple = v2LocalEndpoint({
  name: 'sendQuerySimple',
  methods: ['POST'],
  tags: ['messages'],
  summary: 'As sendQuery, with cells as objects (deprecated).',
  params: objectQueryParams,
  result: OkView,
  errors: ['cell_object_invalid', 'node_refused', 'node_unavailable'],
  handle: (context, { address, ...parts }) => sendQueryParts(context, address, readObjectQuery(parts)),
})

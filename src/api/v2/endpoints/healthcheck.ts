import { Type } from 'typebox'
import { v2LocalEndpoint } from '../v2Endpoint.ts'

export const healthcheck = v2LocalEndpoint({
  name: 'healthcheck',
  methods: ['GET'],
  tags: ['service'],
  summary: 'Says that the service is there.',
  params: {},
  result: Type.Literal('OK'),
  errors: [],
  isBare: true,
  isFree: true,
  handle: () => 'OK' as const,
})

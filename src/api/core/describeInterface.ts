import { type TSchema, Type } from 'typebox'
import { type Endpoint, type HttpMethod, methodsOf, rpcMethodsOf } from './Endpoint.ts'
import type { Interface } from './Interface.ts'
import type { Param } from './Param.ts'
import { type PlainSchema, SchemaHoist } from './SchemaHoist.ts'
import { keywordsOf } from './schemaKeywords.ts'
import { type ErrorCode, wireErrors } from './wireErrors.ts'

type Operation = { readonly [name: string]: unknown }
type Paths = { [path: string]: { [method: string]: Operation } }

/** The OpenAPI 3.1 document of an interface as it is served. */
export const describeAsJson = (definition: Interface): string => {
  const json = JSON.stringify(describeInterface(definition))
  return definition.respell?.(json) ?? json
}

/** The OpenAPI 3.1 document of an interface. */
export const describeInterface = (definition: Interface): { readonly [name: string]: unknown } => {
  const { prefix, title, description, version, endpoints, jsonRpc } = definition
  const hoist = new SchemaHoist()
  const paths: Paths = {}
  for (const endpoint of endpoints) {
    const operations = methodsOf(endpoint).map((method) => [
      method.toLowerCase(),
      describeOperation(definition, endpoint, method, hoist),
    ])
    paths[`${prefix}/${endpoint.name}`] = Object.fromEntries(operations)
  }
  if (jsonRpc !== undefined) paths[`${prefix}${jsonRpc.path}`] = { post: describeJsonRpc(endpoints, jsonRpc.maxBatch) }
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    ...(isGated(definition) && { security: [{}, ...Object.keys(keySchemes).map((name) => ({ [name]: [] }))] }),
    paths,
    components: { schemas: hoist.components, ...(isGated(definition) && { securitySchemes: keySchemes }) },
  }
}

/** Who asks from elsewhere comes through the gateway; without a key, as a visitor. */
const isGated = ({ localOnly }: Interface): boolean => !localOnly

const keySchemes = {
  ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
}

const describeOperation = (
  definition: Interface,
  endpoint: Endpoint,
  method: HttpMethod,
  hoist: SchemaHoist,
): Operation => {
  const isTwin = method === 'POST' && methodsOf(endpoint).includes('GET')
  const { name, tags, summary, description } = endpoint
  return {
    operationId: isTwin ? `${name}Post` : name,
    tags,
    summary,
    ...(description !== undefined && { description }),
    ...(method === 'GET'
      ? { parameters: [...describeQuery(endpoint, hoist), ...describeHeaders(endpoint, hoist)] }
      : describeBody(definition, endpoint, hoist)),
    responses: {
      200: describeAnswer(
        'The result.',
        endpoint.isBare === true ? endpoint.result : definition.envelopeSchema(endpoint.result),
        hoist,
      ),
      ...describeErrors(definition, endpoint, method, hoist),
    },
  }
}

const describeQuery = ({ params }: Endpoint, hoist: SchemaHoist): Operation[] =>
  Object.entries(params).map(([name, param]) => {
    const { description } = keywordsOf(param.shown ?? param.schema)
    return {
      name,
      in: 'query',
      required: param.presence === 'required',
      ...(description !== undefined && { description }),
      schema: describeParam(param, hoist),
    }
  })

const describeHeaders = ({ headers = {} }: Endpoint, hoist: SchemaHoist): Operation[] =>
  Object.entries(headers).map(([name, schema]) => {
    const { description } = keywordsOf(schema)
    return {
      name,
      in: 'header',
      required: false,
      ...(description !== undefined && { description }),
      schema: hoist.hoist(schema),
    }
  })

const describeBody = ({ body, ignoredMembers }: Interface, { params }: Endpoint, hoist: SchemaHoist): Operation => {
  const entries = Object.entries(params)
  const required = entries.filter(([, { presence }]) => presence === 'required').map(([name]) => name)
  const schema: PlainSchema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, param]) => [name, describeParam(param, hoist)])),
    ...(required.length > 0 && { required }),
    additionalProperties: ignoredMembers === 'all',
  }
  const isRequired = required.length > 0 || !body.mayBeEmpty
  return { requestBody: { required: isRequired, content: { 'application/json': { schema } } } }
}

const describeParam = ({ schema, shown = schema, fallback }: Param, hoist: SchemaHoist): PlainSchema => {
  const plain = hoist.hoist(shown)
  return fallback === undefined ? plain : { ...plain, default: fallback }
}

/** What a call may come to besides the errors of its endpoint. */
const commonErrors = (definition: Interface, method: HttpMethod): ErrorCode[] => [
  ...(method === 'POST' ? (['invalid_json', 'invalid_request'] as const) : []),
  'forbidden',
  ...(isGated(definition) ? (['unauthorized', 'rate_limited'] as const) : []),
  'invalid_params',
  'internal',
  'deadline_exceeded',
]

const describeErrors = (
  definition: Interface,
  endpoint: Endpoint,
  method: HttpMethod,
  hoist: SchemaHoist,
): { readonly [status: string]: Operation } => {
  const { statuses = {}, errorSchema } = definition
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set([...endpoint.errors, ...commonErrors(definition, method)])) {
    const status = statuses[code] ?? wireErrors[code].status
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const entries = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    entries.map(([status, codes]) => [status, describeAnswer(codes.join(', '), errorSchema, hoist)]),
  )
}

const describeAnswer = (description: string, schema: TSchema, hoist: SchemaHoist): Operation => ({
  description,
  content: { 'application/json': { schema: hoist.hoist(schema) } },
})

const describeJsonRpc = (endpoints: readonly Endpoint[], maxBatch: number): Operation => {
  const request = Type.Object({
    jsonrpc: Type.Optional(Type.Literal('2.0')),
    id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    method: Type.Union(rpcMethodsOf(endpoints).map(({ name }) => Type.Literal(name))),
    params: Type.Optional(Type.Object({})),
  })
  const schema =
    maxBatch === 0 ? request : Type.Union([request, Type.Array(request, { minItems: 1, maxItems: maxBatch })])
  const answer = { description: 'The answer, or the answers to a batch.', content: { 'application/json': {} } }
  return {
    operationId: 'jsonRpc',
    tags: ['JSON-RPC'],
    summary: 'Every method, by JSON-RPC.',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: answer },
  }
}

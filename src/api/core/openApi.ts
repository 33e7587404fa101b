import { type TSchema, Type } from 'typebox'
import { type Endpoint, type HttpMethod, hasBody, methodsOf, pathOf, rpcMethodsOf } from './Endpoint.ts'
import type { Description, Interface, JsonRpc } from './Interface.ts'
import { keywordsOf, type Param } from './params.ts'
import { type ErrorCode, wireErrors } from './wireErrors.ts'

/** A schema as JSON, as an OpenAPI document has it. */
type PlainSchema = { readonly [keyword: string]: unknown }

/**
 * Takes schemas into an OpenAPI document. One that has an `$id` is written once, among the components, and referred to
 * everywhere else.
 */
export class SchemaHoist {
  readonly components: Record<string, PlainSchema> = {}
  private readonly taken = new Map<string, TSchema>()

  hoist(schema: TSchema): PlainSchema {
    const { $id, $defs, $ref } = keywordsOf(schema)
    // A schema that holds itself: what it refers to has its name for an id.
    for (const each of Object.values($defs ?? {})) this.hoist(each)
    if ($ref !== undefined) return { $ref: `#/components/schemas/${$ref}` }
    if ($id === undefined) return this.copy(schema)
    const known = this.taken.get($id)
    if (known === undefined) {
      this.taken.set($id, schema)
      this.components[$id] = this.copy(schema)
    } else if (JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the $id ${$id}: rename one of them.`)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }

  private copy(schema: TSchema): PlainSchema {
    const { $id: _, ...keywords } = toCurrentDraft(schema as { readonly [keyword: string]: unknown })
    const plain = Object.fromEntries(
      Object.entries(keywords).map(([name, value]) => [name, this.copyKeyword(name, value)]),
    )
    // A bigint is an integer on the wire.
    if (plain['type'] === 'bigint') return { ...plain, type: 'integer' }
    return toEnum(plain) ?? plain
  }

  private copyKeyword(name: string, value: unknown): unknown {
    if (schemaKeywords.has(name)) return isSchema(value) ? this.hoist(value) : value
    if (schemaListKeywords.has(name)) return (value as readonly TSchema[]).map((each) => this.hoist(each))
    if (!schemaTableKeywords.has(name)) return value
    const table = Object.entries(value as { readonly [key: string]: TSchema })
    return Object.fromEntries(table.map(([key, each]) => [key, this.hoist(each)]))
  }
}

const schemaKeywords = new Set(['items', 'additionalProperties', 'not'])
const schemaListKeywords = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])
const schemaTableKeywords = new Set(['properties', 'patternProperties'])

const isSchema = (value: unknown): value is TSchema => typeof value === 'object' && value !== null

/** A tuple, in the form of JSON schema 2020-12. */
const toCurrentDraft = (schema: PlainSchema): PlainSchema => {
  const { items, additionalItems: _, ...rest } = schema
  return Array.isArray(items) ? { ...rest, prefixItems: items, items: false } : schema
}

/** A union of string literals as `enum`, which code generators support best. */
const toEnum = ({ anyOf, ...rest }: PlainSchema): PlainSchema | undefined => {
  if (!Array.isArray(anyOf) || !anyOf.every((each) => each.type === 'string' && 'const' in each)) return undefined
  return { type: 'string', enum: anyOf.map((each) => each.const), ...rest }
}

type Operation = { readonly [name: string]: unknown }
type Paths = { [path: string]: { [method: string]: Operation } }

/** The OpenAPI 3.1 document of an interface, in its dialect. */
export const describeAsJson = (definition: Interface): string => {
  const document = describeInterface(definition)
  const json = JSON.stringify(definition.describeDialect?.(document) ?? document)
  return definition.applyDialect?.(json) ?? json
}

/** The OpenAPI 3.1 document of an interface. */
export const describeInterface = (definition: Interface): Description => {
  const { prefix, title, description, version, endpoints, jsonRpc } = definition
  const hoist = new SchemaHoist()
  const paths: Paths = {}
  for (const endpoint of endpoints) {
    const operations = methodsOf(endpoint).map((method) => [
      method.toLowerCase(),
      describeOperation(definition, endpoint, method, hoist),
    ])
    const path = `${prefix}/${pathOf(endpoint)}`
    paths[path] = { ...paths[path], ...Object.fromEntries(operations) }
  }
  if (jsonRpc !== undefined) paths[`${prefix}${jsonRpc.path}`] = { post: describeJsonRpc(definition, jsonRpc) }
  return {
    openapi: '3.1.0',
    info: { title, version, description },
    ...(isGated(definition) && { security: [{}, ...Object.keys(keySchemes).map((name) => ({ [name]: [] }))] }),
    paths,
    components: { schemas: hoist.components, ...(isGated(definition) && { securitySchemes: keySchemes }) },
  }
}

/** Public interfaces have access control; an API key is optional. */
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
    ...(hasBody(method)
      ? describeBody(definition, endpoint, hoist)
      : { parameters: [...describeQuery(endpoint, hoist), ...describeHeaders(endpoint, hoist)] }),
    responses: {
      [endpoint.status ?? 200]:
        endpoint.status === 204
          ? { description: 'Done.' }
          : describeAnswer(
              'The result.',
              endpoint.isBare === true ? endpoint.result : definition.envelopeSchema(endpoint.result),
              hoist,
            ),
      ...describeErrors(definition, endpoint, method, hoist),
    },
  }
}

const isInPath = (endpoint: Endpoint, name: string): boolean => pathOf(endpoint).includes(`{${name}}`)

const describeQuery = (endpoint: Endpoint, hoist: SchemaHoist, names = Object.keys(endpoint.params)): Operation[] =>
  names.map((name) => {
    const param = endpoint.params[name]!
    const { description } = keywordsOf(param.shown ?? param.schema)
    return {
      name,
      in: isInPath(endpoint, name) ? 'path' : 'query',
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

const describeBody = ({ body, ignoredMembers }: Interface, endpoint: Endpoint, hoist: SchemaHoist): Operation => {
  const inPath = Object.keys(endpoint.params).filter((name) => isInPath(endpoint, name))
  const entries = Object.entries(endpoint.params).filter(([name]) => !inPath.includes(name))
  const required = entries.filter(([, { presence }]) => presence === 'required').map(([name]) => name)
  const schema: PlainSchema = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, param]) => [name, describeMember(param, hoist)])),
    ...(required.length > 0 && { required }),
    additionalProperties: ignoredMembers === 'all',
  }
  const isRequired = required.length > 0 || !body.mayBeEmpty
  return {
    ...(inPath.length > 0 && { parameters: describeQuery(endpoint, hoist, inPath) }),
    requestBody: { required: isRequired, content: { 'application/json': { schema } } },
  }
}

const describeParam = ({ schema, shown = schema, fallback }: Param, hoist: SchemaHoist): PlainSchema => {
  const plain = hoist.hoist(shown)
  return fallback === undefined ? plain : { ...plain, default: fallback }
}

/** In a body, null means absent. */
const describeMember = (param: Param, hoist: SchemaHoist): PlainSchema => {
  const plain = describeParam(param, hoist)
  if (param.presence === 'required') return plain
  const { type, enum: words, default: fallback, ...rest } = plain
  const common = fallback === undefined ? {} : { default: fallback }
  if (typeof type !== 'string') return { anyOf: [{ ...plain, default: undefined }, { type: 'null' }], ...common }
  return { ...rest, type: [type, 'null'], ...(Array.isArray(words) && { enum: [...words, null] }), ...common }
}

/** Errors of any call besides those of its endpoint. */
const commonErrors = (definition: Interface, method: HttpMethod): ErrorCode[] => [
  ...(hasBody(method) ? (['invalid_json', 'invalid_request', 'body_too_large'] as const) : []),
  ...(hasBody(method) && definition.body.mediaType === 'json' ? (['unsupported_media_type'] as const) : []),
  'unauthorized',
  'forbidden',
  'request_timeout',
  'url_too_long',
  'headers_too_large',
  ...(isGated(definition) ? (['rate_limited'] as const) : []),
  'invalid_params',
  'internal',
  'deadline_exceeded',
  ...(definition.commonErrors ?? []),
]

const describeErrors = (
  definition: Interface,
  endpoint: Endpoint,
  method: HttpMethod,
  hoist: SchemaHoist,
): { readonly [status: string]: Operation } => {
  const byStatus = codesByStatus(definition, [...endpoint.errors, ...commonErrors(definition, method)])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, describeAnswer(codes.join(', '), definition.errorSchema, hoist)]),
  )
}

const codesByStatus = (
  { statuses = {}, proxiedStatuses = [] }: Interface,
  codes: readonly ErrorCode[],
): [status: number, codes: ErrorCode[]][] => {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes)) {
    const own = statuses[code] ?? wireErrors[code].status
    for (const status of code === 'live_interface_refused' ? new Set([own, ...proxiedStatuses]) : [own]) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), code])
    }
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

const describeAnswer = (description: string, schema: TSchema, hoist: SchemaHoist): Operation => ({
  description,
  content: { 'application/json': { schema: hoist.hoist(schema) } },
})

const describeJsonRpc = (definition: Interface, rpc: JsonRpc): Operation => {
  const { endpoints } = definition
  const { maxBatch } = rpc
  const request = Type.Object({
    jsonrpc: Type.Optional(Type.Literal('2.0')),
    id: Type.Optional(Type.Union([Type.String(), Type.Number(), Type.Null()])),
    method: Type.Union(rpcMethodsOf(endpoints).map(({ name }) => Type.Literal(name))),
    params: Type.Optional(Type.Object({})),
  })
  const schema =
    maxBatch === 0 ? request : Type.Union([request, Type.Array(request, { minItems: 1, maxItems: maxBatch })])
  const answer = { description: 'The response, or the responses to a batch.', content: { 'application/json': {} } }
  // Errors of the request always have an HTTP status of their own; errors of calls depend on the dialect.
  const ofCalls = [...rpcMethodsOf(endpoints).flatMap(({ errors }) => errors), 'unknown_method' as const]
  const isAlwaysOk = rpc.statusOf({ status: 500, rpc: 0, code: 'internal', message: '', error: undefined }) === 200
  const codes = [...commonErrors(definition, 'POST'), ...(isAlwaysOk ? (['batch_too_long'] as const) : ofCalls)]
  const failures = codesByStatus(definition, codes).map(([status, each]) => [
    status,
    { description: each.join(', '), content: { 'application/json': {} } },
  ])
  return {
    operationId: 'jsonRpc',
    tags: ['JSON-RPC'],
    summary: 'Call any method by JSON-RPC.',
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { 200: answer, ...Object.fromEntries(failures) },
  }
}

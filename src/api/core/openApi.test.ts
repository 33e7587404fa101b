import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type } from 'typebox'
import { sample } from '../../../test/support/sampleInterface.ts'
import { serveSample } from '../../../test/support/serveSample.ts'
import { describeInterface, SchemaHoist } from './openApi.ts'

type Operation = {
  operationId: string
  responses: Record<string, unknown>
  parameters?: unknown[]
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
}
type Document = {
  security?: unknown
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; securitySchemes?: unknown }
}

const document = JSON.parse(JSON.stringify(describeInterface(sample))) as Document

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  assert.equal(valid, true, JSON.stringify(errors))
  assert.equal(validator.version, '3.1')
})

test('it has every endpoint by its methods, with names that do not repeat', () => {
  assert.deepEqual(
    Object.entries(document.paths).map(([path, operations]) => [path, Object.keys(operations).join()]),
    [
      ['/sample/echo', 'get,post'],
      ['/sample/multiply', 'get,post'],
      ['/sample/carry', 'post'],
      ['/sample/fail', 'get'],
      ['/sample/wait', 'get,post'],
      ['/sample/lie', 'get,post'],
      ['/sample/rpc', 'post'],
    ],
  )
  const ids = Object.values(document.paths).flatMap((each) => Object.values(each).map(({ operationId }) => operationId))
  assert.equal(new Set(ids).size, ids.length)
})

test('a query and a body describe the same parameters', () => {
  const { get, post } = document.paths['/sample/echo'] ?? {}
  const limit = { type: 'integer', minimum: 1, maximum: 1000, default: 10 }
  assert.deepEqual(get?.parameters?.slice(0, 2), [
    {
      name: 'address',
      in: 'query',
      required: true,
      description: 'In any form.',
      schema: { type: 'string', description: 'In any form.' },
    },
    { name: 'limit', in: 'query', required: false, schema: limit },
  ])
  const schema = post?.requestBody?.content['application/json']?.schema ?? {}
  assert.deepEqual(schema['required'], ['address'])
  assert.deepEqual((schema['properties'] as Record<string, unknown>)['limit'], {
    ...limit,
    type: ['integer', 'null'],
  })
  assert.deepEqual((schema['properties'] as Record<string, unknown>)['mode'], {
    type: ['string', 'null'],
    enum: ['fast', 'slow', null],
  })
  assert.equal(schema['additionalProperties'], false)
})

test('named schemas stand among the components once, and statuses follow the table', () => {
  assert.deepEqual(Object.keys(document.components.schemas).sort(), ['Error', 'Product'])
  assert.deepEqual(document.components.schemas['Product'], {
    type: 'object',
    required: ['text', 'number'],
    properties: { text: { type: 'string' }, number: { type: 'integer' } },
  })
  const statuses = (method: string): string =>
    Object.keys(document.paths['/sample/multiply']?.[method]?.responses ?? {}).join(' ')
  assert.equal(statuses('get'), '200 401 403 404 408 414 422 429 431 500 504')
  assert.equal(statuses('post'), '200 400 401 403 404 408 413 414 422 429 431 500 504')
})

test('keys are described where they are asked for', () => {
  assert.deepEqual(document.security, [{}, { ApiKeyHeader: [] }, { ApiKeyQuery: [] }])
  assert.deepEqual(document.components.securitySchemes, {
    ApiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    ApiKeyQuery: { type: 'apiKey', in: 'query', name: 'api_key' },
  })
  const local = describeInterface({ ...sample, localOnly: true }) as unknown as Document
  assert.deepEqual([local.security, local.components.securitySchemes], [undefined, undefined])
  assert.doesNotMatch(JSON.stringify(local.paths), /rate_limited/)
})

test('two schemas of one name are a mistake', () => {
  const hoist = new SchemaHoist()
  hoist.hoist(Type.Object({ a: Type.String() }, { $id: 'Same' }))
  hoist.hoist(Type.Object({ a: Type.String() }, { $id: 'Same' }))
  assert.throws(() => hoist.hoist(Type.Object({ b: Type.String() }, { $id: 'Same' })), /id Same/)
})

test('the interface serves it', async (t) => {
  const { server } = await serveSample(t)
  assert.deepEqual(await (await fetch(`${server.url}/sample/openapi.json`)).json(), document)
})

test('a schema with an id is written once and referred to', () => {
  const hoist = new SchemaHoist()
  const Inner = Type.String({ $id: 'Inner' })
  const reference = { $ref: '#/components/schemas/Inner' }
  const { properties } = hoist.hoist(Type.Object({ a: Inner, b: Type.Array(Inner) }))
  assert.deepEqual(properties, { a: reference, b: { type: 'array', items: reference } })
  assert.deepEqual(hoist.components, { Inner: { type: 'string' } })
  assert.throws(() => hoist.hoist(Type.Integer({ $id: 'Inner' })), /Two different schemas/)
})

test('a schema that holds itself is referred to from within', () => {
  const hoist = new SchemaHoist()
  const Text = Type.String({ $id: 'Text' })
  const Tree = Type.Cyclic({ Tree: Type.Object({ text: Text, branches: Type.Array(Type.Ref('Tree')) }) }, 'Tree')
  const reference = { $ref: '#/components/schemas/Tree' }
  assert.deepEqual(hoist.hoist(Tree), reference)
  assert.deepEqual(hoist.hoist(Type.Array(Tree)), { type: 'array', items: reference })
  assert.deepEqual(hoist.components['Tree'], {
    type: 'object',
    required: ['text', 'branches'],
    properties: { text: { $ref: '#/components/schemas/Text' }, branches: { type: 'array', items: reference } },
  })
})

test('a tuple has a schema for each place, and nothing behind them', () => {
  const hoist = new SchemaHoist()
  assert.deepEqual(hoist.hoist(Type.Tuple([Type.Literal('num'), Type.String({ $id: 'Text' })])), {
    type: 'array',
    minItems: 2,
    prefixItems: [{ type: 'string', const: 'num' }, { $ref: '#/components/schemas/Text' }],
    items: false,
  })
})

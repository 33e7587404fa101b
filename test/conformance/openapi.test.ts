import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Interface } from '../../src/api/core/Interface.ts'
import { describeAsJson } from '../../src/api/core/openApi.ts'
import { dev } from '../../src/api/dev/index.ts'
import { presentV2 } from '../../src/api/v2/index.ts'
import { presentV3 } from '../../src/api/v3/index.ts'

type Schema = { readonly [keyword: string]: unknown }
type Operation = {
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } }
  readonly responses: { readonly [status: string]: unknown }
}
type Document = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly schemas: { readonly [name: string]: Schema } }
}

const read = (definition: Interface): Document => JSON.parse(describeAsJson(definition)) as Document

const v2 = (dialect: 'chain' | 'ton') => read(presentV2({ prefix: '/api/v2', dialect, version: '1.2.3' }) as Interface)
const v3 = (dialect: 'chain' | 'ton') =>
  read(presentV3({ prefix: '/api/v3', dialect, schemaNumber: 1, findHead: () => undefined }) as Interface)

const operationsOf = ({ paths }: Document): [name: string, operation: Operation][] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  )

test('the document of a dialect describes opcodes as the dialect spells them', () => {
  const opcodeIn = (document: Document): unknown =>
    (document.components.schemas['Message']!['properties'] as { readonly opcode: Schema }).opcode
  const kinds = (schema: unknown): unknown => (schema as { anyOf: Schema[] }).anyOf.map(({ type }) => type)
  assert.deepEqual(kinds(opcodeIn(v3('chain'))), ['integer', 'null'])
  assert.deepEqual(kinds(opcodeIn(v3('ton'))), ['string', 'null'])
  assert.match(JSON.stringify(opcodeIn(v3('ton'))), /\^0x\[0-9a-f\]\{8\}\$/)
  assert.match(JSON.stringify(v2('ton')), /"ton\.blockIdExt"/)
  assert.doesNotMatch(JSON.stringify(v2('ton')), /"chain\.blockIdExt"/)
})

test('every status that may come is described', () => {
  const missing = (document: Document, wanted: readonly string[]): string[] =>
    operationsOf(document).flatMap(([name, { responses }]) =>
      wanted.filter((status) => !(status in responses)).map((status) => `${name}: ${status}`),
    )
  const always = ['200', '401', '403', '408', '414', '422', '429', '431', '500', '504']
  assert.deepEqual(missing(v2('chain'), [...always, '542']), [])
  assert.deepEqual(missing(v3('chain'), always), [])
  const rpc = v2('chain').paths['/api/v2/jsonRPC']!['post']!.responses
  for (const status of ['404', '409', '413', '422', '533', '542', '504']) assert.ok(status in rpc, status)
  assert.ok('401' in read(dev as Interface).paths['/dev/mine']!['post']!.responses)
  // What v3 passes on is answered with the statuses of v2.
  for (const name of ['runGetMethod', 'estimateFee', 'message']) {
    assert.ok('542' in v3('ton').paths[`/api/v3/${name}`]!['post']!.responses, name)
  }
})

test('in a body, what may be left out may be null', () => {
  let count = 0
  for (const document of [v2('chain'), v3('chain'), read(dev as Interface)]) {
    for (const [name, { requestBody }] of operationsOf(document)) {
      const { properties = {}, required = [] } = (requestBody?.content['application/json'].schema ?? {}) as {
        readonly properties?: { readonly [name: string]: Schema }
        readonly required?: readonly string[]
      }
      if (name.endsWith('/jsonRPC')) continue
      for (const [member, schema] of Object.entries(properties)) {
        if (required.includes(member)) continue
        assert.match(JSON.stringify(schema), /"null"/, `${name} ${member}`)
        count++
      }
    }
  }
  assert.ok(count > 50, `${count} members`)
})

test('addresses and hashes have patterns, in what is asked and in what is answered', () => {
  for (const document of [v2('chain'), v3('chain')]) {
    const { schemas } = document.components
    for (const name of ['Address', 'Hash', 'Friendly', 'UpperRaw']) {
      if (schemas[name] !== undefined) assert.ok(typeof schemas[name]['pattern'] === 'string', name)
    }
    const named = operationsOf(document).flatMap(([operation, { parameters = [] }]) =>
      parameters
        .map(({ name, schema }) => ({ name, schema, operation }))
        .filter(({ name }) => /^(address|account|hash|msg_hash|owner_address|jetton_address)$/.test(name)),
    )
    assert.ok(named.length > 10)
    // These take any text, and pass over what is no address.
    const lenient = /\/(addressBook|metadata|nft\/sales)$/
    const bare = named.filter(
      ({ operation, schema }) => !lenient.test(operation) && !JSON.stringify(schema).includes('"pattern"'),
    )
    assert.deepEqual(
      bare.map(({ operation, name }) => `${operation} ${name}`),
      [],
    )
  }
})

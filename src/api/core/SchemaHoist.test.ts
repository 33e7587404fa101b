import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { SchemaHoist } from './SchemaHoist.ts'

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

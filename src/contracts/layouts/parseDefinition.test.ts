import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LayoutError } from './definitions.ts'
import { parseDefinition } from './parseDefinition.ts'

test('a message has a name, an opcode and fields', () => {
  assert.deepEqual(parseDefinition('credit#1690c604 query_id:uint64 amount:Coins', 'here'), {
    name: 'credit',
    tag: { value: 0x1690c604, bits: 32 },
    parts: [
      { kind: 'field', name: 'query_id', type: { kind: 'named', name: 'uint64', arguments: [] }, condition: undefined },
      { kind: 'field', name: 'amount', type: { kind: 'named', name: 'Coins', arguments: [] }, condition: undefined },
    ],
    result: undefined,
    location: 'here',
  })
})

test('tags are hex or binary, of any length, or absent', () => {
  const tagOf = (text: string) => parseDefinition(text, 'here').tag
  assert.deepEqual(tagOf('jetton$0001 = Asset'), { value: 1, bits: 4 })
  assert.deepEqual(tagOf('order#a = Order'), { value: 10, bits: 4 })
  assert.deepEqual(tagOf('name#ff = Capability'), { value: 255, bits: 8 })
  assert.equal(tagOf('step#_ = Step'), undefined)
  assert.equal(tagOf('step$_ = Step'), undefined)
  assert.equal(tagOf('step = Step'), undefined)
  assert.equal(parseDefinition('_ x:uint8 = T', 'here').name, '')
})

test('types nest', () => {
  const [field] = parseDefinition('m#00000001 a:(Maybe ^(Hashmap 8 ^[ b:(bits (len * 8)) ]))', 'here').parts
  const bits = { kind: 'named', name: 'bits', arguments: [{ kind: 'number', value: { field: 'len', factor: 8 } }] }
  const record = { kind: 'record', parts: [{ kind: 'field', name: 'b', type: bits, condition: undefined }] }
  const eight = { kind: 'number', value: { field: undefined, factor: 8 } }
  const map = { kind: 'named', name: 'Hashmap', arguments: [eight, { kind: 'ref', to: record }] }
  const type = { kind: 'named', name: 'Maybe', arguments: [{ kind: 'ref', to: map }] }
  assert.deepEqual(field, { kind: 'field', name: 'a', type, condition: undefined })
})

test('conditions, constraints and parameters are understood', () => {
  const { parts, result } = parseDefinition('a f:(## 8) { f <= 1 } x:f.0?X y:f?# _:X = T X', 'here')
  assert.deepEqual(parts[1], { kind: 'constraint', field: 'f', operator: '<=', value: 1 })
  assert.deepEqual(
    parts.slice(2).map((part) => part.kind === 'field' && [part.name, part.condition]),
    [
      ['x', { field: 'f', bit: 0 }],
      ['y', { field: 'f', bit: undefined }],
      ['', undefined],
    ],
  )
  assert.deepEqual(result, { name: 'T', parameters: ['X'] })
})

for (const [text, problem] of [
  ['', /starts with a name/],
  ['1a#00000001', /starts with a name/],
  ['a#0000000001', /starts with a name/],
  ['a#00000001 b', /expected ":", but the text ends/],
  ['a#00000001 b:', /expected a type, but the text ends/],
  ['a#00000001 b:(Maybe', /expected a type, but the text ends/],
  ['a#00000001 b:uint8 b:uint8', /"b" is there twice/],
  ['a#00000001 b:^[ c:uint8', /"]" is missing/],
  ['a#00000001 b:uint8 %', /"%" is not understood/],
  ['a#00000001 { b < 1 }', /is not understood/],
  ['a#00000001 __proto__:uint8', /cannot be called __proto__/],
  ['a#00000001 b:uint8 f:b.32?uint8', /the last is 31/],
  ['a#00000001 b:uint8 = T )', /expected a type parameter/],
  [`a#00000001 b:${'('.repeat(30)}`, /nested at most/],
  [`a#00000001 ${'b:^'.repeat(4000)}`, /at most 8192 characters/],
] as const) {
  test(`"${text.slice(0, 40)}" is refused`, () => {
    assert.throws(
      () => parseDefinition(text, 'line 7'),
      (error) => error instanceof LayoutError && error.location === 'line 7' && problem.test(error.message),
    )
  })
}

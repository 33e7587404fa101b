import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProxiedError } from '../../core/errors.ts'
import type { JsonValue } from '../../core/json/parseJson.ts'
import { fromV2Entry } from './getMethods.ts'

const number = (text: string): JsonValue => ({
  '@type': 'tvm.stackEntryNumber',
  number: { '@type': 'tvm.numberDecimal', number: text },
})
const bag = 'te6cckEBAQEAAgAAAEysuc0='

test('values of a stack, and those within them', () => {
  assert.deepEqual(fromV2Entry(['num', '-0x1d']), { type: 'num', value: '-0x1d' })
  assert.deepEqual(fromV2Entry(['cell', { bytes: bag, object: {} }]), { type: 'cell', value: bag })
  assert.deepEqual(fromV2Entry(['list', { '@type': 'tvm.list', elements: [] }]), { type: 'list', value: [] })
  const elements = [
    number('29'),
    number('-1'),
    number('NaN'),
    { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: bag } },
    { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: bag } },
    { '@type': 'tvm.stackEntryTuple', tuple: { '@type': 'tvm.tuple', elements: [number('0')] } },
    { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } },
  ]
  assert.deepEqual(fromV2Entry(['tuple', { '@type': 'tvm.tuple', elements }]), {
    type: 'tuple',
    value: [
      { type: 'num', value: '0x1d' },
      { type: 'num', value: '-0x1' },
      { type: 'num', value: 'NaN' },
      { type: 'cell', value: bag },
      { type: 'slice', value: bag },
      { type: 'tuple', value: [{ type: 'num', value: '0x0' }] },
      { type: 'list', value: [] },
    ],
  })
})

test('what cannot be shown is told with a status of its own', () => {
  const unsupported = { '@type': 'tvm.stackEntryUnsupported' }
  for (const entry of [
    ['unsupported', ''],
    ['tuple', { '@type': 'tvm.tuple', elements: [unsupported] }],
    ['cell', {}],
    ['list', {}],
    'nothing',
    null,
  ]) {
    assert.throws(
      () => fromV2Entry(entry as JsonValue),
      (error) => error instanceof ProxiedError && error.status === 501,
    )
  }
})

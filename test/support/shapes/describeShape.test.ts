import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Dict } from '../../../src/codec/cell/Dict.ts'
import { extraCurrenciesType } from '../../../src/codec/tlb/CurrencyCollection.ts'
import { compareAllShapes, describeShape, formatDifference } from './describeShape.ts'

const compare = (recorded: unknown, own: unknown): string[] =>
  compareAllShapes(new Map([['thing', describeShape(recorded)]]), new Map([['thing', describeShape(own)]])).map(
    formatDifference,
  )

describe('describeShape', () => {
  it('names what stands at every place', () => {
    const value = {
      lt: 5n,
      at: undefined,
      hash: new Uint8Array(32),
      list: [{ n: 1 }, { n: true }],
      union: { kind: 'left', name: 'x' },
      extra: Dict.of(extraCurrenciesType, [[7, 5n]]),
    }
    assert.deepEqual(
      [...describeShape(value)].map(([path, types]) => `${path}: ${[...types].join(' | ')}`),
      [
        ': object',
        'lt: bigint',
        'at: absent',
        'hash: 32 bytes',
        'list: list',
        'list[]: object',
        'list[].n: number | boolean',
        'union: left',
        "union<left>.name: 'x'",
        'extra: dictionary',
        'extra{key}: number',
        'extra{}: bigint',
      ],
    )
  })

  it('says where two structures differ, and nothing of what lies below', () => {
    assert.deepEqual(compare({ a: 1, b: { c: 1n } }, { a: 2, b: { c: 2n } }), [])
    assert.deepEqual(compare({ a: { b: 1, c: 2 } }, { a: undefined }), [
      'thing: a (only recorded: object; only ours: absent)',
    ])
    assert.deepEqual(compare({ a: { b: 1 } }, { a: { b: 1, c: 2 } }), ['thing: a.c (only ours: number)'])
    assert.deepEqual(compare([{ kind: 'x', a: 1 }], [{ kind: 'y', b: 1 }]), [
      'thing: [] (only recorded: x; only ours: y)',
    ])
    assert.deepEqual(compare([1], []), ['thing (only recorded: list; only ours: empty list)'])
    assert.deepEqual(compareAllShapes(new Map([['gone', describeShape(1)]]), new Map()).map(formatDifference), [
      'gone (only recorded: all of it)',
    ])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { samplePendingTrace } from '../../test/support/samplePendingTrace.ts'
import { decodeTrace, encodeTrace } from './RedisPendingStore.ts'

/** Without members that are undefined, which a text does not have. */
const bare = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(bare)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => [name, bare(member)]),
  )
}

test('a trace as text is the same trace again', () => {
  for (const traceId of [undefined, 9]) {
    const trace = samplePendingTrace({ normal: 1, plain: 2, accounts: [3, 4], traceId })
    assert.deepEqual(decodeTrace(encodeTrace(trace)), bare(trace))
  }
})

test('what is no trace is none', () => {
  for (const text of [
    '',
    '{',
    'null',
    '7',
    '[]',
    '{}',
    '{"externalHashNorm":"x","transactions":[]}',
    '{"a":{"$n":"x"}}',
  ]) {
    assert.equal(decodeTrace(text), undefined, text)
  }
})

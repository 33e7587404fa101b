import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLogValue } from './toLogValue.ts'

test('plain values stay, others become what JSON can carry', () => {
  const date = new Date(0)
  assert.deepEqual(toLogValue({ a: 1, b: 'x', c: null, d: true, e: 2n ** 70n, f: [1n], g: date }), {
    a: 1,
    b: 'x',
    c: null,
    d: true,
    e: '1180591620717411303424',
    f: ['1'],
    g: '1970-01-01T00:00:00.000Z',
  })
  assert.equal(toLogValue(Symbol('s')), 'Symbol(s)')
})

test('long bytes and long lists are cut, and say so', () => {
  assert.equal(toLogValue(new Uint8Array(65)), `${'00'.repeat(64)}… (65 bytes)`)
  const shown = toLogValue(Array.from({ length: 101 }, (_, i) => i)) as unknown[]
  assert.equal(shown.length, 101)
  assert.equal(shown[100], '… (101 items)')
})

test('an error keeps code, stack and cause', () => {
  const cause = Object.assign(new Error('inner'), { code: 'ECONNRESET' })
  const error = new Error('outer', { cause })
  assert.deepEqual(toLogValue({ error }), {
    error: {
      message: 'outer',
      stack: error.stack,
      cause: { code: 'ECONNRESET', message: 'inner', stack: cause.stack },
    },
  })
})

test('a cycle and a getter that throws do not break the line', () => {
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  assert.match(JSON.stringify(toLogValue(cycle)), /\[not shown: too deep\]/)
  const hostile = {
    get x(): never {
      throw new Error('no')
    },
  }
  assert.equal(toLogValue(hostile), '[not shown: reading the value failed]')
})

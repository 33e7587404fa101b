import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { InvalidJsonError } from '../errors.ts'
import { parseJson } from './parseJson.ts'
import { stringifyJson } from './stringifyJson.ts'

const limits = { maxDepth: 100, maxValues: 100_000, maxDigits: 1000 }

const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.bigInt().map((number) => (Number.isSafeInteger(Number(number)) ? Number(number) : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json')),
    fc.dictionary(
      fc.string().filter((name) => name !== '__proto__'),
      tie('json'),
      { noNullPrototype: true },
    ),
  ),
}))

test('reading what was written gives it back, with all digits', () => {
  fc.assert(
    fc.property(json, (value) => {
      // A double beyond 2^53 is printed as an integer, and read with the digits that were printed.
      const exact = (inner: unknown): unknown =>
        typeof inner === 'number' && Number.isInteger(inner) && !Number.isSafeInteger(inner) && Math.abs(inner) < 1e21
          ? BigInt(String(inner))
          : inner
      const expected = mapLeaves(value, exact)
      assert.deepEqual(parseJson(stringifyJson(value), limits), expected)
    }),
  )
})

const mapLeaves = (value: unknown, change: (leaf: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change))
  if (typeof value !== 'object' || value === null) return change(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapLeaves(member, change)]))
}

test('a damaged text is read as JSON.parse reads it, or refused with our error where that one refuses', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '\\', '{', ']', ',', '0', 'e', '\u0000', ' '),
      (text, at, put) => {
        const place = at % (text.length + 1)
        const damaged = text.slice(0, place) + put + text.slice(place + 1)
        let expected: unknown
        try {
          expected = JSON.parse(damaged)
        } catch {
          assert.throws(() => parseJson(damaged, limits), InvalidJsonError)
          return
        }
        if (/[0-9]{16}|e[+]?[0-9]{3}|__proto__/i.test(damaged)) return
        // Ours has no -0.
        const positive = mapLeaves(expected, (leaf) => (leaf === 0 ? 0 : leaf))
        assert.deepEqual(parseJson(damaged, limits), positive)
      },
    ),
    { numRuns: 2000 },
  )
})

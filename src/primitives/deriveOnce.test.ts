import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveOnce } from './deriveOnce.ts'

test('a value is made once for each object, and a changed copy gets its own', () => {
  let made = 0
  const sumOf = deriveOnce(({ a, b }: { readonly a: number; readonly b: number }, times: number) => {
    made++
    return { sum: times * (a + b) }
  })
  const [one, other] = [
    { a: 1, b: 2 },
    { a: 1, b: 2 },
  ]
  assert.deepEqual(sumOf(one, 1), { sum: 3 })
  assert.equal(sumOf(one, 1), sumOf(one, 1))
  assert.equal(made, 1)
  assert.notEqual(sumOf(other, 1), sumOf(one, 1))
  assert.deepEqual(sumOf({ ...one, b: 5 }, 1), { sum: 6 })
  assert.deepEqual(Object.keys(one), ['a', 'b'])
  assert.equal(made, 3)
})

test('what could not be made is tried again', () => {
  let fails = true
  const derive = deriveOnce((_from: object) => {
    if (fails) throw new Error('not yet')
    return 1
  })
  const from = {}
  assert.throws(() => derive(from), /not yet/)
  fails = false
  assert.equal(derive(from), 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostLimiter } from './HostLimiter.ts'

test('four at a time, and the others come back one after another', () => {
  let now = 0
  const gates = new HostLimiter(() => now)
  const kinds = Array.from({ length: 8 }, () => gates.admit('a.test'))
  assert.deepEqual(kinds, [
    { kind: 'go' },
    { kind: 'go' },
    { kind: 'go' },
    { kind: 'go' },
    { kind: 'later', delayMs: 200 },
    { kind: 'later', delayMs: 250 },
    { kind: 'later', delayMs: 300 },
    { kind: 'later', delayMs: 350 },
  ])
  // Another host is another matter, and an own gateway bears more.
  assert.deepEqual(gates.admit('b.test'), { kind: 'go' })
  for (let k = 0; k < 16; k++) assert.equal(gates.admit('own.test', true).kind, 'go')
  assert.equal(gates.admit('own.test', true).kind, 'later')
  now = 300
  gates.leave('a.test', { tookMs: 300, hostFailed: false })
  assert.deepEqual(gates.admit('a.test'), { kind: 'go' })
  assert.equal(gates.admit('a.test').kind, 'later')
})

test('a host in trouble is left alone, longer each time, then given up until one gets through', () => {
  let now = 1000
  const gates = new HostLimiter(() => now)
  const fail = (): void => {
    assert.deepEqual(gates.admit('a.test'), { kind: 'go' })
    gates.leave('a.test', { tookMs: 100, hostFailed: true })
  }
  fail()
  fail()
  for (let failures = 3; failures <= 12; failures++) {
    fail()
    const full = Math.min(300_000, 5000 * 2 ** (failures - 3))
    now += full / 2 - 1
    const { kind } = gates.admit('a.test')
    assert.equal(kind, failures >= 9 ? 'down' : 'later', `after ${failures}`)
    now += full / 2 + 1
    // One is let through to see, no second beside it.
    assert.deepEqual(gates.admit('a.test'), { kind: 'go' })
    assert.equal(gates.admit('a.test').kind, 'later')
    gates.leave('a.test', { tookMs: 100, hostFailed: true })
    failures++
    now += 300_000
  }
  assert.deepEqual(gates.admit('a.test'), { kind: 'go' })
  gates.leave('a.test', { tookMs: 100, hostFailed: false })
  assert.deepEqual([gates.admit('a.test').kind, gates.admit('a.test').kind], ['go', 'go'])
})

test('a host that asks for time gets it', () => {
  let now = 0
  const gates = new HostLimiter(() => now)
  gates.admit('a.test')
  gates.leave('a.test', { tookMs: 10, hostFailed: true, retryAfterMs: 60_000 })
  const admission = gates.admit('a.test')
  assert.deepEqual(admission, { kind: 'later', delayMs: 60_000 })
  now = 60_001
  assert.deepEqual(gates.admit('a.test'), { kind: 'go' })
})

test('made-up names do not fill the memory', () => {
  const gates = new HostLimiter(() => 0)
  gates.admit('busy.test')
  for (let k = 0; k < 100_000; k++) {
    const name = `${k}.test`
    assert.equal(gates.admit(name).kind, 'go')
    gates.leave(name, { tookMs: 1, hostFailed: true })
  }
  for (let k = 0; k < 3; k++) gates.admit('busy.test')
  assert.equal(gates.admit('busy.test').kind, 'later')
})

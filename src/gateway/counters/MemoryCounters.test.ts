import assert from 'node:assert/strict'
import test from 'node:test'
import { MemoryCounters } from './MemoryCounters.ts'

const clock = () => {
  const time = { now: 1000 }
  return { time, counters: new MemoryCounters(() => time.now) }
}

test('one request per second, to the millisecond', () => {
  const { time, counters } = clock()
  const rate = { perSecond: 1, burst: 1 }
  const take = () => counters.take('a', rate)
  assert.deepEqual(take(), { isAllowed: true, remaining: 0, resetMs: 1000, retryMs: 0 })
  assert.deepEqual(take(), { isAllowed: false, remaining: 0, resetMs: 1000, retryMs: 900 })
  time.now += 899
  assert.deepEqual(take(), { isAllowed: false, remaining: 0, resetMs: 101, retryMs: 1 })
  // A tenth too early is let through, and is paid for by the next.
  time.now += 1
  assert.deepEqual(take(), { isAllowed: true, remaining: 0, resetMs: 1100, retryMs: 0 })
  time.now += 999
  assert.equal(take().isAllowed, false)
  time.now += 1
  assert.equal(take().isAllowed, true)
  // Refusals cost nothing, and others have a budget of their own.
  assert.equal(counters.take('b', rate).isAllowed, true)
  time.now += 100_000
  assert.deepEqual(take(), { isAllowed: true, remaining: 0, resetMs: 1000, retryMs: 0 })
})

test('ten per second and twenty at once', () => {
  const { time, counters } = clock()
  const rate = { perSecond: 10, burst: 20 }
  const takeMany = (count: number): number =>
    Array.from({ length: count }, () => counters.take('a', rate)).filter(({ isAllowed }) => isAllowed).length
  assert.deepEqual(counters.take('a', rate), { isAllowed: true, remaining: 19, resetMs: 100, retryMs: 0 })
  assert.equal(takeMany(30), 19)
  assert.deepEqual(counters.take('a', rate), { isAllowed: false, remaining: 0, resetMs: 2000, retryMs: 90 })
  time.now += 500
  assert.equal(takeMany(30), 5)
  // However it is spread over time, no more comes through than the rate says.
  let allowed = 0
  for (let step = 0; step < 10_000; step++) {
    time.now += 7
    allowed += takeMany(1)
  }
  assert.ok(Math.abs(allowed - 700) <= 1, `${allowed} in 70 seconds`)
})

test('what is whole again is forgotten', () => {
  const { time, counters } = clock()
  for (let each = 0; each < 100_000; each++) {
    time.now += 1
    counters.take(`address ${each}`, { perSecond: 1, burst: 1 })
  }
  assert.ok(counters.size <= 10_000, `${counters.size} are kept`)
})

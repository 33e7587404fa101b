import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf, unlockedAt } from './vestingSchedule.ts'

const schedule = { start: 1000, duration: 100, period: 10, cliff: 25, total: 1000n }

test('parts are unlocked period by period, nothing before the cliff, all at the end', () => {
  const at = (time: number): bigint => unlockedAt(schedule, time)
  assert.deepEqual(
    [at(0), at(1024), at(1025), at(1029), at(1030), at(1099), at(1100), at(5000)],
    [0n, 0n, 200n, 200n, 300n, 900n, 1000n, 1000n],
  )
})

test('a schedule without periods is unlocked at once, at its end', () => {
  assert.deepEqual(stepsOf({ ...schedule, period: 100, cliff: 0 }), [
    { time: 1000, unlocked: 0n },
    { time: 1100, unlocked: 1000n },
  ])
})

test('steps rise from the cliff to the whole, and are bounded', () => {
  const steps = stepsOf(schedule)
  assert.deepEqual(steps[0], { time: 1025, unlocked: 200n })
  assert.deepEqual(steps.at(-1), { time: 1100, unlocked: 1000n })
  assert.equal(steps.length, 9)
  const many = stepsOf({ ...schedule, duration: 1_000_000, period: 1 })
  assert.ok(many.length <= 502 && many.at(-1)!.unlocked === 1000n)
})

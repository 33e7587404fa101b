import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClock } from './Clock.ts'

test("the machine's time is moved ahead and never goes back", () => {
  let machineMs = 1_000_500
  const clock = createClock({ notBefore: 0, offset: 10, readMachineMs: () => machineMs })
  assert.equal(clock.now(), 1010)
  clock.move(5)
  assert.deepEqual([clock.now(), clock.offset], [1015, 15])
  machineMs = 900_000
  assert.equal(clock.now(), 1015)
  machineMs = 1_002_000
  assert.equal(clock.now(), 1017)
  clock.passBlock(2000)
  assert.equal(clock.now(), 2000)
})

test('a clock does not start before the newest block', () => {
  const clock = createClock({ notBefore: 5000, readMachineMs: () => 1_000_000 })
  assert.equal(clock.now(), 5000)
})

test('a virtual clock is moved by blocks and by hand, down to parts of a second', () => {
  let blockMs = 1000
  const clock = createClock({ notBefore: 0, startTime: 100, blockMs: () => blockMs })
  assert.equal(clock.now(), 100)
  clock.passBlock(100)
  assert.equal(clock.now(), 101)
  blockMs = 400
  const times = [1, 2, 3].map(() => {
    clock.passBlock(0)
    return clock.now()
  })
  assert.deepEqual(times, [101, 101, 102])
  const saved = clock.save()
  clock.move(50)
  assert.deepEqual([clock.now(), clock.offset], [152, 50])
  clock.restore(saved)
  assert.deepEqual([clock.now(), clock.offset], [102, 0])
})

test('what was saved of the machine clock brings it back', () => {
  const clock = createClock({ notBefore: 0, readMachineMs: () => 1_000_000 })
  clock.now()
  const saved = clock.save()
  clock.move(500)
  clock.passBlock(1500)
  assert.equal(clock.now(), 1500)
  clock.restore(saved)
  assert.deepEqual([clock.now(), clock.offset], [1000, 0])
})

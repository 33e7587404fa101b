import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { mapAhead } from './mapAhead.ts'

test('so many are under way at once, and results come in order', async () => {
  let running = 0
  let most = 0
  const work = async (item: number): Promise<number> => {
    running++
    most = Math.max(most, running)
    await delay((7 - (item % 7)) * 2)
    running--
    return item * 2
  }
  const results: number[] = []
  for await (const result of mapAhead(
    Array.from({ length: 40 }, (_, k) => k),
    4,
    work,
  )) {
    results.push(result)
  }
  assert.deepEqual(
    results,
    Array.from({ length: 40 }, (_, k) => k * 2),
  )
  assert.equal(most, 4)
})

test('a failure comes in its turn and ends it', async () => {
  const results: number[] = []
  const failing = mapAhead([1, 2, 3, 4, 5], 3, async (item) => {
    if (item === 3) throw new Error('three')
    return item
  })
  await assert.rejects(async () => {
    for await (const result of failing) results.push(result)
  }, /three/)
  assert.deepEqual(results, [1, 2])
})

test('who stops reading lets go of the items', async () => {
  let isReleased = false
  async function* items(): AsyncGenerator<number> {
    try {
      for (let k = 0; ; k++) yield k
    } finally {
      isReleased = true
    }
  }
  for await (const result of mapAhead(items(), 2, async (item) => item)) if (result === 5) break
  await delay(1)
  assert.ok(isReleased)
})

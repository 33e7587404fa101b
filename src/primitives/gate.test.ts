import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createGate } from './gate.ts'

test('no more than so many pieces of work run at once, and all run in order', async () => {
  const gate = createGate(3)
  const started: number[] = []
  let running = 0
  let most = 0
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, k) =>
      gate(async () => {
        started.push(k)
        most = Math.max(most, ++running)
        await delay(k % 3)
        running--
        if (k % 5 === 0) throw new Error(`${k}`)
        return k
      }),
    ),
  )
  assert.equal(most, 3)
  assert.deepEqual(started, [...started.keys()])
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed')),
    Array.from({ length: 20 }, (_, k) => (k % 5 === 0 ? 'failed' : k)),
  )
})

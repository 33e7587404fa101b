import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createLogger } from '../../observe/Logger.ts'
import { Metrics } from '../../observe/Metrics.ts'
import { createStageMetrics } from './StageMetrics.ts'
import { StallWatchdog, type WorkSide } from './StallWatchdog.ts'

const STALLED_MS = 120

const watch = () => {
  const metrics = new Metrics()
  const logged: string[] = []
  const write = (line: string): void => {
    const { level, message, side } = JSON.parse(line) as Record<string, string>
    logged.push(`${level}: ${message} (${side})`)
  }
  const logger = createLogger({ level: 'info', format: 'json', colours: false, write })
  const watchdog = new StallWatchdog(logger, createStageMetrics(metrics), STALLED_MS)
  const ending = new AbortController()
  let work: readonly WorkSide[] = []
  const watching = watchdog.watch(() => work, ending.signal)
  const isStalled = (): boolean => /^chaincenter_indexer_stalled 1$/m.test(metrics.format())
  return {
    watchdog,
    logged,
    isStalled,
    setWork: (sides: readonly WorkSide[]): void => {
      work = sides
    },
    until: async (expected: boolean): Promise<void> => {
      const end = performance.now() + 15_000
      while (isStalled() !== expected) {
        assert.ok(performance.now() < end, `not ${expected ? 'stalled' : 'resumed'} within 15 s`)
        await delay(5)
      }
    },
    end: async (): Promise<void> => {
      ending.abort()
      await watching
    },
  }
}

test('the alarm is raised where there is work and nothing is written, and only there', {
  timeout: 20_000,
}, async () => {
  const { watchdog, logged, isStalled, setWork, until, end } = watch()
  await delay(4 * STALLED_MS)
  assert.deepEqual([isStalled(), logged], [false, []])
  setWork(['head'])
  await until(true)
  const moving = setInterval(() => watchdog.wrote('head', { first: 1, last: 1 }, 0), 5)
  await until(false)
  clearInterval(moving)
  assert.deepEqual(logged, ['error: indexing stalled (head)', 'info: indexing resumed (head)'])
  await end()
})

test('history that stands still is seen while the head moves, and somebody else who leads is no stall', {
  timeout: 20_000,
}, async () => {
  const { watchdog, logged, isStalled, setWork, until, end } = watch()
  setWork(['head', 'history'])
  const resting = setInterval(() => watchdog.idle(), 10)
  await delay(6 * STALLED_MS)
  assert.deepEqual([isStalled(), logged], [false, []])
  clearInterval(resting)
  const moving = setInterval(() => watchdog.wrote('head', { first: 1, last: 1 }, 0), 10)
  await until(true)
  clearInterval(moving)
  assert.deepEqual(logged, ['error: indexing stalled (history)'])
  await end()
  assert.equal(isStalled(), false)
})

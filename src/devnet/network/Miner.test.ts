import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createLogger } from '../../observe/Logger.ts'
import { Miner } from './Miner.ts'
import type { Mining } from './NetworkControls.ts'

const INTERVAL: Mining = { mode: 'interval', intervalMs: 50, emptyBlocks: true }

type Bench = {
  readonly miner: Miner
  readonly times: number[]
  work: number
  blockMs: number
  fails: boolean
  log: string
}

const setUp = (t: TestContext, mining: Mining): Bench => {
  const bench: Bench = {
    times: [],
    work: 0,
    blockMs: 0,
    fails: false,
    log: '',
    miner: new Miner({
      mining,
      logger: createLogger({
        level: 'info',
        format: 'json',
        colours: false,
        write: (line) => {
          bench.log += line
        },
      }),
      hasWork: () => bench.work > 0,
      makeBlock: async () => {
        bench.times.push(performance.now())
        await pause(bench.blockMs)
        if (bench.fails) throw new Error('broken')
        bench.work = Math.max(0, bench.work - 1)
      },
    }),
  }
  t.after(() => bench.miner.stop())
  return bench
}

test('blocks come at intervals, and late ones are not made up for', async (t) => {
  const bench = setUp(t, INTERVAL)
  bench.blockMs = 120
  bench.miner.start()
  await pause(400)
  bench.blockMs = 0
  await pause(300)
  bench.miner.stop()
  const gaps = bench.times.slice(1).map((at, k) => at - bench.times[k]!)
  assert.ok(gaps.length >= 2, `${gaps}`)
  assert.ok(
    gaps.every((gap) => gap >= 45),
    `${gaps}`,
  )
  const count = bench.times.length
  await pause(120)
  assert.equal(bench.times.length, count)
})

test('without empty blocks there is one for each piece of work', async (t) => {
  const bench = setUp(t, { ...INTERVAL, emptyBlocks: false })
  bench.miner.start()
  await pause(200)
  assert.equal(bench.times.length, 0)
  bench.work = 2
  await pause(400)
  assert.equal(bench.times.length, 2)
})

test('instant mining goes on until nothing is left, manual mining does nothing', async (t) => {
  const bench = setUp(t, { mode: 'manual' })
  bench.miner.start()
  bench.work = 5
  bench.miner.notice()
  await pause(50)
  assert.equal(bench.times.length, 0)
  bench.miner.setMining({ mode: 'instant' })
  await pause(100)
  assert.equal(bench.times.length, 5)
  bench.work = 1
  bench.miner.notice()
  bench.miner.notice()
  await pause(100)
  assert.equal(bench.times.length, 6)
})

test('a mode that is left and entered again while a block is made goes on', async (t) => {
  const bench = setUp(t, { mode: 'instant' })
  bench.blockMs = 50
  bench.miner.start()
  bench.work = 3
  bench.miner.notice()
  await pause(10)
  bench.miner.setMining({ mode: 'manual' })
  bench.miner.setMining({ mode: 'instant' })
  await pause(500)
  assert.equal(bench.times.length, 3)
})

test('a block that cannot be made is told of and tried again, more and more seldom', async (t) => {
  const bench = setUp(t, INTERVAL)
  bench.fails = true
  bench.miner.start()
  await pause(900)
  assert.equal(bench.times.length, 2)
  assert.match(bench.log, /block production failed/)
  bench.fails = false
  await pause(1300)
  assert.ok(bench.times.length > 5, `${bench.times.length}`)
})

import assert from 'node:assert/strict'
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { chooseGrowth, collectWhenIdle, IdleWatch } from './collectWhenIdle.ts'

test('a collection is due after the start, when nobody waits for it, once', () => {
  const watch = new IdleWatch()
  const due = [0.9, 0.15, 0.05, 0.04, 0.5, 0.03].filter((share) => {
    const isTime = watch.isTime(share, 0)
    if (isTime) watch.collected(0)
    return isTime
  })
  assert.deepEqual(due, [0.05])
})

test('a collection is due where the memory grew, and not for what stays', () => {
  const watch = new IdleWatch()
  const mib = 1 << 20
  const due: number[] = []
  for (const held of [90, 100, 120, 125, 130, 150, 170]) {
    if (!watch.isTime(0.05, held * mib)) continue
    due.push(held)
    watch.collected((held - 5) * mib)
  }
  assert.deepEqual(due, [90, 120, 150, 170])
})

test('a process may grow by 48 MiB, and by no more than it has', () => {
  const grown = [10, 96, 160, 320, 1024].map((mib) => chooseGrowth(mib << 20))
  assert.deepEqual(grown, [100, 50, 30, 25, 25])
})

/** The bit of V8's answer that says that a function has optimized code. */
const OPTIMIZED = 1 << 4

/** V8 begins some collections by itself. */
const isForced = (entry: object): boolean =>
  'detail' in entry &&
  ((entry.detail as NodeGCPerformanceDetail).flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0

test('an idle process collects its garbage', async (t) => {
  const collected = new Promise<void>((done) => {
    const observer = new PerformanceObserver((list) => {
      if (list.getEntries().some(isForced)) done()
    })
    observer.observe({ entryTypes: ['gc'] })
    t.after(() => observer.disconnect())
  })
  t.after(collectWhenIdle(100))
  const garbage = new WeakRef({})
  const late = delay(30_000, true, { signal: t.signal })
  assert.equal(await Promise.race([collected, late]), undefined)
  assert.equal(garbage.deref(), undefined)
  assert.equal(globalThis.gc, undefined)
})

test('what was compiled for objects that only live during a request stays compiled', async (t) => {
  t.after(collectWhenIdle(1 << 30))
  setFlagsFromString('--allow-natives-syntax')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const readStatus = new Function('f', 'return %GetOptimizationStatus(f)') as (f: unknown) => number
  setFlagsFromString('--no-expose-gc')
  setFlagsFromString('--no-allow-natives-syntax')
  const answer = (text: string): number => {
    let fees = 0
    for (let k = 0; k < 1000; k++) fees += JSON.parse(text).fees
    return fees
  }
  const isCompiled = (): boolean => (readStatus(answer) & OPTIMIZED) !== 0
  for (let calls = 0; !isCompiled() && calls < 20_000; calls++) answer('{"fees":1}')
  assert.ok(isCompiled())
  for (let k = 0; k < 6; k++) {
    collect()
    await delay(1)
  }
  assert.ok(isCompiled())
})

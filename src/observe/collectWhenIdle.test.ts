import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { childArguments, childScript } from '../../test/support/childScript.ts'
import { chooseGrowth, collectWhenIdle, IdleWatch, littleGarbage, ordinaryGarbage } from './collectWhenIdle.ts'

test('a collection is due after the start, when nobody waits for it, and once more', () => {
  const watch = new IdleWatch()
  const due = [0.9, 0.15, 0.05, 0.04, 0.5, 0.03].filter((share) => {
    const isTime = watch.isTime(share, 0)
    if (isTime) watch.collected(0)
    return isTime
  })
  assert.deepEqual(due, [0.05, 0.04])
})

test('a collection is due where the memory grew, and not for what stays', () => {
  const watch = new IdleWatch()
  const mib = 1 << 20
  const due: number[] = []
  for (const held of [90, 85, 100, 120, 125, 130, 150, 152, 170]) {
    if (!watch.isTime(0.05, held * mib)) continue
    due.push(held)
    watch.collected((held - 5) * mib)
  }
  assert.deepEqual(due, [90, 85, 120, 125, 150, 152])
})

test('a process may grow by 48 MiB, and by no more than it has', () => {
  const grown = [10, 96, 160, 320, 1024].map((mib) => chooseGrowth(mib << 20))
  assert.deepEqual(grown, [100, 50, 30, 25, 25])
  const little = [10, 96, 160, 320, 1024].map((mib) => chooseGrowth(mib << 20, littleGarbage))
  assert.deepEqual(little, [100, 25, 15, 12, 12])
})

/** In a process of its own: the space of this one has grown. */
const growYoung = async (script: string): Promise<readonly number[]> => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...childArguments,
    childScript(join(import.meta.dirname, '../../test/support'), script),
  ])
  return JSON.parse(stdout) as number[]
}

test('a process that spares memory has little room for new objects, and as much as others when it no longer does', async () => {
  const [sparing, after] = await growYoung('growYoungChild')
  assert.equal(sparing, littleGarbage.youngBytes)
  assert.equal(after, 2 * littleGarbage.youngBytes)
})

/** The bit of V8's answer that says that a function has optimized code. */
const OPTIMIZED = 1 << 4

const isMajor = (entry: object): boolean =>
  'detail' in entry && (entry.detail as NodeGCPerformanceDetail).kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** Resolves when V8 has collected its whole heap so many times. */
const waitForCollections = async (t: TestContext, count: number): Promise<void> => {
  let left = count
  const collected = new Promise<void>((done) => {
    const observer = new PerformanceObserver((list) => {
      left -= list.getEntries().filter(isMajor).length
      if (left <= 0) done()
    })
    observer.observe({ entryTypes: ['gc'] })
    t.after(() => observer.disconnect())
  })
  const late = delay(30_000, 'late', { signal: t.signal })
  assert.equal(await Promise.race([collected, late]), undefined)
}

test('an idle process collects its garbage', async (t) => {
  const garbage = new WeakRef({})
  t.after(collectWhenIdle(ordinaryGarbage, 100))
  await waitForCollections(t, 2)
  assert.equal(garbage.deref(), undefined)
})

/** Of which none is left between two requests. */
class Request {
  readonly fee: number
  count = 0

  constructor(fee: number) {
    this.fee = fee
  }

  pay(): number {
    this.count++
    return this.fee
  }
}

test('what was compiled for objects that only live during a request stays compiled', async (t) => {
  t.after(collectWhenIdle(ordinaryGarbage, 300))
  setFlagsFromString('--allow-natives-syntax')
  const readStatus = new Function('f', 'return %GetOptimizationStatus(f)') as (f: unknown) => number
  setFlagsFromString('--no-allow-natives-syntax')
  const parse = (text: string): number => {
    let fees = 0
    for (let k = 0; k < 1000; k++) fees += JSON.parse(text).fees
    return fees
  }
  const answer = (): number => new Request(1).pay()
  const isCompiled = (): boolean => [parse, answer].every((f) => (readStatus(f) & OPTIMIZED) !== 0)
  for (let calls = 0; !isCompiled() && calls < 20_000; calls++) {
    parse('{"fees":1}')
    for (let k = 0; k < 100; k++) answer()
  }
  assert.ok(isCompiled())
  await waitForCollections(t, 2)
  assert.ok(isCompiled())
})

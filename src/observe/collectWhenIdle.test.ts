import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { collectWhenIdle, IdleWatch } from './collectWhenIdle.ts'

test('a collection is due after the start and after each busy time, once, and never in between', () => {
  const watch = new IdleWatch()
  const shares = [0.9, 0.15, 0.05, 0.05, 0.15, 0.05, 0.5, 0.6, 0.15, 0.1, 0]
  const due = shares.filter((share) => watch.isTime(share, 0))
  assert.deepEqual(due, [0.05, 0.1])
})

test('a collection is due where the memory grew without a busy time, and not for what stays', () => {
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

/** Of a function, as bits: see OptimizationStatus in the sources of V8. */
const createStatusReader = (): ((of: unknown) => number) => {
  setFlagsFromString('--allow-natives-syntax')
  const read = new Function('of', 'return %GetOptimizationStatus(of)') as (of: unknown) => number
  setFlagsFromString('--no-allow-natives-syntax')
  return read
}

const IS_OPTIMIZED = 1 << 4

/** What lives as long as a request, so that an idle process has none. */
class Short {
  readonly first: number
  readonly second: number

  constructor(first: number) {
    this.first = first
    this.second = first + 1
  }

  get sum(): number {
    return this.first + this.second
  }
}

/** Its code depends on the shape of what it reads. */
const handle = (short: Short): number => short.sum

test('an idle process collects its garbage and keeps its optimized code', async (t) => {
  const statusOf = createStatusReader()
  const { signal } = t
  const isOptimized = (): boolean => (statusOf(handle) & IS_OPTIMIZED) !== 0
  // It is compiled beside the thread.
  for (let turn = 0; turn < 1000 && !isOptimized(); turn++) {
    for (let k = 0; k < 100_000; k++) handle(new Short(k))
    await delay(1, undefined, { signal })
  }
  assert.ok(isOptimized())
  const garbage = new WeakRef(Array.from({ length: 64 }, (_, k) => new Array<number>(100_000).fill(k)))
  t.after(collectWhenIdle(100))
  for (let turn = 0; turn < 600 && garbage.deref() !== undefined; turn++) await delay(50, undefined, { signal })
  assert.equal(garbage.deref(), undefined)
  assert.ok(isOptimized())
  assert.equal(globalThis.gc, undefined)
})

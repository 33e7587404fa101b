import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createSemaphore, onAbort, pause, Slices } from './scheduling.ts'

test('no more than so many pieces of work run at once, and all run in order', async () => {
  const gate = createSemaphore(3)
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

const countListeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('onAbort', () => {
  it('calls each once, in their order, and those that were taken back never', () => {
    const controller = new AbortController()
    const called: string[] = []
    const names = ['a', 'b', 'c', 'd']
    const leave = names.map((name) => onAbort(controller.signal, () => called.push(name)))
    leave[1]!()
    leave[1]!()
    controller.abort()
    leave[0]!()
    assert.deepEqual(called, ['a', 'c', 'd'])
  })

  it('calls in a moment where the signal is aborted, unless that is taken back', async () => {
    const called: string[] = []
    onAbort(AbortSignal.abort(), () => called.push('a'))
    onAbort(AbortSignal.abort(), () => called.push('b'))()
    assert.deepEqual(called, [])
    await Promise.resolve()
    assert.deepEqual(called, ['a'])
    await assert.rejects(pause(60_000, AbortSignal.abort(new Error('the end'))), /the end/)
  })

  it('has one listener for any number of waits, and none after them', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const waits = Array.from({ length: 1000 }, () => pause(5, signal))
    assert.equal(countListeners(signal), 1)
    await Promise.all(waits)
    assert.equal(countListeners(signal), 0)
    const long = Array.from({ length: 1000 }, () => pause(60_000, signal).catch((error: unknown) => error))
    assert.equal(countListeners(signal), 1)
    const reason = new Error('the end')
    controller.abort(reason)
    assert.deepEqual(new Set(await Promise.all(long)), new Set([reason]))
    assert.equal(countListeners(signal), 0)
  })

  it('goes on where one who is called lets others go or comes again', async () => {
    const controller = new AbortController()
    const called: string[] = []
    onAbort(controller.signal, () => {
      called.push('a')
      leave()
      onAbort(controller.signal, () => called.push('again'))
    })
    const leave = onAbort(controller.signal, () => called.push('b'))
    controller.abort()
    await Promise.resolve()
    assert.deepEqual(called, ['a', 'b', 'again'])
  })
})

describe('Slices', () => {
  const spin = (ms: number): void => {
    const end = performance.now() + ms
    while (performance.now() < end);
  }

  /** Does so many milliseconds of work, in slices. */
  const work = async (ms: number): Promise<void> => {
    const slices = new Slices()
    for (let k = 0; k < 4 * ms; k++) {
      spin(0.25)
      if (slices.isOver) await slices.next()
    }
  }

  it('lets short work end before long work that began earlier, and long work end, too', async () => {
    const ended: string[] = []
    const long = Array.from({ length: 10 }, () => work(40).then(() => ended.push('long')))
    await delay(20)
    const short = Array.from({ length: 5 }, () => work(2).then(() => ended.push('short')))
    await Promise.all([...long, ...short])
    assert.deepEqual(
      ended.slice(0, 5),
      Array.from({ length: 5 }, () => 'short'),
    )
    assert.equal(ended.length, 15)
  })

  it('gives one long piece of work a turn of the event loop, not all of them', async () => {
    const begun = Array.from({ length: 20 }, () => work(20))
    await delay(0)
    let turns = 0
    const done = Promise.all(begun).then(() => true)
    for (let isDone = false; !isDone; turns++) {
      isDone = await Promise.race([done, new Promise<false>((next) => setImmediate(next, false))])
    }
    // 400 ms in slices of at most 4 ms.
    assert.ok(turns > 80, `${turns} turns`)
  })
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { VmBusyError, VmClosedError, VmCrashedError, VmTimeoutError } from './errors.ts'
import type { VmAnswer, VmJob } from './messages.ts'
import { type Pack, WorkerPool, type WorkerPoolOptions } from './WorkerPool.ts'

/** A thread that does as its jobs say, so that every way to fail can be had. It answers with its own number. */
const OBEDIENT = `
  const { parentPort, threadId } = require('node:worker_threads')
  parentPort.on('message', ({ name, hasConfig }) => {
    const answer = (memoryBytes = 1) => parentPort.postMessage(
      { kind: 'answer', answer: { kind: 'refused', reason: name + ' ' + hasConfig + ' ' + threadId }, memoryBytes })
    if (name === 'hang') for (;;) {}
    else if (name === 'exit') process.exit(3)
    else if (name === 'throw') throw new Error('uncaught')
    else if (name === 'trap') { console.error('Aborted()'); parentPort.removeAllListeners('message'); setTimeout(() => parentPort.postMessage({ kind: 'crashed', reason: 'unreachable' }), 20) }
    else if (name === 'grow') { const all = []; for (;;) all.push(new Array(1000).fill(all.length)) }
    else if (name === 'slow') { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50); answer() }
    else answer(name === 'fat' ? 1000 : 1)
  })
  parentPort.postMessage({ kind: 'ready', commit: 'some' })
`

const start = (source: string) => (): Worker =>
  new Worker(source, { eval: true, stdout: true, stderr: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })

const createPool = (t: TestContext, options: Partial<WorkerPoolOptions> = {}) => {
  const threads: Worker[] = []
  const startWorker = options.startWorker ?? start(OBEDIENT)
  const pool = new WorkerPool({
    size: 1,
    maxQueue: 10,
    timeLimitMs: 10_000,
    maxMemoryBytes: 100,
    onReady: () => {},
    ...options,
    startWorker: () => {
      const worker = startWorker()
      threads.push(worker)
      return worker
    },
  })
  t.after(() => pool.close())
  return { pool, threads }
}

const packed =
  (name: string, configKey = 'config'): Pack =>
  (hasConfig) =>
    ({ name, hasConfig: hasConfig(configKey) }) as unknown as VmJob

const nameOf = (answer: VmAnswer): string => (answer.kind === 'refused' ? answer.reason.split(' ')[0]! : '')
const threadOf = (answer: VmAnswer): string => (answer.kind === 'refused' ? answer.reason.split(' ')[2]! : '')

test('runs are done in their order, by as many threads as there may be and as are needed', async (t) => {
  const { pool, threads } = createPool(t, { size: 2 })
  assert.equal(nameOf(await pool.run(packed('a'))), 'a')
  assert.equal(threads.length, 1)
  const order: string[] = []
  await Promise.all(['b', 'c', 'd', 'e', 'f'].map(async (name) => order.push(nameOf(await pool.run(packed(name))))))
  assert.deepEqual(order.toSorted(), ['b', 'c', 'd', 'e', 'f'])
  assert.equal(threads.length, 2)
})

test('threads can be started before there is work', async (t) => {
  let ready = 0
  const { pool, threads } = createPool(t, { size: 3, onReady: () => ready++ })
  pool.startAll()
  assert.equal(threads.length, 3)
  while (ready < 3) await sleep(5)
})

test('a thread has its next run before it has answered the last', async (t) => {
  const taken: string[] = []
  const { pool } = createPool(t)
  await pool.run(packed('a'))
  const noting =
    (name: string): Pack =>
    (hasConfig) => {
      taken.push(name)
      return packed(name)(hasConfig)
    }
  const runs = ['slow', 'b', 'c'].map((name) => pool.run(noting(name)))
  assert.deepEqual(taken, ['slow', 'b'])
  assert.deepEqual((await Promise.all(runs)).map(nameOf), ['slow', 'b', 'c'])
})

test('the time of a run begins when the one before it has ended', async (t) => {
  const { pool, threads } = createPool(t, { timeLimitMs: 120 })
  await pool.run(packed('a'))
  const runs = Array.from({ length: 6 }, () => pool.run(packed('slow')))
  assert.equal((await Promise.all(runs)).length, 6)
  assert.equal(threads.length, 1)
})

test('when too many wait the next is refused, and taken again later', async (t) => {
  const { pool } = createPool(t, { maxQueue: 2 })
  const taken = ['slow', 'a', 'b'].map((name) => pool.run(packed(name)))
  await assert.rejects(pool.run(packed('c')), (error) => error instanceof VmBusyError && error.retryable)
  assert.deepEqual((await Promise.all(taken)).map(nameOf), ['slow', 'a', 'b'])
  assert.equal(nameOf(await pool.run(packed('d'))), 'd')
})

test('a run that takes too long is ended with its thread, and the next has a new one', async (t) => {
  const { pool, threads } = createPool(t, { timeLimitMs: 100 })
  await pool.run(packed('a'))
  const [hung, next] = await Promise.allSettled([pool.run(packed('hang')), pool.run(packed('b'))])
  assert.ok(hung.status === 'rejected' && hung.reason instanceof VmTimeoutError)
  assert.match(hung.reason.message, /longer than 100 ms/)
  assert.ok(next.status === 'fulfilled' && nameOf(next.value) === 'b')
  assert.equal(threads.length, 2)
  await pool.close()
  assert.equal(threads[0]?.threadId, -1)
})

for (const { name, message } of [
  { name: 'exit', message: /its thread ended with exit code 3/ },
  { name: 'throw', message: /uncaught/ },
  { name: 'trap', message: /unreachable\. It wrote: Aborted\(\)/ },
  { name: 'grow', message: /memory/ },
]) {
  test(`a thread lost by "${name}" costs its run alone`, async (t) => {
    const { pool, threads } = createPool(t)
    const [lost, next] = await Promise.allSettled([pool.run(packed(name)), pool.run(packed('a'))])
    assert.ok(lost.status === 'rejected' && lost.reason instanceof VmCrashedError)
    assert.match(lost.reason.message, message)
    assert.ok(next.status === 'fulfilled' && nameOf(next.value) === 'a')
    assert.equal(threads.length, 2)
  })
}

test('where no thread starts, what waits fails, and the next run tries again', async (t) => {
  let starts = 0
  const { pool } = createPool(t, {
    startWorker: () => start(starts++ === 0 ? 'throw new Error("no emulator")' : OBEDIENT)(),
  })
  const failed = await Promise.allSettled([pool.run(packed('a')), pool.run(packed('b'))])
  for (const result of failed) {
    assert.ok(result.status === 'rejected' && result.reason instanceof VmCrashedError)
    assert.match(result.reason.message, /does not start: no emulator/)
  }
  assert.equal(nameOf(await pool.run(packed('c'))), 'c')
})

test('a thread that cannot even be made fails what waits', async (t) => {
  const { pool } = createPool(t, {
    startWorker: () => {
      throw new Error('no more threads')
    },
  })
  pool.startAll()
  await assert.rejects(
    pool.run(packed('a')),
    (error) => error instanceof VmCrashedError && /no more/.test(String(error.cause)),
  )
})

test('a run can be abandoned before, while waiting and under way', async (t) => {
  const { pool, threads } = createPool(t)
  await assert.rejects(pool.run(packed('a'), { signal: AbortSignal.abort(new Error('early')) }), /early/)
  assert.equal(threads.length, 0)
  await pool.run(packed('a'))
  const running = new AbortController()
  const waiting = new AbortController()
  const results = Promise.allSettled([
    pool.run(packed('slow'), { signal: running.signal }),
    pool.run(packed('b'), { signal: waiting.signal }),
    pool.run(packed('c')),
  ])
  running.abort(new Error('under way'))
  waiting.abort(new Error('waiting'))
  const [first, second, third] = await results
  assert.match(String(first?.status === 'rejected' && first.reason), /under way/)
  assert.match(String(second?.status === 'rejected' && second.reason), /waiting/)
  assert.ok(third?.status === 'fulfilled' && nameOf(third.value) === 'c')
  assert.equal(threads.length, 1)
})

test('a thread that has grown too large is replaced after its run', async (t) => {
  const { pool } = createPool(t)
  const before = threadOf(await pool.run(packed('fat')))
  const after = threadOf(await pool.run(packed('a')))
  assert.notEqual(before, after)
})

test('a configuration is sent once to each thread, and again when others have taken its place', async (t) => {
  const { pool } = createPool(t)
  const has: string[] = []
  for (const key of ['a', 'a', 'b', 'c', 'd', 'a', 'e', 'b', 'a']) {
    const answer = await pool.run(packed('x', key))
    has.push(`${key} ${answer.kind === 'refused' && answer.reason.split(' ')[1]}`)
  }
  assert.deepEqual(has, [
    'a false',
    'a true',
    'b false',
    'c false',
    'd false',
    'a true',
    'e false',
    'b false',
    'a true',
  ])
  await assert.rejects(pool.run(packed('exit', 'a')), VmCrashedError)
  const fresh = await pool.run(packed('x', 'a'))
  assert.ok(fresh.kind === 'refused' && fresh.reason.startsWith('x false'))
})

test('closing ends everything, under way, waiting and later', async (t) => {
  const { pool, threads } = createPool(t)
  await pool.run(packed('a'))
  const results = Promise.allSettled([pool.run(packed('hang')), pool.run(packed('b'))])
  await pool.close()
  for (const result of await results) assert.ok(result.status === 'rejected' && result.reason instanceof VmClosedError)
  await assert.rejects(pool.run(packed('c')), VmClosedError)
  await pool.close()
  assert.deepEqual(
    threads.map(({ threadId }) => threadId),
    [-1],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sample } from '../../../test/support/sampleInterface.ts'
import { createLogger } from '../../observe/Logger.ts'
import { createHttpServer } from './createHttpServer.ts'
import { OverloadedError } from './errors.ts'
import { createLoadShedders, LoadShedder } from './LoadShedder.ts'
import { mount } from './Mount.ts'

/** As the server does, but throws where it refuses. */
const enter = (shedder: LoadShedder): (() => void) => {
  const entered = shedder.tryEnter()
  if (entered instanceof OverloadedError) throw entered
  return entered
}

/** Offers requests to a shedder whose service ends one after the other, and tells what came of them, in the order in which they ended. */
const offer = (options: {
  readonly everyMs: number
  readonly serviceMs: number
  readonly forMs: number
  readonly accepted?: number
}) => {
  let now = 0
  const shedder = new LoadShedder({ accepted: options.accepted ?? 16 }, () => now)
  const queue: { readonly begun: number; leave(): void }[] = []
  const times: number[] = []
  let [refused, freeAt, retryAfter] = [0, 0, 0]
  const serve = (until: number): void => {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      const end = Math.max(freeAt, first.begun) + options.serviceMs
      if (end > until) return
      queue.shift()
      freeAt = end
      now = end
      first.leave()
      times.push(end - first.begun)
    }
  }
  for (let at = 0; at < options.forMs; at += options.everyMs) {
    serve(at)
    now = at
    try {
      queue.push({ begun: at, leave: enter(shedder) })
    } catch (error) {
      assert.ok(error instanceof OverloadedError)
      retryAfter = error.retryAfterSeconds
      refused++
    }
  }
  return { shedder, times, refused, retryAfter, queued: queue.length }
}

test('twice the capacity: what is accepted is answered in time, as many as can be', () => {
  const { times, refused, retryAfter } = offer({ everyMs: 5, serviceMs: 10, forMs: 60_000 })
  assert.ok(times.length > 0.98 * 6000, `${times.length} of 6000`)
  assert.ok(refused > 0.4 * 12_000)
  assert.equal(retryAfter, 1)
  // Four count as worked on, and half of 16 wait. Only in the first second there were more, which might have been a burst.
  const later = times.slice(150)
  assert.ok(Math.max(...later) <= 130, `${Math.max(...later)}`)
  assert.ok(Math.max(...times) <= 600, `${Math.max(...times)}`)
})

test('what can be done is never refused', () => {
  assert.equal(offer({ everyMs: 11, serviceMs: 10, forMs: 20_000 }).refused, 0)
})

test('a burst is served', () => {
  let now = 0
  const shedder = new LoadShedder({ accepted: 16 }, () => now)
  for (let k = 0; k < 100; k++) {
    const leave = enter(shedder)
    now += 10
    leave()
  }
  for (let times = 0; times < 3; times++) {
    const leaves = Array.from({ length: 60 }, () => enter(shedder))
    for (const leave of leaves) {
      now += 10
      leave()
    }
    now += 1000
  }
  // The second of them was expected to take long.
  assert.deepEqual([shedder.size, shedder.stats.accepted, shedder.stats.refused], [0, 280, 0])
})

test('a lasting load is not a burst again and again, and one that ends is soon forgotten', () => {
  let now = 0
  const shedder = new LoadShedder({ accepted: 16 }, () => now)
  const queue: (() => void)[] = []
  let longest = 0
  const offerFor = (forMs: number, everyMs: number): void => {
    for (const end = now + forMs; now < end; now += 5) {
      if (now % 10 === 0) queue.shift()?.()
      if (now % everyMs === 0) {
        try {
          queue.push(enter(shedder))
        } catch {}
      }
      longest = Math.max(longest, queue.length)
    }
  }
  offerFor(2000, 5)
  longest = 0
  // Every other second there is less than the service can do.
  for (let times = 0; times < 10; times++) {
    offerFor(1000, 20)
    offerFor(1000, 5)
  }
  assert.ok(longest <= 16, `${longest}`)
  offerFor(3000, 20)
  const { refused } = shedder.stats
  assert.equal(queue.length <= 1, true)
  for (let k = 0; k < 30; k++) queue.push(enter(shedder))
  assert.equal(shedder.stats.refused, refused)
})

test('what many at a time take is not what one takes', () => {
  // Waves of 32 over connections that are kept: the first of each begins alone, and waits for the others.
  let now = 0
  const shedder = new LoadShedder({ accepted: 64 }, () => now)
  for (let times = 0; times < 100; times++) {
    const leaves = Array.from({ length: 32 }, () => enter(shedder))
    now += 60
    for (const leave of leaves) {
      now += 0.1
      leave()
    }
  }
  // Alone, one takes 5 ms.
  for (let k = 0; k < 10; k++) {
    const leave = enter(shedder)
    now += k === 0 ? 500 : 5
    leave()
  }
  const leaves: (() => void)[] = []
  assert.throws(() => {
    for (let k = 0; k < 1000; k++) {
      now += 1
      leaves.push(enter(shedder))
      if (k % 2 === 0) leaves.shift()!()
    }
  }, OverloadedError)
  // The tolerance of a burst, half of which is worked off.
  assert.ok(leaves.length < 64 + 64 + 200, `${leaves.length}`)
})

test('a few requests that take very long are refused before their time limit', () => {
  const { times, refused } = offer({ everyMs: 1000, serviceMs: 2000, forMs: 120_000, accepted: 4 })
  assert.ok(Math.max(...times) <= 10_000, `${Math.max(...times)}`)
  assert.ok(times.length >= 55 && refused >= 40, `${times.length} answered, ${refused} refused`)
})

test('requests that usually take long are no overload', () => {
  // Many at a time, each of which waits half a second for a far node.
  let now = 0
  const shedder = new LoadShedder({ accepted: 16 }, () => now)
  const running: { readonly end: number; leave(): void }[] = []
  for (; now < 30_000; now += 5) {
    while (running[0] !== undefined && running[0].end <= now) running.shift()!.leave()
    running.push({ end: now + 500, leave: enter(shedder) })
  }
  assert.equal(shedder.stats.refused, 0)
})

test('a server refuses work that there is too much of, by REST and JSON-RPC, and says when to come back', async (t) => {
  let now = 0
  const live = new LoadShedder({ accepted: 1 }, () => now)
  const context = () => ({ factor: 3n, signal: new AbortController().signal, seen: [] })
  const server = await createHttpServer({
    mounts: [mount(sample, context, { workOf: ({ name }) => (name === 'multiply' ? 'live' : undefined) })],
    logger: createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined }),
    host: '127.0.0.1',
    port: 0,
    shedders: { ...createLoadShedders(), live },
  })
  t.after(() => server.close())
  const get = (path: string): Promise<Response> => fetch(`${server.url}/sample/${path}`)
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'multiply', params: { value: 1 } })
  const callRpc = (): Promise<Response> => fetch(`${server.url}/sample/rpc`, { method: 'POST', headers, body })
  assert.equal((await get('multiply?value=1')).status, 200)
  // One ends every second, and seven are in flight.
  const leaves = Array.from({ length: 10 }, () => enter(live))
  for (const leave of leaves.splice(0, 3)) {
    now += 1000
    leave()
  }
  const refused = await get('multiply?value=1')
  assert.deepEqual(
    [refused.status, refused.headers.get('retry-after'), refused.headers.get('access-control-allow-origin')],
    [503, '7', '*'],
  )
  assert.equal(((await refused.json()) as { kind: string }).kind, 'overloaded')
  const rpc = await callRpc()
  assert.deepEqual([rpc.status, rpc.headers.get('retry-after')], [503, '7'])
  // Other work goes on.
  assert.equal((await get(`echo?address=0:${'ab'.repeat(32)}`)).status, 200)
  for (const leave of leaves) leave()
  assert.equal((await get('multiply?value=1')).status, 200)
  assert.equal((await callRpc()).status, 200)
  assert.deepEqual([live.size, live.stats.refused], [0, 2])
})

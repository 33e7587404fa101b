import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { offerLoad, rawGet } from '../../../test/support/httpLoad.ts'
import { sample } from '../../../test/support/sampleInterface.ts'
import { createLogger } from '../../observe/Logger.ts'
import { createHttpServer } from './createHttpServer.ts'
import { OverloadedError } from './errors.ts'
import type { Interface } from './Interface.ts'
import { createLoadShedders, LoadShedder } from './LoadShedder.ts'
import { mount } from './Mount.ts'

/** Offers requests to a shedder whose service ends one after the other, and tells what came of them. */
const offer = (options: { readonly everyMs: number; readonly serviceMs: number; readonly forMs: number }) => {
  let now = 0
  const shedder = new LoadShedder({ alwaysAccepted: 16, targetMs: 250 }, () => now)
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
      queue.push({ begun: at, leave: shedder.enter() })
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
  assert.ok(times.length > 0.95 * 6000, `${times.length} of 6000`)
  assert.ok(refused > 0.4 * 12_000)
  assert.equal(retryAfter, 1)
  // After the first seconds, in which it was a burst.
  const later = times.slice(600).sort((a, b) => a - b)
  assert.ok(later.at(Math.floor(0.99 * later.length))! < 300, `${later.at(-1)}`)
})

test('what can be done is never refused', () => {
  assert.equal(offer({ everyMs: 11, serviceMs: 10, forMs: 20_000 }).refused, 0)
})

test('a burst is served', () => {
  let now = 0
  const shedder = new LoadShedder({ alwaysAccepted: 16, targetMs: 250 }, () => now)
  for (let k = 0; k < 100; k++) {
    const leave = shedder.enter()
    now += 10
    leave()
  }
  for (let times = 0; times < 3; times++) {
    const leaves = Array.from({ length: 60 }, () => shedder.enter())
    for (const leave of leaves) {
      now += 10
      leave()
    }
    now += 1000
  }
  // The second of them was expected to take long.
  assert.deepEqual([shedder.size, shedder.stats.accepted, shedder.stats.refused], [0, 280, 0])
})

test('requests that usually take long are no overload', () => {
  // Many at a time, each of which waits half a second for a far node.
  let now = 0
  const shedder = new LoadShedder({ alwaysAccepted: 16, targetMs: 250 }, () => now)
  const running: { readonly end: number; leave(): void }[] = []
  for (; now < 30_000; now += 5) {
    while (running[0] !== undefined && running[0].end <= now) running.shift()!.leave()
    running.push({ end: now + 500, leave: shedder.enter() })
  }
  assert.equal(shedder.stats.refused, 0)
})

test('a server that is asked twice what it can do refuses at once, and is late for nobody', async (t) => {
  // One request after the other, each 20 ms.
  let last: Promise<unknown> = Promise.resolve()
  const work = async (): Promise<unknown> => {
    last = last.then(() => delay(20))
    await last
    return { text: '1', number: 1n }
  }
  const definition: Interface<unknown> = {
    ...(sample as Interface<unknown>),
    endpoints: (sample as Interface<unknown>).endpoints.map((endpoint) => ({ ...endpoint, handle: work })),
  }
  const shedders = { ...createLoadShedders(), live: new LoadShedder({ alwaysAccepted: 4, targetMs: 200 }) }
  const server = await createHttpServer({
    mounts: [mount(definition, () => undefined, { workOf: ({ name }) => (name === 'multiply' ? 'live' : undefined) })],
    logger: createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined }),
    host: '127.0.0.1',
    port: 0,
    shedders,
  })
  t.after(() => server.close())
  const path = '/sample/multiply?value=1'
  const offering = offerLoad(server.url, () => rawGet(server.url, path), {
    perSecond: 120,
    durationMs: 4000,
    maxConnections: 1000,
  })
  await delay(2500)
  // Half of all requests are accepted.
  let refused = await fetch(server.url + path)
  for (let tries = 0; refused.status === 200 && tries < 50; tries++) refused = await fetch(server.url + path)
  assert.deepEqual(
    [refused.status, refused.headers.has('retry-after'), refused.headers.get('access-control-allow-origin')],
    [503, true, '*'],
  )
  assert.match(((await refused.json()) as { error: string }).error, /overloaded/)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'multiply', params: { value: 1 } })
  const headers = { 'content-type': 'application/json' }
  const askRpc = () => fetch(`${server.url}/sample/rpc`, { method: 'POST', headers, body })
  let rpc = await askRpc()
  for (let tries = 0; rpc.status === 200 && tries < 50; tries++) rpc = await askRpc()
  assert.deepEqual([rpc.status, rpc.headers.has('retry-after')], [503, true])
  const { statuses, unadvised } = await offering
  assert.deepEqual([...statuses.keys()].sort(), [200, 503])
  assert.equal(unadvised, 0)
  assert.ok(shedders.live.stats.refused > 10)
  assert.equal(shedders.live.size, 0)
})

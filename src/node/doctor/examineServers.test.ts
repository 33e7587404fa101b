import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { servePatient, serveRaw, testZeroState } from '../../../test/support/doctorServers.ts'
import { examineServers } from './examineServers.ts'

const options = {
  zeroState: testZeroState,
  anchor: testZeroState,
  trusted: undefined,
  stepMs: 600,
  limitMs: 1500,
  signal: new AbortController().signal,
}

test('whatever servers do, it ends in time, and says of each how far it came', async (t) => {
  const slowly = (ms: number) => async () => {
    await delay(ms)
    return undefined
  }
  const liteservers = [
    await servePatient(t, { answer: () => null }),
    await servePatient(t, { answer: slowly(200) }),
    await servePatient(t, { answer: ({ kind }) => (kind.endsWith('Ext') ? undefined : null) }),
  ]
  const others = [
    await serveRaw(t, () => undefined),
    await serveRaw(t, (socket) => {
      const dripping = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(dripping))
    }),
  ]
  const start = performance.now()
  const examinations = await examineServers([...liteservers, ...others], options)
  const ms = performance.now() - start
  assert.ok(ms < 2000, `${ms} ms`)
  assert.deepEqual(
    examinations.map(({ findings }) => findings.map(({ code }) => code)),
    [['no_answer'], ['init_pruned'], ['no_answer'], ['wrong_key'], ['not_a_liteserver']],
  )
  await delay(50)
  for (const { server } of liteservers) assert.equal(server.connections.size, 0)
})

test('where not even the connection comes to an end in time, that is said', async (t) => {
  const mute = await servePatient(t, { answer: () => null })
  // Only the examination is timed: making the server takes as long as the machine likes.
  const start = performance.now()
  const [examination] = await examineServers([mute], { ...options, stepMs: 5000, limitMs: 200 })
  assert.ok(performance.now() - start < 4000)
  assert.deepEqual(
    examination?.findings.map(({ code }) => code),
    ['unfinished'],
  )
})

test('many servers are looked at at once', async (t) => {
  const servers = await Promise.all(
    Array.from({ length: 40 }, () =>
      servePatient(t, {
        answer: async () => {
          await delay(100)
          return undefined
        },
      }),
    ),
  )
  const start = performance.now()
  const examinations = await examineServers(servers, { ...options, anchor: undefined, stepMs: 5000, limitMs: 9000 })
  // One after another they would take eight seconds.
  assert.ok(performance.now() - start < 5000)
  assert.ok(examinations.every(({ findings }) => findings.length === 0))
})

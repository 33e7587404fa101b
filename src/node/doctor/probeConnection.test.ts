import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { servePatient, serveRaw } from '../../../test/support/doctorServers.ts'
import type { LiteServerAddress } from '../../primitives/LiteServerAddress.ts'
import { probeConnection } from './probeConnection.ts'

const probe = (address: LiteServerAddress): Promise<string> =>
  probeConnection(address, 200, new AbortController().signal)

const cases: Readonly<Record<string, (t: TestContext) => Promise<LiteServerAddress>>> = {
  ready: (t) => servePatient(t),
  refused: async (t) => {
    const server = await servePatient(t)
    await server.close()
    return server
  },
  closed: async (t) => {
    const { publicKey } = await servePatient(t)
    return { ...(await servePatient(t)), publicKey }
  },
  silent: (t) => serveRaw(t, () => undefined),
  garbled: (t) => serveRaw(t, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')),
  bad_key: async (t) => ({ ...(await servePatient(t)), publicKey: new Uint8Array(32) }),
  unreachable: async (t) => ({ ...(await servePatient(t)), host: '255.255.255.255' }),
  unknown_host: async (t) => ({ ...(await servePatient(t)), host: 'x'.repeat(300) }),
}

for (const [outcome, create] of Object.entries(cases)) {
  test(`tells ${outcome}`, async (t) => assert.equal(await probe(await create(t)), outcome))
}

test('a few bytes of something else are no silence', async (t) => {
  assert.equal(await probe(await serveRaw(t, (socket) => socket.write('x'))), 'garbled')
  assert.equal(await probe(await serveRaw(t, (socket) => socket.end('x'))), 'garbled')
})

test('a reset at the handshake is a closed connection', async (t) => {
  const reset = await serveRaw(t, (socket) => socket.once('data', () => socket.resetAndDestroy()))
  assert.equal(await probe(reset), 'closed')
})

test('stops when it is told to, and leaves no connection behind', async (t) => {
  let open = 0
  const mute = await serveRaw(t, (socket) => {
    open++
    socket.on('data', () => undefined)
    socket.once('close', () => open--)
  })
  const controller = new AbortController()
  const probing = probeConnection(mute, 60_000, controller.signal)
  await delay(30)
  assert.equal(open, 1)
  controller.abort(new Error('stop'))
  await assert.rejects(probing, { message: 'stop' })
  await delay(30)
  assert.equal(open, 0)
})

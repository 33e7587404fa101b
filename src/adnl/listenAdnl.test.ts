import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { after, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { concatBytes, putU32LE } from '../primitives/bytes.ts'
import type { AdnlConnection } from './AdnlConnection.ts'
import { connectAdnl } from './connectAdnl.ts'
import { createAuthNonce, createPing } from './controlMessages.ts'
import { AdnlError } from './errors.ts'
import { encodeFrame, FrameDecoder } from './frames.ts'
import { createClientCiphers, createHandshake, createServerKey } from './handshake.ts'
import { publicKeyOf, signWith } from './keys.ts'
import { type AdnlServer, type ListenOptions, listenAdnl } from './listenAdnl.ts'

const key = createServerKey(new Uint8Array(32).fill(7))
const servers: AdnlServer[] = []

const listenEcho = async (options: Partial<ListenOptions> = {}): Promise<AdnlServer> => {
  const server = await listenAdnl({
    keys: [createServerKey(new Uint8Array(32).fill(9)), key],
    onPayload: (connection, payload) => connection.send(payload),
    ...options,
  })
  servers.push(server)
  return server
}

type Client = {
  readonly connection: AdnlConnection
  next(): Promise<Uint8Array>
  readonly closed: Promise<AdnlError | undefined>
}

const open = async (server: AdnlServer, publicKey = key.publicKey, extra = {}): Promise<Client> => {
  const waiting: ((payload: Uint8Array) => void)[] = []
  const arrived: Uint8Array[] = []
  let onClosed: (error: AdnlError | undefined) => void
  const closed = new Promise<AdnlError | undefined>((resolve) => {
    onClosed = resolve
  })
  const connection = await connectAdnl({
    host: server.host,
    port: server.port,
    publicKey,
    onPayload: (payload) => {
      const take = waiting.shift()
      if (take === undefined) arrived.push(payload)
      else take(payload)
    },
    onClose: (error) => onClosed(error),
    ...extra,
  })
  const next = (): Promise<Uint8Array> => {
    const payload = arrived.shift()
    return payload === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(payload)
  }
  return { connection, next, closed }
}

/** A client without manners: raw bytes behind a right handshake. */
const openRaw = async (server: AdnlServer) => {
  const { packet, params } = createHandshake(key.publicKey)
  const ciphers = createClientCiphers(params)
  const socket: Socket = connect(server.port, server.host)
  socket.on('error', () => undefined)
  const payloads: Uint8Array[] = []
  const decoder = new FrameDecoder((payload) => void payloads.push(payload))
  socket.on('data', (chunk) => decoder.push(ciphers.decrypt(chunk)))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  return { socket, packet, payloads, closed, encrypt: ciphers.encrypt }
}

const until = async (condition: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 2000 && !condition(); tries++) await delay(5)
  assert.ok(condition(), 'the awaited condition did not come true within ten seconds')
}

after(async () => {
  for (const server of servers) await server.close()
})

describe('connectAdnl and listenAdnl', () => {
  it('carry payloads of every size both ways, in order', async () => {
    const client = await open(await listenEcho())
    for (const length of [1, 52, 1000, 70_000, 3_000_000]) {
      const payload = new Uint8Array(randomBytes(length))
      client.connection.send(payload)
      assert.deepEqual(await client.next(), payload)
    }
    client.connection.close()
    assert.equal(await client.closed, undefined)
  })

  it('serve many clients at once, each with its own stream', async () => {
    const server = await listenEcho()
    const clients = await Promise.all(Array.from({ length: 20 }, () => open(server)))
    assert.equal(server.connections.size, 20)
    await Promise.all(
      clients.map(async (client, k) => {
        for (let round = 0; round < 20; round++) {
          client.connection.send(Uint8Array.of(k, round))
          assert.deepEqual(await client.next(), Uint8Array.of(k, round))
        }
        client.connection.close()
      }),
    )
    await until(() => server.connections.size === 0)
  })

  it('refuse a client that expects another key', async () => {
    const server = await listenEcho()
    await assert.rejects(open(server, createServerKey(new Uint8Array(32).fill(1)).publicKey), AdnlError)
  })

  it('say in one sentence that nobody listens', async () => {
    const server = await listenEcho()
    await server.close()
    await assert.rejects(open(server), (error: AdnlError) => {
      assert.ok(error instanceof AdnlError)
      assert.equal(error.retryable, true)
      assert.match(error.message, /^No connection to 127\.0\.0\.1:\d+: Connection lost: connect ECONNREFUSED/)
      return true
    })
  })

  it('give up on a server that does not answer the handshake, and when told to', async () => {
    const { createServer } = await import('node:net')
    const mute = createServer((socket) => socket.resume())
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const port = (mute.address() as { port: number }).port
    const silent = { host: '127.0.0.1', port } as AdnlServer
    await assert.rejects(open(silent, key.publicKey, { timeoutMs: 50 }), /after 50 ms/)
    await assert.rejects(open(silent, key.publicKey, { signal: AbortSignal.timeout(30) }), /was aborted/)
    await new Promise((resolve) => mute.close(resolve))
  })

  it('tell the client that the server went away', async () => {
    const server = await listenEcho()
    const client = await open(server)
    await server.close()
    const error = await client.closed
    assert.ok(error instanceof AdnlError)
    assert.equal(client.connection.isOpen, false)
    assert.throws(() => client.connection.send(new Uint8Array(1)), AdnlError)
  })

  it('keep a silent connection alive with pings, and notice a dead one', async () => {
    const server = await listenEcho()
    const alive = await open(server, key.publicKey, { pingAfterMs: 20, deadAfterMs: 60_000 })
    // Nothing but pongs comes in on it.
    const openedAt = alive.connection.lastReceivedAt
    await until(() => alive.connection.lastReceivedAt > openedAt + 60)
    alive.connection.close()
    const raw = await listenEcho({ onPayload: () => undefined })
    const dead = await open(raw, key.publicKey, { pingAfterMs: 10_000, deadAfterMs: 40 })
    assert.match((await dead.closed)?.message ?? '', /sent nothing/)
  })
})

describe('a listening end under bad clients', () => {
  it('drops silence, wrong handshakes, garbage, oversized and broken packets, and serves on', async () => {
    const server = await listenEcho({ idleMs: 80, limits: { maxFrame: 4096 } })
    const silent = await openRaw(server)
    const noise = await openRaw(server)
    noise.socket.write(randomBytes(256))
    const broken = await openRaw(server)
    const frame = encodeFrame(Uint8Array.of(1))
    frame[40]! ^= 1
    broken.socket.write(concatBytes([broken.packet, broken.encrypt(frame)]))
    const large = await openRaw(server)
    const head = new Uint8Array(4)
    putU32LE(head, 0, 4097)
    large.socket.write(concatBytes([large.packet, large.encrypt(head)]))
    const cut = await openRaw(server)
    cut.socket.write(concatBytes([cut.packet, cut.encrypt(encodeFrame(new Uint8Array(99)).subarray(0, 50))]))
    await Promise.all([silent.closed, noise.closed, broken.closed, large.closed, cut.closed])
    const honest = await open(server)
    honest.connection.send(Uint8Array.of(5))
    assert.deepEqual(await honest.next(), Uint8Array.of(5))
    honest.connection.close()
    await until(() => server.connections.size === 0)
  })

  it('answers what is glued to the handshake, split at any byte', async () => {
    const server = await listenEcho()
    const client = await openRaw(server)
    const bytes = concatBytes([client.packet, client.encrypt(encodeFrame(createPing(new Uint8Array(8).fill(3))))])
    for (const at of [0, 100, 255, 256, 300]) {
      client.socket.write(bytes.subarray(at, { 0: 100, 100: 255, 255: 256, 256: 300, 300: bytes.length }[at]))
      await delay(2)
    }
    await until(() => client.payloads.length === 2)
    assert.deepEqual(client.payloads[0], new Uint8Array(0))
    assert.deepEqual([...(client.payloads[1] ?? [])], [0x03, 0xfb, 0x69, 0xdc, 3, 3, 3, 3, 3, 3, 3, 3])
    client.socket.destroy()
  })

  it('drops a client that asks and does not read', async () => {
    let onDropped: () => void
    const dropped = new Promise<void>((resolve) => {
      onDropped = resolve
    })
    const server = await listenEcho({
      onClose: () => onDropped(),
      onPayload: (connection) => {
        for (let k = 0; k < 64 && connection.isOpen; k++) connection.send(new Uint8Array(1 << 20))
      },
      limits: { maxQueuedBytes: 8 << 20 },
    })
    const client = await openRaw(server)
    client.socket.pause()
    client.socket.write(concatBytes([client.packet, client.encrypt(encodeFrame(Uint8Array.of(1)))]))
    await dropped
    assert.equal(server.connections.size, 0)
    client.socket.destroy()
  })

  it('takes part in the optional authentication, and drops a false signature or a second try', async () => {
    const server = await listenEcho()
    const seed = new Uint8Array(32).fill(4)
    const clientNonce = new Uint8Array(32).fill(8)
    const request = createAuthNonce(clientNonce)
    request.set([0x12, 0xab, 0x5b, 0x44])
    const complete = (signature: Uint8Array) => {
      const payload = new Uint8Array(4 + 36 + 68)
      payload.set([0xa6, 0x9e, 0xad, 0xf7, 0xc6, 0xb4, 0x13, 0x48])
      payload.set(publicKeyOf(seed), 8)
      payload[40] = 64
      payload.set(signature, 41)
      return payload
    }
    const good = await openRaw(server)
    good.socket.write(concatBytes([good.packet, good.encrypt(encodeFrame(request))]))
    await until(() => good.payloads.length === 2)
    const serverNonce = good.payloads[1]!.subarray(8)
    assert.equal(serverNonce.length, 256)
    const proof = signWith(seed)(concatBytes([clientNonce, serverNonce]))
    good.socket.write(good.encrypt(encodeFrame(complete(proof))))
    good.socket.write(good.encrypt(encodeFrame(Uint8Array.of(9, 9))))
    await until(() => good.payloads.length === 3)
    good.socket.write(good.encrypt(encodeFrame(request)))
    await good.closed
    const bad = await openRaw(server)
    bad.socket.write(concatBytes([bad.packet, bad.encrypt(encodeFrame(request))]))
    await until(() => bad.payloads.length === 2)
    bad.socket.write(bad.encrypt(encodeFrame(complete(proof))))
    await bad.closed
  })
})

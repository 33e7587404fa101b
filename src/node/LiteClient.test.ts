import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { decodeLiteQuery } from '../../test/support/decodeLiteQuery.ts'
import { type LiteHandler, listenLite, type TestLiteServer } from '../../test/support/listenLite.ts'
import { NodeAnswerError, NodeRefusedError, NodeTimeoutError, NodeUnavailableError } from '../chain/errors.ts'
import { encodeTlObject } from '../codec/tl/tlObject.ts'
import { LiteClient, type LiteClientOptions } from './LiteClient.ts'

const closers: (() => Promise<void> | void)[] = []
after(async () => {
  for (const close of closers) await close()
})

const serve = async (handle: LiteHandler): Promise<TestLiteServer> => {
  const server = await listenLite(handle)
  closers.push(() => server.close())
  return server
}

const connect = (server: TestLiteServer, options: LiteClientOptions = {}): LiteClient => {
  const client = new LiteClient(server, options)
  closers.push(() => client.close())
  return client
}

const timeAnswer = (now: number): Uint8Array => encodeTlObject({ kind: 'liteServer.currentTime', now })

describe('LiteClient', () => {
  it('calls functions and gives typed answers', async () => {
    const server = await serve((data) => {
      assert.equal(decodeLiteQuery(data).call.kind, 'liteServer.getTime')
      return timeAnswer(77)
    })
    const client = connect(server)
    assert.equal(client.isConnected, false)
    assert.deepEqual(await client.query('liteServer.getTime', {}), { now: 77 })
    assert.equal(client.isConnected, true)
    assert.equal(client.inFlight, 0)
  })

  it('keeps many requests in flight on one connection and takes answers in any order', async () => {
    const server = await serve(async (data) => {
      const { call } = decodeLiteQuery(data)
      const mode = call.kind === 'liteServer.getMasterchainInfoExt' ? call.mode : 0
      await delay((37 * mode) % 23)
      return encodeTlObject({ kind: 'liteServer.error', code: mode, message: 'x' })
    })
    const client = connect(server)
    const codes = await Promise.all(
      Array.from({ length: 200 }, (_, mode) =>
        client.query('liteServer.getMasterchainInfoExt', { mode }).catch((error: NodeRefusedError) => error.serverCode),
      ),
    )
    assert.deepEqual(
      codes,
      Array.from({ length: 200 }, (_, mode) => mode),
    )
    assert.equal(server.server.connections.size, 1)
  })

  it('puts the prefix for waiting before the call', async () => {
    const server = await serve((data) => {
      const { wait } = decodeLiteQuery(data)
      return timeAnswer((wait?.seqno ?? 0) * 1000 + (wait?.timeoutMs ?? 0))
    })
    const wait = { seqno: 12, timeoutMs: 345 }
    assert.deepEqual(await connect(server).query('liteServer.getTime', {}, { wait }), { now: 12_345 })
  })

  it("turns the server's errors into ours, and says truthfully whether another try may help", async () => {
    let code = 0
    const server = await serve(() => encodeTlObject({ kind: 'liteServer.error', code, message: 'text of the server' }))
    const client = connect(server)
    for (const [serverCode, retryable] of [
      [651, true],
      [652, true],
      [-503, true],
      [-400, false],
      [0, false],
      [-701, false],
      [429, true],
    ] as const) {
      code = serverCode
      await assert.rejects(client.query('liteServer.getTime', {}), (error: NodeRefusedError) => {
        assert.ok(error instanceof NodeRefusedError)
        assert.equal(error.serverCode, serverCode)
        assert.equal(error.serverText, 'text of the server')
        assert.equal(error.retryable, retryable)
        return true
      })
    }
  })

  it('refuses answers of another type and answers that are no TL', async () => {
    const answers = [
      encodeTlObject({ kind: 'liteServer.sendMsgStatus', status: 1 }),
      Uint8Array.of(1, 2, 3, 4, 5),
      new Uint8Array(0),
    ]
    const server = await serve(() => answers.shift())
    const client = connect(server)
    for (let k = 0; k < 3; k++) await assert.rejects(client.query('liteServer.getTime', {}), NodeAnswerError)
  })

  it('gives up at the deadline and when told to, and ignores what comes late', async () => {
    let isSlow = true
    const server = await serve(async () => {
      if (isSlow) await delay(60)
      return timeAnswer(1)
    })
    const client = connect(server)
    await assert.rejects(client.query('liteServer.getTime', {}, { timeoutMs: 20 }), NodeTimeoutError)
    const signal = AbortSignal.timeout(10)
    await assert.rejects(client.query('liteServer.getTime', {}, { signal }), { name: 'TimeoutError' })
    assert.equal(client.inFlight, 0)
    isSlow = false
    await delay(80)
    assert.deepEqual(await client.query('liteServer.getTime', {}), { now: 1 })
  })

  it('fails what is in flight when the connection breaks, and connects again by itself', async () => {
    let isMute = true
    const server = await serve(() => (isMute ? undefined : timeAnswer(5)))
    const client = connect(server, { backoff: { firstMs: 10, maxMs: 20 } })
    const asked = client.query('liteServer.getTime', {})
    while (server.server.connections.size === 0) await delay(10)
    for (const connection of server.server.connections) connection.close()
    await assert.rejects(asked, NodeUnavailableError)
    isMute = false
    await delay(30)
    assert.deepEqual(await client.query('liteServer.getTime', {}), { now: 5 })
  })

  it('refuses at once while it waits to try an unreachable server again', async () => {
    const server = await serve(() => timeAnswer(1))
    await server.close()
    const client = connect(server, { backoff: { firstMs: 5000, maxMs: 5000 } })
    await assert.rejects(client.query('liteServer.getTime', {}), /is unavailable: No connection to/)
    const start = performance.now()
    await assert.rejects(client.query('liteServer.getTime', {}), /reconnect in \d+ ms/)
    assert.ok(performance.now() - start < 50)
  })

  it('limits what is in flight', async () => {
    const server = await serve(() => undefined)
    const client = connect(server, { maxInFlight: 3, timeoutMs: 500 })
    const asked = Array.from({ length: 3 }, () => client.query('liteServer.getTime', {}).catch(() => 'late'))
    await delay(30)
    await assert.rejects(client.query('liteServer.getTime', {}), /already has 3 requests/)
    client.close()
    assert.deepEqual(await Promise.all(asked), ['late', 'late', 'late'])
    await assert.rejects(client.query('liteServer.getTime', {}), /was closed/)
  })
})

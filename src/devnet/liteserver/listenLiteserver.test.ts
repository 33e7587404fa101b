import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { stillContext } from '../../../test/support/listenStore.ts'
import { RudeClient } from '../../../test/support/rudeClient.ts'
import { TinyChain } from '../../../test/support/TinyChain.ts'
import { createPing } from '../../adnl/controlMessages.ts'
import { createServerKey } from '../../adnl/handshake.ts'
import { encodeLiteQuery } from '../../codec/tl/liteQuery.ts'
import { decodeTlObject, encodeTlObject } from '../../codec/tl/tlObject.ts'
import { createLogger } from '../../observe/Logger.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import type { LiteFunctions } from './LiteFunction.ts'
import { Liteserver, liteFunctions } from './Liteserver.ts'
import { listenLiteserver } from './listenLiteserver.ts'

type SetUp = { readonly functions?: LiteFunctions; readonly idleMs?: number }

const listen = async (t: TestContext, { functions = liteFunctions, idleMs = 60_000 }: SetUp = {}) => {
  const lines: string[] = []
  const logger = createLogger({ level: 'debug', format: 'json', colours: false, write: (line) => lines.push(line) })
  const chain = new TinyChain()
  chain.add()
  const liteserver = new Liteserver(stillContext(chain.store), { logger, functions })
  const server = await listenLiteserver({
    liteserver,
    key: createServerKey(new Uint8Array(32).fill(3)),
    logger,
    idleMs,
  })
  t.after(() => server.close())
  const open = async (): Promise<RudeClient> => {
    const client = await RudeClient.open(server)
    t.after(() => client.destroy())
    return client
  }
  return { server, chain, lines, open }
}

const GET_TIME = encodeLiteQuery({ call: { kind: 'liteServer.getTime' } })
const TIME_QUERY = encodeTlObject({ kind: 'liteServer.query', data: GET_TIME })
const waitFor = (seqno: number): Uint8Array =>
  encodeLiteQuery({ wait: { seqno, timeoutMs: 10_000 }, call: { kind: 'liteServer.getTime' } })

const kindOf = (answer: Uint8Array | undefined): string | undefined => answer && decodeTlObject(answer).kind

/** Whether something came, or nothing within a time in which a right request is answered many times over. */
const isAnswered = (answer: Promise<unknown>): Promise<boolean> =>
  Promise.race([answer.then(() => true), delay(80).then(() => false)])

const until = async (condition: () => boolean): Promise<void> => {
  for (let k = 0; k < 400 && !condition(); k++) await delay(5)
  assert.ok(condition())
}

describe('listenLiteserver', () => {
  it('answers requests, errors included, many at a time and in any order', async (t) => {
    const { open, chain } = await listen(t)
    const client = await open()
    assert.equal(kindOf(await client.ask(GET_TIME)), 'liteServer.currentTime')
    assert.equal(kindOf(await client.ask(new Uint8Array(0))), 'liteServer.error')
    const late = client.ask(waitFor(2))
    const many = await Promise.all(Array.from({ length: 3000 }, () => client.ask(GET_TIME)))
    assert.ok(many.every((answer) => kindOf(answer) === 'liteServer.currentTime'))
    chain.add()
    assert.equal(kindOf(await late), 'liteServer.currentTime')
  })

  it('gives no answer to queries that are not for a liteserver, and stays usable', async (t) => {
    const { open } = await listen(t)
    const client = await open()
    const unread = [
      new Uint8Array(0),
      Uint8Array.of(1, 2, 3),
      GET_TIME,
      encodeTlObject({ kind: 'tcp.ping', randomId: 1n }),
      concatBytes([TIME_QUERY, new Uint8Array(4)]),
      TIME_QUERY.subarray(0, 8),
      Uint8Array.of(0xdf, 0x06, 0x8c, 0x79),
    ]
    const answers = unread.map((query) => client.askQuery(query))
    assert.equal(kindOf(await client.askQuery(TIME_QUERY)), 'liteServer.currentTime')
    assert.deepEqual(
      await Promise.all(answers.map(isAnswered)),
      unread.map(() => false),
    )
    client.sendPayload(new Uint8Array(0))
    client.sendPayload(createPing(new Uint8Array(8)))
    client.sendPayload(encodeTlObject({ kind: 'tcp.pong', randomId: 1n }))
    assert.equal(kindOf(await client.ask(GET_TIME)), 'liteServer.currentTime')
  })

  it('ends a connection on packets of no known kind, and on queries that cannot be read', async (t) => {
    const { open, server } = await listen(t)
    const other = await open()
    const query = encodeTlObject({ kind: 'adnl.message.query', queryId: new Uint8Array(32), query: TIME_QUERY })
    const fatal = [
      Uint8Array.of(1),
      Uint8Array.of(1, 2, 3, 4),
      encodeTlObject({ kind: 'adnl.message.nop' }),
      encodeTlObject({ kind: 'adnl.message.answer', queryId: new Uint8Array(32), answer: new Uint8Array(0) }),
      TIME_QUERY,
      query.subarray(0, 20),
      query.subarray(0, query.length - 4),
      concatBytes([query, new Uint8Array(4)]),
    ]
    for (const payload of fatal) {
      const client = await open()
      client.sendPayload(payload)
      await client.closed
      assert.equal(client.answers, 0)
    }
    for (const frame of [new Uint8Array(100), Uint8Array.of(63, 0, 0, 0), Uint8Array.of(1, 0, 0, 1)]) {
      const client = await open()
      client.sendRaw(frame)
      await client.closed
    }
    assert.equal(kindOf(await other.ask(GET_TIME)), 'liteServer.currentTime')
    await until(() => server.connections.size === 1)
  })

  it('drops an answer that no packet holds', async (t) => {
    let bytes = 0
    const { open, lines } = await listen(t, {
      functions: {
        ...liteFunctions,
        'liteServer.getBlock': (_, { id }) => ({ id, data: new Uint8Array(bytes) }),
      },
    })
    const client = await open()
    const { zeroState: id } = new TinyChain().store
    const getBlock = encodeLiteQuery({ call: { kind: 'liteServer.getBlock', id } })
    // A packet holds 2^24 bytes less 64 of its own; what stands around the data takes 128.
    bytes = 2 ** 24 - 64 - 128
    assert.equal((await client.ask(getBlock))?.length, bytes + 88)
    bytes += 1
    assert.equal(await isAnswered(client.ask(getBlock)), false)
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /"debug".*answer too large/)
    assert.equal(kindOf(await client.ask(GET_TIME)), 'liteServer.currentTime')
  })

  it('refuses more waits than it can hold, and forgets those of a client that left', async (t) => {
    const { open, chain } = await listen(t)
    const client = await open()
    const waits = Array.from({ length: 300 }, () => client.ask(waitFor(2)))
    const refused = await Promise.all(waits.slice(256))
    assert.ok(refused.every((answer) => kindOf(answer) === 'liteServer.error'))
    assert.equal(await isAnswered(waits[255]!), false)
    const other = await open()
    assert.equal(kindOf(await other.ask(GET_TIME)), 'liteServer.currentTime')
    const patient = other.ask(waitFor(2))
    client.destroy()
    await client.closed
    await delay(20)
    chain.add()
    assert.equal(kindOf(await patient), 'liteServer.currentTime')
  })

  it('serves others while one client asks for very much', async (t) => {
    const busyMs = 2
    const { open } = await listen(t, {
      functions: {
        ...liteFunctions,
        'liteServer.getVersion': () => {
          for (const end = performance.now() + busyMs; performance.now() < end; );
          return { mode: 0, version: 0, capabilities: 0n, now: 0 }
        },
      },
    })
    const [greedy, modest] = [await open(), await open()]
    const heavy = encodeLiteQuery({ call: { kind: 'liteServer.getVersion' } })
    const all = Promise.all(Array.from({ length: 500 }, () => greedy.ask(heavy)))
    await delay(30)
    const startedAt = performance.now()
    for (let k = 0; k < 5; k++) await modest.ask(GET_TIME)
    const took = performance.now() - startedAt
    assert.ok(took < (500 * busyMs) / 2, `five requests took ${took} ms`)
    await all
  })

  it('leaves a client alone that says nothing, and then drops it', async (t) => {
    const { server } = await listen(t, { idleMs: 100 })
    const socket = connect(server.port, server.host)
    t.after(() => socket.destroy())
    const silent = await RudeClient.open(server)
    await new Promise((resolve) => socket.once('close', resolve))
    await silent.closed
  })

  it('closes with everything on it', async (t) => {
    const { server, open } = await listen(t)
    const client = await open()
    const waiting = client.ask(waitFor(2))
    await client.ask(GET_TIME)
    await server.close()
    assert.equal(await waiting, undefined)
    await client.closed
    assert.equal(server.connections.size, 0)
    await assert.rejects(RudeClient.open(server))
  })
})

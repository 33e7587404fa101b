import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createHandshake } from '../../../src/adnl/handshake.ts'
import { encodeLiteQuery } from '../../../src/codec/tl/liteQuery.ts'
import { decodeTlObject, encodeTlObject } from '../../../src/codec/tl/tlObject.ts'
import type { LiteServerAddress } from '../../../src/primitives/LiteServerAddress.ts'
import { RudeClient } from '../../support/rudeClient.ts'
import type { Random } from '../Random.ts'
import { type Known, makeHostileBytes, makeHostileCall } from './hostileRequest.ts'

export type Target = {
  readonly server: LiteServerAddress
  readonly known: Known
  readonly random: Random
  /** Counts what came of an attack. */
  readonly note: (outcome: string) => void
}

type Attack = (target: Target) => Promise<void>

const ANSWER_MS = 10_000

const within = async <T>(what: Promise<T>, name: string): Promise<T> => {
  const timer = new AbortController()
  try {
    return await Promise.race([
      what,
      delay(ANSWER_MS, undefined, { signal: timer.signal }).then(() => {
        throw new Error(`${name} did not end within ${ANSWER_MS} ms.`)
      }),
    ])
  } finally {
    timer.abort()
  }
}

const readOutcome = (answer: Uint8Array | undefined): string => {
  if (answer === undefined) throw new Error('The connection was closed instead of an answer.')
  const object = decodeTlObject(answer, answer.length)
  if (object.kind !== 'liteServer.error') return 'result'
  if (object.message === 'internal error') throw new Error('The server says that it has a bug.')
  return `error ${object.code}`
}

/** Questions that decode and ask for nothing that makes sense: each gets an answer. */
const askNonsense: Attack = async ({ server, known, random, note }) => {
  const client = await RudeClient.open(server)
  const questions = Array.from({ length: 40 }, () => makeHostileCall(random, known))
  const answers = questions.map((data) => within(client.ask(data), 'a question'))
  for (const answer of await Promise.all(answers)) note(readOutcome(answer))
  client.destroy()
}

/** Bytes that are no questions: each gets an error. */
const askBytes: Attack = async ({ server, known, random, note }) => {
  const client = await RudeClient.open(server)
  const questions = Array.from({ length: 40 }, () => makeHostileBytes(random, known))
  for (const answer of await Promise.all(questions.map((data) => within(client.ask(data), 'bytes')))) {
    note(readOutcome(answer))
  }
  client.destroy()
}

const closing =
  (name: string, send: (client: RudeClient, random: Random) => void): Attack =>
  async ({ server, random, note }) => {
    const client = await RudeClient.open(server)
    send(client, random)
    await within(client.closed, name)
    note(`${name}: closed`)
  }

const sendGarbage = closing('garbage frame', (client, random) => {
  // A length that is allowed is waited for: it is made one that is not.
  const bytes = random.bytes(random.between(4, 2000))
  bytes[3] = 0xff
  client.sendRaw(bytes)
})

const sendUnknown = closing('unknown payload', (client, random) =>
  client.sendPayload(
    random.once(2) ? random.bytes(random.between(1, 300)) : encodeTlObject({ kind: 'adnl.message.nop' }),
  ),
)

const sendBrokenQuery = closing('broken query', (client, random) => {
  const query = encodeTlObject({ kind: 'adnl.message.query', queryId: random.bytes(32), query: random.bytes(100) })
  client.sendPayload(query.subarray(0, random.between(4, query.length - 4)))
})

/** Connections that begin and do not go on, or begin wrongly. */
const halfOpen: Attack = async ({ server, random, note }) => {
  const sockets = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const socket = connect({ host: server.host, port: server.port })
      socket.on('error', () => undefined)
      await once(socket, 'connect')
      const { packet } = createHandshake(random.once(2) ? server.publicKey : KNOWN_KEY)
      socket.write(packet.subarray(0, random.below(packet.length)))
      return socket
    }),
  )
  await delay(random.between(1, 200))
  for (const socket of sockets) random.once(2) ? socket.destroy() : socket.resetAndDestroy()
  note('half-open connections left')
}

/** A valid key of nobody here: the base point of the curve. */
const KNOWN_KEY = new Uint8Array(32).fill(0x66)
KNOWN_KEY[0] = 0x58

const wrongKey: Attack = async ({ server, note }) => {
  const socket = connect({ host: server.host, port: server.port })
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(createHandshake(KNOWN_KEY).packet)
  await within(closed, 'a handshake with a wrong key')
  note('wrong key: closed')
}

/** Very many questions, and nobody reads the answers. */
const flood: Attack = async ({ server, known, random, note }) => {
  const client = await RudeClient.open(server)
  client.socket.pause()
  for (let k = 0; k < 600; k++) {
    const data = random.once(2) ? makeHostileCall(random, known) : getBlock(random, known)
    void client.ask(data)
  }
  await delay(random.between(10, 300))
  client.destroy()
  note('flood without reading')
}

const getBlock = (random: Random, known: Known): Uint8Array =>
  encodeLiteQuery({ call: { kind: 'liteServer.getBlock', id: random.pick(known.blocks) } })

/** Questions that wait for a block that does not come; the client goes before they end. */
const waits: Attack = async ({ server, random, note }) => {
  const client = await RudeClient.open(server)
  const seqno = random.pick([401, 450, -1, 0x7fff_ffff])
  const call = { kind: 'liteServer.getTime' } as const
  for (let k = 0; k < 400; k++) void client.ask(encodeLiteQuery({ wait: { seqno, timeoutMs: 10_000 }, call }))
  await delay(random.between(10, 200))
  client.destroy()
  note('waits left')
}

/** A right question, a few bytes at a time. */
const drip: Attack = async ({ server, note }) => {
  const client = await RudeClient.open(server)
  const write = client.socket.write.bind(client.socket)
  const chunks: Uint8Array[] = []
  client.socket.write = (chunk: Uint8Array | string) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    return true
  }
  const answer = within(client.ask(encodeLiteQuery({ call: { kind: 'liteServer.getTime' } })), 'a dripping question')
  const bytes = Buffer.concat(chunks)
  for (let at = 0; at < bytes.length; at += 3) {
    write(bytes.subarray(at, at + 3))
    await delay(1)
  }
  note(`dripped: ${readOutcome(await answer)}`)
  client.destroy()
}

/** A frame that is announced as large as may be, and never ends. */
const endlessFrame: Attack = async ({ server, random, note }) => {
  const client = await RudeClient.open(server)
  client.sendRaw(Uint8Array.of(0, 0, 0, 1))
  client.sendRaw(new Uint8Array(randomBytes(1 << 20)))
  await delay(random.between(1, 100))
  client.destroy()
  note('endless frame left')
}

export const attacks: readonly (readonly [name: string, weight: number, attack: Attack])[] = [
  ['nonsense', 6, askNonsense],
  ['bytes', 4, askBytes],
  ['garbage frame', 2, sendGarbage],
  ['unknown payload', 2, sendUnknown],
  ['broken query', 2, sendBrokenQuery],
  ['half-open', 2, halfOpen],
  ['wrong key', 2, wrongKey],
  ['flood', 1, flood],
  ['waits', 1, waits],
  ['drip', 1, drip],
  ['endless frame', 1, endlessFrame],
]

import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../Random.ts'
import { deepNesting, explosiveRequest, giantNumbers, malformedJson } from './hostileBodies.ts'
import type { PreyNetwork } from './preyNetworkChild.ts'
import { RudeSocket } from './RudeSocket.ts'

export type Target = {
  readonly url: string
  readonly prey: PreyNetwork
  readonly random: Random
  /** Counts what came of an attack. */
  readonly note: (outcome: string) => void
}

type Attack = (target: Target) => Promise<void>

const BASE = '/api/v2'

/** An answer must be an envelope, and never say that there is a bug. */
const post = async ({ url, note }: Target, path: string, body: Uint8Array | string): Promise<void> => {
  const response = await fetch(`${url}${BASE}/${path}`, { method: 'POST', body })
  const text = await response.text()
  const answer = JSON.parse(text) as { ok: boolean; error?: string; code?: number }
  if (answer.ok !== (response.status === 200))
    throw new Error(`Status ${response.status} came with ${text.slice(0, 200)}`)
  if (!answer.ok && (typeof answer.error !== 'string' || answer.code !== response.status)) {
    throw new Error(`A failure came without its envelope: ${text.slice(0, 200)}`)
  }
  if (answer.error?.includes('It has been logged') === true) throw new Error(`A bug was met: ${text.slice(0, 200)}`)
  note(`status ${response.status}`)
}

const postRpc = (target: Target, method: string, params: object): Promise<void> =>
  post(target, 'jsonRPC', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))

const repeat = async (times: number, work: () => Promise<void>): Promise<void> => {
  for (let k = 0; k < times; k++) await work()
}

const sendMalformed: Attack = (target) => {
  const { random } = target
  const path = (): string => random.pick(['jsonRPC', 'runGetMethod', 'sendBoc', 'getAddressInformation', 'estimateFee'])
  return repeat(20, () => post(target, path(), malformedJson(random)))
}

const sendGiantNumbers: Attack = (target) => repeat(10, () => post(target, 'jsonRPC', giantNumbers(target.random)))

const sendDeepNesting: Attack = (target) =>
  repeat(5, () => post(target, 'jsonRPC', deepNesting(target.random, target.prey.echo)))

const sendExplosive: Attack = (target) =>
  repeat(5, () => {
    const { method, params } = explosiveRequest(target.random, target.prey.echo)
    return postRpc(target, method, params)
  })

/** Each with an argument of its own, so that no answer is one that was made before. */
const runEndless: Attack = async (target) => {
  const { random, prey } = target
  const address = random.pick([prey.endless, prey.endless, prey.swelling])
  const argument = ['num', String(random.next())]
  await postRpc(target, 'runGetMethod', { address, method: 'forever', stack: [argument] })
}

/** As much as may be asked for at once. */
const askMuch: Attack = async (target) => {
  const { random, prey } = target
  const address = random.pick(prey.wallets)
  await random.pick<() => Promise<void>>([
    () => postRpc(target, 'getTransactions', { address, limit: 1000 }),
    () => postRpc(target, 'getConfigAll', {}),
    () =>
      postRpc(target, 'getBlockTransactionsExt', {
        workchain: -1,
        shard: '-9223372036854775808',
        seqno: 3,
        count: 10_000,
      }),
    () =>
      postRpc(target, 'tryLocateTx', { source: address, destination: address, created_lt: random.below(10_000_000) }),
    () => postRpc(target, 'runGetMethod', { address: prey.echo, method: 'x', stack: Array(7000).fill(['num', '1']) }),
  ])()
}

/** A body that is longer than it may be: it is refused before it has come. */
const sendTooMuch: Attack = async ({ url, random, note }) => {
  const socket = await RudeSocket.open(url)
  if (socket === undefined) return
  const isChunked = random.once(2)
  const head = isChunked ? 'transfer-encoding: chunked' : `content-length: ${random.pick([1 << 21, 1 << 30, 2 ** 40])}`
  socket.send(`POST ${BASE}/jsonRPC HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`)
  const block = Buffer.alloc(65_536, 0x20)
  for (let k = 0; k < 40 && !socket.isClosed; k++) {
    if (isChunked) socket.send(`${block.length.toString(16)}\r\n`)
    socket.send(block)
    if (isChunked) socket.send('\r\n')
    await delay(1)
  }
  note(`too much: ${await socket.readStatus()}`)
}

const requestLine = (random: Random): string => random.pick(['GET', 'POST', 'PUT', 'X'.repeat(300), 'get', ''])

/** What is no HTTP, or only nearly. */
const sendGarbage: Attack = async ({ url, random, note }) => {
  const socket = await RudeSocket.open(url)
  if (socket === undefined) return
  socket.send(
    random.pick<() => string | Uint8Array>([
      () => random.bytes(random.between(1, 3000)),
      () => `${requestLine(random)} ${BASE}/getMasterchainInfo HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      () => `GET ${BASE}/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      () =>
        `GET ${BASE}/detectHash?hash=%${random.next().toString(16)}&${'a&'.repeat(3000)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
      () => `GET ${BASE}/getMasterchainInfo HTTP/1.1\r\n${'x-a: b\r\n'.repeat(5000)}connection: close\r\n\r\n`,
      () => `GET ${BASE}/getMasterchainInfo HTTP/1.1\r\nx: ${'y'.repeat(200_000)}\r\n\r\n`,
      () =>
        'POST /api/v2/jsonRPC HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\nconnection: close\r\n\r\n{}',
      () => 'POST /api/v2/jsonRPC HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\nzz\r\n',
    ])(),
  )
  await delay(random.below(30))
  socket.socket.end()
  note(`garbage: ${await socket.readStatus()}`)
}

/** Many requests at once on one connection, whose answers are not taken. */
const pipeline: Attack = async ({ url, random, note }) => {
  const socket = await RudeSocket.open(url)
  if (socket === undefined) return
  socket.socket.pause()
  const path = random.pick(['getMasterchainInfo', 'getConfigAll', 'openapi.json', 'detectHash?hash=x'])
  socket.send(`GET ${BASE}/${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(random.between(50, 400)))
  await delay(random.between(10, 500))
  socket.destroy()
  note('pipeline: dropped')
}

export const attacks: readonly (readonly [name: string, weight: number, attack: Attack])[] = [
  ['malformed JSON', 6, sendMalformed],
  ['giant numbers', 4, sendGiantNumbers],
  ['deep nesting', 3, sendDeepNesting],
  ['explosive bags', 6, sendExplosive],
  ['endless methods', 4, runEndless],
  ['as much as possible', 2, askMuch],
  ['too much', 2, sendTooMuch],
  ['garbage', 4, sendGarbage],
  ['pipelines', 1, pipeline],
]

/** Connections that send a body byte by byte, or headers without end, and stay as long as they may. */
export const dripSlowly: Attack = async ({ url, random, note }) => {
  const socket = await RudeSocket.open(url)
  if (socket === undefined) return
  const isBody = random.once(2)
  socket.send(`POST ${BASE}/jsonRPC HTTP/1.1\r\nhost: x\r\n`)
  if (isBody) socket.send('content-length: 1000\r\n\r\n')
  const end = performance.now() + random.between(500, 6000)
  while (performance.now() < end && !socket.isClosed) {
    socket.send(isBody ? ' ' : 'x-a: b\r\n')
    await delay(100)
  }
  socket.destroy()
  note(isBody ? 'slow body' : 'slow headers')
}

/** Opens connections and drops them, a hundred at a time: with nothing said, half a request, or a whole one. */
export const openAndDrop: Attack = async ({ url, random, note }) => {
  const sockets = await Promise.all(Array.from({ length: 100 }, () => RudeSocket.open(url)))
  for (const socket of sockets) {
    if (socket === undefined) {
      note('no connection to be had')
      continue
    }
    const words = random.pick(['', 'GET /api/v2/get', 'GET /api/v2/getMasterchainInfo HTTP/1.1\r\nhost: x\r\n\r\n'])
    if (words !== '') socket.send(words)
    if (random.once(2)) socket.socket.resetAndDestroy()
    else socket.destroy()
    note('opened and dropped')
  }
}

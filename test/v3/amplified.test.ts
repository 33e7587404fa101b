import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { type BodyDecoder, builtInDecoder } from '../../src/contracts/layouts/createBodyDecoder.ts'
import { TRUNCATED } from '../../src/contracts/layouts/DecodedValue.ts'
import { openThreadClock } from '../../src/observe/threads.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import type { Database } from '../../src/store/connect/Database.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { amplifyingDictionary, hostileBody, longText } from '../support/hostileMessages.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV3, type Json, postV3 } from '../support/v3Client.ts'
import { serveV3, startV3Network, type V3NetworkService, type V3Service } from '../support/v3Service.ts'

/** More than are decoded in one answer. */
const MESSAGES = 100
const DEADLINE_MS = 20
/** At the same time. */
const DECODES = 8
/** Beyond a deadline: the slice that it comes in, and to send and read a megabyte. */
const SPARE_MS = 200
const account = `0:${'ab'.repeat(32)}`

const bocOf = (serial: number): string => toBase64(encodeBoc([hostileBody(serial)]))
const isTruncated = (value: Json): boolean => value?.['@type'] === TRUNCATED['@type']
const lengthOf = (value: unknown): number => JSON.stringify(value).length

/** About as much as a request can hold. */
const bodies = Array.from({ length: 420 }, (_, k) => bocOf(k))
const request = JSON.stringify({ bodies })

const clock = openThreadClock()

/** Time of this thread, in which client and service are: how busy the rest of the machine is does not count. */
const readMs = (): number => clock?.readMs() ?? performance.now()

/** The most processor time between two turns of the event loop while work is done: others wait so long, whatever else the machine does. */
const longestTurnMs = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let isDone = false
  let since = process.cpuUsage()
  const turn = (): void => {
    const { user, system } = process.cpuUsage(since)
    longest = Math.max(longest, (user + system) / 1000)
    since = process.cpuUsage()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return longest
}

describe('v3 answers about hostile bodies', () => {
  let service: V3NetworkService
  let database: Database
  /** Over the same index. */
  let hurried: V3Service
  let decoded = 0
  const endings: (() => unknown)[] = []
  let isThere = false

  const test = (name: string, work: () => Promise<void>): void =>
    void it(name, async (t) => {
      if (!isThere) return t.skip('NOT TESTED: there is no database.')
      await work()
    })

  before(async (t) => {
    isThere = haveDatabase(t as never)
    if (!isThere) return
    const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
    const builtIn = builtInDecoder()
    const decoder: BodyDecoder = {
      decode: (...args) => {
        decoded++
        return builtIn.decode(...args)
      },
      nameOf: (opcode) => builtIn.nameOf(opcode),
      layouts: builtIn.layouts,
    }
    database = await openFreshDatabase(cleanup as never)
    service = await startV3Network(cleanup, database, { decoder, checkResults: false })
    hurried = await serveV3(cleanup, database, {
      decoder,
      checkResults: false,
      limits: { callTimeoutMs: DEADLINE_MS },
    })
    const { controls } = service.network
    for (let k = 0; k < MESSAGES; k += 25) {
      const sent = Array.from({ length: 25 }, (_, at) =>
        controls.impersonate({
          source: parseAddress(`0:${'cd'.repeat(32)}`),
          destination: parseAddress(account),
          value: { grams: 1_000_000_000n, extra: NO_EXTRA_CURRENCIES },
          bounce: false,
          stateInit: undefined,
          body: k + at === 7 ? longText(7, 800) : amplifyingDictionary(k + at),
        }),
      )
      await controls.mine(2)
      await Promise.all(sent)
    }
    await controls.mine(3)
    await service.catchUp()
  })

  after(async () => {
    for (const ending of endings.reverse()) await ending()
    await closeSharedMachine()
  })

  test('a page shows every row, with bodies that are cut and marked', async () => {
    const { status, body } = await getV3(`${service.url}/api/v3`, 'transactions', { account, limit: 1000 })
    assert.equal(status, 200)
    const contents: Json[] = body.transactions.map(({ in_msg }: Json) => in_msg.message_content)
    assert.equal(contents.length, MESSAGES)
    for (const { body: boc, decoded } of contents) {
      assert.match(boc, /^te6cc/)
      assert.ok(lengthOf(decoded) < 110_000, `${lengthOf(decoded)} characters of JSON`)
      assert.ok(JSON.stringify(decoded).includes(JSON.stringify(TRUNCATED)) || decoded['@type'] === 'text_comment')
    }
    const whole = contents.filter(({ decoded }) => isTruncated(decoded)).length
    assert.ok(whole > 0 && whole < MESSAGES, `${whole} of ${MESSAGES} bodies are not decoded at all`)
    assert.ok(lengthOf(body) < 6_000_000, `${lengthOf(body)} characters`)
  })

  test('messages and traces are limited alike, and a long text is whole', async () => {
    const messages = await getV3(`${service.url}/api/v3`, 'messages', { destination: account, limit: 1000 })
    assert.equal(messages.status, 200)
    assert.equal(messages.body.messages.length, MESSAGES)
    assert.ok(lengthOf(messages.body) < 6_000_000, `${lengthOf(messages.body)} characters`)
    const traces = await getV3(`${service.url}/api/v3`, 'traces', { account, limit: 1000 })
    assert.equal(traces.status, 200)
    assert.equal(traces.body.traces.length, MESSAGES)
    assert.ok(lengthOf(traces.body) < 6_000_000, `${lengthOf(traces.body)} characters`)
    const texts = messages.body.messages.filter(({ opcode }: Json) => opcode === 0)
    const [found] = texts.map(({ hash }: Json) => hash)
    const one = await getV3(`${service.url}/api/v3`, 'messages', { msg_hash: found })
    const [{ message_content }] = one.body.messages
    assert.equal(message_content.decoded.comment.length, 800 * 120)
  })

  test('a page is cut at the same place where the text of some of its transactions is cached', async () => {
    const cleanup = { after: (ending: () => unknown) => void endings.push(ending) }
    const anew = await serveV3(cleanup, database, { checkResults: false, textCacheBytes: 0 })
    const read = (url: string, page: object) => getV3(`${url}/api/v3`, 'transactions', { account, ...page })
    const whole = { limit: MESSAGES, sort: 'asc' }
    const expected = await read(anew.url, whole)
    const shown = new Set<string>()
    // A few at a time are decoded whole. The cache has room for some of them.
    for (let round = 0; round < 2; round++) {
      for (let offset = 0; offset < MESSAGES; offset += 5) {
        const { body } = await read(service.url, { limit: 5, offset, sort: 'asc' })
        for (const { hash, in_msg } of body.transactions) {
          if (!isTruncated(in_msg.message_content.decoded)) shown.add(hash)
        }
      }
    }
    assert.equal(shown.size, MESSAGES)
    assert.deepEqual((await read(service.url, whole)).body, expected.body)
  })

  test('others get their turn while a page is made', async () => {
    const turn = await longestTurnMs(() => getV3(`${service.url}/api/v3`, 'transactions', { account, limit: 1000 }))
    assert.ok(turn < 200, `${turn} ms`)
  })

  test('/decode takes a megabyte of hostile bodies, in turns, and says what it left out', async () => {
    assert.ok(request.length < 1 << 20, `${request.length} characters`)
    let answer: Json
    const turn = await longestTurnMs(async () => {
      answer = await postV3(`${service.url}/api/v3`, 'decode', request)
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.bodies.length, 420)
    assert.ok(answer.body.bodies.some(isTruncated))
    assert.ok(!isTruncated(answer.body.bodies[0]))
    assert.ok(lengthOf(answer.body) < 6_000_000, `${lengthOf(answer.body)} characters`)
    assert.ok(turn < 200, `${turn} ms`)
  })

  const postDecode = (base: string, more = '', headers = {}, members = {}): Promise<Response> =>
    fetch(`${base}/api/v3/decode${more}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...members, bodies }),
    })

  test('/decode ends at the deadline of its caller, and at that of the service', async () => {
    const before = decoded
    assert.equal((await postDecode(service.url)).status, 200)
    const whole = decoded - before
    const requests = [
      () => postDecode(service.url, `?x_timeout=${DEADLINE_MS}`),
      () => postDecode(service.url, '', { 'x-timeout': String(DEADLINE_MS) }),
      () => postDecode(service.url, '', {}, { x_timeout: DEADLINE_MS }),
      () => postDecode(hurried.url),
      // The shorter one counts.
      () => postDecode(hurried.url, '?x_timeout=3000'),
    ]
    for (const [at, ask] of requests.entries()) {
      const from = decoded
      const begun = readMs()
      const response = await ask()
      const tookMs = readMs() - begun
      const { error } = (await response.json()) as { readonly error: string }
      assert.deepEqual(
        [response.status, error],
        [504, `The request timed out after ${DEADLINE_MS} ms.`],
        `request ${at}`,
      )
      assert.ok(tookMs < DEADLINE_MS + SPARE_MS, `request ${at}: ${tookMs} ms`)
      const count = decoded - from
      assert.ok(count < whole, `request ${at}: ${count} of ${whole} bodies`)
      // Nor does it go on when nobody waits any more.
      await delay(5 * DEADLINE_MS)
      assert.equal(decoded - from, count, `request ${at}`)
    }
  })

  test('/healthcheck answers within 200 ms while hostile bodies are decoded', async () => {
    let isDone = false
    const decoding = Promise.all(
      Array.from({ length: DECODES }, async () => {
        const response = await postDecode(service.url)
        await response.arrayBuffer()
        return response.status
      }),
    ).finally(() => {
      isDone = true
    })
    const waits: number[] = []
    while (!isDone) {
      const begun = readMs()
      const response = await fetch(`${service.url}/api/v2/healthcheck`)
      assert.deepEqual([response.status, await response.text()], [200, '"OK"'])
      waits.push(readMs() - begun)
    }
    assert.deepEqual(new Set(await decoding), new Set([200]))
    assert.ok(waits.length > 5, `${waits.length} answers meanwhile`)
    assert.ok(Math.max(...waits) < 200, `${waits.map(Math.round)} ms`)
  })
})

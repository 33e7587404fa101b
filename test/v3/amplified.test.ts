import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encodeBoc } from '../../src/codec/cell/encodeBoc.ts'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { TRUNCATED } from '../../src/contracts/layouts/DecodedValue.ts'
import { parseAddress } from '../../src/primitives/Address.ts'
import { toBase64 } from '../../src/primitives/base64.ts'
import { haveDatabase, openFreshDatabase } from '../support/database.ts'
import { amplifyingDictionary, hostileBody, longText } from '../support/hostileMessages.ts'
import { closeSharedMachine } from '../support/testNetwork.ts'
import { getV3, type Json, postV3 } from '../support/v3Client.ts'
import { startV3Network, type V3NetworkService } from '../support/v3Service.ts'

/** More than are decoded in one answer. */
const MESSAGES = 100
const account = `0:${'ab'.repeat(32)}`

const bocOf = (serial: number): string => toBase64(encodeBoc([hostileBody(serial)]))
const isTruncated = (value: Json): boolean => value?.['@type'] === TRUNCATED['@type']
const lengthOf = (value: unknown): number => JSON.stringify(value).length

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
    service = await startV3Network(cleanup, await openFreshDatabase(cleanup as never), { checkResults: false })
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

  test('others get their turn while a page is made', async () => {
    const turn = await longestTurnMs(() => getV3(`${service.url}/api/v3`, 'transactions', { account, limit: 1000 }))
    assert.ok(turn < 200, `${turn} ms`)
  })

  test('/decode takes a megabyte of hostile bodies, in turns, and says what it left out', async () => {
    // About as much as a request can hold.
    const bodies = Array.from({ length: 420 }, (_, k) => bocOf(k))
    assert.ok(lengthOf({ bodies }) < 1 << 20, `${lengthOf({ bodies })} characters`)
    let answer: Json
    const turn = await longestTurnMs(async () => {
      answer = await postV3(`${service.url}/api/v3`, 'decode', { bodies })
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.body.bodies.length, bodies.length)
    assert.ok(answer.body.bodies.some(isTruncated))
    assert.ok(!isTruncated(answer.body.bodies[0]))
    assert.ok(lengthOf(answer.body) < 6_000_000, `${lengthOf(answer.body)} characters`)
    assert.ok(turn < 200, `${turn} ms`)
  })
})

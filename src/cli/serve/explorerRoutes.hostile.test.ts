import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { missingDatabase, openFreshDatabase } from '../../../test/support/database.ts'
import { hostileCodes } from '../../../test/support/hostileCode.ts'
import { createFaultLogger } from '../../../test/support/serviceLog.ts'
import { putTokens } from '../../../test/support/tokenRows.ts'
import { waitUntil } from '../../../test/support/waitUntil.ts'
import { createHttpServer, type HttpServer } from '../../api/core/createHttpServer.ts'
import type { PlainRoute } from '../../api/core/PlainRoute.ts'
import { CellWriter } from '../../codec/cell/CellWriter.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openThreadClock } from '../../observe/threads.ts'
import { toBase64 } from '../../primitives/base64.ts'
import type { Database } from '../../store/connect/Database.ts'
import { codeListingRoute } from './codeListing.ts'
import { searchRoute } from './searchNames.ts'

const clock = openThreadClock()

/** Time of this thread, in which the service is: how busy the rest of the machine is does not count. */
const readMs = (): number => clock?.readMs() ?? performance.now()

/** Of processor time. */
const MAX_MS = 1000

const logLines: string[] = []

const serve = (routes: readonly PlainRoute[]): Promise<HttpServer> =>
  createHttpServer({ mounts: [], routes, logger: createFaultLogger(logLines), host: '127.0.0.1', port: 0 })

describe('/disassemble with hostile code', () => {
  let server: HttpServer

  before(async () => {
    server = await serve([codeListingRoute])
  })

  after(() => server.close())

  const post = async (body: string | Uint8Array): Promise<{ status: number; text: string; ms: number }> => {
    const begun = readMs()
    const response = await fetch(`${server.url}/disassemble`, { method: 'POST', body })
    const text = await response.text()
    return { status: response.status, text, ms: readMs() - begun }
  }

  for (const [name, code] of Object.entries(hostileCodes())) {
    test(name, async () => {
      const { status, text, ms } = await post(JSON.stringify({ boc: toBase64(encodeBoc([code])) }))
      assert.equal(status, 200, text)
      assert.ok(text.length < 8_000_000, `${text.length} characters`)
      assert.ok(ms < MAX_MS, `${ms} ms`)
    })
  }

  test('of many listings at once, one is made in each turn of the event loop', async () => {
    const body = JSON.stringify({ boc: toBase64(encodeBoc([hostileCodes()['as many methods as atoms']!])) })
    /** Of 12 at once: all of their time, and the longest turn. */
    const measure = async (): Promise<{ readonly whole: number; readonly longest: number }> => {
      let longest = 0
      let isDone = false
      const begun = readMs()
      let since = begun
      const turn = (): void => {
        const now = readMs()
        longest = Math.max(longest, now - since)
        since = now
        if (!isDone) setImmediate(turn)
      }
      setImmediate(turn)
      const answers = await Promise.all(Array.from({ length: 12 }, () => post(body)))
      isDone = true
      assert.ok(answers.every(({ status }) => status === 200))
      return { whole: readMs() - begun, longest }
    }
    // Connections are open from here on.
    await measure()
    const { whole, longest } = await measure()
    assert.ok(longest < whole / 2, `a turn of ${longest} ms of ${whole} ms`)
  })

  test('what is no code is refused with a reason', async () => {
    const cell = new CellWriter().writeBytes(new Uint8Array(100)).toCell()
    const boc = toBase64(encodeBoc([cell]))
    const bodies = [
      '',
      'null',
      '[]',
      '{}',
      '"te6cc"',
      '{"boc":null}',
      '{"boc":["te6cc"]}',
      '{"boc":""}',
      '{"boc":"\\u0000"}',
      '{"boc":"\\ud800"}',
      '{"boc":"\\u202e\u{10ffff}\u0130"}',
      JSON.stringify({ boc: boc.slice(0, -8) }),
      JSON.stringify({ boc: `${boc}\0` }),
      JSON.stringify({ boc: 'A'.repeat(500_000) }),
      JSON.stringify({ boc: 'A'.repeat(600_000) }),
      `${'['.repeat(250_000)}`,
      new Uint8Array(1000).fill(0xff),
      new Uint8Array(1000),
    ]
    for (const body of bodies) {
      const { status, text, ms } = await post(body)
      const shown = String(body).slice(0, 40)
      assert.equal(status, 400, shown)
      assert.match((JSON.parse(text) as { error: string }).error, /^[A-Z].+/, `${shown}: ${text}`)
      assert.ok(text.length < 500, `${shown}: ${text.length} characters`)
      assert.ok(ms < MAX_MS, `${shown}: ${ms} ms`)
    }
    assert.equal((await post('A'.repeat(2 << 20))).status, 413)
    assert.deepEqual(logLines, [])
  })
})

const LONG = 50_000

describe('/search with hostile texts', { skip: missingDatabase() }, () => {
  const endings: (() => unknown)[] = []
  const cleanup = { after: (ending: () => unknown) => void endings.unshift(ending) } as never
  let server: HttpServer
  let database: Database

  before(async () => {
    database = await openFreshDatabase(cleanup)
    const names = [`a${'b'.repeat(LONG)}`, `a${'\u{1f680}'.repeat(LONG / 2)}`, 'a\u202e\u0301', '\u0130\u0130', '%_\\']
    await putTokens(
      database,
      names.map((name, number) => ({ type: 'jetton_masters', number, content: { name, symbol: name } })),
    )
    await database.transaction(async (client) => {
      await client.query('CREATE TABLE actions_test PARTITION OF actions FOR VALUES FROM (1) TO (2)')
      await client.query(
        `INSERT INTO actions (start_lt, end_lt, trace_end_lt, start_utime, end_utime, trace_end_utime, mc_seqno, type, trace_id,
           action_id, transactions, accounts, details)
         VALUES (1, 1, 1, 1, 1, 1, 1, 'ton_transfer', '\\x00', '\\x00', '{}', '{}', $1)`,
        [{ comment: `Abc${'d'.repeat(LONG)}` }],
      )
    })
    server = await serve([searchRoute(database)])
    endings.unshift(() => server.close())
  })

  after(async () => {
    for (const ending of endings) await ending()
  })

  type Found = {
    readonly error?: string
    readonly tokens?: readonly { readonly name: string }[]
    readonly comments?: readonly { readonly comment: string }[]
  }

  const ask = async (query: string): Promise<{ status: number; text: string; found: Found }> => {
    const response = await fetch(`${server.url}/search?${query}`)
    const text = await response.text()
    return { status: response.status, text, found: JSON.parse(text) as Found }
  }

  test('names and comments of any length are found, and cut', async () => {
    const { status, text, found } = await ask('text=A')
    assert.deepEqual([status, found.tokens!.length, found.comments!.length], [200, 3, 1])
    assert.equal(found.comments![0]!.comment, `Abc${'d'.repeat(197)}`)
    for (const { name } of found.tokens!) assert.ok(name.length <= 400, `${name.length} characters`)
    assert.ok(text.length < 10_000, `${text.length} characters`)
  })

  test('texts are refused, or searched for as they are', async () => {
    const texts: [query: string, found: number | undefined][] = [
      ['', undefined],
      ['text=', undefined],
      ['text=%00', undefined],
      ['text=a%00', undefined],
      ['text=%20%0a%e2%80%83', undefined],
      [`text=${'a'.repeat(65)}`, undefined],
      [`text=${'a'.repeat(7000)}`, undefined],
      [`text=${'%F0%9F%9A%80'.repeat(33)}`, undefined],
      // 64 units of UTF-16, and letters whose other case is longer.
      [`text=${'%F0%9F%9A%80'.repeat(32)}`, 0],
      [`text=${'%C4%B0'.repeat(64)}`, 0],
      ['text=%C4%B0', 1],
      // Bytes that are no text, half of a pair, the end of what there is.
      ['text=%FF%FE', 0],
      ['text=%ED%A0%80', 0],
      ['text=%', 1],
      ['text=%25_', 1],
      ['text=_', 0],
      ['text=%F4%8F%BF%BF', 0],
      ['text=a%E2%80%AE', 1],
      ["text=';drop table actions;--", 0],
      ['text=%5C', 0],
      ['text=__proto__&__proto__=a&constructor=b', 0],
      ['text=a&text=%00', 3],
      ['text[]=a', 3],
    ]
    for (const [query, count] of texts) {
      const { status, found, text } = await ask(query)
      const shown = `${query.slice(0, 60)}: ${text.slice(0, 200)}`
      assert.equal(status, count === undefined ? 400 : 200, shown)
      if (count === undefined) assert.match(found.error!, /^Expected a text of 1 to 64 characters\.$/)
      else assert.equal(found.tokens!.length, count, shown)
    }
    assert.deepEqual(logLines, [])
  })

  test('more searches than can be answered are refused at once, and the others answered', async (t) => {
    const client = await database.openConnection('a lock')
    t.after(() => client.end())
    await client.query('BEGIN')
    await client.query('LOCK TABLE jetton_masters IN ACCESS EXCLUSIVE MODE')
    const refused: string[] = []
    const asked = Array.from({ length: 60 }, async () => {
      const { status, found } = await ask('text=a')
      if (found.error?.startsWith('Too many searches') === true) refused.push(found.error)
      return status
    })
    await waitUntil('searches are refused', () => refused.length === 20, { timeoutMs: 30_000 })
    await client.query('ROLLBACK')
    const statuses = await Promise.all(asked)
    assert.equal(refused.length, 20)
    // The first of the others may have waited too long for the table.
    assert.ok(statuses.every((status) => status === 200 || status === 503))
    assert.ok(statuses.filter((status) => status === 200).length >= 20, statuses.join())
    assert.equal((await ask('text=a')).status, 200)
  })
})

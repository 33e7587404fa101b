import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { beginCell, Address as CoreAddress } from '@ton/core'
import { build } from 'esbuild'
import { repository } from '../../test/support/childScript.ts'
import { ApiError, parseExactJson, stringifyExactJson } from './callEndpoint.ts'
import { Address, type ClientOptions, createClient, parseValues, StackError, StackReader } from './createClient.ts'

type Seen = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly key: unknown
  readonly seqno: unknown
  readonly body: string
}
type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly body?: unknown }

/** A server that gives the replies one after the other, the last one for ever. */
const serve = async (t: TestContext, replies: readonly Reply[], options: Partial<ClientOptions> = {}) => {
  const seen: Seen[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { status = 200, headers = {}, body: said = {} } = replies[Math.min(seen.length, replies.length - 1)]!
    const { 'x-api-key': key, 'x-seen-seqno': seqno } = request.headers
    seen.push({ method: request.method, url: request.url, key, seqno, body })
    response.writeHead(status, headers).end(typeof said === 'string' ? said : JSON.stringify(said))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.closeAllConnections())
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { client: createClient({ url: `${url}/`, ...options }), seen }
}

test('questions are sent by GET, what does something by POST, long questions too', async (t) => {
  const ok = { body: { ok: true, result: 1 } }
  const { client, seen } = await serve(t, [ok], { apiKey: 'secret', dialect: 'ton' })
  await client.v2.getTransactions({ address: 'EQ+/=', limit: 3, lt: undefined })
  await client.v3.jettonWallets({ owner_address: ['a', 'b'], exclude_zero_balance: true })
  await client.v3.jettonWallets({ owner_address: 'a' })
  await client.v2.sendBoc({ boc: 'te6' })
  await client.v2.getLibraries({ libraries: Array.from({ length: 100 }, () => 'f'.repeat(64)) })
  await client.dev.mine({ blocks: 2 })
  assert.deepEqual(
    seen.map(({ method, url, key, body }) => [method, url, key, body.slice(0, 20)]),
    [
      ['GET', '/ton/api/v2/getTransactions?address=EQ%2B%2F%3D&limit=3', 'secret', ''],
      ['GET', '/ton/api/v3/jetton/wallets?owner_address=a&owner_address=b&exclude_zero_balance=true', 'secret', ''],
      ['GET', '/ton/api/v3/jetton/wallets?owner_address=a', 'secret', ''],
      ['POST', '/ton/api/v2/sendBoc', 'secret', '{"boc":"te6"}'],
      ['POST', '/ton/api/v2/getLibraries', 'secret', '{"libraries":["fffff'],
      ['POST', '/dev/mine', 'secret', '{"blocks":2}'],
    ],
  )
})

test('a refusal is an error that says what, and when to come again', async (t) => {
  const busy = {
    status: 429,
    headers: { 'retry-after': '7' },
    body: { ok: false, error: 'Too many requests', code: 429 },
  }
  const { client, seen } = await serve(t, [busy, { status: 502, body: '<html>' }, { body: 'no json' }], {
    retries: 3,
    longestWaitMs: 6999,
  })
  const failed = async (call: Promise<unknown>): Promise<ApiError> => {
    const error: unknown = await call.catch((reason: unknown) => reason)
    return error instanceof ApiError ? error : assert.fail(`It came to ${String(error)}.`)
  }
  const { status, code, retryAfter, message, answer, endpoint } = await failed(client.v2.getMasterchainInfo())
  assert.deepEqual(
    { status, code, retryAfter, message, answer, endpoint },
    {
      status: 429,
      code: 'rate_limited',
      retryAfter: 7,
      message: 'getMasterchainInfo: Too many requests',
      answer: busy.body,
      endpoint: 'getMasterchainInfo',
    },
  )
  assert.equal((await failed(client.v3.masterchainInfo())).message, 'masterchainInfo: status 502')
  assert.equal((await failed(client.v3.masterchainInfo())).code, 'bad_answer')
  assert.equal(seen.length, 3)
  const nowhere = createClient({ url: 'http://127.0.0.1:1' })
  assert.deepEqual(await failed(nowhere.v2.getMasterchainInfo()).then((error) => [error.code, error.status]), [
    'unreachable',
    0,
  ])
})

test('v3 calls tell the server which block the client has seen', async (t) => {
  const reply = (seqno: number): Reply => ({
    headers: { 'x-seen-seqno': String(seqno) },
    body: { ok: true, result: 1 },
  })
  const { client, seen } = await serve(t, [reply(7), reply(5), { status: 404 }, reply(9)], { seenSeqno: 3 })
  await client.v3.masterchainInfo()
  await client.v3.masterchainInfo()
  await assert.rejects(client.v3.blocks(), { code: 'not_found' })
  await client.v2.getMasterchainInfo()
  assert.deepEqual(
    seen.map(({ seqno }) => seqno),
    ['3', '7', '7', undefined],
  )
  assert.equal(client.seenSeqno, 9)
})

test('another try follows where it was asked for, but never of what may have been done', async (t) => {
  const away = { status: 503, headers: { 'retry-after': '0' }, body: { error: 'away' } }
  const busy = { ...away, status: 429 }
  const right = { body: { ok: true, result: 'there' } }
  const { client, seen } = await serve(t, [away, busy, right, busy, right, away], { retries: 2 })
  assert.equal(await client.v2.getMasterchainInfo(), 'there')
  assert.equal(seen.length, 3)
  assert.equal(await client.v2.sendBoc({ boc: '' }), 'there')
  assert.equal(seen.length, 5)
  await assert.rejects(client.v2.sendBoc({ boc: '' }), { code: 'unavailable' })
  assert.equal(seen.length, 6)
  const reason = new Error('enough')
  await assert.rejects(client.v2.getMasterchainInfo({}, { signal: AbortSignal.abort(reason) }), reason)
})

test('waiting for another try ends when it is told to', async (t) => {
  const busy = { status: 429, headers: { 'retry-after': '20' }, body: { error: 'busy' } }
  const { client } = await serve(t, [busy], { retries: 2 })
  const reason = new Error('enough')
  const controller = new AbortController()
  const call = client.v2.getMasterchainInfo({}, { signal: controller.signal })
  setTimeout(() => controller.abort(reason), 100)
  await assert.rejects(call, reason)
})

test('pages follow the cursor to the end', async (t) => {
  const page = (hashes: readonly string[], next?: string): Reply => ({
    body: { address_book: {}, transactions: hashes.map((hash) => ({ hash })) },
    ...(next !== undefined && { headers: { 'x-next-cursor': next } }),
  })
  const { client, seen } = await serve(t, [page(['a', 'b'], 'c1'), page(['c'], 'c2'), page([])])
  const hashes: string[] = []
  for await (const { hash } of client.items('transactions', { account: ['x'], limit: 2 })) hashes.push(hash)
  assert.deepEqual(hashes, ['a', 'b', 'c'])
  const path = '/api/v3/transactions?account=x&limit=2'
  assert.deepEqual(
    seen.map(({ url }) => url),
    [path, `${path}&cursor=c1`, `${path}&cursor=c2`],
  )
})

const raw = `-1:${'5A'.repeat(32)}`
const core = CoreAddress.parse(raw)

test('addresses are parsed and written as @ton/core does', () => {
  for (const options of [{}, { bounceable: false }, { testOnly: true }, { bounceable: false, testOnly: true }]) {
    const friendly = core.toString(options)
    assert.equal(Address.parse(friendly).toString(options), friendly)
    assert.equal(Address.parse(friendly).toRawString(), raw)
  }
  assert.ok(Address.parse(raw).equals(Address.parse(core.toString({ urlSafe: false }))))
  for (const wrong of ['', 'addr_none', `${core.toString().slice(0, -1)}_`, `0:${'5'.repeat(63)}`]) {
    assert.throws(() => Address.parse(wrong), TypeError)
  }
})

test('amounts and addresses are parsed on request, and nothing else', () => {
  const found = parseValues({
    balance: '12',
    account: raw,
    accounts: [raw, 'addr_none'],
    hash: '12',
    extra_currencies: { 100: '5' },
    decoded: { value: '7' },
    stack: [{ type: 'num', value: '0x1' }],
    details: { amount: '1', asset: null, comment: '1', peer_swaps: [{ amount_in: '3' }] },
  })
  const address = Address.parse(raw)
  assert.deepEqual(found, {
    balance: 12n,
    account: address,
    accounts: [address, null],
    hash: '12',
    extra_currencies: { 100: 5n },
    decoded: { value: '7' },
    stack: [{ type: 'num', value: '0x1' }],
    details: { amount: 1n, asset: null, comment: '1', peer_swaps: [{ amount_in: 3n }] },
  })
})

test('stacks of both interfaces are read value by value', () => {
  const boc = beginCell().storeAddress(core).endCell().toBoc().toString('base64')
  const none = beginCell().storeAddress(null).endCell().toBoc({ idx: true }).toString('base64')
  const v3 = [
    { type: 'num', value: '-0x1f' },
    { type: 'num', value: '0x1' },
    { type: 'slice', value: boc },
    { type: 'cell', value: none },
    { type: 'list', value: [] },
    { type: 'tuple', value: [{ type: 'num', value: '0x5' }] },
  ]
  const v2 = [
    ['num', '-0x1f'],
    ['num', '0x1'],
    ['slice', { bytes: boc }],
    ['cell', { bytes: none }],
    ['list', { elements: [] }],
    ['tuple', { elements: [{ '@type': 'tvm.stackEntryNumber', number: { number: '5' } }] }],
  ]
  for (const stack of [v3, v2]) {
    const reader = new StackReader(stack)
    assert.equal(reader.readBigInt(), -31n)
    assert.equal(reader.readBoolean(), true)
    assert.equal(reader.readAddress().toRawString(), raw)
    assert.equal(reader.readAddressOpt(), null)
    assert.equal(reader.readCellOpt(), null)
    assert.deepEqual(
      reader.readList().map((each) => each.readNumber()),
      [5],
    )
    assert.equal(reader.remaining, 0)
    assert.throws(() => reader.readCell(), StackError)
    assert.throws(() => new StackReader(stack).readCell(), {
      message: 'Expected a cell at position 0 of the stack, got a num.',
    })
  }
  assert.throws(() => new StackReader([{ type: 'cell', value: none }]).readAddress(), StackError)
  assert.throws(() => new StackReader([{ type: 'num', value: `0x${'f'.repeat(20)}` }]).readNumber(), StackError)
})

test('integers keep their digits', () => {
  const cases: readonly [string, unknown][] = [
    ['{"a":18446744073709551616,"b":-9007199254740993}', { a: 18446744073709551616n, b: -9007199254740993n }],
    ['{"a":"18446744073709551616","\\"1":"\\\\"}', { a: '18446744073709551616', '"1': '\\' }],
    [
      '[1234567890123456,1.8446744073709551616,12345678901234567890e3,0.1234567890123457]',
      [1234567890123456, 2 ** 64 / 1e19, Number('12345678901234567890e3'), 0.1234567890123457],
    ],
  ]
  for (const [text, value] of cases) assert.deepEqual(parseExactJson(text), value)
  assert.throws(() => parseExactJson('{"a":18446744073709551616'), SyntaxError)
  assert.equal(stringifyExactJson({ a: [2n ** 64n, -5n], b: '5' }), '{"a":[18446744073709551616,-5],"b":"5"}')
})

test('the client is small, needs nothing of the server and nothing of Node', async () => {
  const bundle = (names: string) =>
    build({
      stdin: { contents: `export ${names} from './createClient.ts'`, resolveDir: join(repository, 'src/client') },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      metafile: true,
      write: false,
    })
  const [calls, { outputFiles, metafile }] = await Promise.all([bundle('{ createClient }'), bundle('*')])
  assert.ok(calls.outputFiles[0]!.contents.length < 11_300, `calls have ${calls.outputFiles[0]!.contents.length} bytes`)
  assert.ok(outputFiles[0]!.contents.length < 19_000, `it has ${outputFiles[0]!.contents.length} bytes`)
  assert.deepEqual(
    Object.keys(metafile.inputs).filter((path) => path !== '<stdin>' && !/(^|\/)src\/client\//.test(path)),
    [],
  )
})
